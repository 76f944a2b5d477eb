package run

import (
	"context"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// reruns makes the reruns that a comparison asks for.
type reruns struct {
	p       Plan
	ctx     context.Context
	plan    evaluate.Plan
	results asking.Results
	taken   int                // first answers so far
	reason  report.RerunReason // the last one shown as progress
}

// take is the sink of first answers.
func (a *reruns) take(at suite.Side, r report.Result) error {
	a.taken++
	a.p.Sides.Inputs.Progress.Advance()
	return a.results[at].Add(r)
}

// asker returns the Asker of the comparison; with a stored base it can rerun nothing.
func (a *reruns) asker() compare.Asker {
	if a.plan.Base == nil {
		return compare.Asker{}
	}
	return compare.Asker{Rerun: a.rerun, Rest: a.rest, Room: a.room}
}

func (a *reruns) rerun(wants []report.Want) error {
	reason, progress := wants[0].Reason, a.p.Sides.Inputs.Progress // all wants have one reason
	add := func(at suite.Side, r report.Result) error {
		r.RerunReason = reason
		return a.results[at].Add(r)
	}
	if wants[0].Recorded {
		return evaluate.Rerun(a.ctx, a.plan, wants, add)
	}
	if reason != a.reason {
		a.reason = reason
		total := 2 * roundsOf(wants)
		if reason == report.RerunConfirm { // up to that many rounds
			total = 2 * len(wants) * a.p.Sides.Rules.Gate.Confirm
		}
		progress.Restart(rerunLabel(wants), total)
	}
	progress.AtLeast(2 * roundsOf(wants))
	plan := a.plan
	if reason == report.RerunJudge {
		var err error
		if plan.Given, err = a.answersToRegrade(wants); err != nil {
			return err
		}
	}
	return evaluate.Rerun(a.ctx, plan, wants, func(at suite.Side, r report.Result) error {
		progress.Advance()
		return add(at, r)
	})
}

// answersToRegrade returns the first answers that the judge has to grade again, by case and side. Of each case and
// side, it is the answer that the report shows.
func (a *reruns) answersToRegrade(wants []report.Want) (evaluate.RegradeAnswers, error) {
	given := evaluate.RegradeAnswers{}
	for _, w := range wants {
		texts := map[suite.Side]model.Untrusted{}
		for at, results := range a.results {
			text, err := results.AnswerTo(w.SuiteID, w.CaseID)
			if err != nil {
				return nil, err
			}
			texts[at] = text
		}
		given[[2]string{w.SuiteID, w.CaseID}] = texts
	}
	return given, nil
}

// rest runs the live cases that only one side has.
func (a *reruns) rest() error {
	if left := asking.AnswersPlanned(a.p.Sides) - a.taken; left > 0 && a.reason != "" {
		a.p.Sides.Inputs.Progress.Restart("asking the cases of one side", left)
	}
	return evaluate.Run(a.ctx, shards.PartOf(a.p.Sides, a.plan, evaluate.Last), a.take)
}

// room returns which limit leaves too little budget for a recheck; "" if there is enough.
func (a *reruns) room(wants []report.Want) string {
	if !a.p.Sides.Live.HasTargets() {
		return ""
	}
	calls := 0
	for q := range evaluate.RerunQuestions(a.plan, wants) {
		if !q.Kept {
			calls++
		}
	}
	if total := a.p.Sides.Live.Run.Room(calls); total != "" {
		return total + " leaves no room for it"
	}
	return ""
}

// rerunLabel describes the reruns for the progress.
func rerunLabel(wants []report.Want) string {
	switch wants[0].Reason {
	case report.RerunJudge:
		return "asking the judge again about " + text.Count(len(wants), "flipped case")
	case report.RerunConfirm:
		return "asking " + text.Count(len(wants), "flipped case") + " again"
	}
	return "asking " + text.Count(len(wants), "case") + " again, since the score fell"
}

// roundsOf counts the requested reruns on each side.
func roundsOf(wants []report.Want) (n int) {
	for _, w := range wants {
		n += w.Last - w.First + 1
	}
	return n
}
