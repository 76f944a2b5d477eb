package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// judgeInTime judges an answer before p.Time ends. A judgement that takes longer continues in the background, and its
// result is dropped.
func (p *Plan) judgeInTime(ctx context.Context, r *reading, q *question) Answer {
	if p.Time == nil || p.Judge == nil || q.err != nil || q.response.Failure != nil { // takes no time
		return p.judgeGuarded(ctx, r, q)
	}
	out, judged := together.Within(p.Time, func() Answer { return p.judgeGuarded(ctx, r, q) })
	if !judged {
		return p.untimely(r, q.response)
	}
	return out
}

// untimely returns an answer that was not judged in time: it is unscored, but kept.
func (p *Plan) untimely(r *reading, response model.Response) Answer {
	out := r.answer(response)
	response.Failure = model.Ended(model.ReasonBudget, model.EndUnjudged, context.Cause(p.Time).Error())
	out.result = p.unscored(r, response, classify.Unanswered(*response.Failure))
	return out
}

// unscored returns the result of a response that was not judged.
func (p *Plan) unscored(r *reading, response model.Response, c classify.Classification) report.Result {
	result := p.Judge.result(r.of.suite, r.of.c, response, report.Result{Classification: c}, nil)
	p.sign(&result, r)
	return result
}

// judgeGuarded judges an answer. A panic becomes an error of this answer only.
func (p *Plan) judgeGuarded(ctx context.Context, r *reading, q *question) (out Answer) {
	response, bug := q.response, q.bug
	if r.copy {
		response.Cached, response.Attempts = true, 0
	}
	switch {
	case q.err != nil:
		return Answer{err: q.err}
	case p.Judge == nil && bug != nil:
		return Answer{err: bug}
	case p.Judge == nil:
		return r.answer(r.graded.recordable(response))
	case bug == nil:
		if bug, _ = r.guarded("judging an answer",
			func() error { out = p.judgeReading(ctx, r, q, response); return nil }); bug == nil {
			return out
		}
	}
	if out = p.broken(r, response, bug); out.err != nil {
		out = p.broken(r, model.Response{}, bug) // the response may have caused it
	}
	return out
}

// judgeReading judges an answer by its own expectation and, if the case is redefined, by the base's.
func (p *Plan) judgeReading(ctx context.Context, r *reading, q *question, response model.Response) Answer {
	graded := r.graded.grades()
	judged, err := q.alike.judge(response, func() (report.Result, error) {
		return p.Judge.Judge(ctx, r.of.suite, r.of.c, response, graded)
	})
	if err != nil {
		return Answer{err: fmt.Errorf("judge case %s of suite %s: %w", r.of.c.ID, r.of.suite.ID, err)}
	}
	before, under, err := p.judgeUnderBase(ctx, r, response)
	if err != nil {
		return Answer{err: err}
	}
	judge := p.Judge.silent(&judged, before)
	out := r.answer(response)
	result := &out.result
	*result = judge.result(r.of.suite, r.of.c, response, judged, graded)
	if r.of.live() && otherModel(r.of.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	p.sign(result, r)
	result.Shared = len(q.readings) > 1
	result.Stale = response.Stale || r.at == suite.Head && r.of.c.Target != ""
	p.announce(result, r, response)
	if graded.firstLost() == nil {
		out.Response = r.graded.recordable(response)
	}
	judge.keepUnderBase(result, r, before)
	watched, err := p.watch(ctx, r, response)
	out.bug, out.err = cmp.Or(under, watched), err
	return out
}

func (p *Plan) sign(result *report.Result, r *reading) {
	result.RunID, result.Trial = p.RunID, r.trial
	result.TimestampUTC = p.Now().UTC().Format(time.RFC3339)
}

// broken returns the answer of a trial with an internal error. Its error is bug if even building the result panics.
func (p *Plan) broken(r *reading, response model.Response, bug *Bug) (out Answer) {
	defer func() {
		if v := recover(); v != nil {
			out = Answer{err: bug}
		}
	}()
	out = r.answer(response)
	response.Failure = &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(bug.Error())}
	out.Response = response
	out.result, out.bug = p.unscored(r, response, brokenOn(bug)), bug
	return out
}

// brokenOn returns the classification of an internal error, without the classifier, which may have caused it.
func brokenOn(bug *Bug) classify.Classification {
	return classify.Classification{Primary: classify.Error, Details: classify.Details{Reason: model.ReasonInternal,
		ErrorDetails: model.Untrusted(bug.Error())}}
}

// guarded runs a step of a reading and returns a panic in it as a bug.
func (r *reading) guarded(doing string, step func() error) (bug *Bug, err error) {
	defer func() {
		if v := recover(); v != nil {
			bug = NewBug(v, doing)
			bug.SuiteID, bug.CaseID = r.of.suite.ID, r.of.c.ID
		}
	}()
	return nil, step()
}

// watch adds the head's first answers to the self-check of the embeddings. It affects no verdict, so a panic in it is
// only noted.
func (p *Plan) watch(ctx context.Context, r *reading, response model.Response) (bug *Bug, err error) {
	if p.Judge.Meaning == nil || r.at != suite.Head || r.trial != 1 || response.Failure != nil {
		return nil, nil
	}
	return r.guarded("checking the embeddings with an answer", func() error {
		return p.Judge.Meaning.watch(ctx, r.of.suite, r.of.c, p.Judge.Redactor.Text(string(response.Text)))
	})
}

// otherModel reports whether another model answered than requested. A provider may add a version (gpt-5-mini as
// gpt-5-mini-2025-08-07) or drop the owner (openai/gpt-5-mini).
func otherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) &&
		(short == "" || !strings.HasPrefix(answered, short))
}

// silent returns a judge that quotes nothing, if one of the results forbids quoting the answer.
func (j *Judge) silent(all ...*report.Result) *Judge {
	var harm []string
	for _, one := range all {
		if one != nil && one.Risk != nil {
			harm = append(harm, one.Risk.Harm...)
		}
	}
	if len(harm) == 0 {
		return j
	}
	silent := *j
	silent.Redactor = j.Redactor.Also(harm)
	return &silent
}

// judgeUnderBase returns the result of a redefined case's answer under the base's expectation; nil for any other
// case.
func (p *Plan) judgeUnderBase(ctx context.Context, r *reading,
	response model.Response) (judged *report.Result, bug *Bug, err error) {
	if !r.under.present() || !suite.Redefined(r.under.c, r.of.c) {
		return nil, nil, nil
	}
	bug, err = r.guarded("judging an answer by the base's expectation", func() error {
		before := r.under.c.Open()
		found, err := p.Judge.Judge(ctx, r.under.suite, &before, response, r.gradedUnder.grades())
		if err != nil {
			return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w",
				r.under.c.ID, r.under.suite.ID, err)
		}
		judged = &found
		return nil
	})
	if bug != nil {
		judged = &report.Result{Classification: brokenOn(bug)}
	}
	return judged, bug, err
}

// keepUnderBase adds that result to the result of a redefined case.
func (j *Judge) keepUnderBase(result *report.Result, r *reading, before *report.Result) {
	if before == nil {
		return
	}
	kept := j.keepClassification(before.Classification)
	result.UnderBase = &kept
	if kept.Details.Reason == model.ReasonInternal {
		return // internal error
	}
	expectedBefore := r.under.c.Open()
	// shown for a person to compare, even if the answer passes
	result.Expected, result.ExpectedBefore = j.demands(r.of.c), j.demands(&expectedBefore)
	// forbidden content of the base is not shown either
	if w := score.WarnCut; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// announce records which proposed policies a first answer of the head matches, except those that the case already
// names.
func (p *Plan) announce(result *report.Result, r *reading, response model.Response) {
	if r.at != suite.Head || response.Failure != nil {
		return
	}
	said := expect.SentBy(response)
	for _, policy := range p.Judge.Announced {
		if slices.ContainsFunc(r.of.c.Policies, policy.Is) {
			continue
		}
		if _, caught := policy.Find(said); caught {
			result.AnnouncedPolicies = append(result.AnnouncedPolicies, policy.Name)
		}
	}
}
