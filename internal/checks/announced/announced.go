// Package announced finds what proposed policies, thresholds and judges will do after the merge, with the answers of
// the run. None of it decides the verdict.
package announced

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// New returns the check that finds the cases that each proposed policy will fail, the scores that each proposed
// threshold will fail, and the recorded verdicts and answers that a proposed judge or target makes stale.
func New(s *sides.Sides) checks.Check {
	return checks.Check{
		Prepare: func(plan *evaluate.Plan) { plan.Evaluator.ProposedPolicies = proposed(s.Rules.Announced) },
		After: func(ctx context.Context, run checks.Run, in *gate.Run) error {
			caught, err := caughtCases(ctx, run.Plan.TimeLimit, s, run.Head)
			score := scores{s.Rules.Gate, in.Comparison.WithoutQuarantined(run.Head)}
			for i, change := range in.PolicyChanges {
				in.PolicyChanges[i].FailingCases, in.PolicyChanges[i].Missed = caught[change.PolicyName()],
					score.missed(change)
			}
			if err != nil {
				return err
			}
			countAnswers(run.Plan.TimeLimit, s, in.PolicyChanges)
			return countVerdicts(ctx, run.Plan.TimeLimit, s, in.PolicyChanges)
		},
	}
}

// proposed compiles the policies that the head adds for all cases or edits.
func proposed(policies []config.Policy) (out []expect.Proposed) {
	for _, p := range policies {
		policy := expect.CompilePolicy(p.Name, p.Description, p.Patterns)
		out = append(out, expect.Proposed{Policy: policy, ForAll: p.ApplyAll})
	}
	return out
}

// caughtCases returns the cases that each proposed policy will fail after the merge; nil if no policy is proposed. It
// checks the answers of the run. If time allows, it also checks the recordings of suites that did not run.
func caughtCases(ctx, deadline context.Context, p *sides.Sides, head *report.Side) (map[string][]string, error) {
	policies := proposed(p.Rules.Announced)
	if len(policies) == 0 {
		return nil, nil
	}
	matchesOfRun := func() map[string][]string {
		caught := map[string][]string{}
		for _, one := range policies {
			caught[one.Name] = slices.Clone(head.PolicyMatches[one.Name])
		}
		return caught
	}
	all := matchesOfRun()
	err, done := together.Within(deadline, func() error { return addLeftOut(ctx, p, policies, all) })
	if !done {
		return matchesOfRun(), nil
	}
	return all, err
}

// addLeftOut adds to caught the cases of suites that did not run, if their recorded answers match a policy.
func addLeftOut(ctx context.Context, p *sides.Sides, policies []expect.Proposed, caught map[string][]string) error {
	for _, s := range p.Head.Suites {
		client := p.Head.Recordings[s.Target]
		if client == nil || slices.Contains(p.Selected[suite.Head], s) {
			continue
		}
		if err := addCaught(ctx, policies, client, s, caught); err != nil {
			return err
		}
	}
	return nil
}

// addCaught adds to caught, by policy, the cases of a suite with a recorded answer that will be caught, and is
// not yet.
func addCaught(ctx context.Context, policies []expect.Proposed, client *recorded.Client, s *suite.Suite,
	caught map[string][]string) error {
	for _, k := range s.Cases {
		c := k.Open()
		var found []string
		for trial := 1; trial <= max(c.Trials, 1); trial++ {
			request := c.Prompt
			request.Trial = trial
			response, err := client.Answer(ctx, request)
			if err != nil {
				return err
			}
			said := expect.ResponseText(response)
			for _, p := range policies {
				if !slices.Contains(found, p.Name) && p.Catches(c.Policies, said) {
					found = append(found, p.Name)
					caught[p.Name] = append(caught[p.Name], s.ID+"/"+c.ID)
				}
			}
		}
	}
	return nil
}
