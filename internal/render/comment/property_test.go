package comment_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// page is one output in Markdown.
type page struct {
	name  string
	limit int // in bytes
	write func(*story.Story) string
}

// pages are the outputs for GitHub, and those of render.Outputs whose files are in Markdown.
var pages = func() []page {
	all := []page{{"check", 65_000, comment.CheckSummary}, {"summary", 900 << 10, comment.Summary}, {"facts", 512, comment.Facts}}
	for _, o := range render.Outputs {
		if filepath.Ext(o.File) == ".md" {
			all = append(all, page{o.File, 60_000 - 1_024, func(s *story.Story) string {
				var b strings.Builder
				if err := o.Print(&b, s, report.ResultFinders{}); err != nil {
					panic(err)
				}
				return b.String()
			}})
		}
	}
	return all
}()

func checkPage(t rendertest.TB, p page, r *report.Report, l show.Links) {
	t.Helper()
	got := p.write(comment.StoryOf(r, l))
	if got == "" && p.name == "facts" {
		return // there are none
	}
	if len(got) > p.limit {
		t.Errorf("%s has %d bytes, limit %d", p.name, len(got), p.limit)
	}
	for _, f := range comment.Faults(got) {
		t.Errorf("%s: %s", p.name, f)
	}
}

func checkPages(t rendertest.TB, r *report.Report) {
	t.Helper()
	for _, p := range pages {
		checkPage(t, p, r, rendertest.Links())
		checkPage(t, p, r, show.Links{})
		got := p.write(comment.StoryOf(r, show.Links{}))
		if again := p.write(comment.StoryOf(r, show.Links{})); again != got {
			t.Errorf("%s differs when written again", p.name)
		}
	}
	if title := comment.StoryOf(r, show.Links{}).Title; utf8.RuneCountInString(title) > story.TitleRunes || strings.ContainsAny(title, "\n`@#") {
		t.Errorf("Title = %q", title)
	}
}

func TestEveryStateIsInertAndWithinItsLimits(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) { checkPages(t, s.Run()) })
	}
}

func TestNothingForeignIsMoreThanText(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) { checkPages(t, r) })
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range rendertest.HostileTexts {
		for n := range uint8(4 * 8) {
			f.Add(text, "x", n)
		}
	}
	f.Add("]", "", uint8(3))  // a name that made its list item a link definition
	f.Add("", "aa", uint8(1)) // no name, which made a rule of four asterisks
	verdicts := []report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		r := rendertest.HostileRun(a, b, "", a+b)
		r.Verdict = verdicts[int(n)%len(verdicts)]
		l := rendertest.Links()
		if n&4 != 0 {
			l = show.Links{}
		}
		checkPage(t, pages[int(n>>3)%len(pages)], r, l)
	})
}

// TestTheLeastPageFitsWhateverTheReportHolds checks the last size with names of a thousand characters that take four
// bytes each.
func TestTheLeastPageFitsWhateverTheReportHolds(t *testing.T) {
	long := strings.Repeat("\U000e0061|`\\", 1_000)
	verdicts := []report.Verdict{report.Failed, report.Invalid, report.Passed, report.Undecided}
	for _, verdict := range verdicts[:fulltest.Count(2, 4)] {
		r := rendertest.HostileRun(long, strings.Repeat("語", 5_000), strings.Repeat("a/", 140)+"é")
		for range 3 {
			r.Changes = append(r.Changes, r.Changes...)
			r.Suites = append(r.Suites, r.Suites...)
			r.Reasons = append(r.Reasons, r.Reasons...)
			r.Warnings = append(r.Warnings, r.Warnings...)
			r.Diagnostics = append(r.Diagnostics, r.Diagnostics...)
			r.PolicyChanges = append(r.PolicyChanges, r.PolicyChanges...)
		}
		r.Verdict = verdict
		for _, p := range pages {
			checkPage(t, p, r, rendertest.Links())
		}
	}
}

// TestAShortenedCommentKeepsWhatMatters checks what a comment never leaves out, however long the report is.
func TestAShortenedCommentKeepsWhatMatters(t *testing.T) {
	r := rendertest.ManyRegressions()
	rendertest.EditChanges(r, func(_ int, c *report.Change) {
		c.CaseID = strings.Repeat("漢", 100) + c.CaseID
		if h := c.Head; h != nil && h.Primary == classify.Fail {
			h.Excerpt = rendertest.Untrusted(strings.Repeat("語", 3_000))
		}
	})
	got := comment.Markdown(comment.StoryOf(r, rendertest.Links()))
	for _, want := range []string{"## ❌ 302 of 345 cases broke, one critical", "score 92.7% → **87.4%**", "302 broken answers", "**All**", "**Next:**", "`a1b2c3d`", "`9f8e7d6`", "full report"} {
		if !strings.Contains(got, want) {
			t.Errorf("Comment lacks %q", want)
		}
	}
	if n := strings.Count(got, "<sub>pass → **fail**</sub> |"); n < 9 {
		t.Errorf("Comment lists %d regressions, want 10 at least", n+1)
	}
}
