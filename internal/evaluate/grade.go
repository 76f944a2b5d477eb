package evaluate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// Grade is the judge's verdict on an answer by one criterion.
type Grade struct {
	suite.Criterion
	Key  string // key of the question; see package judge
	Met  bool   // undefined if Lost is set
	Why  model.Untrusted
	Lost *model.Failure // why there is no verdict; nil if there is one

	NeedsRun bool   // the text of an answer cannot show the criterion, so it was not judged and does not count
	shows    *Grade // verdict whether text can show the criterion; nil if not asked
	against  int    // votes against the verdict
	recorded bool
	assumed  bool // taken as met without asking, because this rerun is about other criteria
	use      use
}

// hasVerdict reports whether the judge gave the verdict. It is false if the rules for key facts decided, or if nobody
// did.
func (g Grade) hasVerdict() bool { return g.Lost == nil && g.Key != "" && !g.assumed && !g.NeedsRun }

// Grades are the judge's verdicts on one answer, one for each criterion; nil if there are none.
type Grades []Grade

func (g Grades) unmet() (out []expect.Unmet) {
	for _, one := range g {
		if one.Lost == nil && !one.NeedsRun && !one.Met && !one.Optional && one.Fact == "" {
			out = append(out, expect.Unmet{Criterion: score.Rubric, Expected: one.Text, Reason: string(one.Why), Severity: one.Severity})
		}
	}
	return out
}

// firstLost returns the first missing verdict on a criterion that is not optional, or nil if there is none. A verdict
// on a key fact is returned only if no other verdict is missing.
func (g Grades) firstLost() (first *Grade) {
	for i := range g {
		if one := &g[i]; one.Lost != nil && !one.Optional && (first == nil || first.Fact != "" && one.Fact == "") {
			first = one
		}
	}
	return first
}

// facts returns the verdicts on key facts by the text of the fact, including assumed ones.
func (g Grades) facts() map[string]score.Verdict {
	all := map[string]score.Verdict{}
	for _, one := range g {
		if one.Fact != "" && (one.hasVerdict() || one.assumed) {
			all[one.Fact] = score.Verdict{Said: one.Met, Why: string(one.Why)}
		}
	}
	return all
}

// atBest returns the grades with every missing verdict taken as met.
func (g Grades) atBest() Grades {
	best := slices.Clone(g)
	for i := range best {
		if best[i].Lost != nil {
			best[i].Lost, best[i].Met, best[i].assumed = nil, true, true
		}
	}
	return best
}

// metric returns the share of met criteria, without key facts, as a metric. It returns false if there is no verdict.
// The metric has the weight 0, because each criterion decides by itself.
func (g Grades) metric() (score.Metric, bool) {
	met, asked := 0, 0
	for _, one := range g {
		if one.Lost != nil || one.NeedsRun || one.Fact != "" {
			continue
		}
		if asked++; one.Met {
			met++
		}
	}
	if asked == 0 {
		return score.Metric{}, false
	}
	return score.Metric{Name: score.Rubric, Value: float64(met) / float64(asked), Method: score.MethodJudge,
		Description: fmt.Sprintf("%d of %d criteria met", met, asked)}, true
}

// recordable returns the response r as it is recorded, with its verdicts. If a verdict is missing, recordable returns a
// response with only the failure of the first missing verdict. A nil g leaves r unchanged.
func (g *grading) recordable(r model.Response) model.Response {
	if g == nil {
		return r
	}
	r.Verdicts = nil
	for _, one := range g.grades() {
		if one.Lost != nil {
			lost := *one.Lost
			lost.Message = "the judge: " + lost.Message
			return model.Response{Failure: &lost}
		}
		if s := one.shows; s != nil {
			r.Verdicts = append(r.Verdicts, model.Verdict{Key: s.Key, Criterion: one.Text, Shows: true, Met: s.Met, Why: s.Why})
		}
		if !one.hasVerdict() {
			continue
		}
		r.Verdicts = append(r.Verdicts, model.Verdict{Key: one.Key, Criterion: one.Text, Met: one.Met, Why: one.Why})
	}
	return r
}

// lacking returns the result of an answer whose verdict lost is missing. out is the result without the missing
// verdicts. If they could not change it, lacking returns out. Otherwise it returns an unscored result.
func (j *Judge) lacking(ctx context.Context, s *suite.Suite, c *suite.Case, r model.Response, out report.Result,
	graded Grades, lost *Grade) (report.Result, error) {
	passes := out.Classification.Primary == classify.Pass
	if passes && lost.Fact != "" {
		return out, nil // no key fact has a verdict, so none counts
	}
	if !passes {
		best, err := j.Judge(ctx, s, c, r, graded.atBest())
		if err != nil || best.Classification.Primary != classify.Pass {
			return out, err
		}
	}
	out.Classification = withoutVerdict(lost)
	return out, nil
}

// withoutVerdict returns the classification of an answer whose deciding verdict lost is missing.
func withoutVerdict(lost *Grade) classify.Classification {
	f := *lost.Lost
	if !f.NotAsked() {
		f.Message, f.End = "the judge: "+f.Message, nil
	}
	return classify.Unanswered(f)
}

// counts reports whether unmet criteria fail a case. If they do not, they only cause a warning.
func (j *Judge) counts() bool { return j.Panel == nil || j.Panel.options.Standing.Counts }

// gradeable reports whether the response has an answer with text to grade.
func gradeable(r model.Response) bool {
	text, _ := answer.Of(string(r.Text))
	return r.Failure == nil && strings.TrimSpace(text) != ""
}

// Graded returns the result of the answer r to the case c. If the case has criteria, the judge of j.Panel first grades
// the answer. Otherwise Graded works like Judge. The case must have its Body.
func (j *Judge) Graded(ctx context.Context, s *suite.Suite, c *suite.Case, r model.Response) (report.Result, error) {
	var g *grading
	if j.Panel != nil && c.Rubric != nil && gradeable(r) {
		g = &grading{suite: s, c: c, response: r}
		if err := j.Panel.gradeTrial(ctx, []*grading{g}); err != nil {
			return report.Result{}, err
		}
	}
	return j.Judge(ctx, s, c, r, g.grades())
}

// grades adds the judge's verdicts and their cost to the result out.
func (k keeper) grades(out *report.Result, all Grades) {
	recorded := true
	var sum use
	for _, g := range all {
		if g.assumed {
			continue
		}
		c := report.Criterion{Criterion: k.redactor.Text(g.Text), Fact: k.redactor.Text(g.Fact), Why: k.text(g.Why),
			Severity: g.Severity, Optional: g.Optional, Verdict: g.Key}
		switch {
		case g.Lost != nil:
			c.Lost = g.Lost.Reason
		case g.NeedsRun:
			c.NeedsRun = true
		default:
			c.Met, c.Against = new(g.Met), g.against
		}
		if s := g.shows; s != nil {
			if sum = sum.plus(s.use); g.NeedsRun {
				c.Verdict, c.Why = s.Key, k.text(s.Why)
			}
			recorded = recorded && s.recorded
		}
		out.Criteria = append(out.Criteria, c)
		sum = sum.plus(g.use)
		recorded = recorded && (g.recorded || g.NeedsRun)
	}
	out.Judge = sum.stored()
	out.Judge.Recorded = recorded
}

func (u use) stored() *report.JudgeUse {
	out := &report.JudgeUse{Calls: u.calls, Cached: u.cached, CostUSD: u.cost.Dollars(), Estimated: u.cost.Estimated}
	if u.in > 0 || u.out > 0 {
		out.Tokens = &report.Tokens{In: u.in, Out: u.out}
	}
	return out
}

type use struct {
	calls, cached, in, out int
	cost                   model.Cost
}

func (u use) plus(v use) use {
	return use{u.calls + v.calls, u.cached + v.cached, u.in + v.in, u.out + v.out, u.cost.Plus(v.cost)}
}

func usedBy(r model.Response) use {
	return use{calls: r.Attempts, in: r.Usage.TokensIn, out: r.Usage.TokensOut, cost: r.Usage.Cost}
}

// parked holds answers that wait until the other side of the trial is answered, because both sides are judged together.
// It is safe for concurrent use.
type parked struct {
	mu      sync.Mutex
	waiting map[*couple]*question
}

// together returns the questions to judge now that q is answered. If q has to wait for the other side's answer,
// together parks q and returns none.
func (p *parked) together(q *question) []*question {
	with := q.couple
	if with == nil || !with.together {
		return []*question{q}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if other, waits := p.waiting[with]; waits {
		delete(p.waiting, with)
		return []*question{other, q}
	}
	if p.waiting == nil {
		p.waiting = map[*couple]*question{}
	}
	p.waiting[with] = q
	return nil
}

// grade lets the judge grade the answers of one trial by the criteria of their own side. If the case is redefined, the
// judge also grades the head's answer by the base's criteria. An error or a bug is stored in each question.
func (c *crew) grade(ctx context.Context, all []*question) {
	panel := c.plan.panel()
	if panel == nil || len(all) == 0 {
		return
	}
	bug, err := all[0].readings[0].guarded("asking the judge", func() error {
		var gradings []*grading
		for _, q := range all {
			if q.err == nil && q.bug == nil && gradeable(q.response) {
				for _, r := range q.readings {
					gradings = append(gradings, r.gradings(q.response)...)
				}
			}
		}
		linkSides(all)
		return panel.gradeTrial(ctx, gradings)
	})
	for _, q := range all {
		if q.err == nil && q.bug == nil {
			q.err, q.bug = err, bug
		}
	}
}

// linkSides links the gradings of both sides of a trial that have the same criteria: the head's answer by the base's
// criteria if the case is redefined, otherwise by its own.
func linkSides(all []*question) {
	var own, under, base *grading
	for _, q := range all {
		for _, r := range q.readings {
			if r.at == suite.Base {
				base = r.graded
			} else {
				own, under = r.graded, r.gradedUnder
			}
		}
	}
	switch {
	case under != nil:
		under.other = base
	case base != nil:
		base.other = own
	}
}

// gradings returns the gradings of the answer: one by the case's own criteria and, if the case is redefined, one by the
// base's criteria.
func (r *reading) gradings(answer model.Response) (out []*grading) {
	if r.member.c.Rubric != nil {
		r.graded = &grading{suite: r.member.suite, c: r.member.c, response: answer, regrading: r.regrading}
		if r.at == suite.Base {
			r.graded.as = basesOwn
		}
		out = append(out, r.graded)
	}
	if r.under.present() && r.under.c.Graded() && suite.Redefined(r.under.c, r.member.c) {
		r.gradedUnder = &grading{suite: r.under.suite, c: new(r.under.c.Open()), response: answer,
			regrading: r.regrading, as: underBase}
		out = append(out, r.gradedUnder)
	}
	return out
}

// usualAnswer is a placeholder of about 250 tokens for an unknown answer.
var usualAnswer = model.Untrusted(strings.Repeat("words of it ", 84))

// oneFactIn is an assumption of forecasts: of so many key facts, the rules miss one, and the judge is asked about it.
const oneFactIn = 3

// Gradings yields the questions to the judge that a forecast expects for the plan p, once for each vote. Recorded
// answers are known. Live answers are assumed to have the usual length and to lack some key facts.
func Gradings(p Plan) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		panel := p.panel()
		if panel == nil {
			return
		}
		g := gradingForecast{panel: panel, begun: map[bool]bool{}, shown: map[string]bool{}}
		for one := range newQuestioner(&p).all() {
			for _, q := range g.questions(one) {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// gradingForecast is the state of Gradings.
type gradingForecast struct {
	panel *Panel
	begun map[bool]bool   // kinds of questions whose control questions were counted
	shown map[string]bool // keys of counted questions; true for questions whether text can show a criterion
	facts int             // key facts of live answers so far
}

// questions returns the questions to the judge that are expected about the answer to the question one.
func (g *gradingForecast) questions(one *question) (out []Question) {
	one.response = model.Response{Text: usualAnswer}
	if !one.target.Live {
		r, err := one.target.Client.Answer(context.Background(), one.request) // makes no call
		if err != nil || !gradeable(r) {
			return nil
		}
		one.response = r
	}
	name := g.panel.judge.Target.Name
	for _, wanted := range g.missing(one) {
		if wanted.grade.Fact != "" && one.target.Live {
			if g.facts++; g.facts%oneFactIn != 1 {
				continue
			}
		}
		if wanted.shows && g.shown[wanted.asking.Key] {
			continue
		}
		g.shown[wanted.asking.Key] = wanted.shows
		if !g.begun[wanted.shows] {
			g.begun[wanted.shows] = true
			for _, c := range controlsOf(wanted.shows) {
				if asking, err := g.panel.judge.Ask(c.Question); err == nil {
					out = append(out, Question{Target: name, Request: asking.Request})
				}
			}
		}
		for range g.panel.judge.Votes {
			out = append(out, Question{Target: name, Request: wanted.asking.Request, Compared: one.compared})
		}
	}
	return out
}

// missing returns the questions to the judge about the answer to the question one that have no recorded verdict. It
// returns equal questions once.
func (g *gradingForecast) missing(one *question) (out []*item) {
	var asked []string
	for _, r := range one.readings {
		for _, x := range r.gradings(one.response) {
			for _, it := range x.all() {
				if it.settled || !g.panel.put(it) {
					continue
				}
				recorded := func(v model.Verdict) bool { return v.Key == it.asking.Key }
				if !slices.Contains(asked, it.asking.Key) && !slices.ContainsFunc(one.response.Verdicts, recorded) {
					asked, out = append(asked, it.asking.Key), append(out, it)
				}
			}
		}
	}
	return out
}
