package page

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// TestHostileAnswersStandAsText checks that hostile answers are shown as plain text.
func TestHostileAnswersStandAsText(t *testing.T) {
	for _, text := range rendertest.HostileTexts {
		r, a := pairRun("An answer that passes.", text)
		page := writePage(t, r, rendertest.Links(), a)
		want := strings.Trim(show.Visible(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
		if got := answerTexts(page); want != "" && !slices.Contains(got, want) {
			t.Errorf("the page has the answers %q, want %q among them", got, want)
		}
	}
}

// pairRun returns a run with one regression and the complete answers of both sides. The report has excerpts of these.
func pairRun(base, head string) (*report.Report, report.ResultFinders) {
	r := rendertest.PassedRun()
	r.Changes, r.Verdict = nil, report.Failed
	b, h := rendertest.PassOutcome(prefixOf(base)), rendertest.FailOutcome("x", prefixOf(head))
	rendertest.AddChange(r, report.Regressed, "the-case", b, h)
	return r, report.ResultFinders{Base: says(func(report.Change) string { return base }), Head: says(func(report.Change) string { return head })}
}

// prefixOf returns an excerpt like the report's, but shorter.
func prefixOf(s string) string {
	if len(s) <= 20 {
		return s
	}
	return text.FirstRunes(s, 20) + "…"
}

// says returns a function that finds an answer to every case.
func says(text func(report.Change) string) report.ResultFinder {
	return func(c report.Change) (report.Result, bool, error) {
		return report.Result{RawResponse: model.Untrusted(text(c))}, true, nil
	}
}

func TestAnswersOnThePage(t *testing.T) {
	long := strings.Repeat("All of this is alike. ", 50)
	cases := []struct{ rule, base, head, want string }{
		{"words that differ are marked on their side", "You get 50 EUR back today.", "You get 100 EUR back today.",
			"You get <del>50</del> EUR back today. | You get <ins>100</ins> EUR back today."},
		{"answers of other words are not marked", "Yes, of course we do that", "Nein", "Yes, of course we do that | Nein"},
		{"equal answers are not marked", "The same on both sides", "The same on both sides", "The same on both sides | The same on both sides"},
		{"HTML is text", "<b>bold</b> 1", "<b>bold</b> 2", "&lt;b&gt;bold&lt;/b&gt; <del>1</del> | &lt;b&gt;bold&lt;/b&gt; <ins>2</ins>"},
		{"what both have is folded in its middle", long + "Yes.", long + "No.", "<details>"},
		{"an empty answer says so", "There was one here", "", "There was one here | No text."},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, a := pairRun(c.base, c.head)
			got := strings.Join(answerMarks(writePage(t, r, rendertest.Links(), a)), " | ")
			if got != c.want && (c.want != "<details>" || !strings.Contains(got, "alike</summary>")) {
				t.Errorf("answers are\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestWhichAnswerIsShown(t *testing.T) {
	whole := "This answer is longer than the excerpt that the report holds of it."
	for rule, find := range map[string]report.ResultFinder{
		"the whole one of the shown trial":      says(func(report.Change) string { return whole }),
		"the excerpt where it is not found":     func(report.Change) (r report.Result, found bool, err error) { return r, false, nil },
		"the excerpt where it begins otherwise": says(func(report.Change) string { return "Another one, which holds of it." }),
		"the excerpt where nobody can look":     nil,
	} {
		t.Run(rule, func(t *testing.T) {
			r, a := pairRun("Base.", whole)
			a.Head = find
			page, shown := writePage(t, r, rendertest.Links(), a), strings.HasPrefix(rule, "the whole")
			if got := strings.Contains(page, "holds of it."); got != shown {
				t.Errorf("the whole answer is shown: %v, want %v", got, shown)
			}
			if !strings.Contains(page, "This answer is") {
				t.Error("the beginning of the answer is not shown")
			}
		})
	}
}

func TestAnAnswerIsCutAtItsBound(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 10<<20), strings.Repeat(`"`, 1<<20), strings.Repeat("漢", 1<<20), strings.Repeat("\u202e", 1<<20), strings.Repeat("a x ", 1<<18)} {
		r, a := pairRun("short", text)
		page := writePage(t, r, rendertest.Links(), a)
		if !strings.Contains(page, "Cut here. The whole answer stands in results.jsonl.") {
			t.Errorf("an answer of %d bytes is not cut, or does not say so", len(text))
		}
		if most := longestAnswer + 60<<10; len(page) > most {
			t.Errorf("the page has %d bytes with one long answer, want %d at most", len(page), most)
		}
	}
}

func TestAFaultOfTheResultsIsReturned(t *testing.T) {
	fault := errors.New("line 3: no JSON")
	broken := func(report.Change) (report.Result, bool, error) { return report.Result{}, false, fault }
	for side, a := range map[string]report.ResultFinders{"base": {Base: broken}, "head": {Head: broken}} {
		r, _ := pairRun("Base.", "Head.")
		if err := Write(io.Discard, story.New(rendertest.SortChanges(r), rendertest.Links()), a); !errors.Is(err, fault) || !strings.Contains(err.Error(), side) {
			t.Errorf("HTML with broken results of the %s = %v, want %v and the side's name", side, err, fault)
		}
	}
}

// answerTexts returns the texts of the boxes with answers.
func answerTexts(page string) (out []string) {
	for _, n := range find(parsePage(page), "div") {
		if hasClass(n, "text") {
			out = append(out, textOf(n))
		}
	}
	return out
}

// answerMarks returns the inner HTML of the boxes with answers, without attributes.
func answerMarks(page string) (out []string) {
	for _, n := range find(parsePage(page), "div") {
		if !hasClass(n, "answer") {
			continue
		}
		for box := range n.Descendants() {
			if hasClass(box, "text") || box.Data == "p" && textOf(box) == "No text." {
				var b strings.Builder
				for c := range box.ChildNodes() {
					clean(c)
					_ = html.Render(&b, c)
				}
				out = append(out, b.String())
			}
		}
	}
	return out
}

func clean(n *html.Node) {
	n.Attr = nil
	for c := range n.ChildNodes() {
		clean(c)
	}
}
