package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// Grade is the judge's verdict on an answer by one criterion.
type Grade struct {
	suite.Criterion
	verdict
	Key string // key of the question; see package judge

	NeedsRun    bool   // text does not suffice for the criterion, so it was not judged and does not count
	sufficiency *Grade // verdict whether text suffices for the criterion; nil if not asked
	assumed     bool   // taken as met without asking, because this rerun is about other criteria
}

// verdict is what the judge, a recording or a rule says.
type verdict struct {
	Met     bool // undefined if Failure is set
	Why     model.Untrusted
	Failure *model.Failure // why there is no verdict; nil if there is one

	opposingVotes int // votes against the verdict
	recorded      bool
	calls         report.Calls
}

// noVerdict returns the verdict that is missing for a reason.
func noVerdict(reason, why string) verdict {
	return verdict{Failure: &model.Failure{Reason: reason, Message: model.Untrusted(why)}}
}

// decided returns the verdict of the majority of votes; false if there is none yet.
func decided(replies []judge.Reply, votes int) (v verdict, ok bool) {
	majority, ok := judge.Majority(replies, votes)
	return verdict{Met: majority.Met, Why: majority.Why, opposingVotes: judge.CountAgainst(replies, majority.Met)}, ok
}

// hasVerdict reports whether the judge gave the verdict. It is false if the rules for key facts decided, or if nobody
// did.
func (g Grade) hasVerdict() bool { return g.Failure == nil && g.Key != "" && !g.assumed && !g.NeedsRun }

// Grades are the judge's verdicts on one answer, one for each criterion; nil if there are none.
type Grades []Grade

func (g Grades) unmet() (out []expect.Unmet) {
	for _, one := range g {
		if one.Failure == nil && !one.NeedsRun && !one.Met && !one.Optional && one.Fact == "" {
			out = append(out, expect.Unmet{Criterion: score.Rubric, Expected: one.Text, Reason: string(one.Why), Severity: one.Severity})
		}
	}
	return out
}

// firstMissing returns the first missing verdict on a criterion that is not optional, or nil if there is none. A
// verdict on a key fact is returned only if no other verdict is missing.
func (g Grades) firstMissing() (first *Grade) {
	for i := range g {
		if one := &g[i]; one.Failure != nil && !one.Optional && (first == nil || first.Fact != "" && one.Fact == "") {
			first = one
		}
	}
	return first
}

// factVerdicts returns the verdicts on key facts by the text of the fact, including assumed ones.
func (g Grades) factVerdicts() map[string]score.FactVerdict {
	all := map[string]score.FactVerdict{}
	for _, one := range g {
		if one.Fact != "" && (one.hasVerdict() || one.assumed) {
			all[one.Fact] = score.FactVerdict{Said: one.Met, Why: string(one.Why)}
		}
	}
	return all
}

// assumingMet returns the grades with every missing verdict taken as met.
func (g Grades) assumingMet() Grades {
	best := slices.Clone(g)
	for i := range best {
		if best[i].Failure != nil {
			best[i].Failure, best[i].Met, best[i].assumed = nil, true, true
		}
	}
	return best
}

// rubricMetric returns the share of met criteria, without key facts, as a metric. It returns false if there is no
// verdict. The metric has the weight 0, because each criterion decides by itself.
func (g Grades) rubricMetric() (score.Metric, bool) {
	met, judged := 0, 0
	for _, one := range g {
		if one.Failure != nil || one.NeedsRun || one.Fact != "" {
			continue
		}
		if judged++; one.Met {
			met++
		}
	}
	if judged == 0 {
		return score.Metric{}, false
	}
	return score.Metric{Name: score.Rubric, Value: float64(met) / float64(judged), Method: score.MethodJudge,
		Description: fmt.Sprintf("%d of %d criteria met", met, judged)}, true
}

// recordedResponse returns the response r as it is recorded, with its verdicts. If a verdict is missing, it returns a
// response with only the failure of the first missing verdict. A nil g leaves r unchanged.
func (g *grading) recordedResponse(r model.Response) model.Response {
	if g == nil {
		return r
	}
	r.Verdicts = nil
	for _, one := range g.grades() {
		if one.Failure != nil {
			lost := *one.Failure
			lost.Message = "the judge: " + lost.Message
			return model.Response{Failure: &lost}
		}
		if s := one.sufficiency; s != nil {
			r.Verdicts = append(r.Verdicts, model.Verdict{Key: s.Key, Criterion: one.Text, Shows: true, Met: s.Met, Why: s.Why})
		}
		if !one.hasVerdict() {
			continue
		}
		r.Verdicts = append(r.Verdicts, model.Verdict{Key: one.Key, Criterion: one.Text, Met: one.Met, Why: one.Why})
	}
	return r
}

// resultWithoutVerdict returns the result of an answer that lacks the verdict missing. out is the result without the
// missing verdicts, and is returned if they could not change it. Otherwise the returned result is unscored.
func (e *Evaluator) resultWithoutVerdict(ctx context.Context, suiteID string, c *suite.Case,
	r model.Response, out report.Result, graded Grades, missing *Grade) (report.Result, error) {
	passes := out.Classification.Primary == classify.Pass
	if passes && missing.Fact != "" {
		return out, nil // no key fact has a verdict, so none counts
	}
	if !passes {
		best, err := e.Evaluate(ctx, suiteID, c, r, graded.assumingMet())
		if err != nil || best.Classification.Primary != classify.Pass {
			return out, err
		}
	}
	out.Classification = missingVerdict(missing)
	return out, nil
}

// missingVerdict returns the classification of an answer that lacks the deciding verdict missing.
func missingVerdict(missing *Grade) classify.Classification {
	f := *missing.Failure
	if !f.NotCompleted() {
		f.Message, f.End = "the judge: "+f.Message, nil
	}
	c := classify.UnscoredError(f)
	c.Details.OfJudge = f.End == nil
	return c
}

// verdictsCount reports whether unmet criteria fail a case. If they do not, they only cause a warning.
func (e *Evaluator) verdictsCount() bool { return e.Panel == nil || e.Panel.options.Standing.Counts }

// hasTextToGrade reports whether the response has an answer with text to grade.
func hasTextToGrade(r model.Response) bool {
	text, _ := answer.StripReasoning(string(r.Text))
	return r.Failure == nil && strings.TrimSpace(text) != ""
}

// GradeAndEvaluate returns the result of the answer r to the case c of the suite s, whose id on the head is headID. If
// the case has criteria, the judge of e.Panel first grades the answer. Otherwise GradeAndEvaluate works like Evaluate.
// The case must have its Body.
func (e *Evaluator) GradeAndEvaluate(ctx context.Context, headID string, s *suite.Suite, c *suite.Case,
	r model.Response) (report.Result, error) {
	var g *grading
	if e.Panel != nil && c.Rubric != nil && hasTextToGrade(r) {
		g = &grading{suite: s, c: c, response: r}
		if err := e.Panel.gradeTrial(ctx, []*grading{g}); err != nil {
			return report.Result{}, err
		}
	}
	return e.Evaluate(ctx, headID, c, r, g.grades())
}

// addGrades adds the judge's verdicts and their cost to the result out.
func (r resultRedactor) addGrades(out *report.Result, all Grades) {
	recorded := true
	var sum report.Calls
	for _, g := range all {
		if g.assumed {
			continue
		}
		c := report.Criterion{Criterion: r.redactor.Text(g.Text), Fact: r.redactor.Text(g.Fact),
			Why:      r.redactText(g.Why),
			Severity: g.Severity, Optional: g.Optional, Verdict: g.Key}
		switch {
		case g.Failure != nil:
			c.MissingReason = g.Failure.Reason
		case g.NeedsRun:
			c.NeedsRun = true
		default:
			c.Met, c.VotesAgainst = new(g.Met), g.opposingVotes
		}
		if s := g.sufficiency; s != nil {
			if sum = sum.Plus(s.calls); g.NeedsRun {
				c.Verdict, c.Why = s.Key, r.redactText(s.Why)
			}
			recorded = recorded && s.recorded
		}
		out.Criteria = append(out.Criteria, c)
		sum = sum.Plus(g.calls)
		recorded = recorded && (g.recorded || g.NeedsRun)
	}
	out.Judge = judgeUse(sum)
	out.Judge.Recorded = recorded
}

// judgeUse returns the calls of verdicts in the form that a result keeps.
func judgeUse(c report.Calls) *report.JudgeUse {
	out := &report.JudgeUse{Calls: c.Provider, Cached: c.Cached, CostUSD: c.CostUSD, Estimated: c.Estimated > 0}
	if c.TokensIn > 0 || c.TokensOut > 0 {
		out.Tokens = &model.Tokens{In: c.TokensIn, Out: c.TokensOut}
	}
	return out
}

// callsOf returns the calls that one response took.
func callsOf(r model.Response) report.Calls {
	u := r.Usage
	c := report.Calls{Provider: r.Attempts, TokensIn: u.TokensIn, TokensOut: u.TokensOut, CostUSD: u.Cost.Dollars()}
	if u.Cost.Estimated {
		c.Estimated = 1
	}
	return c
}
