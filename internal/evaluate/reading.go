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

// evaluateInTime evaluates the answer until the plan's TimeLimit ends. If that takes longer, it continues in the
// background, and its result is dropped. The answer is then unscored, but kept.
func (r *answerUse) evaluateInTime(ctx context.Context) Answer {
	p, asked := r.plan, r.question
	// evaluating takes no time
	if p.TimeLimit == nil || p.Evaluator == nil || asked.err != nil || asked.response.Failure != nil {
		return r.evaluateRecovering(ctx)
	}
	out, judged := together.Within(p.TimeLimit, func() Answer { return r.evaluateRecovering(ctx) })
	if !judged {
		out = r.unscoredAnswer(r.response(),
			model.EndFailure(model.ReasonBudget, model.EndUnjudged, context.Cause(p.TimeLimit).Error()))
	}
	return out
}

// unscoredAnswer returns an unscored Answer for response. f is the reason why it was not evaluated.
func (r *answerUse) unscoredAnswer(response model.Response, f *model.Failure) Answer {
	out, judge := r.newAnswer(response), r.plan.Evaluator
	response.Failure = f
	judged := report.Result{Classification: classify.UnscoredError(*f)}
	out.Result = judge.completeResult(resultRedactor{judge.Redactor}, r.own, response, judged, nil)
	r.addRunInfo(&out.Result)
	return out
}

// evaluateRecovering evaluates the answer. A panic becomes the error of this answer, and the run goes on.
func (r *answerUse) evaluateRecovering(ctx context.Context) (out Answer) {
	bug := r.question.bug
	switch {
	case r.question.err != nil:
		return Answer{err: r.question.err}
	case r.plan.Evaluator == nil && bug != nil:
		return Answer{err: bug}
	case r.plan.Evaluator == nil:
		return r.newAnswer(r.ownGrading.recordedResponse(r.response()))
	case bug == nil:
		bug, _ = r.callRecovering("judging an answer", func() error { out = r.evaluate(ctx); return nil })
	}
	if bug == nil {
		return out
	}
	for _, response := range []model.Response{r.response(), {}} { // the answer may have caused the panic
		again, _ := r.callRecovering("noting a bug", func() error { out = r.unscoredAnswer(response, bug.failure()); return nil })
		if again == nil {
			out.Response.Failure, out.bug = bug.failure(), bug
			return out
		}
	}
	return Answer{err: bug}
}

// evaluate evaluates the answer by the expectation of its own side. If the case is redefined, it also evaluates the
// answer by the base's expectation.
func (r *answerUse) evaluate(ctx context.Context) Answer {
	m, response := r.own, r.response()
	graded := r.ownGrading.grades()
	judged, err := r.question.trial.resultOf(response, func() (report.Result, error) {
		return r.plan.Evaluator.Evaluate(ctx, m.suite, m.c, response, graded)
	})
	if err != nil {
		return Answer{err: fmt.Errorf("judge case %s of suite %s: %w", m.c.ID, m.suite.ID, err)}
	}
	baseResult, baseBug, err := r.evaluateUnderBase(ctx)
	if err != nil {
		return Answer{err: err}
	}
	k, out := resultRedactor{r.plan.Evaluator.Redactor}, r.newAnswer(response)
	if harm := slices.Concat(harmfulWords(&judged), harmfulWords(baseResult)); len(harm) > 0 {
		k.redactor = k.redactor.WithValues(harm)
	}
	result := &out.Result
	*result = r.plan.Evaluator.completeResult(k, m, response, judged, graded)
	if m.isLive() && isOtherModel(m.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	r.addRunInfo(result)
	result.Shared = len(r.question.uses) > 1
	result.Stale = response.Stale || r.side == suite.Head && m.c.Target != ""
	r.addProposedPolicies(result)
	if graded.firstMissing() == nil {
		out.Response = r.ownGrading.recordedResponse(response)
	}
	k.addBaseResult(result, r, baseResult)
	checkBug, err := r.addToSelfCheck(ctx)
	out.bug, out.err = cmp.Or(baseBug, checkBug), err
	return out
}

// harmfulWords returns the words of the judged answer that must not be quoted.
func harmfulWords(r *report.Result) []string {
	if r == nil || r.Risk == nil {
		return nil
	}
	return r.Risk.Harm
}

func (r *answerUse) addRunInfo(result *report.Result) {
	result.RunID, result.Trial, result.RerunReason = r.plan.RunID, r.trial, r.reason
	result.TimestampUTC = r.plan.Now().UTC().Format(time.RFC3339)
}

func (b *Bug) failure() *model.Failure {
	return &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(b.Error())}
}

// callRecovering calls step and returns its error. It returns a panic as a bug in the case of r. doing says what step
// does.
func (r *answerUse) callRecovering(doing string, step func() error) (*Bug, error) {
	err := CallRecovering(doing, step)
	bug, ok := err.(*Bug)
	if !ok {
		return nil, err
	}
	bug.SuiteID, bug.CaseID = r.own.suite.ID, r.own.c.ID
	return bug, nil
}

// addToSelfCheck adds an answer of the first trial on the head to the self-check of the embeddings. The self-check
// affects no verdict, so a panic in it is only noted.
func (r *answerUse) addToSelfCheck(ctx context.Context) (bug *Bug, err error) {
	m, own := r.plan.Evaluator.Similarity, r.own
	if m == nil || r.side != suite.Head || r.trial != 1 || r.question.response.Failure != nil {
		return nil, nil
	}
	return r.callRecovering("checking the embeddings with an answer", func() error {
		return m.addToSelfCheck(ctx, own.suite, own.c, r.plan.Evaluator.Redactor.Text(string(r.question.response.Text)))
	})
}

// isOtherModel reports whether answered, the model that sent the answer, is another one than asked. A provider may add
// a version (gpt-5-mini as gpt-5-mini-2025-08-07) or drop the owner (openai/gpt-5-mini).
func isOtherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) &&
		(short == "" || !strings.HasPrefix(answered, short))
}

// evaluateUnderBase returns the result of the answer under the base's expectation if the case is redefined. Otherwise
// it returns nil.
func (r *answerUse) evaluateUnderBase(ctx context.Context) (judged *report.Result, bug *Bug, err error) {
	under := r.baseCase
	if !under.exists() || !suite.Redefined(under.c, r.own.c) {
		return nil, nil, nil
	}
	bug, err = r.callRecovering("judging an answer by the base's expectation", func() error {
		before := under.c.Open()
		found, err := r.plan.Evaluator.Evaluate(ctx, under.suite, &before, r.response(), r.baseGrading.grades())
		if err != nil {
			return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w", under.c.ID, under.suite.ID, err)
		}
		judged = &found
		return nil
	})
	if bug != nil {
		judged = &report.Result{Classification: classify.UnscoredError(*bug.failure())}
	}
	return judged, bug, err
}

// addBaseResult adds before, the result under the base's expectation, to the result of a redefined case. It adds
// nothing if before is nil.
func (k resultRedactor) addBaseResult(result *report.Result, r *answerUse, before *report.Result) {
	if before == nil {
		return
	}
	kept := k.redactClassification(before.Classification)
	result.UnderBase = &kept
	if kept.Details.Reason == model.ReasonInternal {
		return // internal error
	}
	expectedBefore := r.baseCase.c.Open()
	result.Input = k.redactBeginning(caseInput(r.own, expectedBefore.Vars))
	// a person may want to compare them, even if the answer passes
	now, was := k.requirements(r.own.c), k.requirements(&expectedBefore)
	expect.ShortenApart(was, now, maxRequirementRunes)
	result.Expected, result.ExpectedBefore = truncateRequirements(now), truncateRequirements(was)
	// the missing text may also have what the base forbids
	if w := score.WarnAnswerTruncated; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// addProposedPolicies adds to result the proposed policies that will catch an answer of the head after the merge, and
// do not yet.
func (r *answerUse) addProposedPolicies(result *report.Result) {
	if r.side != suite.Head || r.question.response.Failure != nil {
		return
	}
	said := expect.ResponseText(r.question.response)
	for _, policy := range r.plan.Evaluator.ProposedPolicies {
		if policy.Catches(r.own.c.Policies, said) {
			result.ProposedPolicies = append(result.ProposedPolicies, policy.Name)
		}
	}
}
