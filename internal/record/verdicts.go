package record

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// storedRecordings has the suites whose recordings were read. The field suites has only those that can lack nothing but
// verdicts: they have criteria, and all their answers are current.
type storedRecordings struct {
	side      *sides.Side
	suites    []*suite.Suite
	recorded  []*suite.Suite
	recordAll bool // all answers are requested again
}

// readStored reads the recordings of the suites. cfg is the effective configuration, and replayed is the same with
// recorded targets. live has the live target of each suite. In a suite without a live target, answers without a request
// key count as current.
func (in Inputs) readStored(cfg, replayed *config.Config, suites []*suite.Suite,
	live map[string]string) (storedRecordings, []document.Diagnostic) {
	anew := in.Inputs.Cache == sides.NoCache
	suites = slices.DeleteFunc(slices.Clone(suites), func(s *suite.Suite) bool {
		t := replayed.Targets[s.Target]
		return t.Provider != model.Recorded || !sides.AnyGraded([]*suite.Suite{s}) &&
			!fs.ValidPath(recorded.Path(t.Path, s.ID))
	})
	if len(suites) == 0 {
		return storedRecordings{}, nil
	}
	s, faults := sides.OpenSide(in.Inputs.Head, replayed, suites, sides.NewTargets(in.Inputs, replayed))
	s.Bind(recorded.Binding{Targets: sides.RecordedTargets(cfg)})
	h := storedRecordings{side: s, recorded: suites, recordAll: anew}
	for _, one := range suites {
		client := s.Recordings[one.Target]
		target, asks := live[one.ID]
		due := func(c *suite.Case) bool {
			q := c.Open().Prompt
			for q.Trial = 1; asks && q.Trial <= c.Trials; q.Trial++ {
				if _, ok, _ := client.LineFrom(q, target); anew || !ok {
					return true
				}
			}
			return !client.IsCurrent(q, c.Trials)
		}
		if sides.AnyGraded([]*suite.Suite{one}) && !one.Cases.Any(due) {
			h.suites = append(h.suites, one)
		}
	}
	return h, faults
}

// trial identifies an answer of a suite.
type trial struct {
	suiteID, caseID string
	number          int
}

func trialOf(q model.Request) trial { return trial{q.SuiteID, q.CaseID, q.Trial} }

// keptLines returns the lines, with their ends, of the recorded answers that need no call: each is current, comes from
// the target to record or from a person, and is of a case that lacks no verdict. They include stale hand-written
// answers, which stale counts by suite: only a person, or --again, replaces them.
func (h storedRecordings) keptLines(r recording, panel *evaluate.Panel) (out map[trial]string, stale map[string]int) {
	out, stale = map[trial]string{}, map[string]int{}
	var holds []*suite.Suite
	for _, s := range r.sides.Selected[suite.Head] {
		found := h.find(s.ID)
		if found == nil || h.recordAll {
			continue
		}
		holds = append(holds, found)
		client := h.side.Recordings[found.Target]
		for _, c := range found.Cases {
			q := c.Open().Prompt
			for q.Trial = 1; q.Trial <= c.Trials; q.Trial++ {
				line, ok, byHand := client.LineFrom(q, r.sides.Head.Config.Targets[s.Target].Name)
				if byHand {
					stale[s.ID]++
				}
				if ok || byHand {
					out[trialOf(q)] = line + "\n"
				}
			}
		}
	}
	if panel != nil && len(out) > 0 {
		lacking := map[[2]string]bool{}
		for q := range evaluate.ForecastGradings(storedRecordings{side: h.side, suites: holds}.plan(r, panel)) {
			lacking[[2]string{q.Request.SuiteID, q.Request.CaseID}] = true
		}
		maps.DeleteFunc(out, func(t trial, _ string) bool { return lacking[[2]string{t.suiteID, t.caseID}] })
	}
	return out, stale
}

// find returns a suite whose recordings were read, or nil.
func (h storedRecordings) find(suiteID string) *suite.Suite {
	if i := slices.IndexFunc(h.recorded, func(s *suite.Suite) bool { return s.ID == suiteID }); i >= 0 {
		return h.recorded[i]
	}
	return nil
}

// sampleCount returns how many answers to a request were sampled, including a new one. A cached answer is not new.
func (h storedRecordings) sampleCount(a evaluate.Answer, bound recorded.LineFields) int {
	s := h.find(a.Suite.ID)
	if s == nil {
		return 1
	}
	drawn := h.side.Recordings[s.Target].Samples(a.Request, bound.Key, bound.Target)
	if a.Response.Cached {
		return drawn
	}
	return drawn + 1
}

func (h storedRecordings) contains(suiteID string) bool {
	return slices.ContainsFunc(h.suites, func(s *suite.Suite) bool { return s.ID == suiteID })
}

// plan returns the plan that grades the recorded answers.
func (h storedRecordings) plan(r recording, panel *evaluate.Panel) evaluate.Plan {
	return evaluate.Plan{Head: evaluate.Side{Suites: h.suites, Target: h.side.Target}, RunID: r.in.Inputs.RunID,
		Now: r.in.Inputs.Time, EvaluationConcurrency: asking.EvaluationConcurrency(r.sides, nil), Panel: panel}
}

// withoutVerdicts returns the suites with a missing or stale verdict.
func (h storedRecordings) withoutVerdicts(r recording, panel *evaluate.Panel) storedRecordings {
	if panel == nil || len(h.suites) == 0 {
		return storedRecordings{}
	}
	lack := map[string]bool{}
	for q := range evaluate.ForecastGradings(h.plan(r, panel)) {
		lack[q.Request.SuiteID] = true
	}
	h.suites = slices.DeleteFunc(slices.Clone(h.suites), func(s *suite.Suite) bool { return !lack[s.ID] })
	return h
}

// gradeRecorded grades recorded answers with the judge. It adds the verdicts to the recordings of each suite in which
// no verdict is missing.
func (r recording) gradeRecorded(ctx context.Context, h storedRecordings, panel *evaluate.Panel,
	to asking.Sinks) (out []Suite, err error) {
	if len(h.suites) == 0 {
		return nil, nil
	}
	plan, hide := h.plan(r, panel), r.sides.Redactor()
	if _, err := asking.Announce(r.sides, forecast.New(plan, forecast.ExtraCalls{}, r.sides.Rules), to); err != nil {
		return nil, err
	}
	came := map[string]map[recorded.Place][]model.Verdict{}
	lost, why := map[string]int{}, map[string]model.Untrusted{}
	err = evaluate.Run(ctx, plan, func(a evaluate.Answer) error {
		s := a.Suite
		if a.Response.Failure != nil {
			if lost[s.ID]++; lost[s.ID] == 1 {
				why[s.ID] = model.Untrusted(hide.Text(string(a.Response.Failure.Message)))
			}
			return nil
		}
		if at, ok := h.side.Recordings[s.Target].Place(a.Request); ok && len(a.Response.Verdicts) > 0 {
			if came[s.ID] == nil {
				came[s.ID] = map[recorded.Place][]model.Verdict{}
			}
			came[s.ID][at] = asking.Redacted(hide, a.Response).Verdicts
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	files := edits[[]model.Verdict]{}
	for _, s := range h.suites {
		one := Suite{Suite: s.ID, Path: r.paths[s.ID], Lost: lost[s.ID], Why: why[s.ID], Graded: len(came[s.ID])}
		if out = append(out, one); one.Lost > 0 {
			continue
		}
		for at, verdicts := range came[s.ID] {
			files.put(at.File, at.Line, verdicts)
		}
	}
	_, err = files.write(r.in.Inputs.Dir, recorded.SetVerdicts)
	return out, err
}
