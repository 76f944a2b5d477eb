package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
)

// heedBranch looks at the branch of a pull request once more.
func (j Job) heedBranch(ctx context.Context, in run.Inputs, judged Judged) {
	rep, c := judged.Report, judged.compared
	if c.event.Name != "pull_request" || rep.Verdict == report.Invalid {
		return
	}
	name := c.RulesName
	changed, err := j.rulesMoved(ctx, in, judged)
	switch {
	case err != nil && rep.Verdict == report.Passed:
		undecide(rep, fmt.Sprintf("whether %s has other rules by now could not be read: %v; run the job again", name, err))
	case err != nil:
		j.say("whether %s has other rules by now could not be read: %v", name, err)
	case len(changed) > 0:
		undecide(rep, fmt.Sprintf("%s has other rules by now than the commit that this was judged by (%s): update the branch", name, strings.Join(changed, ", ")))
	}
}

// heedAcceptances accepts what decided, where reviews or commands do.
func (j Job) heedAcceptances(ctx context.Context, judged Judged) {
	rep, event := judged.Report, judged.event
	defaultPush := event.Name == "push" && event.HeadRef == judged.branch && event.BaseSHA != ""
	reviewed := event.Name == "pull_request" || event.Name == "merge_group" || defaultPush
	if !reviewed || !compare.Acceptable(rep.Verdict, rep.Reasons) {
		return
	}
	accepted, err := j.github.Accepted(ctx, j.mark())
	if err != nil {
		rep.Warnings = append(rep.Warnings, report.Warning{Code: "reviews_unread",
			Message: document.Line(fmt.Sprintf("whether a review accepts this could not be read: %v", err))})
	}
	rep.Verdict, rep.Reasons = compare.Accept(rep.Reasons, func(r report.Reason) string { return accepted.Of(r.Code, r.About()) })
	rep.Acceptable = rep.Verdict == report.Failed
}

// undecide makes a report undecided for a reason that stands before all others.
func undecide(rep *report.Report, why string) {
	rep.Verdict = report.Undecided
	rep.Reasons = slices.Insert(rep.Reasons, 0, report.Reason{Code: report.CodeBaseMoved, Level: report.LevelError, Message: document.Line(why)})
}

// rulesMoved lists in what rules the branch is another now than where the head was judged by it.
func (j Job) rulesMoved(ctx context.Context, in run.Inputs, judged Judged) ([]string, error) {
	tip, err := j.github.Tip(ctx, judged.RulesName)
	if err != nil || tip == judged.Rules {
		return nil, err
	}
	then, err := judged.open(ctx, judged.Rules)
	if err != nil {
		return nil, err
	}
	now, err := judged.open(ctx, tip)
	if err != nil {
		return nil, err
	}
	changed := run.RulesChanged(in, then, now)
	return changed, errors.Join(then.Err(), now.Err())
}
