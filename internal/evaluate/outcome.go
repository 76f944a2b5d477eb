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

// outcome judges one reading of an answer while there is time. What is under way when time is over goes on alone, and nobody heeds it.
func (p *Plan) outcome(ctx context.Context, r *reading, a reply) outcome {
	if p.Time == nil || p.Judge == nil || a.err != nil || a.response.Failure != nil { // which takes no time
		return p.concluded(ctx, r, a)
	}
	out, judged := together.Within(p.Time, func() outcome { return p.concluded(ctx, r, a) })
	if !judged {
		return p.untimely(r, a)
	}
	return out
}

// untimely is the outcome of an answer that there was no time to judge: it is unscored, and kept.
func (p *Plan) untimely(r *reading, a reply) outcome {
	response := a.response
	response.Failure = model.Ended(model.ReasonBudget, model.EndUnjudged, context.Cause(p.Time).Error())
	result := p.Judge.result(r.of.suite, r.of.c, response, Judgement{
		Classification: classify.Unanswered(*response.Failure)})
	p.sign(&result, r)
	return outcome{result: result, response: a.response}
}

// concluded judges one reading of an answer. A panic on the way is the error of this reading alone.
func (p *Plan) concluded(ctx context.Context, r *reading, a reply) (out outcome) {
	response := a.response
	if r.copy {
		response.Cached, response.Attempts = true, 0
	}
	bug := a.bug
	switch {
	case a.err != nil:
		return outcome{err: a.err}
	case p.Judge == nil && bug != nil:
		return outcome{err: bug}
	case p.Judge == nil:
		return outcome{response: r.graded.recordable(response)}
	case bug == nil:
		if bug, _ = r.guarded("judging an answer",
			func() error { out = p.judgeReading(ctx, r, a, response); return nil }); bug == nil {
			return out
		}
	}
	if out = p.unjudged(r, response, bug); out.err != nil {
		out = p.unjudged(r, model.Response{}, bug) // what came back may be what broke it
	}
	return out
}

// judgeReading judges one reading of an answer, by its own expectation and by the base's.
func (p *Plan) judgeReading(ctx context.Context, r *reading, a reply, response model.Response) outcome {
	judged, err := a.question.alike.judge(response, func() (Judgement, error) {
		return p.Judge.Judge(ctx, r.of.suite, r.of.c, response, r.graded.grades())
	})
	if err != nil {
		return outcome{err: fmt.Errorf("judge case %s of suite %s: %w", r.of.c.ID, r.of.suite.ID, err)}
	}
	before, under, err := p.judgeUnderBase(ctx, r, response)
	if err != nil {
		return outcome{err: err}
	}
	judge := p.Judge.silent(&judged, before)
	result := judge.result(r.of.suite, r.of.c, response, judged)
	if r.of.live() && otherModel(r.of.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	p.sign(&result, r)
	result.Shared = len(a.question.readings) > 1
	result.Stale = response.Stale || r.at == suite.Head && r.of.c.Target != ""
	p.announce(&result, r, response)
	out := outcome{result: result, response: response}
	if r.graded.grades().firstLost() == nil {
		out.response = r.graded.recordable(response)
	}
	judge.keepUnderBase(&out.result, r, before)
	watched, err := p.watch(ctx, r, response)
	out.bug, out.err = cmp.Or(under, watched), err
	return out
}

func (p *Plan) sign(result *report.Result, r *reading) {
	result.RunID, result.Trial = p.RunID, r.trial
	result.TimestampUTC = p.Now().UTC().Format(time.RFC3339)
}

// unjudged is the outcome of an answer that failproof broke on: an error that is not the candidate's. It has bug as its error
// where even that cannot be made.
func (p *Plan) unjudged(r *reading, response model.Response, bug *Bug) (out outcome) {
	defer func() {
		if v := recover(); v != nil {
			out = outcome{err: bug}
		}
	}()
	response.Failure = &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(bug.Error())}
	result := p.Judge.result(r.of.suite, r.of.c, response, Judgement{Classification: broken(bug)})
	p.sign(&result, r)
	return outcome{result: result, response: response, bug: bug}
}

// broken classifies what failproof broke on. The classifier is left out: it may be what broke.
func broken(bug *Bug) classify.Classification {
	return classify.Classification{Primary: classify.Error, Details: classify.Details{Reason: model.ReasonInternal,
		ErrorDetails: model.Untrusted(bug.Error())}}
}

// guarded runs a step of a reading; a panic in it is the bug.
func (r *reading) guarded(doing string, step func() error) (bug *Bug, err error) {
	defer func() {
		if v := recover(); v != nil {
			bug = NewBug(v, doing)
			bug.SuiteID, bug.CaseID = r.of.suite.ID, r.of.c.ID
		}
	}()
	return nil, step()
}

// watch lets the self-check of the embeddings see the first answers of the head. It decides nothing, so a panic in it costs no
// answer.
func (p *Plan) watch(ctx context.Context, r *reading, response model.Response) (bug *Bug, err error) {
	if p.Judge.Meaning == nil || r.at != suite.Head || r.trial != 1 || response.Failure != nil {
		return nil, nil
	}
	return r.guarded("checking the embeddings with an answer", func() error {
		return p.Judge.Meaning.watch(ctx, r.of.suite, r.of.c, p.Judge.Redactor.Text(string(response.Text)))
	})
}

// otherModel reports whether another model answered than was asked. A provider may name the version of it that answered
// (gpt-5-mini as gpt-5-mini-2025-08-07), or leave out whose it is (openai/gpt-5-mini).
func otherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) &&
		(short == "" || !strings.HasPrefix(answered, short))
}

// silent is the judge who tells nothing again of an answer that one of its judgements says must not be told.
func (j *Judge) silent(all ...*Judgement) *Judge {
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

// judgeUnderBase judges a redefined case's answer by the base's expectation; nil for any other case.
func (p *Plan) judgeUnderBase(ctx context.Context, r *reading,
	response model.Response) (judged *Judgement, bug *Bug, err error) {
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
		judged = &Judgement{Classification: broken(bug)}
	}
	return judged, bug, err
}

// keepUnderBase says in a result what a redefined case's answer would have been by the base's expectation.
func (j *Judge) keepUnderBase(result *report.Result, r *reading, before *Judgement) {
	if before == nil {
		return
	}
	kept := j.keepClassification(before.Classification)
	result.UnderBase = &kept
	if kept.Details.Reason == model.ReasonInternal {
		return // failproof broke on it
	}
	expectedBefore := r.under.c.Open()
	// a person compares them, though the answer pass
	result.Expected, result.ExpectedBefore = j.demands(r.of.c), j.demands(&expectedBefore)
	// what the base forbids is not shown either
	if w := score.WarnCut; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// announce notes which announced policies a first answer of the head matches. Where its case names the policy, that is in the
// classification already.
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
