package render

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// pages are all outputs that are Markdown, each with the limit it must keep.
var pages = []struct {
	name  string
	limit int
	write func(*report.Report, Links) string
}{
	{"comment", 60_000 - 1_024, Comment},
	{"check", 65_000, CheckSummary},
	{"summary", 900 << 10, Summary},
	{"facts", 512, Facts},
}

func checkPages(t interface {
	Helper()
	Errorf(string, ...any)
}, r *report.Report) {
	t.Helper()
	for _, p := range pages {
		for _, l := range []Links{links(), {}} {
			got := p.write(r, l)
			if len(got) > p.limit {
				t.Errorf("%s has %d bytes, limit %d", p.name, len(got), p.limit)
			}
			if got == "" && p.name == "facts" {
				continue // there are none
			}
			for _, f := range faults(got) {
				t.Errorf("%s: %s", p.name, f)
			}
			if again := p.write(r, l); again != got {
				t.Errorf("%s differs when written again", p.name)
			}
		}
	}
	if title := Title(r); utf8.RuneCountInString(title) > titleRunes || strings.ContainsAny(title, "\n`@#") {
		t.Errorf("Title = %q", title)
	}
}

func TestEveryStateIsInertAndWithinItsLimits(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) { checkPages(t, s.run()) })
	}
}

// fragments are what is dangerous in pieces: drawn one after the other they make what no list would hold.
var fragments = append([]string{"a", " ", "\n", "\r", "\t", "@", "#", "1", "GH-1", "`", "``", "|", "\\", "[", "]", "(", ")", "<", ">", "!", "*", "_", "~",
	"~~~", "```", ":", "::", "##[", "&", ";", "$", "www.", "http://", "</details>", "<!--", "-->", "\u200b", "\u202e", "\ufe0f", "\u0301", "\xff", "\x1b[0m",
	"1. ", "- ", "# ", "=", "---", "deadbeef", "word", "0.5", "”", "é", "漢", "\U0001f389"}, hostileTexts...)

func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, "fragments"), "")
	})
}

func TestNothingForeignIsMoreThanText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostileText(), 2, 9).Draw(t, "texts")
		r := hostileRun(texts...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom([]string{"compared", "none", "missing", "incomparable"}).Draw(t, "base")
		checkPages(t, r)
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text, "x", uint8(1))
	}
	f.Add("]", "", uint8(3))  // a name that made its list item a link definition
	f.Add("", "aa", uint8(1)) // no name, which made a rule of four asterisks
	verdicts := []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := hostileRun(a, b, "", a+b)
		r.Verdict = verdicts[int(n)%len(verdicts)]
		checkPages(t, r)
	})
}

// The last size must hold whatever a report holds: names of a thousand characters, each four bytes long when shown.
func TestTheLeastPageFitsWhateverTheReportHolds(t *testing.T) {
	long := strings.Repeat("\U000e0061|`\\", 1_000)
	for _, verdict := range []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid} {
		r := hostileRun(long, strings.Repeat("語", 5_000), strings.Repeat("a/", 140)+"é")
		for range 4 {
			r.Changes = append(r.Changes, r.Changes...)
			r.Suites = append(r.Suites, r.Suites...)
			r.Reasons = append(r.Reasons, r.Reasons...)
			r.Warnings = append(r.Warnings, r.Warnings...)
			r.Diagnostics = append(r.Diagnostics, r.Diagnostics...)
			r.PolicyChanges = append(r.PolicyChanges, r.PolicyChanges...)
		}
		r.Verdict = verdict
		checkPages(t, r)
	}
}

// What is never left out, however long the report is.
func TestAShortenedCommentKeepsWhatMatters(t *testing.T) {
	r := manyRegressions()
	for i := range r.Changes {
		r.Changes[i].CaseID = strings.Repeat("漢", 100) + r.Changes[i].CaseID
		if h := r.Changes[i].Head; h != nil && h.Primary == classify.Fail {
			h.Excerpt = untrusted(strings.Repeat("語", 3_000))
		}
	}
	got := Comment(r, links())
	for _, want := range []string{"## ❌ Prompt gate failed: score 87.4%", "run score 0.874", "302 regressions", "**Run**", "`a1b2c3d`", "`9f8e7d6`", "full report"} {
		if !strings.Contains(got, want) {
			t.Errorf("Comment lacks %q", want)
		}
	}
	if n := strings.Count(got, "| pass → **fail** |"); n < 9 {
		t.Errorf("Comment lists %d regressions, want 10 at least", n+1)
	}
}

func TestTheTableIsPlainWithinItsWidth(t *testing.T) {
	for _, s := range states {
		if s.name == "hostile" {
			continue
		}
		for _, line := range strings.Split(table(t, s.run(), TableOptions{Width: 80}), "\n") {
			long := utf8.RuneCountInString(line) > 80
			if long && !strings.Contains(line, "Prompt gate") && s.name != "invalid" && s.name != "300-regressions" {
				t.Errorf("%s: %d columns: %s", s.name, utf8.RuneCountInString(line), line)
			}
		}
	}
}

func TestTheTableHoldsNoCommandOfTheRunner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := hostileRun(rapid.SliceOfN(hostileText(), 2, 9).Draw(t, "texts")...)
		var b bytes.Buffer
		if err := Table(&b, r, TableOptions{Color: rapid.Bool().Draw(t, "color")}); err != nil {
			t.Fatal(err)
		}
		for _, line := range runnerLines(b.String()) {
			if isCommand(line) {
				t.Errorf("the runner takes %q for a command", line)
			}
		}
	})
}
