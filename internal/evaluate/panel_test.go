package evaluate_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/fault"
	judgement "github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// grader is a judge by words: an answer meets a criterion if it contains the criterion's words in quotes. Text suffices
// for every criterion without the word file. The grader notes what it is asked besides control questions.
type grader struct {
	mu       sync.Mutex
	asked    []string
	controls []string // criteria of the control questions
	// replaces the reply to the n-th question, from 1, if its result is not zero; nil: replaces none
	reply   func(n int) string
	control func(n int) string // the same for control questions
}

// Replies of a grader in place of a verdict.
const (
	gibberish   = "unreadable"
	noAnswer    = "failure: " + model.ReasonServer
	noKey       = "failure: " + model.ReasonNoKey
	noMoney     = "failure: " + model.ReasonBudget
	clientError = "error"
)

func (g *grader) Answer(_ context.Context, r model.Request) (model.Response, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := modeltest.ParseQuestion(r.Messages[1].Content)
	text, asked := modeltest.ContainsVerdict(q), q.Criterion+": "+q.Answer
	if !strings.Contains(r.Messages[1].Content, "[ANSWER ") {
		text, asked = modeltest.VerdictJSON(!strings.Contains(q.Criterion, "file"), "So it is."), "text for "+q.Criterion+" of "+q.Input
	}
	other := ""
	if r.CaseID == "control" {
		if g.controls = append(g.controls, q.Criterion); g.control != nil {
			other = g.control(len(g.controls))
		}
	} else if g.asked = append(g.asked, asked); g.reply != nil {
		other = g.reply(len(g.asked))
	}
	reason, failed := strings.CutPrefix(other, "failure: ")
	switch {
	case other == clientError:
		return model.Response{}, errors.New("the disk is full")
	case failed:
		return model.Response{Failure: &model.Failure{Reason: reason, Message: "nothing", StopsTarget: reason == model.ReasonNoKey}}, nil
	case other == "met" || other == "unmet":
		text = modeltest.VerdictJSON(other == "met", "As it was told.")
	case other != "":
		text = other
	}
	return model.Response{Text: model.Untrusted(text), Finish: "stop", Attempts: 1,
		Usage: model.Usage{TokensIn: 10, TokensOut: 2, Cost: model.Cost{USD: 0.5, Known: true, Estimated: true}}}, nil
}

// replies returns the reply function of a grader that gives these replies in order, and then verdicts of its own.
func replies(all ...string) func(int) string {
	return func(n int) string { return append(slices.Clone(all), make([]string, n)...)[n-1] }
}

// always returns the reply function of a grader that gives one reply.
func always(reply string) func(int) string { return func(int) string { return reply } }

// panelOf returns a panel whose judge is g and gives a number of votes. Its verdicts count.
func panelOf(g *grader, votes int) *evaluate.Panel {
	return evaluate.NewPanel(judgement.Judge{Target: config.Target{Name: "j"}, Votes: votes}, g, evaluate.PanelOptions{Standing: judgement.UncheckedStanding()})
}

// criteria returns criteria that an answer with these words meets.
func criteria(words ...string) (all []suite.Criterion) {
	for _, word := range words {
		all = append(all, suite.Criterion{Text: fmt.Sprintf("Says %q", word), Severity: "high"})
	}
	return all
}

// holding returns a suite of one case with these criteria. Another set of criteria is another expectation.
func suiteOf(t *testing.T, prompt string, all []suite.Criterion) *suite.Suite {
	s := side(t, 1, "a="+prompt)
	b := s.Cases[0].Body
	b.Expect, b.Rubric, b.Vars = expecting(t, ""), &suite.Rubric{Criteria: all}, map[string]string{skilleval.Task: "Do it."}
	b.Keys.ExpectationKey = sha256.Sum256(fmt.Append(nil, all))
	return s
}

// recordings returns a function that answers every request with r, as a live target if r took attempts.
func recordings(r model.Response) func(string) evaluate.Target {
	client := answers(func(context.Context, model.Request) (model.Response, error) { return r, nil })
	return func(string) evaluate.Target {
		return evaluate.Target{Concurrency: 1, Client: client, Live: r.Attempts > 0}
	}
}

// verdicts describes an answer's classification and the judge's verdicts on it.
func verdicts(a evaluate.Answer) string {
	r := a.Result
	out := fmt.Sprintf("%s %s", a.Side, r.Classification.Primary)
	if r.UnderBase != nil {
		out += fmt.Sprintf(" (%s by the base)", r.UnderBase.Primary)
	}
	for _, c := range r.Criteria {
		switch {
		case c.NeedsRun:
			out += " needs-run"
		case c.Met == nil:
			out += " " + c.MissingReason
		default:
			out += map[bool]string{true: " met", false: " unmet"}[*c.Met]
		}
		if c.VotesAgainst > 0 {
			out += fmt.Sprintf("(%d against)", c.VotesAgainst)
		}
	}
	if j := r.Judge; j != nil {
		out += fmt.Sprintf("; %d calls, %d cached", j.Calls, j.Cached)
		if j.Recorded {
			out += ", recorded"
		}
	}
	return out
}

// answered returns all answers of a run, or of these reruns.
func answersOf(t *testing.T, p evaluate.Plan, reruns ...report.RerunRequest) (all []evaluate.Answer) {
	t.Helper()
	if p.OnBug == nil {
		p.OnBug = func(b *fault.Bug) { t.Errorf("a bug: %v", b) }
	}
	sink := func(a evaluate.Answer) error { all = append(all, a); return nil }
	err := evaluate.Rerun(t.Context(), p, reruns, sink)
	if reruns == nil {
		err = evaluate.Run(t.Context(), p, sink)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// judgedAs returns the verdicts on all answers of a run, or of these reruns.
func verdictsOf(t *testing.T, p evaluate.Plan, reruns ...report.RerunRequest) (out []string) {
	t.Helper()
	for _, a := range answersOf(t, p, reruns...) {
		out = append(out, verdicts(a))
	}
	return out
}

// A side is written as its answer, and after a slash the recorded verdict on its first criterion. A stale verdict says
// unmet. The judge calls a met if the answer contains it.
func TestARecordedVerdictCountsIfTheOtherSideHasOneToo(t *testing.T) {
	both, twice := []string{`Says "a": no`, `Says "a": a`}, []string{`Says "a": a`}
	for _, c := range []struct {
		rule        string
		base, head  string
		redefined   bool
		askStale    bool
		reply       string // to every question
		asked, want []string
	}{
		{"without one the judge is asked", "no", "a", false, false, "", both, []string{"base fail unmet; 1 calls, 0 cached", "head pass met; 1 calls, 0 cached"}},
		{"equal questions are asked once", "a", "a", false, false, "", twice, []string{"base pass met; 1 calls, 0 cached", "head pass met; 0 calls, 1 cached"}},
		{"with two nobody is asked", "no/met", "a/unmet", false, false, "", nil, []string{"base pass met; 0 calls, 0 cached, recorded", "head fail unmet; 0 calls, 0 cached, recorded"}},
		{"with one alone both are asked", "no/met", "a", false, false, "", both, []string{"base fail unmet; 1 calls, 0 cached", "head pass met; 1 calls, 0 cached"}},
		{"one counts if the judge cannot be asked", "no/met", "a/unmet", false, false, noAnswer, nil, []string{"base pass met; 0 calls, 0 cached, recorded", "head fail unmet; 0 calls, 0 cached, recorded"}},
		{"but not beside an answer that has none", "no/met", "a", false, false, noAnswer, both, []string{"base error server; 0 calls, 0 cached", "head error server; 0 calls, 0 cached"}},
		{"a stale one is missing", "no/met", "a/stale", false, false, "", nil, []string{"base pass met; 0 calls, 0 cached, recorded", "head error stale_verdict; 0 calls, 0 cached"}},
		{"a stale one is asked for again", "no/met", "a/stale", false, true, "", both, []string{"base fail unmet; 1 calls, 0 cached", "head pass met; 1 calls, 0 cached"}},
		{"the base's stale one gives way to the head's on the same answer", "a/stale", "a/unmet", false, false, "", nil, []string{"base fail unmet; 0 calls, 0 cached, recorded", "head fail unmet; 0 calls, 0 cached, recorded"}},
		{"which a base without any does not take", "a", "a/unmet", false, false, "", twice, []string{"base pass met; 1 calls, 0 cached", "head pass met; 0 calls, 1 cached"}},
		{"and not to one on another answer", "no/stale", "a/unmet", false, false, "", nil, []string{"base error stale_verdict; 0 calls, 0 cached", "head fail unmet; 0 calls, 0 cached, recorded"}},
		{"the head's stale one is missing whatever the base has", "a/unmet", "a/stale", false, false, "", nil, []string{"base fail unmet; 0 calls, 0 cached, recorded", "head error stale_verdict; 0 calls, 0 cached"}},
		{"by the base's criteria the head's answer takes the base's verdict on the same answer", "a b/unmet", "a b", true, false, "", []string{`Says "b": a b`},
			[]string{"base fail unmet; 0 calls, 0 cached, recorded", "head pass (fail by the base) met; 1 calls, 0 cached"}},
		{"and otherwise both are asked", "a/unmet", "a b", true, false, "", []string{`Says "a": a`, `Says "a": a b`, `Says "b": a b`},
			[]string{"base pass met; 1 calls, 0 cached", "head pass (pass by the base) met; 1 calls, 0 cached"}},
		{"if that gives none, the base's own counts", "a/unmet", "a b", true, false, noAnswer, []string{`Says "a": a`, `Says "a": a b`, `Says "b": a b`},
			[]string{"base fail unmet; 0 calls, 0 cached, recorded", "head error (error by the base) server; 0 calls, 0 cached"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g, now := &grader{reply: always(c.reply)}, criteria("a")
			if c.redefined {
				now = criteria("b")
			}
			panel := evaluate.NewPanel(judgement.Judge{Votes: 1}, g, evaluate.PanelOptions{Standing: judgement.UncheckedStanding(), AskStale: c.askStale})
			base, head := suiteOf(t, "x", criteria("a")), suiteOf(t, "x", now)
			answer := func(s *suite.Suite, written string) model.Response {
				text, kept, found := strings.Cut(written, "/")
				k, r, current := s.Cases[0], model.Response{Text: model.Untrusted(text)}, 0
				if found {
					asking, _ := panel.Question(k, k.Rubric.Criteria[0].Text, r.Text)
					r.Verdicts = []model.Verdict{{Key: asking.Key, Criterion: k.Rubric.Criteria[0].Text, Met: kept == "met"}}
					if current = 1; kept == "stale" {
						r.Verdicts[0].Key, current = "other", 0
					}
				}
				if n := panel.CurrentVerdicts(s, k, r); n != current {
					t.Errorf("%q has %d current verdicts, want %d", written, n, current)
				}
				return r
			}
			p := plan([]*suite.Suite{head}, nil)
			p.Head.Target = recordings(answer(head, c.head))
			p.Base = &evaluate.Side{Suites: []*suite.Suite{base}, Target: recordings(answer(base, c.base))}
			p.Evaluator.Panel = panel
			equal(t, "judged", verdictsOf(t, p), c.want)
			equal(t, "asked", g.asked, c.asked)
		})
	}
}

// A recorded verdict is on whether text suffices for the criterion, not on the criterion. The answers are no and a.
func TestWhetherTextSufficesIsOneVerdictForBothSides(t *testing.T) {
	needs, text, each := criteria("a"), `text for Says "a" of task: Do it.`, []string{`Says "a": no`, `Says "a": a`}
	needs[0].Needs = skilleval.NeedsAsking
	planOf := func(g *grader, kept ...model.Verdict) evaluate.Plan {
		p := plan([]*suite.Suite{suiteOf(t, "x", needs)}, nil)
		p.Head.Target = recordings(model.Response{Text: "a", Verdicts: kept[1:]})
		p.Base = &evaluate.Side{Suites: []*suite.Suite{suiteOf(t, "x", needs)}, Target: recordings(model.Response{Text: "no", Verdicts: kept[:1]})}
		p.Panel = panelOf(g, 1)
		p.Evaluator.Panel = p.Panel
		return p
	}
	p := planOf(&grader{}, model.Verdict{}, model.Verdict{})
	p.Evaluator = nil
	shows := answersOf(t, p)[0].Response.Verdicts[0]
	for _, c := range []struct {
		rule       string
		base, head model.Verdict
		asked      []string
		want       []string
	}{
		{"it is asked once", model.Verdict{}, model.Verdict{}, append([]string{text}, each...), []string{"base fail unmet; 2 calls, 0 cached", "head pass met; 1 calls, 1 cached"}},
		{"what suffices on one side is judged on both", model.Verdict{Key: shows.Key}, shows, each, []string{"base fail unmet; 1 calls, 0 cached", "head pass met; 1 calls, 1 cached"}},
		{"whichever it is", shows, model.Verdict{Key: shows.Key}, each, []string{"base fail unmet; 1 calls, 0 cached", "head pass met; 1 calls, 1 cached"}},
		{"what suffices on none is not", model.Verdict{Key: shows.Key}, model.Verdict{Key: shows.Key}, nil, []string{"base pass needs-run; 0 calls, 1 cached, recorded", "head pass needs-run; 0 calls, 1 cached, recorded"}},
		{"a stale one is missing", model.Verdict{Key: "other", Criterion: needs[0].Text, Shows: true}, model.Verdict{Key: "other", Criterion: needs[0].Text, Shows: true}, nil, []string{"base error stale_verdict; 0 calls, 0 cached", "head error stale_verdict; 0 calls, 1 cached"}},
		{"one recorded verdict is enough", model.Verdict{Key: shows.Key}, model.Verdict{}, nil, []string{"base pass needs-run; 0 calls, 1 cached, recorded", "head pass needs-run; 0 calls, 1 cached, recorded"}},
	} {
		g := &grader{}
		p := planOf(g, c.base, c.head)
		equal(t, c.rule, verdictsOf(t, p), c.want)
		equal(t, c.rule, g.asked, c.asked)
		g.asked = nil
		if verdictsOf(t, p); len(g.asked) > 0 {
			t.Errorf("%s: the same panel asks %q again", c.rule, g.asked)
		}
	}
}

func TestHowAnAnswerIsGraded(t *testing.T) {
	with := func(word string, change func(*suite.Criterion)) []suite.Criterion {
		all := criteria(word)
		change(&all[0])
		return all
	}
	optional := with("a", func(c *suite.Criterion) { c.Optional = true })
	key := with("fortnight", func(c *suite.Criterion) { c.Fact = "14 days" })
	file := with("a", func(c *suite.Criterion) { c.Text, c.Needs = "A file is saved", skilleval.NeedsAsking })
	sure := with("a", func(c *suite.Criterion) { c.Needs = skilleval.NeedsAsking })
	lenient, strict := func(c *suite.Case) { c.CaseThreshold = new(0.0) }, func(c *suite.Case) { c.Expect = expecting(t, "yes") }
	never := with("a", func(c *suite.Criterion) { c.Needs = skilleval.NeedsRun })
	f, err := fact.NewSynonyms(nil).Fact(key[0].Fact)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule, answer, want, recorded string // recorded: what a recording keeps of the verdicts, on the text or the criterion
		criteria                     []suite.Criterion
		change                       func(c *suite.Case)
		reply, control               func(n int) string
		votes, asked, controls       int // 0: one vote, one question, and three control questions before the first
		onlyWarns                    bool
	}{
		{rule: "met", answer: "a", want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "unmet, which fails the case", answer: "no", want: "fail unmet; 1 calls, 0 cached", recorded: "criterion false"},
		{rule: "unmet by a judge that only warns", answer: "no", onlyWarns: true, want: "pass unmet; 1 calls, 0 cached", recorded: "criterion false"},
		{rule: "a missing verdict leaves the case undecided", answer: "no", reply: always(noAnswer), want: "error server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "unless it would only warn", answer: "no", reply: always(noAnswer), onlyWarns: true, want: "pass server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "an optional criterion fails nothing", answer: "no", criteria: optional, want: "pass unmet; 1 calls, 0 cached", recorded: "criterion false"},
		{rule: "and may have no verdict", answer: "no", criteria: optional, reply: always(noAnswer), want: "pass server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "an empty answer is not graded", answer: " ", asked: -1, want: "crash"},
		{rule: "nor are thoughts", answer: "<think>a</think>", asked: -1, want: "crash"},
		{rule: "a key fact that is found is met", answer: "Within 14 days.", criteria: key, asked: -1, want: "pass met; 0 calls, 0 cached, recorded"},
		{rule: "one that is contradicted is not", answer: "Not within 14 days.", criteria: key, asked: -1, want: "fail unmet; 0 calls, 0 cached, recorded"},
		{rule: "for others the judge is asked", answer: "Within a fortnight.", criteria: key, want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "and may miss it too", answer: "Soon.", criteria: key, want: "fail unmet; 1 calls, 0 cached", recorded: "criterion false"},
		{rule: "without a verdict on it the case is undecided", answer: "Soon.", criteria: key, reply: always(noAnswer), want: "error server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "a judge that only warns finds no fact", answer: "Within a fortnight.", criteria: key, onlyWarns: true, want: "fail met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "a criterion that needs a run is not judged", answer: "a", criteria: never, asked: -1, want: "pass needs-run; 0 calls, 0 cached, recorded"},
		{rule: "nor is one that text does not suffice for", answer: "a", criteria: file, controls: 2, want: "pass needs-run; 1 calls, 0 cached", recorded: "text false"},
		{rule: "one that text suffices for is", answer: "no", criteria: sure, asked: 2, controls: 5, want: "fail unmet; 2 calls, 0 cached", recorded: "text true, criterion false"},
		{rule: "without that verdict the case is undecided", answer: "a", criteria: sure, reply: always(noAnswer), controls: 2, want: "error server; 0 calls, 0 cached", recorded: "the judge: nothing"},

		{rule: "though not if its threshold is met", answer: "Soon.", criteria: key, change: lenient, reply: always(noAnswer), want: "pass server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "nor if it fails anyway", answer: "Soon.", criteria: key, change: strict, reply: always(noAnswer), want: "fail server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "as it may by another rule", answer: "no", change: strict, reply: always(noAnswer), want: "fail server; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "another verdict counts before that on a key fact", answer: "Soon.", criteria: slices.Concat(key, criteria("a")), change: lenient, reply: always(noKey), asked: 2, want: "error no_key no_key; 0 calls, 0 cached", recorded: "the judge: nothing; with the key"},

		{rule: "two of three votes decide", answer: "a", votes: 3, asked: 2, want: "pass met; 2 calls, 0 cached", recorded: "criterion true"},
		{rule: "a vote against is counted", answer: "a", votes: 3, reply: replies("met", "unmet", "unmet"), asked: 3, want: "fail unmet(1 against); 3 calls, 0 cached", recorded: "criterion false"},
		{rule: "two of five do not decide", answer: "a", votes: 5, reply: replies("met", "unmet", "met", "unmet"), asked: 5, want: "pass met(2 against); 5 calls, 0 cached", recorded: "criterion true"},
		{rule: "a reply that cannot be read is asked for again", answer: "a", reply: replies(gibberish), asked: 2, want: "pass met; 2 calls, 0 cached", recorded: "criterion true"},
		{rule: "but once", answer: "a", reply: replies(gibberish, gibberish), asked: 2, want: "error no_verdict; 2 calls, 0 cached", recorded: "the judge: the reply is no JSON object: "},
		{rule: "a lost vote leaves the others", answer: "a", votes: 3, reply: replies(noAnswer), asked: 3, want: "pass met; 2 calls, 0 cached", recorded: "criterion true"},
		{rule: "too few votes are no verdict", answer: "a", votes: 3, reply: replies("met", noAnswer, "unmet"), asked: 3, want: "error server; 2 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "a judge that cannot answer is asked no more", answer: "a", votes: 3, reply: replies(noKey), want: "error no_key; 0 calls, 0 cached", recorded: "the judge: nothing; with the key, `failproof record s.yaml`"},
		{rule: "nor one for which the run has no money", answer: "a", votes: 3, reply: replies(noMoney), want: "error budget; 0 calls, 0 cached", recorded: "the judge: nothing"},
		{rule: "a long question is not asked", answer: strings.Repeat("a", 1<<20), asked: -1, want: "error no_verdict; 0 calls, 0 cached", recorded: "the judge: what the judge would be shown is longer than 1 MiB"},

		{rule: "a judge that gets a control question wrong three times running", answer: "a", control: replies("unmet", "unmet", "unmet"), controls: 5, asked: -1, want: "error no_verdict; 0 calls, 0 cached", recorded: "the judge: it got a control wrong three times running: it misses a word"},
		{rule: "or twice only", answer: "a", control: replies("unmet", "unmet"), controls: 5, want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "no verdict is not wrong", answer: "a", control: replies(gibberish), want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "nor is no answer", answer: "a", control: replies(noAnswer), want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
		{rule: "a judge that obeys an answer is used", answer: "a", control: replies("", "", "met", "met", "met"), controls: 5, want: "pass met; 1 calls, 0 cached", recorded: "criterion true"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if c.criteria == nil {
				c.criteria = criteria("a")
			}
			s, standing := suiteOf(t, "x", c.criteria), judgement.UncheckedStanding()
			if s.Path, standing.Counts = "s.yaml", !c.onlyWarns; c.criteria[0].Fact != "" {
				s.Cases[0].Measured = &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy), Facts: []*fact.Fact{f}}
			}
			if c.change != nil {
				c.change(s.Cases[0])
			}
			p := plan([]*suite.Suite{s}, say(c.answer))
			j, got := p.Evaluator, []evaluate.Answer(nil)
			var panel *evaluate.Panel
			for range 2 {
				g := &grader{reply: c.reply, control: c.control}
				panel = evaluate.NewPanel(judgement.Judge{Votes: max(c.votes, 1)}, g, evaluate.PanelOptions{Standing: standing})
				if p.Panel = panel; p.Evaluator != nil {
					p.Evaluator.Panel = panel
				}
				got = append(got, answersOf(t, p)...)
				if want := max(cmp.Or(c.asked, 1), 0); len(g.asked) != want || len(g.controls) != cmp.Or(c.controls, 3*min(want, 1)) {
					t.Errorf("%d questions and %d control questions", len(g.asked), len(g.controls))
				}
				p.Evaluator = nil // as recordings are made
			}
			r := got[0].Result
			if again, err := j.GradeAndEvaluate(t.Context(), s, s.Cases[0], got[0].Response); err != nil || got[0].Response.Text != model.Untrusted(c.answer) || again.Classification.Primary != r.Classification.Primary {
				t.Errorf("the same answer alone is judged as %s, %v", again.Classification.Primary, err)
			}
			if u := r.Judge; u != nil && u.Judge != (judgement.Judge{Votes: max(c.votes, 1)}).Fingerprint() || u != nil && u.Calls > 0 && (!u.Estimated || u.Tokens.In != 10*u.Calls || u.Tokens.Out != 2*u.Calls || *u.CostUSD != 0.5*float64(u.Calls)) {
				t.Errorf("%d calls came to %+v", u.Calls, u)
			}
			if is := verdicts(got[0]); is != "head "+c.want || slices.Contains(r.Warnings, report.WarnJudge) != (is == "head pass unmet; 1 calls, 0 cached" && c.onlyWarns) {
				t.Errorf("%s, warnings %q; want %s", is, r.Warnings, c.want)
			}
			if n := strings.Count(c.want, "met"); n > 0 && c.criteria[0].Fact == "" {
				met := n - strings.Count(c.want, "unmet")
				want := []score.Metric{{Name: score.Rubric, Method: score.MethodJudge, Value: float64(met) / float64(n), Description: fmt.Sprintf("%d of %d criteria met", met, n)}}
				if !reflect.DeepEqual(r.Metrics, want) {
					t.Errorf("metrics %+v, want %+v", r.Metrics, want)
				}
			}
			var kept []string
			for _, v := range got[1].Response.Verdicts {
				kept = append(kept, fmt.Sprint(map[bool]string{true: "text", false: "criterion"}[v.Shows], " ", v.Met))
			}
			if f := got[1].Response.Failure; f != nil {
				kept = append(kept, string(f.Message))
			}
			if is := strings.Join(kept, ", "); is != c.recorded && (len(got[1].Response.Verdicts) > 0 || !strings.HasPrefix(is, c.recorded)) {
				t.Errorf("recorded %q, want %q", is, c.recorded)
			}
			if found := panel.ControlResults(); (found.Wrong != "") != strings.Contains(c.recorded, "a control") || found.Obeyed != strings.Contains(c.rule, "obeys") ||
				c.controls == 5 && (found.Calls.Provider != 5 || *found.Calls.CostUSD != 2.5) {
				t.Errorf("%+v", found)
			}
		})
	}
}

// The judge gives up to three votes. The first run has the answers no and a.
func TestVerdictsAreCachedByJudgeAndVote(t *testing.T) {
	for _, c := range []struct {
		rule, head, address string          // of the second run
		votes               int             // that are left of each verdict
		text                model.Untrusted // of a vote that is left, if it is not the judge's
		asks                bool
	}{
		{"with all votes nobody is asked", "a", "j", 2, "", false},
		{"another judge is asked", "a", "k", 2, "", true},
		{"beside a new answer the old one is judged again too", "ab", "j", 2, "", true},
		{"one vote is no majority", "a", "j", 1, "", true},
		{"a reply that cannot be read is none", "a", "j", 2, gibberish, true},
	} {
		j, asked, called := newMemory(), []string{`Says "a": no`, `Says "a": no`, `Says "a": a`, `Says "a": a`}, "2 calls, 0 cached"
		checkRun := func(head, address string) {
			g := &grader{}
			p := plan([]*suite.Suite{suiteOf(t, "x", criteria("a"))}, say(head))
			p.Base = &evaluate.Side{Suites: []*suite.Suite{suiteOf(t, "x", criteria("a"))}, Target: recordings(model.Response{Text: "no"})}
			p.Evaluator.Panel = evaluate.NewPanel(judgement.Judge{Votes: 3}, g, evaluate.PanelOptions{Address: address, Journal: j, Standing: judgement.UncheckedStanding()})
			equal(t, c.rule, verdictsOf(t, p), []string{"base fail unmet; " + called, "head pass met; " + called})
			equal(t, c.rule, g.asked, asked)
		}
		checkRun("a", "j")
		for k, r := range j.kept {
			if r.Text = cmp.Or(c.text, r.Text); k.Occurrence > c.votes {
				delete(j.kept, k)
			} else {
				j.kept[k] = r
			}
		}
		if asked[2], asked[3] = `Says "a": `+c.head, `Says "a": `+c.head; !c.asks {
			asked, called = nil, "0 calls, 1 cached"
		}
		checkRun(c.head, c.address)
	}
}

// Both sides give the same answer, which meets both criteria. The base has 2 trials, the head 3, and the panel's judge
// one vote.
func TestRerunsAreNumberedAndGradedApart(t *testing.T) {
	old := [2]*model.Response{{Text: "0.0", ToolCalls: []model.ToolCall{{Name: "was"}}}, {Text: "0.0", ToolCalls: []model.ToolCall{{Name: "is"}}}}
	for _, c := range []struct {
		rule  string
		live  bool
		want  report.RerunRequest
		sent  []string // trial and rerun that the target sees, and those of the answer
		calls string   // verdicts of the first side of the first rerun
		asked int      // questions to the judge
	}{
		{"they follow the trials of the side with more", true, report.RerunRequest{FirstNumber: 4}, []string{"4.1 4.1", "4.1 4.1", "5.2 5.2", "5.2 5.2"}, "met met; 2 calls, 0 cached", 4},
		{"recorded ones follow the first one", false, report.RerunRequest{FirstNumber: 6, Recorded: true}, []string{"6.1 6.1", "6.1 6.1", "7.2 7.2", "7.2 7.2"}, "met met; 2 calls, 0 cached", 4},
		{"to be graded again a model answers anew, by the majority of three votes", true, report.RerunRequest{FirstNumber: 4, Regrade: true}, []string{"4.1 4.1", "4.1 4.1", "5.2 5.2", "5.2 5.2"}, "met met; 4 calls, 0 cached", 16},
		{"a recording has its first answers", false, report.RerunRequest{FirstNumber: 4, Regrade: true}, []string{"1.0 4.1", "2.0 4.1", "1.0 5.2", "2.0 5.2"}, "met met; 4 calls, 0 cached", 16},
		{"old answers are graded by the majority of five votes", true, report.RerunRequest{FirstNumber: 4, Regrade: true, Answers: old}, []string{"0.0 4.1 head is", "0.0 4.1 base was", "0.0 5.2 base was", "0.0 5.2 head is"}, "met met; 6 calls, 0 cached", 24},
		{"by some criteria only", true, report.RerunRequest{FirstNumber: 4, Regrade: true, Answers: old, Criteria: []string{`Says "."`}}, []string{"0.0 4.1 head is", "0.0 4.1 base was", "0.0 5.2 base was", "0.0 5.2 head is"}, "met; 3 calls, 0 cached", 12},
		{"and on the base alone", true, report.RerunRequest{FirstNumber: 4, Recorded: true, Answers: [2]*model.Response{old[0]}}, []string{"0.0 4.1 base was", "0.0 5.2 base was"}, "met met; 2 calls, 0 cached", 2},
	} {
		p, _ := both([]*suite.Suite{suiteOf(t, "old", criteria(".", ""))}, []*suite.Suite{suiteOf(t, "new", criteria(".", ""))})
		p.Base.Suites[0].Cases[0].Trials, p.Head.Suites[0].Cases[0].Trials, p.EvaluationConcurrency = 2, 3, 1
		p.Head.Target = func(string) evaluate.Target {
			return evaluate.Target{Concurrency: 1, Live: c.live, Client: answers(func(_ context.Context, r model.Request) (model.Response, error) {
				return model.Response{Text: model.Untrusted(fmt.Sprintf("%d.%d", r.Trial, r.Rerun))}, nil
			})}
		}
		p.Base.Target = p.Head.Target
		c.want.SuiteID, c.want.CaseID, c.want.Rounds, c.want.Reason = "s0", "a", 2, report.RerunConfirm
		j, g, sent := newMemory(), &grader{}, []string(nil)
		rerun := func() []evaluate.Answer {
			g.asked = nil
			p.Evaluator.Panel = evaluate.NewPanel(judgement.Judge{Votes: 1}, g, evaluate.PanelOptions{Journal: j, Standing: judgement.UncheckedStanding()})
			return answersOf(t, p, c.want)
		}
		for i, a := range rerun() {
			if a.Result.Trial != a.Request.Trial || a.Result.RerunReason != report.RerunConfirm || i == 0 && !strings.HasSuffix(verdicts(a), " pass "+c.calls) {
				t.Errorf("%s: trial %d of reason %q, %s", c.rule, a.Result.Trial, a.Result.RerunReason, verdicts(a))
			}
			if sent = append(sent, fmt.Sprintf("%s %d.%d", a.Response.Text, a.Request.Trial, a.Request.Rerun)); len(a.Result.ToolCalls) > 0 {
				sent[len(sent)-1] += fmt.Sprint(" ", a.Side, " ", a.Result.ToolCalls[0].Name)
			}
		}
		equal(t, c.rule, sent, c.sent)
		if len(g.asked) != c.asked {
			t.Errorf("%s: %d questions", c.rule, len(g.asked))
		}
		if rerun(); len(g.asked) > 0 {
			t.Errorf("%s: an interrupted run asks %q again", c.rule, g.asked)
		}
	}
}

// The forecast is written as the judge's questions: criteria by their number, with control questions.
func TestAForecastOfGradings(t *testing.T) {
	const met, shown = `Contains the word "lighthouse"`, `The sentence was saved to the file sea.txt, and the file was opened again to check it`
	facts, measured := criteria("1", "2", "3", "4", "5", "6", "7"), &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy)}
	for i := range facts {
		f, err := fact.NewSynonyms(nil).Fact(fmt.Sprint("kettle ", i))
		if err != nil {
			t.Fatal(err)
		}
		facts[i].Fact, measured.Facts = f.String(), append(measured.Facts, f)
	}
	needs, run := criteria("a"), criteria("a")
	needs[0].Needs, run[0].Needs = skilleval.NeedsAsking, skilleval.NeedsRun
	for _, c := range []struct {
		rule       string
		base, head []suite.Criterion
		recorded   *model.Response
		known      string // criterion with a recorded verdict
		want       map[string]int
	}{
		{"answers that are not known are assumed, and every vote counts", nil, criteria("a", "b"), nil, "", map[string]int{met: 3, `Says "a"`: 3, `Says "b"`: 3}},
		{"one answer that both sides share is graded once", criteria("a"), criteria("a"), nil, "", map[string]int{met: 3, `Says "a"`: 3}},
		{"a redefined case by both criteria", criteria("a"), criteria("b"), nil, "", map[string]int{met: 3, `Says "a"`: 3, `Says "b"`: 3}},
		{"the rules miss one key fact of three", nil, facts, nil, "", map[string]int{met: 3, `Says "1"`: 3, `Says "4"`: 3, `Says "7"`: 3}},
		{"a recorded answer has all its key facts missing", nil, facts[:2], &model.Response{Text: "a"}, "", map[string]int{met: 3, `Says "1"`: 3, `Says "2"`: 3}},
		{"or has them", nil, facts[:2], &model.Response{Text: "The kettle 0 and the kettle 1."}, "", nil},
		{"no answer is not graded", nil, criteria("a"), &model.Response{Failure: &model.Failure{}}, "", nil},
		{"whether text suffices is asked too", nil, needs, nil, "", map[string]int{`Contains the word "lighthouse"`: 4, `Says "a"`: 6, shown: 1}},
		{"and then not the criterion, if it is known to need more", nil, needs, &model.Response{Text: "a", Verdicts: []model.Verdict{{Criterion: `Says "a"`, Shows: true}}}, "",
			map[string]int{`Contains the word "lighthouse"`: 1, `Says "a"`: 3, shown: 1}},
		{"nor one with a recorded verdict", nil, criteria("a", "b"), &model.Response{Text: "a"}, `Says "a"`, map[string]int{met: 3, `Says "b"`: 3}},
		{"nor one that needs a run", nil, run, nil, "", nil},
	} {
		p, _ := both(nil, []*suite.Suite{suiteOf(t, "x", c.head)})
		panel := evaluate.NewPanel(judgement.Judge{Target: config.Target{Name: "j"}, Votes: 3}, &grader{}, evaluate.PanelOptions{AskStale: true})
		if c.base != nil {
			p.Base = &evaluate.Side{Suites: []*suite.Suite{suiteOf(t, "x", c.base)}, Target: p.Head.Target}
		}
		if c.head[0].Fact != "" {
			p.Head.Suites[0].Cases[0].Measured = measured
		}
		if c.recorded != nil {
			if asking, err := panel.Question(p.Head.Suites[0].Cases[0], c.known, c.recorded.Text); c.known != "" {
				c.recorded.Verdicts = []model.Verdict{{Key: asking.Key, Criterion: c.known}}
			} else if err != nil {
				t.Fatal(err)
			}
			p.Head.Target = recordings(*c.recorded)
		}
		for range evaluate.ForecastGradings(p) {
			t.Fatal("questions without a judge")
		}
		p.Evaluator.Panel = panel
		got := map[string]int{}
		for q := range evaluate.ForecastGradings(p) {
			_, criterion, _ := strings.Cut(q.Request.Messages[1].Content, "[CRITERION ")
			if got[strings.Split(criterion, "\n")[1][2:]]++; q.Target != "j" || q.Compared != (evaluate.CaseRef{}) {
				t.Errorf("%s: %+v", c.rule, q)
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
	p, _ := both([]*suite.Suite{suiteOf(t, "old", needs)}, []*suite.Suite{suiteOf(t, "new", needs)})
	p.Evaluator, p.Panel = nil, panelOf(&grader{}, 1)
	var got []string
	for q := range evaluate.ForecastGradings(p) {
		if got = append(got, fmt.Sprint(strings.Contains(q.Request.Messages[1].Content, "[ANSWER "), q.Compared.Suite == p.Head.Suites[0])); len(got) == 7 {
			break
		}
	}
	// control questions, whether text suffices, and then the criterion; for the head only the criterion
	equal(t, "questions on answers that are compared", got, []string{"false false", "false false", "false true", "true false", "true false", "true false", "true true"})
}

func TestLabelsAreGradedTwice(t *testing.T) {
	var labels []judgement.Label
	for i, answer := range []string{"1a", "2", "3", "4a", "5a", "6", "7a"} {
		labels = append(labels, judgement.Label{Met: i%2 == 0, Question: judgement.Question{Criterion: `Says "a"`, Answer: model.Untrusted(answer),
			Vars: map[string]string{"question": "Which?"}, Context: map[string]string{"passages": "All of it."}}})
	}
	labels[6].Reference = strings.Repeat("x", 1<<20)
	g := &grader{reply: replies("", "", "", "", "", "", "", "unmet", noAnswer, "", "", noAnswer)} // in the second of the 4th, the first of the 5th, and the second of the 6th
	p, calls := evaluate.NewPanel(judgement.Judge{Votes: 1}, g, evaluate.PanelOptions{Journal: newMemory()}), 0
	got, err := p.CheckLabels(t.Context(), labels, 1, func() { calls++ })
	if err != nil || calls != 14 || len(got) != 7 || len(g.asked) != 12 {
		t.Fatalf("%d of %d labels after %d questions, %v", len(got), calls, len(g.asked), err)
	}
	want := judgement.Agreement{Met: judgement.AgreementCounts{Labels: 2, Agreed: 1}, Unmet: judgement.AgreementCounts{Labels: 3, Agreed: 2}, Errors: 2, Twice: 4, Contradicted: 1}
	if a := evaluate.CountAgreement(got); a != want {
		t.Errorf("agreement %+v, want %+v", a, want)
	}
	q, err := p.Question(&suite.Case{Body: &suite.Body{Vars: map[string]string{"question": "Which?", "passages": "All of it."},
		Judging: suite.Judging{Rubric: &suite.Rubric{ContextVars: []string{"passages"}}}}}, `Says "a"`, "1a")
	if err != nil || q.Key != got[0].Grades[0].Key {
		t.Errorf("the question about a label is not that about a case: %v", err)
	}
	g.asked, g.reply = nil, always(clientError)
	if _, err := p.CheckLabels(t.Context(), labels[:4], 1, func() {}); err != nil || len(g.asked) > 0 { // the verdicts are cached
		t.Errorf("checked again: %q, %v", g.asked, err)
	}
	if _, err := p.CheckLabels(t.Context(), labels[4:5], 1, func() {}); err == nil {
		t.Error("an error of the judge's client is no error")
	}
}
