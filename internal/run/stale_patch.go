package run

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// heard are the new recordings of the cases that are asked live, as they come.
type heard struct {
	plan  Plan
	hide  *redact.Redactor
	lines map[[2]string][]byte // of the head's first answers, by suite and case
	lost  map[[2]string]bool   // not all of them came
}

func (p Plan) newHeard() heard {
	return heard{p, p.redactor(), map[[2]string][]byte{}, map[[2]string]bool{}}
}

// hear keeps an answer of a case that is asked in place of its recording.
func (h heard) hear(at suite.Side, c *suite.Case, q model.Request, r model.Response) {
	id := [2]string{q.SuiteID, c.ID}
	one := h.plan.stale[id]
	switch {
	case at != suite.Head || one == nil || q.Fresh > 0:
	case r.Failure != nil:
		h.lost[id] = true
	default:
		bound := recorded.Bound{Key: one.Head.Keys().RequestKey.String(), From: one.target}
		h.lines[id] = append(h.lines[id], recorded.Line(q, bound, hidden(h.hide, r))...)
	}
}

// hidden takes the secrets out of an answer that is written.
func hidden(hide *redact.Redactor, r model.Response) model.Response {
	text := func(t *model.Untrusted) { *t = model.Untrusted(hide.Text(string(*t))) }
	text(&r.Text)
	text(&r.Refusal)
	r.ToolCalls = slices.Clone(r.ToolCalls)
	for i := range r.ToolCalls {
		text(&r.ToolCalls[i].Name)
		text(&r.ToolCalls[i].Arguments)
	}
	if r.Failure != nil {
		f := *r.Failure
		text(&f.Message)
		r.Failure = &f
	}
	r.Verdicts = slices.Clone(r.Verdicts)
	for i := range r.Verdicts {
		text(&r.Verdicts[i].Why)
	}
	return r
}

// write writes the patch, where there is one, and counts the cases that it holds.
func (h heard) write(ctx context.Context, plan evaluate.Plan, head *report.Side, to *output.Folder) (n int, err error) {
	patch, n, err := h.patch(ctx, plan, head)
	if err == nil && patch != nil {
		err = to.Write(output.PatchFile, patch)
	}
	return n, err
}

// patch makes of the new recordings a patch, to be committed with the change; nil for none. A case that would flip against the
// base's recordings gets fresh answers too, as `failproof record --base` would write them. n counts the cases that it holds.
func (h heard) patch(ctx context.Context, plan evaluate.Plan, head *report.Side) (patch []byte, n int, err error) {
	fresh, err := h.settle(ctx, plan, head)
	if err != nil {
		return nil, 0, err
	}
	files := map[string][]recorded.Edit{}
	for _, id := range slices.SortedFunc(maps.Keys(h.lines), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		if !h.lost[id] {
			n++
			name := recorded.Path(h.plan.rules.Targets[h.plan.stale[id].HeadSuite.Target].Path, id[0])
			files[name] = append(files[name], recorded.Edit{SuiteID: id[0], CaseID: id[1], Lines: slices.Concat(h.lines[id], fresh[id])})
		}
	}
	tree := h.plan.ownTree()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := fs.ReadFile(tree, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fault.Inputf("read the recordings %s: %w", name, err)
		}
		patch = append(patch, recorded.Patch(name, old, files[name])...)
	}
	return patch, n, nil
}

// ownTree is what a patch is made for: the head, and of a merge the branch that was merged, to which it is committed.
func (in Inputs) ownTree() *source.Tree {
	if in.Branch != nil {
		if tree, err := in.Branch(); err == nil && tree != nil { // else the patch may not fit, and git says so
			return tree
		}
	}
	return in.Head
}

// FreshRounds is how often a case that flipped is asked again on each side.
const FreshRounds = 8

// staleFlips is how many cases get fresh answers for their new recordings, at most.
const staleFlips = 20

// settle asks the cases again that pass by the base's recording and not by their first new answers, and returns those answers as
// lines, where all came. What the run has asked already to tell noise from a regression is taken from the journal, where there is one.
func (h heard) settle(ctx context.Context, plan evaluate.Plan, head *report.Side) (map[[2]string][]byte, error) {
	wants, err := h.flipped(ctx, plan.Judge, head)
	if err != nil || len(wants) == 0 {
		return nil, err
	}
	lines, came := map[[2]string][]byte{}, map[[2]string]int{}
	err = evaluate.FreshAnswers(ctx, plan, wants, func(at suite.Side, q model.Request, r model.Response) error {
		id := [2]string{q.SuiteID, q.CaseID}
		if r.Failure != nil {
			return nil
		}
		one := h.plan.stale[id]
		bound := recorded.Bound{Key: one.Head.Keys().RequestKey.String(), BaseKey: one.Base.Keys().RequestKey.String(), Fresh: recorded.FreshHead, From: one.target}
		if at == suite.Base {
			bound.Fresh, bound.From = recorded.FreshBase, recordedTarget(h.plan.base.config.Targets[one.target.Name])
		}
		q.Trial = q.Fresh
		came[id]++
		lines[id] = append(lines[id], recorded.Line(q, bound, hidden(h.hide, r))...)
		return nil
	})
	maps.DeleteFunc(lines, func(id [2]string, _ []byte) bool { return came[id] < 2*FreshRounds })
	return lines, err
}

// flipped are the cases that pass by the base's recording and not by their first new answers, as they are asked again.
func (h heard) flipped(ctx context.Context, judge *evaluate.Judge, head *report.Side) (wants []report.Want, err error) {
	for _, s := range h.plan.asked[suite.Head] {
		for c := range s.Cases.All() {
			id := [2]string{s.ID, c.ID}
			one, result := h.plan.stale[id], find(head, suiteid.Name{Suite: s.ID, Case: c.ID})
			if one == nil || one.Base == nil || h.lost[id] || result == nil || 2*result.Tally().Passed > result.Tally().Trials || len(wants) == staleFlips {
				continue
			}
			passed, err := h.plan.passedByRecording(ctx, judge, one)
			if err != nil {
				return nil, err
			}
			if passed {
				next := max(one.Head.Trials, one.Base.Trials, 1) + 1
				wants = append(wants, report.Want{SuiteID: id[0], CaseID: id[1], First: next, Last: next + FreshRounds - 1})
			}
		}
	}
	return wants, nil
}

// passedByRecording reports whether most of the base's recorded answers to a case pass.
func (p Plan) passedByRecording(ctx context.Context, judge *evaluate.Judge, one *asked) (bool, error) {
	passed, trials := 0, max(one.Base.Trials, 1)
	for trial := 1; trial <= trials; trial++ {
		q := one.Base.Prompt
		q.Trial = trial
		r, err := p.base.replay[one.BaseSuite.Target].Answer(ctx, q)
		if err != nil {
			return false, err
		}
		judged, err := judge.Graded(ctx, one.BaseSuite, one.Base, r)
		if err != nil {
			return false, err
		}
		passed += judged.Classification.Accuracy()
	}
	return 2*passed > trials, nil
}
