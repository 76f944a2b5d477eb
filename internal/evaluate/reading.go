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

// judging is the judging of one answer.
type judging struct {
	p        *Plan
	r        *reading
	q        *question
	response model.Response // without the calls if they were made for the other side
}

// inTime judges the answer until p.Time ends. A judgement that takes longer continues in the background, and its result
// is dropped: the answer is unscored, but kept.
func (j judging) inTime(ctx context.Context) Answer {
	if j.p.Time == nil || j.p.Judge == nil || j.q.err != nil || j.response.Failure != nil { // takes no time
		return j.guarded(ctx)
	}
	out, judged := together.Within(j.p.Time, func() Answer { return j.guarded(ctx) })
	if !judged {
		out = j.r.answer(j.response)
		j.response.Failure = model.Ended(model.ReasonBudget, model.EndUnjudged, context.Cause(j.p.Time).Error())
		out.result = j.unscored(classify.Unanswered(*j.response.Failure))
	}
	return out
}

// unscored returns the result of an answer that was not judged.
func (j judging) unscored(c classify.Classification) report.Result {
	result := j.p.Judge.result(keeper{j.p.Judge.Redactor}, j.r.member, j.response, report.Result{Classification: c}, nil)
	j.sign(&result)
	return result
}

// guarded judges the answer. A panic becomes an error of this answer only.
func (j judging) guarded(ctx context.Context) (out Answer) {
	bug := j.q.bug
	switch {
	case j.q.err != nil:
		return Answer{err: j.q.err}
	case j.p.Judge == nil && bug != nil:
		return Answer{err: bug}
	case j.p.Judge == nil:
		return j.r.answer(j.r.graded.recordable(j.response))
	case bug == nil:
		if bug, _ = j.r.guarded("judging an answer", func() error { out = j.judge(ctx); return nil }); bug == nil {
			return out
		}
	}
	if out = j.broken(bug); out.err != nil {
		j.response = model.Response{} // it may have caused the panic
		out = j.broken(bug)
	}
	return out
}

// judge judges the answer by its own expectation and, if the case is redefined, by the base's.
func (j judging) judge(ctx context.Context) Answer {
	r, m, response := j.r, j.r.member, j.response
	graded := r.graded.grades()
	judged, err := j.q.alike.judge(response, func() (report.Result, error) {
		return j.p.Judge.Judge(ctx, m.suite, m.c, response, graded)
	})
	if err != nil {
		return Answer{err: fmt.Errorf("judge case %s of suite %s: %w", m.c.ID, m.suite.ID, err)}
	}
	before, under, err := j.underBase(ctx)
	if err != nil {
		return Answer{err: err}
	}
	k, out := keeper{j.p.Judge.Redactor}, r.answer(response)
	if harm := slices.Concat(harmOf(&judged), harmOf(before)); len(harm) > 0 {
		k.redactor = k.redactor.Also(harm)
	}
	result := &out.result
	*result = j.p.Judge.result(k, m, response, judged, graded)
	if m.live() && otherModel(m.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	j.sign(result)
	result.Shared = len(j.q.readings) > 1
	result.Stale = response.Stale || r.at == suite.Head && m.c.Target != ""
	j.announce(result)
	if graded.firstLost() == nil {
		out.Response = r.graded.recordable(response)
	}
	k.underBase(result, r, before)
	watched, err := j.watch(ctx)
	out.bug, out.err = cmp.Or(under, watched), err
	return out
}

// harmOf returns the words of an answer that must not be quoted.
func harmOf(r *report.Result) []string {
	if r == nil || r.Risk == nil {
		return nil
	}
	return r.Risk.Harm
}

func (j judging) sign(result *report.Result) {
	result.RunID, result.Trial = j.p.RunID, j.r.trial
	result.TimestampUTC = j.p.Now().UTC().Format(time.RFC3339)
}

// broken returns the answer of a trial with an internal error. If even building the result panics, the answer has the
// error bug.
func (j judging) broken(bug *Bug) (out Answer) {
	defer func() {
		if v := recover(); v != nil {
			out = Answer{err: bug}
		}
	}()
	out = j.r.answer(j.response)
	j.response.Failure = &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(bug.Error())}
	out.Response = j.response
	out.result, out.bug = j.unscored(brokenOn(bug)), bug
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
			bug.SuiteID, bug.CaseID = r.member.suite.ID, r.member.c.ID
		}
	}()
	return nil, step()
}

// watch adds the head's first answers to the self-check of the embeddings. It affects no verdict, so a panic in it is
// only noted.
func (j judging) watch(ctx context.Context) (bug *Bug, err error) {
	m, own := j.p.Judge.Similarity, j.r.member
	if m == nil || j.r.at != suite.Head || j.r.trial != 1 || j.response.Failure != nil {
		return nil, nil
	}
	return j.r.guarded("checking the embeddings with an answer", func() error {
		return m.watch(ctx, own.suite, own.c, j.p.Judge.Redactor.Text(string(j.response.Text)))
	})
}

// otherModel reports whether another model answered than requested. A provider may add a version (gpt-5-mini as
// gpt-5-mini-2025-08-07) or drop the owner (openai/gpt-5-mini).
func otherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) &&
		(short == "" || !strings.HasPrefix(answered, short))
}

// underBase returns the result of a redefined case's answer under the base's expectation; nil for any other case.
func (j judging) underBase(ctx context.Context) (judged *report.Result, bug *Bug, err error) {
	under := j.r.under
	if !under.present() || !suite.Redefined(under.c, j.r.member.c) {
		return nil, nil, nil
	}
	bug, err = j.r.guarded("judging an answer by the base's expectation", func() error {
		before := under.c.Open()
		found, err := j.p.Judge.Judge(ctx, under.suite, &before, j.response, j.r.gradedUnder.grades())
		if err != nil {
			return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w", under.c.ID, under.suite.ID, err)
		}
		judged = &found
		return nil
	})
	if bug != nil {
		judged = &report.Result{Classification: brokenOn(bug)}
	}
	return judged, bug, err
}

// underBase adds the result under the base's expectation to the result of a redefined case.
func (k keeper) underBase(result *report.Result, r *reading, before *report.Result) {
	if before == nil {
		return
	}
	kept := k.classification(before.Classification)
	result.UnderBase = &kept
	if kept.Details.Reason == model.ReasonInternal {
		return // internal error
	}
	expectedBefore := r.under.c.Open()
	// shown for a person to compare, even if the answer passes
	result.Expected, result.ExpectedBefore = k.demands(r.member.c), k.demands(&expectedBefore)
	// forbidden content of the base is not shown either
	if w := score.WarnCut; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// announce adds the proposed policies that an answer of the head matches, except those that the case already has.
func (j judging) announce(result *report.Result) {
	if j.r.at != suite.Head || j.response.Failure != nil {
		return
	}
	said := expect.SentBy(j.response)
	for _, policy := range j.p.Judge.Announced {
		if slices.ContainsFunc(j.r.member.c.Policies, policy.Is) {
			continue
		}
		if _, caught := policy.Find(said); caught {
			result.AnnouncedPolicies = append(result.AnnouncedPolicies, policy.Name)
		}
	}
}
