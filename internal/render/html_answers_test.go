package render

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// C423 to C428: the answers of a whole corpus of attacks stand on the page as the text that they are.
func TestHostileAnswersStandAsText(t *testing.T) {
	for _, text := range hostileTexts {
		r, a := pairRun("An answer that passes.", text)
		page := writePage(t, r, links(), a)
		want := strings.Trim(visible(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
		if got := answerTexts(page); want != "" && !slices.Contains(got, want) {
			t.Errorf("the page has the answers %q, want %q among them", got, want)
		}
	}
}

// pairRun is a run with one regression and what both sides answered, of which the report holds excerpts.
func pairRun(base, head string) (*report.Report, Answers) {
	r := plainRun()
	r.Changes, r.Verdict = nil, report.Failed
	b, h := passOutcome(prefixOf(base)), failOutcome("x", prefixOf(head))
	add(r, report.Regressed, "the-case", b, h)
	one := func(text string) iter.Seq2[report.Result, error] {
		return resultsOf(report.Result{SuiteID: r.Suites[0].SuiteID, CaseID: "the-case", Trial: 1, RawResponse: model.Untrusted(text)})
	}
	return r, Answers{Base: one(base), Head: one(head)}
}

// prefixOf is an excerpt as the report keeps it, but shorter.
func prefixOf(text string) string {
	if len(text) <= 20 {
		return text
	}
	return firstRunes(text, 20) + "…"
}

func resultsOf(all ...report.Result) iter.Seq2[report.Result, error] {
	return func(yield func(report.Result, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
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
			got := strings.Join(answerMarks(writePage(t, r, links(), a)), " | ")
			if got != c.want && (c.want != "<details>" || !strings.Contains(got, "alike</summary>")) {
				t.Errorf("answers are\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestWhichAnswerIsShown(t *testing.T) {
	whole := "This answer is longer than the excerpt that the report holds of it."
	change := func(r *report.Report) *report.Change { return &r.Changes[len(r.Changes)-1] }
	cases := []struct {
		rule   string
		change func(*report.Report)
		result report.Result
		shown  bool
	}{
		{"the whole one of the shown trial", func(*report.Report) {}, report.Result{}, true},
		{"not that of another trial", func(*report.Report) {}, report.Result{Trial: 2}, false},
		{"not that of another case", func(*report.Report) {}, report.Result{CaseID: "other"}, false},
		{"that of a suite that was renamed", func(*report.Report) {}, report.Result{SuiteID: "old/name"}, true},
		{"not one that the excerpt is not of", func(r *report.Report) { change(r).Head.Excerpt = "Something else…" }, report.Result{}, false},
		{"without an excerpt that of the same suite", func(r *report.Report) { change(r).Head.Excerpt = "" }, report.Result{}, true},
		{"without an excerpt none of another suite", func(r *report.Report) { change(r).Head.Excerpt = "" }, report.Result{SuiteID: "old/name"}, false},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, a := pairRun("Base.", whole)
			c.change(r)
			result := c.result
			result.RawResponse = model.Untrusted(whole)
			result.SuiteID, result.CaseID = or(result.SuiteID, r.Suites[0].SuiteID), or(result.CaseID, "the-case")
			result.Trial = max(result.Trial, 1)
			a.Head = resultsOf(result)
			if got := strings.Contains(writePage(t, r, links(), a), "holds of it."); got != c.shown {
				t.Errorf("the whole answer is shown: %v, want %v", got, c.shown)
			}
		})
	}
}

func TestAnAnswerIsCutAtItsBound(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 10<<20), strings.Repeat(`"`, 1<<20), strings.Repeat("漢", 1<<20), strings.Repeat("\u202e", 1<<20), strings.Repeat("a x ", 1<<18)} {
		r, a := pairRun("short", text)
		page := writePage(t, r, links(), a)
		if !strings.Contains(page, "Cut here. The whole answer stands in results.jsonl.") {
			t.Errorf("an answer of %d bytes is not cut, or does not say so", len(text))
		}
		if most := longestAnswer + 60<<10; len(page) > most {
			t.Errorf("the page has %d bytes with one long answer, want %d at most", len(page), most)
		}
	}
}

func TestAnswersAreReadNoFurtherThanNeeded(t *testing.T) {
	r, a := pairRun("Base.", "Head.")
	read := 0
	first := a.Head
	a.Head = func(yield func(report.Result, error) bool) {
		for r := range first {
			if !yield(r, nil) {
				return
			}
		}
		for read = 0; read < 1000 && yield(report.Result{CaseID: "later", Trial: 1}, nil); read++ {
		}
	}
	writePage(t, r, links(), a)
	if read > 0 {
		t.Errorf("%d results were read after the last one that is shown", read)
	}
}

func TestAFaultOfTheResultsIsReturned(t *testing.T) {
	fault := errors.New("line 3: no JSON")
	broken := func(yield func(report.Result, error) bool) { yield(report.Result{}, fault) }
	for side, a := range map[string]Answers{"base": {Base: broken}, "head": {Head: broken}} {
		r, _ := pairRun("Base.", "Head.")
		if err := HTML(io.Discard, r, links(), a); !errors.Is(err, fault) || !strings.Contains(err.Error(), side) {
			t.Errorf("HTML with broken results of the %s = %v, want %v and the side's name", side, err, fault)
		}
	}
}

// answerTexts are the texts of the boxes with answers.
func answerTexts(page string) (out []string) {
	for _, n := range find(parsePage(page), "div") {
		if hasClass(n, "text") {
			out = append(out, textOf(n))
		}
	}
	return out
}

// answerMarks is the inner HTML of the boxes with answers, of elements the names alone.
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
