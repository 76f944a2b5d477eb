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

// inTime judges the answer until the plan's Time ends. If judging takes longer, it continues in the background, and its
// result is dropped. The answer is then unscored, but kept.
func (r *reading) inTime(ctx context.Context) Answer {
	p := r.plan
	if p.Time == nil || p.Judge == nil || r.question.err != nil || r.response.Failure != nil { // judging takes no time
		return r.judgeOrBreak(ctx)
	}
	out, judged := together.Within(p.Time, func() Answer { return r.judgeOrBreak(ctx) })
	if !judged {
		out = r.unscored(r.response, model.Ended(model.ReasonBudget, model.EndUnjudged, context.Cause(p.Time).Error()))
	}
	return out
}

// unscored returns an unscored Answer for response. f is the reason why it was not judged.
func (r *reading) unscored(response model.Response, f *model.Failure) Answer {
	out, judge := r.answer(response), r.plan.Judge
	response.Failure = f
	judged := report.Result{Classification: classify.Unanswered(*f)}
	out.Result = judge.result(keeper{judge.Redactor}, r.member, response, judged, nil)
	r.sign(&out.Result)
	return out
}

// judgeOrBreak judges the answer. A panic becomes the error of this answer, and the run goes on.
func (r *reading) judgeOrBreak(ctx context.Context) (out Answer) {
	bug := r.question.bug
	switch {
	case r.question.err != nil:
		return Answer{err: r.question.err}
	case r.plan.Judge == nil && bug != nil:
		return Answer{err: bug}
	case r.plan.Judge == nil:
		return r.answer(r.graded.recordable(r.response))
	case bug == nil:
		if bug, _ = r.guarded("judging an answer", func() error { out = r.judge(ctx); return nil }); bug == nil {
			return out
		}
	}
	if out = r.broken(bug, r.response); out.err != nil {
		out = r.broken(bug, model.Response{}) // the answer may have caused the panic
	}
	return out
}

// judge judges the answer by the expectation of its own side. If the case is redefined, it also judges the answer by
// the base's expectation.
func (r *reading) judge(ctx context.Context) Answer {
	m, response := r.member, r.response
	graded := r.graded.grades()
	judged, err := r.question.couple.judge(response, func() (report.Result, error) {
		return r.plan.Judge.Judge(ctx, m.suite, m.c, response, graded)
	})
	if err != nil {
		return Answer{err: fmt.Errorf("judge case %s of suite %s: %w", m.c.ID, m.suite.ID, err)}
	}
	before, under, err := r.underBase(ctx)
	if err != nil {
		return Answer{err: err}
	}
	k, out := keeper{r.plan.Judge.Redactor}, r.answer(response)
	if harm := slices.Concat(harmOf(&judged), harmOf(before)); len(harm) > 0 {
		k.redactor = k.redactor.Also(harm)
	}
	result := &out.Result
	*result = r.plan.Judge.result(k, m, response, judged, graded)
	if m.live() && otherModel(m.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	r.sign(result)
	result.Shared = len(r.question.readings) > 1
	result.Stale = response.Stale || r.at == suite.Head && m.c.Target != ""
	r.announce(result)
	if graded.firstLost() == nil {
		out.Response = r.graded.recordable(response)
	}
	k.underBase(result, r, before)
	watched, err := r.watch(ctx)
	out.bug, out.err = cmp.Or(under, watched), err
	return out
}

// harmOf returns the words of the judged answer that must not be quoted.
func harmOf(r *report.Result) []string {
	if r == nil || r.Risk == nil {
		return nil
	}
	return r.Risk.Harm
}

func (r *reading) sign(result *report.Result) {
	result.RunID, result.Trial = r.plan.RunID, r.trial
	result.TimestampUTC = r.plan.Now().UTC().Format(time.RFC3339)
}

// broken returns the unscored answer of a trial with an internal error. If building this answer panics too, broken
// returns an Answer that has only the internal error.
func (r *reading) broken(bug *Bug, response model.Response) (out Answer) {
	defer func() {
		if v := recover(); v != nil {
			out = Answer{err: bug}
		}
	}()
	out = r.unscored(response, bug.failure())
	out.Response.Failure, out.bug = bug.failure(), bug
	return out
}

func (b *Bug) failure() *model.Failure {
	return &model.Failure{Reason: model.ReasonInternal, Message: model.Untrusted(b.Error())}
}

// guarded calls step and returns its error. It returns a panic as a bug in the case of r. doing says what step does.
func (r *reading) guarded(doing string, step func() error) (bug *Bug, err error) {
	defer func() {
		if v := recover(); v != nil {
			bug = NewBug(v, doing)
			bug.SuiteID, bug.CaseID = r.member.suite.ID, r.member.c.ID
		}
	}()
	return nil, step()
}

// watch adds an answer of the first trial on the head to the self-check of the embeddings. The self-check affects no
// verdict, so a panic in it is only noted.
func (r *reading) watch(ctx context.Context) (bug *Bug, err error) {
	m, own := r.plan.Judge.Similarity, r.member
	if m == nil || r.at != suite.Head || r.trial != 1 || r.response.Failure != nil {
		return nil, nil
	}
	return r.guarded("checking the embeddings with an answer", func() error {
		return m.watch(ctx, own.suite, own.c, r.plan.Judge.Redactor.Text(string(r.response.Text)))
	})
}

// otherModel reports whether answered, the model that sent the answer, is another one than asked. A provider may add a
// version (gpt-5-mini as gpt-5-mini-2025-08-07) or drop the owner (openai/gpt-5-mini).
func otherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) &&
		(short == "" || !strings.HasPrefix(answered, short))
}

// underBase returns the result of the answer under the base's expectation if the case is redefined. Otherwise it
// returns nil.
func (r *reading) underBase(ctx context.Context) (judged *report.Result, bug *Bug, err error) {
	under := r.under
	if !under.present() || !suite.Redefined(under.c, r.member.c) {
		return nil, nil, nil
	}
	bug, err = r.guarded("judging an answer by the base's expectation", func() error {
		before := under.c.Open()
		found, err := r.plan.Judge.Judge(ctx, under.suite, &before, r.response, r.gradedUnder.grades())
		if err != nil {
			return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w", under.c.ID, under.suite.ID, err)
		}
		judged = &found
		return nil
	})
	if bug != nil {
		judged = &report.Result{Classification: classify.Unanswered(*bug.failure())}
	}
	return judged, bug, err
}

// underBase adds before, the result under the base's expectation, to the result of a redefined case. It adds nothing if
// before is nil.
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
	// a person may want to compare them, even if the answer passes
	result.Expected, result.ExpectedBefore = demandsApart(k.demands(r.member.c), k.demands(&expectedBefore))
	// the missing text may also have what the base forbids
	if w := score.WarnCut; slices.Contains(before.Warnings, w) && !slices.Contains(result.Warnings, w) {
		result.Warnings = append(result.Warnings, w)
	}
}

// announce adds to result the proposed policies that will catch an answer of the head after the merge, and do not yet.
func (r *reading) announce(result *report.Result) {
	if r.at != suite.Head || r.response.Failure != nil {
		return
	}
	said := expect.SentBy(r.response)
	for _, policy := range r.plan.Judge.Announced {
		if policy.Catches(r.member.c.Policies, said) {
			result.AnnouncedPolicies = append(result.AnnouncedPolicies, policy.Name)
		}
	}
}
