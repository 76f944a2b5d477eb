package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func writePage(t interface {
	Helper()
	Fatal(...any)
}, r *report.Report, l Links, a Answers) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, l, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageOfEachState(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for _, l := range []Links{links(), {}} {
				page := writePage(t, s.run(), l, Answers{})
				for _, fault := range pageFaults(page) {
					t.Error(fault)
				}
				if again := writePage(t, s.run(), l, Answers{}); again != page {
					t.Error("the page differs when it is written again")
				}
			}
		})
	}
}

func TestPageInWords(t *testing.T) {
	for _, s := range states {
		switch s.name {
		case "failed", "invalid", "undecided", "measured":
			t.Run(s.name, func(t *testing.T) { golden(t, s.name+".html.txt", inWords(writePage(t, s.run(), links(), Answers{}))) })
		}
	}
}

func TestNothingForeignIsMoreThanTextOnThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(hostileText(), 2, 5).Draw(t, "texts")
		r := hostileRun(texts...)
		r.Verdict = rapid.SampledFrom([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid, "odd"}).Draw(t, "verdict")
		r.Run.BaseState = rapid.SampledFrom(report.BaseStates[:]).Draw(t, "base")
		for _, fault := range pageFaults(writePage(t, r, links(), Answers{})) {
			t.Error(fault)
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, fault := range pageFaults(writePage(t, hostileRun(a, b, "", a+b), links(), Answers{})) {
			t.Error(fault)
		}
	})
}

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

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAFaultOfTheWriterIsReturned(t *testing.T) {
	if err := HTML(fullDisk{}, failedRun(), links(), Answers{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("HTML = %v, want %v", err, io.ErrShortWrite)
	}
}

func TestThePageStaysSmall(t *testing.T) {
	cases := []struct {
		rule string
		run  func() (*report.Report, Answers)
	}{
		{"at ten thousand cases as a team may have them", func() (*report.Report, Answers) { return sampleRun(10_000) }},
		{"at ten thousand regressions with the longest answers", func() (*report.Report, Answers) { return allRegressed(10_000, strings.Repeat(`"quoted" `, 2_000)) }},
		{"at ten thousand regressions of words that differ one by one", func() (*report.Report, Answers) { return allRegressed(10_000, strings.Repeat("a x ", 2_000)) }},
		{"at thirty thousand cases", func() (*report.Report, Answers) { return sampleRun(30_000) }},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, a := c.run()
			started := time.Now()
			page := writePage(t, r, links(), a)
			t.Logf("%d cases: %d bytes in %v", len(r.Changes), len(page), time.Since(started))
			if len(page) > 10_000_000 {
				t.Errorf("the page has %d bytes, want less than ten million", len(page))
			}
		})
	}
}

func allRegressed(n int, text string) (*report.Report, Answers) {
	r := plainRun()
	r.Changes = nil
	for i := range n {
		add(r, report.Regressed, fmt.Sprintf("case-%d", i), passOutcome(""), failOutcome(text[:100], ""))
	}
	side := func(text string) iter.Seq2[report.Result, error] {
		return func(yield func(report.Result, error) bool) {
			for _, c := range r.Changes {
				if !yield(report.Result{SuiteID: c.SuiteID, CaseID: c.CaseID, Trial: 1, RawResponse: model.Untrusted(text)}, nil) {
					return
				}
			}
		}
	}
	return r, Answers{Base: side(strings.ReplaceAll(text, "x", "y")), Head: side(text)}
}

// Every kind has a shape of its own in the map and a sign of its own in the lists: colour alone says nothing.
func TestEveryKindHasAShapeOfItsOwn(t *testing.T) {
	shapes := map[string]caseKind{}
	for _, k := range caseKinds {
		shape := sign(k, 0, 0)
		if other, taken := shapes[shape]; taken {
			t.Errorf("%s is drawn as %s is", k, other)
		}
		shapes[shape] = k
		if k != kindPassing && !strings.Contains(style, ".m."+string(k)+"::before,") {
			t.Errorf("the style has no sign for %s", k)
		}
	}
}

func TestKindsAgreeWithTheListsOfTheComment(t *testing.T) {
	for _, s := range states {
		v := newView(s.run(), links())
		counts := map[caseKind]int{}
		for _, c := range v.r.Changes {
			counts[v.kindOf(c)]++
		}
		for _, x := range []struct {
			kind caseKind
			want int
		}{{kindRegressed, len(v.regressed)}, {kindHidden, len(v.disguised) + len(v.dropped)}, {kindFailing, len(v.failing)}, {kindMissing, len(v.missing)}} {
			if counts[x.kind] != x.want {
				t.Errorf("%s: %d cases are %s, the comment lists %d", s.name, counts[x.kind], x.kind, x.want)
			}
		}
	}
}

func TestThePageSaysTheVerdictFirst(t *testing.T) {
	for _, s := range states {
		r := s.run()
		doc := parsePage(writePage(t, r, links(), Answers{}))
		if h1 := find(doc, "h1"); len(h1) != 1 || textOf(h1[0]) != strings.ReplaceAll(Title(r), " pp", hard+"pp") {
			t.Errorf("%s: the heading is not the title %q", s.name, Title(r))
		}
	}
}

func TestTheRunnerFindsNoCommandInThePage(t *testing.T) {
	for _, text := range hostileTexts {
		r, a := pairRun("Base.", text+"\n::error::x\n \u00a0::warning::y\nx ##[error]z")
		for _, line := range runnerLines(writePage(t, r, links(), a)) {
			if isCommand(line) {
				t.Errorf("the runner takes %q for a command", line)
			}
		}
	}
}

func TestDistributionAndChartsInNumbers(t *testing.T) {
	r := plainRun()
	r.Changes = nil
	for i, passed := range []int{0, 1, 5, 10} {
		o := passOutcome("")
		o.Passed, o.Trials = passed, 10
		add(r, report.StillPassing, fmt.Sprint(i), passOutcome(""), o)
	}
	d := newView(r, links()).distribution()
	var got []string
	for _, b := range d.Bars {
		got = append(got, b.Base+"/"+b.Head)
	}
	if want := "0/1 0/1 0/0 0/0 0/0 0/1 0/0 0/0 0/0 4/1"; strings.Join(got, " ") != want {
		t.Errorf("distribution is %s, want %s (base/head of each tenth)", got, want)
	}
	if d.Need != 288 || d.NeedText != "90%" {
		t.Errorf("the bar stands at %d (%s), want 288 of 320 (90%%)", d.Need, d.NeedText)
	}
	o := newView(failedRun(), links()).outcomeChart()
	if len(o.Rows) != 4 || o.Rows[2].Category != "wrong_format" || o.Rows[2].Change != "+1" || o.Rows[2].Class != "bad" {
		t.Errorf("outcomes are %+v, want pass, fail, wrong_format (+1, bad) and policy violation", o.Rows)
	}
}

func TestWorstCasesComeByScoreThenSeverity(t *testing.T) {
	r := plainRun()
	r.Changes = nil
	for i, c := range []struct {
		passed   int
		severity string
	}{{1, "low"}, {0, "low"}, {0, "critical"}, {2, "critical"}, {3, "critical"}} {
		o := failOutcome("x", "y")
		o.Passed, o.Trials = c.passed, 3
		if c.passed == 3 {
			o.Primary = classify.Pass
		}
		add(r, report.StillFailing, fmt.Sprint(i), nil, o).Severity = c.severity
	}
	var got []string
	for _, w := range newView(r, links()).worst() {
		got = append(got, w.Name)
	}
	if want := []string{"2", "1", "0", "3"}; !slices.Equal(got, want) {
		t.Errorf("worst cases are %v, want %v", got, want)
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
