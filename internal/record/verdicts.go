package record

import (
	"context"
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
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// readStored reads the recordings of the suites. cfg is the effective configuration, and replayed is the same with
// recorded targets. live has the live target of each suite. In a suite without a live target, answers without a request
// key count as current.
func (r *recording) readStored(cfg, replayed *config.Config, suites []*suite.Suite,
	live map[string]string) error {
	suites = slices.DeleteFunc(slices.Clone(suites), func(s *suite.Suite) bool {
		return replayed.Targets[s.Target].Provider != model.Recorded
	})
	if len(suites) == 0 {
		return nil
	}
	faults, err := r.openStored(cfg, replayed, suites)
	if err != nil {
		return err
	}
	for _, one := range suites {
		client := r.stored.Recordings[one.Target]
		target, asks := live[one.ID]
		due := func(c *suite.Case) bool {
			q := c.Open().Prompt
			for q.Trial = 1; asks && q.Trial <= c.Trials; q.Trial++ {
				if _, ok, _ := client.LineFrom(q, target); r.recordsAll() || !ok {
					return true
				}
			}
			return !client.IsCurrent(q, c.Trials)
		}
		unbound := func(c *suite.Case) bool { return due(c) || len(client.UnstampedAnswers(c.Open().Prompt)) > 0 }
		switch {
		case sides.AnyGraded([]*suite.Suite{one}) && !one.Cases.Any(due):
			r.complete = append(r.complete, one)
		case !asks && !r.recordsAll() && !one.Cases.Any(unbound):
			r.complete = append(r.complete, one)
			for _, c := range one.Cases {
				r.out.Kept += c.Trials
			}
		}
	}
	return document.AsError(faults)
}

// openStored opens the side with the recordings of the suites. If answers belong to other cases by their requests, it
// first writes them under the names of these.
func (r *recording) openStored(cfg, replayed *config.Config, suites []*suite.Suite) (faults []document.Diagnostic,
	err error) {
	open := func() {
		r.stored, faults = sides.OpenSide(r.in.Inputs.Head, replayed, suites, sides.NewTargets(r.in.Inputs, replayed), nil)
		r.stored.Bind(recorded.Binding{Targets: sides.RecordedTargets(cfg)})
	}
	open()
	moves := r.stored.Moves()
	if document.HasErrors(faults) || len(moves) == 0 {
		return faults, nil
	}
	written, err := WriteNames(r.in.Inputs.Dir, moves)
	for _, f := range written {
		r.sinks.Say("%s: %s %s", f.Path, text.Count(f.Answers, "answer"), Moved)
	}
	if err != nil {
		return nil, err
	}
	r.in.Inputs.Head, err = sides.OpenHead(r.in.Inputs.Dir, "")
	open()
	return faults, err
}

// recordsAll reports whether all answers are requested again.
func (r *recording) recordsAll() bool {
	return r.in.Inputs.Afresh || r.in.Inputs.Cache == sides.NoCache
}

// trial identifies an answer.
type trial struct {
	suiteid.Name
	number int
}

func trialOf(q model.Request) trial { return trial{asking.NameOf(q), q.Trial} }

// keptLines returns the lines, with their ends, of the suites' recorded answers that need no call: each is current,
// comes from the target to record or from a person, and is of a case that lacks no verdict. They include stale
// hand-written answers, which it counts in ByHand: only a person, or --again, replaces them.
func (r *recording) keptLines(asked []*suite.Suite) map[trial]string {
	out := map[trial]string{}
	var suites []*suite.Suite
	for _, s := range asked {
		found := r.stored.Find(s.ID)
		if found == nil || r.recordsAll() {
			continue
		}
		suites = append(suites, found)
		client := r.stored.Recordings[found.Target]
		for _, c := range found.Cases {
			q := c.Open().Prompt
			for q.Trial = 1; q.Trial <= c.Trials; q.Trial++ {
				line, ok, byHand := client.LineFrom(q, r.sides.Head.Config.Targets[s.Target].Name)
				if byHand {
					r.results[s.ID].ByHand++
				}
				if ok || byHand {
					out[trialOf(q)] = line + "\n"
				}
			}
		}
	}
	if r.panel != nil && len(out) > 0 {
		lacking := map[suiteid.Name]bool{}
		for q := range evaluate.ForecastGradings(r.plan(suites, r.stored)) {
			lacking[asking.NameOf(q.Request)] = true
		}
		maps.DeleteFunc(out, func(t trial, _ string) bool { return lacking[t.Name] })
	}
	return out
}

// sampleCount returns how many answers to a request were sampled, including a new one. A cached answer is not new.
func (r *recording) sampleCount(a evaluate.Answer, bound recorded.LineFields) int {
	s := r.stored.Find(a.Suite.ID)
	if s == nil {
		return 1
	}
	drawn := r.stored.Recordings[s.Target].Samples(a.Request, bound.Key, bound.Target)
	if a.Response.Cached {
		return drawn
	}
	return drawn + 1
}

func contains(suites []*suite.Suite, id string) bool {
	return slices.ContainsFunc(suites, func(s *suite.Suite) bool { return s.ID == id })
}

// plan returns the plan that calls the targets of a side, and grades the answers.
func (r *recording) plan(suites []*suite.Suite, from *sides.Side) evaluate.Plan {
	return evaluate.Plan{Head: evaluate.Side{Suites: suites, Target: from.Target}, RunID: r.in.Inputs.RunID,
		Now: r.in.Inputs.Time, EvaluationConcurrency: asking.EvaluationConcurrency(r.sides, nil), Panel: r.panel}
}

// withoutVerdicts returns the complete suites with a missing or stale verdict.
func (r *recording) withoutVerdicts() []*suite.Suite {
	if r.panel == nil || len(r.complete) == 0 {
		return nil
	}
	lack := map[string]bool{}
	for q := range evaluate.ForecastGradings(r.plan(r.complete, r.stored)) {
		lack[q.Request.SuiteID] = true
	}
	return slices.DeleteFunc(slices.Clone(r.complete), func(s *suite.Suite) bool { return !lack[s.ID] })
}

// gradeRecorded grades recorded answers with the judge. It adds the verdicts to the recordings of each suite in which
// no verdict is missing.
func (r *recording) gradeRecorded(ctx context.Context, suites []*suite.Suite) error {
	if len(suites) == 0 {
		return nil
	}
	plan, hide := r.plan(suites, r.stored), r.sides.Redactor()
	if _, err := asking.Announce(r.sides, forecast.New(plan, forecast.ExtraCalls{}, r.sides.Rules), r.sinks); err != nil {
		return err
	}
	came := map[string]map[recorded.Place][]model.Verdict{}
	err := evaluate.Run(ctx, plan, func(a evaluate.Answer) error {
		s := a.Suite
		if a.Response.Failure != nil {
			r.lose(a)
		} else if at, ok := r.stored.Recordings[s.Target].Place(a.Request); ok && len(a.Response.Verdicts) > 0 {
			if came[s.ID] == nil {
				came[s.ID] = map[recorded.Place][]model.Verdict{}
			}
			came[s.ID][at] = asking.Redacted(hide, a.Response).Verdicts
		}
		return nil
	})
	if err != nil {
		return err
	}
	files := edits[[]model.Verdict]{}
	for _, s := range suites {
		one := r.results[s.ID]
		if one.Graded = len(came[s.ID]); one.Lost > 0 {
			continue
		}
		for at, verdicts := range came[s.ID] {
			files.put(at, verdicts)
		}
	}
	_, err = files.write(r.in.Inputs.Dir, recorded.SetVerdicts)
	return err
}
