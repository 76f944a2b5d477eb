package record

import (
	"context"
	"io/fs"
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

// holding has the suites whose recordings were read. The field suites has only those that can lack nothing but
// verdicts: they have criteria, and all their answers are current.
type holding struct {
	side     *sides.Side
	suites   []*suite.Suite
	recorded []*suite.Suite
	anew     bool // all answers are requested again
}

// holding reads the recordings of the suites. cfg is the effective configuration, and replayed is the same with
// recorded targets. live has the live target of each suite. In a suite without a live target, answers without a request
// key count as current.
func (in Inputs) holding(cfg, replayed *config.Config, suites []*suite.Suite,
	live map[string]string) (holding, []document.Diagnostic) {
	anew := in.Inputs.Cache == sides.NoCache
	suites = slices.DeleteFunc(slices.Clone(suites), func(s *suite.Suite) bool {
		t := replayed.Targets[s.Target]
		return t.Provider != model.Recorded || !sides.AnyGraded([]*suite.Suite{s}) &&
			!fs.ValidPath(recorded.Path(t.Path, s.ID))
	})
	if len(suites) == 0 {
		return holding{}, nil
	}
	s, faults := sides.OpenSide(in.Inputs.Head, replayed, suites, sides.NewTargets(in.Inputs, replayed))
	s.Bind(recorded.Binding{Targets: sides.RecordedTargets(cfg)})
	h := holding{side: s, recorded: suites, anew: anew}
	for _, one := range suites {
		client := s.Replay[one.Target]
		target, asks := live[one.ID]
		due := func(c *suite.Case) bool {
			q, trials := c.Open().Prompt, max(c.Trials, 1)
			return asks && (anew || !client.HoldsOf(q, trials, target)) || !client.IsCurrent(q, trials)
		}
		if sides.AnyGraded([]*suite.Suite{one}) && !one.Cases.Any(due) {
			h.suites = append(h.suites, one)
		}
	}
	return h, faults
}

// keptCases returns the cases, by suite and id, that need no call: each recorded answer is current, comes from the
// target to record or from a person, and has its verdicts.
func (h holding) keptCases(r recording, panel *evaluate.Panel) map[[2]string]bool {
	out := map[[2]string]bool{}
	var holds []*suite.Suite
	for _, s := range r.sides.Asked[suite.Head] {
		found := h.find(s.ID)
		if found == nil || h.anew {
			continue
		}
		one := *found
		one.Cases = one.Cases.Where(func(c *suite.Case) bool {
			return h.side.Replay[one.Target].HoldsOf(c.Open().Prompt, max(c.Trials, 1),
				r.sides.Head.Config.Targets[s.Target].Name)
		})
		for _, c := range one.Cases {
			out[[2]string{s.ID, c.ID}] = true
		}
		holds = append(holds, &one)
	}
	if panel != nil && len(out) > 0 {
		for q := range evaluate.Gradings(holding{side: h.side, suites: holds}.plan(r, panel)) {
			delete(out, [2]string{q.Request.SuiteID, q.Request.CaseID})
		}
	}
	return out
}

// find returns a suite whose recordings were read, or nil.
func (h holding) find(suiteID string) *suite.Suite {
	if i := slices.IndexFunc(h.recorded, func(s *suite.Suite) bool { return s.ID == suiteID }); i >= 0 {
		return h.recorded[i]
	}
	return nil
}

// draws returns how many answers to a request were sampled, including a new one. A cached answer is not new.
func (h holding) draws(a evaluate.Answer, bound recorded.Bound) int {
	s := h.find(a.Suite.ID)
	if s == nil {
		return 1
	}
	drawn := h.side.Replay[s.Target].Samples(a.Request, bound.Key, bound.From)
	if a.Response.Cached {
		return drawn
	}
	return drawn + 1
}

func (h holding) has(suiteID string) bool {
	return slices.ContainsFunc(h.suites, func(s *suite.Suite) bool { return s.ID == suiteID })
}

// plan returns the plan that grades the recorded answers.
func (h holding) plan(r recording, panel *evaluate.Panel) evaluate.Plan {
	return evaluate.Plan{Head: evaluate.Side{Suites: h.suites, Target: h.side.Target}, RunID: r.in.Inputs.RunID,
		Now: r.in.Inputs.Time, Judges: asking.JudgesAtOnce(r.sides, nil), Grader: panel}
}

// lacking returns the suites with a missing or stale verdict.
func (h holding) lacking(r recording, panel *evaluate.Panel) holding {
	if panel == nil || len(h.suites) == 0 {
		return holding{}
	}
	lack := map[string]bool{}
	for q := range evaluate.Gradings(h.plan(r, panel)) {
		lack[q.Request.SuiteID] = true
	}
	h.suites = slices.DeleteFunc(slices.Clone(h.suites), func(s *suite.Suite) bool { return !lack[s.ID] })
	return h
}

// verdicts grades recorded answers with the judge. It adds the verdicts to the recordings of each suite in which no
// verdict is missing.
func (r recording) verdicts(ctx context.Context, h holding, panel *evaluate.Panel,
	to asking.Sinks) (out []Suite, err error) {
	if len(h.suites) == 0 {
		return nil, nil
	}
	plan, hide := h.plan(r, panel), r.sides.Redactor()
	if _, err := asking.Announce(r.sides, forecast.Of(plan, forecast.Further{}, r.sides.Rules), to); err != nil {
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
		if at, ok := h.side.Replay[s.Target].Place(a.Request); ok && len(a.Response.Verdicts) > 0 {
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
	_, err = files.write(r.in.Inputs.Dir, recorded.Grade)
	return out, err
}
