package evaluate_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
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
			if again, err := j.GradeAndEvaluate(t.Context(), s.ID, s, s.Cases[0], got[0].Response); err != nil || got[0].Response.Text != model.Untrusted(c.answer) || again.Classification.Primary != r.Classification.Primary {
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
