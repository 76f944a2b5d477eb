// Package stale runs recorded cases live if their recordings are stale, and makes a patch of the new recordings.
package stale

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// New returns the check that runs cases with a stale recording live, and writes their new recordings as a patch.
func New(s *sides.Sides) (c checks.Check) {
	gone := removedTargetWarnings(s)
	stale, notAsked, faults := prepareStale(s)
	c.Warnings, c.Faults = slices.Concat(gone, notAsked), faults
	c.Static = func(in *gate.Run) { in.Resampled = resampledCases(s) }
	if len(stale) == 0 {
		return c
	}
	h := newRecordings{s, stale, s.Redactor(), map[suiteid.Name][]byte{}, map[suiteid.Name]bool{}}
	c.FirstAnswer = h.collect
	c.Cost = h.cost
	c.After = func(ctx context.Context, run checks.Run, in *gate.Run) error {
		if len(in.Ended()) > 0 {
			return nil
		}
		patch, n, err := h.patch(ctx, run.Plan, run.Head)
		if err == nil && patch != nil {
			err = run.Sinks.Out.Write(output.PatchFile, patch)
		}
		in.PatchedCases = n
		return err
	}
	return c
}

// cost adds the cost of rerunning, on both sides, the cases that may flip with their new recordings.
func (r newRecordings) cost(more *forecast.ExtraCalls) {
	more.MaxSettled, more.SettleRounds = staleFlips, compare.MaxRecordedRounds
	for _, one := range r.stale {
		if one.Base == nil {
			continue
		}
		var both []evaluate.Question
		for _, c := range []suite.Case{*one.Head, *one.Base} {
			asking.SwitchToLive(&c, r.sides.Rules.Targets[one.target.Name])
			both = append(both, evaluate.Question{Target: c.Target, Request: c.Prompt})
		}
		more.SettleQuestions = append(more.SettleQuestions, both)
	}
}

// staleCase is a recorded case that is run live because its recording is stale or missing. The Pair holds the case from
// before the change to the live target. Base is nil if the base has no such case.
type staleCase struct {
	suite.Pair
	target recorded.Target // the live target that answers the head's case
}

// prepareStale prepares stale recorded cases to run live on both sides, if the effective rules say so and the run has
// the target's key. It gives both sides the clients that these cases need. It returns these cases, warnings about stale
// cases that cannot run live, and errors.
func prepareStale(p *sides.Sides) (stale map[suiteid.Name]*staleCase, warnings []report.Warning,
	faults []document.Diagnostic) {
	r := p.Rules.Recordings
	if p.MeasuresNoise() || r.Stale != config.StaleAsk {
		return nil, nil, nil
	}
	stale = map[suiteid.Name]*staleCase{}
	heads, bases := map[string]config.Target{}, map[string]config.Target{} // live targets to call, by name
	notAsked := map[string]int{}                                           // the number of cases that are not run live, by the reason
	for s, c := range suite.EachCase(p.Selected[suite.Head]) {
		client := p.Head.Recordings[s.Target]
		if client == nil || p.Inputs.Stored != nil || client.IsCurrent(c.Open().Prompt, max(c.Trials, 1)) {
			continue
		}
		target, known := asking.LiveTargetFor(p, s, c.ID)
		switch {
		case known && !asking.ExceedsBounds(p, s, c, target):
			heads[target.Name] = target
			stale[suiteid.Name{Suite: s.ID, Case: c.ID}] = switchToLive(p, s, c, target, bases)
		case known:
			notAsked["the fork's prompt files name a model that the base does not, or more tokens, and target "+
				document.Quote(target.Name)+" has the base's key"]++
		case target.Name != "":
			notAsked[asking.MissingKey(p, target)+"; it needs the key of target "+document.Quote(target.Name)]++
		}
	}
	p.Head, faults = p.Head.WithTargets(heads)
	p.Base, _ = p.Base.WithTargets(bases) // the same targets, with the same errors
	for _, why := range slices.Sorted(maps.Keys(notAsked)) {
		warnings = append(warnings, report.Warning{Code: "stale_not_asked", Message: text.Count(notAsked[why], "case") +
			" could not be asked live in place of the recordings, as recordings.stale says: " + why})
	}
	return stale, warnings, faults
}

// switchToLive changes a stale case and its base case to call a live target rather than their recordings. It returns
// copies of both from before the change, and adds the target of the base case to bases.
func switchToLive(p *sides.Sides, s *suite.Suite, c *suite.Case, target config.Target,
	bases map[string]config.Target) *staleCase {
	one := &staleCase{suite.Pair{HeadSuite: s, Head: asking.SwitchToLive(c, target)}, sides.RecordedTarget(target)}
	both := p.Pairs.Find(s.ID, c.ID)
	if was, baseSuite := both.Base, both.BaseSuite; was != nil && p.Base.Recordings[baseSuite.Target] != nil {
		baseTarget := target
		if p.Base.IsLive(target.Name) {
			baseTarget = p.Base.Config.Targets[target.Name]
		}
		bases[target.Name] = baseTarget
		one.Base, one.BaseSuite = asking.SwitchToLive(was, baseTarget), baseSuite
	}
	return one
}

// newRecordings collects the new answers of cases that are run live in place of their recordings.
type newRecordings struct {
	sides      *sides.Sides
	stale      map[suiteid.Name]*staleCase
	redactor   *redact.Redactor
	lines      map[suiteid.Name][]byte // the head's first answers as lines of a recording
	incomplete map[suiteid.Name]bool   // cases with at least one missing first answer
}

// collect stores an answer that replaces a case's recording.
func (r newRecordings) collect(a evaluate.Answer) {
	name := asking.NameOf(a.Request)
	one := r.stale[name]
	switch {
	case a.Side != suite.Head || one == nil:
	case a.Response.Failure != nil:
		r.incomplete[name] = true
	default:
		bound := recorded.LineFields{Key: one.Head.Keys().RequestKey.String(), Target: one.target}
		r.lines[name] = append(r.lines[name], recorded.Line(a.Request, bound, asking.Redacted(r.redactor, a.Response))...)
	}
}

// patch returns the new recordings of n cases as a patch to commit with the change; nil if there are none. A case that
// would flip against the base's recordings also gets reruns, as `failproof record` would write them.
func (r newRecordings) patch(ctx context.Context, plan evaluate.Plan,
	head *report.Side) (patch []byte, n int, err error) {
	fresh, err := r.rerunFlipped(ctx, plan, head)
	if err != nil {
		return nil, 0, err
	}
	files := map[string]map[suiteid.Name][]byte{}
	for _, id := range slices.SortedFunc(maps.Keys(r.lines), suiteid.Name.Compare) {
		if r.incomplete[id] {
			continue
		}
		n++
		name := recorded.Path(r.sides.Rules.Targets[r.stale[id].HeadSuite.Target].Path, id.Suite)
		if files[name] == nil {
			files[name] = map[suiteid.Name][]byte{}
		}
		files[name][suiteid.Name{Suite: suiteid.AuthorID(id.Suite), Case: id.Case}] = slices.Concat(r.lines[id], fresh[id])
	}
	tree := r.sides.Inputs.Head
	if r.sides.Inputs.OpenBranch != nil { // the patch is for the branch, which the head has merged
		// without the branch's tree, the patch may not apply, and git then reports that
		if branch, err := r.sides.Inputs.OpenBranch(); err == nil && branch != nil {
			tree = branch
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := fs.ReadFile(tree, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fault.Inputf("read the recordings %s: %w", name, err)
		}
		patch = append(patch, recorded.Patch(name, old, files[name])...)
	}
	return patch, n, nil
}

// staleFlips limits the cases that get reruns with their new recordings.
const staleFlips = 20

// rerunFlipped reruns the cases that pass by the base's recording and failed their first new answers. It returns, for
// each case whose reruns were all answered, the new answers as lines of a recording. Answers that the run already has
// come from the response cache.
func (r newRecordings) rerunFlipped(ctx context.Context, plan evaluate.Plan,
	head *report.Side) (map[suiteid.Name][]byte, error) {
	wants, err := r.flippedReruns(ctx, plan.Evaluator, head)
	if err != nil || len(wants) == 0 {
		return nil, err
	}
	fresh, answers := map[suiteid.Name][]byte{}, map[suiteid.Name]int{}
	plan.Evaluator, plan.Panel = nil, plan.Evaluator.Panel // recordings store only verdicts on criteria
	err = evaluate.Rerun(ctx, plan, wants, func(a evaluate.Answer) error {
		name := a.HeadName
		one := r.stale[name]
		from := one.target
		if a.Side == suite.Base {
			from = sides.RecordedTarget(r.sides.Base.Config.Targets[one.target.Name])
		}
		if a.Response.Failure == nil {
			a.Request.Trial = a.Request.Rerun
			fresh[name] = append(fresh[name], asking.RerunLine(r.redactor, a, one.Pair, from)...)
			answers[name]++
		}
		return nil
	})
	if bug, ok := errors.AsType[*fault.Bug](err); ok && plan.OnBug != nil {
		plan.OnBug(bug)
		return nil, nil // the patch then has no reruns
	}
	maps.DeleteFunc(fresh, func(name suiteid.Name, _ []byte) bool { return answers[name] < 2*compare.MaxRecordedRounds })
	return fresh, err
}

// flippedReruns returns the reruns of at most staleFlips cases that pass by the base's recording but fail by their
// first new answers.
func (r newRecordings) flippedReruns(ctx context.Context, judge *evaluate.Evaluator,
	head *report.Side) (wants []report.RerunRequest, err error) {
	for s, c := range suite.EachCase(r.sides.Selected[suite.Head]) {
		id := suiteid.Name{Suite: s.ID, Case: c.ID}
		one, result := r.stale[id], head.Find(id)
		if one == nil || one.Base == nil || r.incomplete[id] || result == nil ||
			2*result.Outcome.Passed > result.Outcome.Trials || len(wants) == staleFlips {
			continue
		}
		passed, err := passedByRecording(ctx, r.sides, judge, one)
		if err != nil {
			return nil, err
		}
		if passed {
			next := max(one.Head.Trials, one.Base.Trials, 1) + 1
			wants = append(wants,
				report.RerunRequest{SuiteID: s.ID, CaseID: c.ID, Rounds: compare.MaxRecordedRounds,
					FirstNumber: next})
		}
	}
	return wants, nil
}

// passedByRecording reports whether most of the base's recorded answers to a case pass, or most of its earlier reruns.
func passedByRecording(ctx context.Context, p *sides.Sides, judge *evaluate.Evaluator, one *staleCase) (bool, error) {
	first, err := asking.RecordedAnswers(ctx, p.Base.Recordings[one.BaseSuite.Target], one.Base)
	if err != nil {
		return false, err
	}
	for _, answers := range [][]model.Response{first, p.EarlierRerunsOf(one.Pair)} {
		passed := 0
		for _, r := range answers {
			judged, err := judge.GradeAndEvaluate(ctx, one.HeadSuite.ID, one.BaseSuite, one.Base, r)
			if err != nil {
				return false, err
			}
			passed += judged.Classification.Accuracy()
		}
		if 2*passed > len(answers) {
			return true, nil
		}
	}
	return false, nil
}

// removedTargetWarnings returns warnings about recordings of targets that the configuration no longer has. Whether
// these recordings are stale cannot be checked.
func removedTargetWarnings(p *sides.Sides) (warnings []report.Warning) {
	live := sides.RecordedTargets(p.Rules)
	for _, s := range p.Selected[suite.Head] {
		counts := map[string]int{}
		for _, c := range s.Cases {
			for _, name := range p.Head.AnswersOf(s, c.ID).TargetNames() {
				if _, known := live[name]; !known {
					counts[name]++
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			warnings = append(warnings, report.Warning{Code: "recording_target_gone", SuiteID: s.ID, Path: s.Path,
				Line: s.Pos.Line, Count: counts[name],
				Message: document.Line(fmt.Sprintf("recorded from target %s, which is no live target of the "+
					"configuration: whether the model is still the same cannot be told", document.Quote(name)))})
		}
	}
	return warnings
}

// resampledCases returns the recorded cases for which somebody may have sampled until an answer passed: an answer was
// sampled more than once, and more often than the base's answer to the same request; it replaces the base's without
// being counted; it no longer names its target; or reruns are lost. It also returns cases with new reruns of another
// request.
func resampledCases(p *sides.Sides) (out []gate.ResampledCase) {
	if p.Base == nil {
		return nil
	}
	for s, c := range suite.EachCase(p.Selected[suite.Head]) {
		var before, reruns recorded.Answers
		both := p.Pairs.Find(s.ID, c.ID)
		if both.Base != nil {
			before = p.Base.AnswersOf(both.BaseSuite, both.Base.ID)
			reruns = p.Base.Recordings[both.BaseSuite.Target].AllReruns(both.BaseSuite.ID, both.Base.ID)
		}
		now, key := p.Head.AnswersOf(s, c.ID), c.Keys().RequestKey.String()
		n := now.MostSamples(before)
		changed, unnamed := p.Head.Recordings[s.Target].Edited(now, before, key)
		one := gate.ResampledCase{SuiteID: s.ID, CaseID: c.ID, Samples: n, Replaced: changed,
			Unnamed: unnamed && !changed, LostReruns: reruns.Len() > 0 && p.LostReruns(both)}
		if n > 0 || changed || unnamed || one.LostReruns {
			out = append(out, one)
		}
		if p.Head.Recordings[s.Target].AllReruns(s.ID, c.ID).HaveForeign(key, reruns) {
			out = append(out, gate.ResampledCase{SuiteID: s.ID, CaseID: c.ID, ForeignReruns: true})
		}
	}
	return out
}
