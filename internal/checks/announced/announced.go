// Package announced finds what proposed policies, thresholds and judges will do after the merge, with the answers of
// the run. None of it decides the verdict.
package announced

import (
	"context"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/together"
)

// New returns the check that finds the cases that each proposed policy will fail, the scores that each proposed
// threshold will fail, and the recorded verdicts and answers that a proposed judge or target makes stale.
func New(s *sides.Sides) checks.Check {
	return checks.Check{After: func(ctx context.Context, run checks.Run, in *gate.Run) error {
		caught, err := caughtCases(ctx, s, run)
		if err != nil {
			return err
		}
		judged := in.Comparison.WithoutQuarantined(run.Head)
		for i, change := range in.PolicyChanges {
			in.PolicyChanges[i].FailingCases = caught[change.PolicyName()]
			in.PolicyChanges[i].Missed = missedScore(s.Rules.Gate, judged, change)
		}
		countAnswers(run.Plan.TimeLimit, s, in.PolicyChanges)
		return countVerdicts(ctx, run.Plan.TimeLimit, s, in.PolicyChanges)
	}}
}

// caughtCases returns the cases that each proposed policy will fail after the merge. It checks the answers of the run.
// If time allows, it also checks the recordings of cases that did not run.
func caughtCases(ctx context.Context, p *sides.Sides, run checks.Run) (map[string][]string, error) {
	policies := run.Plan.Evaluator.ProposedPolicies
	if len(policies) == 0 {
		return nil, nil
	}
	ran := map[suiteid.Name]bool{}
	for s, c := range suite.EachCase(p.Selected[suite.Head]) {
		ran[suiteid.Name{Suite: s.ID, Case: c.ID}] = true
	}
	caught, ofOthers := map[string][]string{}, map[string][]string{}
	err, done := together.Within(run.Plan.TimeLimit, func() error {
		isLeftOut := func(s *suite.Suite, c *suite.Case) bool { return !ran[suiteid.Name{Suite: s.ID, Case: c.ID}] }
		return eachRecorded(ctx, p.Head, isLeftOut, func(s *suite.Suite, c *suite.Case, all []model.Response) {
			for _, r := range all {
				a := expect.NewAnswer(r)
				for _, policy := range policies {
					if policy.Catches(c.Policies, a) {
						ofOthers[policy.Name] = append(ofOthers[policy.Name], s.ID+"/"+c.ID)
					}
				}
			}
		})
	})
	for _, policy := range policies {
		caught[policy.Name] = slices.Clone(run.Head.PolicyMatches[policy.Name])
		if done { // otherwise the search goes on, and ofOthers must not be read
			caught[policy.Name] = append(caught[policy.Name], slices.Compact(ofOthers[policy.Name])...)
		}
	}
	return caught, err
}

// eachRecorded calls visit with the recorded answers of each case of head that want selects.
func eachRecorded(ctx context.Context, head *sides.Side, want func(*suite.Suite, *suite.Case) bool,
	visit func(*suite.Suite, *suite.Case, []model.Response)) error {
	for s, k := range suite.EachCase(head.Suites) {
		client := head.Recordings[s.Target]
		if client == nil || !want(s, k) {
			continue
		}
		c := k.Open()
		all, err := asking.RecordedAnswers(ctx, client, &c)
		if err != nil {
			return err
		}
		visit(s, &c, all)
	}
	return nil
}

// missedScore returns the score of head that will miss the threshold that c proposes; the lowest if the suite has
// several targets. It returns "" if the score will meet it, if there is no score, or if c proposes no threshold. g is
// the effective gate.
func missedScore(g config.Gate, head *report.Side, c config.Change) string {
	if c.Effective {
		return ""
	}
	bar, err := strconv.ParseFloat(c.Head, 64)
	isPhase := c.Key == "phase" && !g.Setting(config.MinRunScore).Set
	if isPhase {
		bar, err = config.Phase(c.Head).Threshold(), nil
	}
	lowest := bar
	add := func(score float64, ok bool) {
		if ok {
			lowest = min(lowest, score)
		}
	}
	if isPhase || c.Key == "gate."+config.MinRunScore.String() {
		add(head.RunScore())
	}
	for _, s := range head.Suites {
		if c.Key == "suites."+suiteid.AuthorID(s.ID)+".min_score" {
			add(s.Score())
		}
	}
	if err != nil || score.Meets(lowest, bar) {
		return ""
	}
	figure, _ := score.FormatWithLimit(lowest, bar)
	return figure
}

// countAnswers stores in the first change of each proposed target how many recorded answers depend on it. If the time
// is not enough, it stores nothing.
func countAnswers(limit context.Context, p *sides.Sides, changes []config.Change) {
	isProposed := func(c config.Change) bool { return !c.Effective && c.IsTargetChange() }
	if !slices.ContainsFunc(changes, isProposed) {
		return
	}
	counted, done := together.Within(limit, func() []config.Change {
		counted := slices.Clone(changes)
		for s, c := range suite.EachCase(p.Head.Suites) {
			stale, early, from := p.AnswersAfterMerge(s, c)
			at := slices.IndexFunc(changes, func(c config.Change) bool { return isProposed(c) && c.OfTarget(s.Target, from) })
			if at >= 0 {
				counted[at].StaleAnswers += stale
				counted[at].EarlyAnswers += early
			}
		}
		return counted
	})
	if done {
		copy(changes, counted)
	}
}

// countVerdicts stores in the first change of the judge how many recorded verdicts depend on it: stale ones are the
// effective judge's and do not count after the merge, early ones are the proposed judge's and do not count before. If
// the time is not enough, it stores nothing.
func countVerdicts(ctx, limit context.Context, p *sides.Sides, changes []config.Change) error {
	proposed, found := p.ProposedJudge()
	at := slices.IndexFunc(changes, func(c config.Change) bool {
		return found && !c.Effective && c.OfJudge(p.Rules.Judge.Target, proposed.Target.Name)
	})
	if at < 0 {
		return nil
	}
	o := evaluate.PanelOptions{Redactor: p.Redactor()} // the panels ask nothing
	now, then := evaluate.NewPanel(sides.NewJudge(p.Rules), nil, o), evaluate.NewPanel(proposed, nil, o)
	stale, early := 0, 0
	err, done := together.Within(limit, func() error {
		isGraded := func(_ *suite.Suite, c *suite.Case) bool { return c.Graded() }
		return eachRecorded(ctx, p.Head, isGraded, func(s *suite.Suite, c *suite.Case, all []model.Response) {
			for _, r := range all {
				before, after := now.CurrentVerdicts(s, c, r), then.CurrentVerdicts(s, c, r)
				stale += max(before-after, 0)
				early += max(after-before, 0)
			}
		})
	})
	if done {
		changes[at].StaleVerdicts, changes[at].EarlyVerdicts = stale, early
	}
	return err
}
