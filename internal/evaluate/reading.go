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
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// evaluateInTime evaluates the answer by w until the plan's TimeLimit ends. If that takes longer, it continues in the
// background, and its result is dropped. The answer is then unscored, but kept.
func (q *question) evaluateInTime(ctx context.Context, w *together.Worker[*Answer]) *Answer {
	p, asked := q.plan, q.asked
	evaluate := func() *Answer {
		out := usedAnswers.Get().(*Answer)
		*out = q.evaluateRecovering(ctx)
		return out
	}
	// evaluating takes no time
	if p.TimeLimit == nil || p.Evaluator == nil || asked.err != nil || asked.response.Failure != nil {
		return evaluate()
	}
	if out, judged := w.Within(p.TimeLimit, evaluate); judged {
		return out
	}
	return new(q.unscoredAnswer(q.answer(),
		model.EndFailure(model.ReasonBudget, model.EndUnjudged, context.Cause(p.TimeLimit).Error())))
}

// unscoredAnswer returns an unscored Answer for response. f is the reason why it was not evaluated.
func (q *question) unscoredAnswer(response model.Response, f *model.Failure) Answer {
	out, judge := q.newAnswer(response), q.plan.Evaluator
	response.Failure = f
	judged := report.Result{Classification: classify.UnscoredError(*f)}
	out.Result = judge.completeResult(resultRedactor{judge.Redactor}, q.own, response, judged, nil)
	q.addRunInfo(&out.Result)
	return out
}

// evaluateRecovering evaluates the answer. A panic becomes the error of this answer, and the run goes on.
func (q *question) evaluateRecovering(ctx context.Context) (out Answer) {
	bug := q.asked.bug
	switch {
	case q.asked.err != nil:
		return Answer{err: q.asked.err}
	case q.plan.Evaluator == nil && bug != nil:
		return Answer{err: bug}
	case q.plan.Evaluator == nil:
		return q.newAnswer(q.ownGrading.recordedResponse(q.answer()))
	case bug == nil:
		bug, _ = q.callRecovering("judging an answer", func() error { out = q.evaluate(ctx); return nil })
	}
	if bug == nil {
		return out
	}
	for _, response := range []model.Response{q.answer(), {}} { // the answer may have caused the panic
		again, _ := q.callRecovering("noting a bug", func() error { out = q.unscoredAnswer(response, failureOf(bug)); return nil })
		if again == nil {
			out.Response.Failure, out.bug = failureOf(bug), bug
			return out
		}
	}
	return Answer{err: bug}
}

// evaluate evaluates the answer by the expectation of its own side. If the case is redefined, it also evaluates the
// answer by the base's expectation.
func (q *question) evaluate(ctx context.Context) Answer {
	m, response := q.own, q.answer()
	graded := q.ownGrading.grades()
	judged, err := q.trial.resultOf(response, func() (report.Result, error) {
		return q.plan.Evaluator.Evaluate(ctx, q.trial.name.Suite, m.c, response, graded)
	})
	if err != nil {
		return Answer{err: fmt.Errorf("judge case %s of suite %s: %w", m.c.ID, m.suite.ID, err)}
	}
	baseResult, baseBug, err := q.evaluateUnderBase(ctx)
	if err != nil {
		return Answer{err: err}
	}
	k, out := resultRedactor{q.plan.Evaluator.Redactor}, q.newAnswer(response)
	if harm := slices.Concat(harmfulWords(&judged), harmfulWords(baseResult)); len(harm) > 0 {
		k.redactor = k.redactor.WithValues(harm)
	}
	result := &out.Result
	*result = q.plan.Evaluator.completeResult(k, m, response, judged, graded)
	if m.isLive() && isOtherModel(m.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	q.addRunInfo(result)
	result.Shared = q.trial.sharesAnswer()
	// a recorded case is called live because its recording is stale, or to verify it
	result.Stale = response.Stale || q.side == suite.Head && m.c.Target != "" && q.reason != report.RerunVerify
	q.addProposedPolicies(result)
	if r := q.ownGrading.recordedResponse(response); r.Failure == nil { // no verdict is missing, not even an optional one
		out.Response = r
	}
	k.addBaseResult(result, q, baseResult)
	checkBug, err := q.addToSelfCheck(ctx)
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

func (q *question) addRunInfo(result *report.Result) {
	result.RunID, result.Trial, result.RerunReason = q.plan.RunID, q.number, q.reason
	result.TimestampUTC = q.plan.Now().UTC().Format(time.RFC3339)
}

// failureOf returns a bug as the failure of its trial.
func failureOf(b *fault.Bug) *model.Failure {
	return &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(b.Error())}
}

// callRecovering calls step and returns its error. It returns a panic as a bug in the case of q. doing says what step
// does.
func (q *question) callRecovering(doing string, step func() error) (*fault.Bug, error) {
	err := fault.CallRecovering(doing, step)
	bug, ok := err.(*fault.Bug)
	if !ok {
		return nil, err
	}
	bug.SuiteID, bug.CaseID = q.own.suite.ID, q.own.c.ID
	return bug, nil
}

// addToSelfCheck adds an answer of the first trial on the head to the self-check of the embeddings. The self-check
// affects no verdict, so a panic in it is only noted.
func (q *question) addToSelfCheck(ctx context.Context) (bug *fault.Bug, err error) {
	m, own := q.plan.Evaluator.Similarity, q.own
	if m == nil || q.side != suite.Head || q.number != 1 || q.asked.response.Failure != nil {
		return nil, nil
	}
	return q.callRecovering("checking the embeddings with an answer", func() error {
		return m.addToSelfCheck(ctx, own.suite, own.c, q.plan.Evaluator.Redactor.Text(string(q.asked.response.Text)))
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
func (q *question) evaluateUnderBase(ctx context.Context) (judged *report.Result, bug *fault.Bug, err error) {
	under := q.baseCase
	if !under.exists() || !suite.Redefined(under.c, q.own.c) {
		return nil, nil, nil
	}
	bug, err = q.callRecovering("judging an answer by the base's expectation", func() error {
		before := under.c.Open()
		found, err := q.plan.Evaluator.Evaluate(ctx, q.trial.name.Suite, &before, q.answer(), q.baseGrading.grades())
		if err != nil {
			return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w", under.c.ID, under.suite.ID, err)
		}
		judged = &found
		return nil
	})
	if bug != nil {
		judged = &report.Result{Classification: classify.UnscoredError(*failureOf(bug))}
	}
	return judged, bug, err
}

// addBaseResult adds before, the result under the base's expectation, to the result of a redefined case. It adds
// nothing if before is nil.
func (r resultRedactor) addBaseResult(result *report.Result, q *question, before *report.Result) {
	if before == nil {
		return
	}
	kept := r.redactClassification(before.Classification)
	result.UnderBase = &kept
	if kept.Details.Reason == model.ReasonInternal {
		return // internal error
	}
	expectedBefore := q.baseCase.c.Open()
	result.Input = r.redactBeginning(caseInput(q.own, expectedBefore.Vars))
	// a person may want to compare them, even if the answer passes
	now, was := r.requirements(q.own.c), r.requirements(&expectedBefore)
	expect.ShortenApart(was, now, maxRequirementRunes)
	result.Expected, result.ExpectedBefore = truncateRequirements(now), truncateRequirements(was)
	// the missing text may also have what the base forbids
	if w := score.WarnAnswerTruncated; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// addProposedPolicies adds to result the proposed policies that will catch an answer of the head after the merge, and
// do not yet.
func (q *question) addProposedPolicies(result *report.Result) {
	proposed := q.plan.Evaluator.ProposedPolicies
	if q.side != suite.Head || q.asked.response.Failure != nil || len(proposed) == 0 {
		return
	}
	a := expect.NewAnswer(q.asked.response)
	for _, policy := range proposed {
		if policy.Catches(q.own.c.Policies, a) {
			result.ProposedPolicies = append(result.ProposedPolicies, policy.Name)
		}
	}
}
