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

type reporter interface {
	Helper()
	Errorf(string, ...any)
}

func checkPage(t reporter, i int, r *report.Report, l Links) {
	t.Helper()
	p := pages[i]
	got := p.write(r, l)
	if got == "" && p.name == "facts" {
		return // there are none
	}
	if len(got) > p.limit {
		t.Errorf("%s has %d bytes, limit %d", p.name, len(got), p.limit)
	}
	for _, f := range faults(got) {
		t.Errorf("%s: %s", p.name, f)
	}
	if again := p.write(r, l); again != got {
		t.Errorf("%s differs when written again", p.name)
	}
}

func checkPages(t reporter, r *report.Report) {
	t.Helper()
	for i := range pages {
		checkPage(t, i, r, links())
		checkPage(t, i, r, Links{})
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
		texts := rapid.SliceOfN(hostileText(), 2, 5).Draw(t, "texts")
		r := hostileRun(texts...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom([]string{"compared", "none", "missing", "incomparable"}).Draw(t, "base")
		checkPages(t, r)
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range hostileTexts {
		for n := range uint8(4 * 8) {
			f.Add(text, "x", n)
		}
	}
	f.Add("]", "", uint8(3))  // a name that made its list item a link definition
	f.Add("", "aa", uint8(1)) // no name, which made a rule of four asterisks
	verdicts := []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := hostileRun(a, b, "", a+b)
		r.Verdict = verdicts[int(n)%len(verdicts)]
		l := links()
		if n&4 != 0 {
			l = Links{}
		}
		checkPage(t, int(n>>3)%len(pages), r, l)
	})
}

// The last size must hold whatever a report holds: names of a thousand characters, each four bytes long when shown.
func TestTheLeastPageFitsWhateverTheReportHolds(t *testing.T) {
	long := strings.Repeat("\U000e0061|`\\", 1_000)
	for _, verdict := range []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid} {
		r := hostileRun(long, strings.Repeat("語", 5_000), strings.Repeat("a/", 140)+"é")
		for range 3 {
			r.Changes = append(r.Changes, r.Changes...)
			r.Suites = append(r.Suites, r.Suites...)
			r.Reasons = append(r.Reasons, r.Reasons...)
			r.Warnings = append(r.Warnings, r.Warnings...)
			r.Diagnostics = append(r.Diagnostics, r.Diagnostics...)
			r.PolicyChanges = append(r.PolicyChanges, r.PolicyChanges...)
		}
		r.Verdict = verdict
		for i := range pages {
			checkPage(t, i, r, links())
		}
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
