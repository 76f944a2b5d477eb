package page_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestTheLinesThatDidItAreMarkedInThePromptWithTheCounts(t *testing.T) {
	const note = `Lines 4–5 of “prompts/refund.md” broke “refund-policy” and “too-late”: without this change 8 of 8 right, with it alone 0 of 8.`
	for _, c := range []struct {
		rule   string
		region report.Region
		note   string
		marked string
	}{
		{"at the head", report.Region{Path: "prompts/refund.md", First: 4, Last: 5, BaseFirst: 4, BaseLast: 4}, note, "- Promise what they ask for.\n- Be quick."},
		{"at the base, where they are gone", report.Region{Path: "prompts/refund.md", First: 5, Last: 4, BaseFirst: 4, BaseLast: 4},
			strings.ReplaceAll(strings.Replace(strings.Replace(note, "Lines 4–5", "The removal of 1 line before line 5", 1), "break", "breaks", 1), "them", "the removal"), "- Never promise money."},
		{"nowhere, where the text shown does not have them", report.Region{Path: "prompts/refund.md", First: 40, Last: 41, BaseFirst: 4, BaseLast: 4}, "", ""},
		{"nor in another file", report.Region{Path: "prompts/other.md", First: 4, Last: 5, BaseFirst: 4, BaseLast: 4}, "", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.ExplainedRun()
			r.Explanation.Hunks[1].Regions[0] = c.region
			var b strings.Builder
			if err := page.Write(&b, story.New(rendertest.SortChanges(r), show.Links{}), report.ResultFinders{}); err != nil {
				t.Fatal(err)
			}
			var marked strings.Builder
			rest, found := b.String(), ""
			for {
				_, after, ok := strings.Cut(rest, "<mark>")
				if !ok {
					break
				}
				inside, behind, _ := strings.Cut(after, "</mark>")
				marked.WriteString(strings.NewReplacer("<ins>", "", "</ins>", "", "<del>", "", "</del>", "").Replace(inside))
				if text, ok := strings.CutPrefix(behind, `<small class="did">`); ok {
					found, _, _ = strings.Cut(text, "</small>")
				}
				rest = behind
			}
			if marked.String() != c.marked || found != c.note {
				t.Errorf("marked %q with %q, want %q with %q", marked.String(), found, c.marked, c.note)
			}
		})
	}
}
