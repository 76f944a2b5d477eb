package run

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// take is the sink of first answers.
func (a *ScoredSides) take(at suite.Side, r report.Result) error {
	a.taken++
	a.p.Sides.Inputs.Progress.Advance()
	return a.results[at].Add(r)
}

// asker returns the Asker of the comparison; with a stored base it can rerun nothing.
func (a *ScoredSides) asker() compare.Asker {
	if a.plan.Base == nil {
		return compare.Asker{}
	}
	return compare.Asker{Again: a.rerun, Rest: a.rest, Room: a.room}
}

func (a *ScoredSides) rerun(wants []report.Want) error {
	look, shown := wants[0].Look, a.p.Sides.Inputs.Progress // all wants are for one look
	add := func(at suite.Side, r report.Result) error {
		r.Look = look
		return a.results[at].Add(r)
	}
	if wants[0].Recorded {
		return evaluate.Rerun(a.ctx, a.plan, wants, add)
	}
	if look != a.look {
		a.look = look
		most := 2 * roundsOf(wants)
		if look == report.LookConfirm { // up to that many rounds
			most = 2 * len(wants) * a.p.Sides.Rules.Gate.Confirm
		}
		shown.Again(againWords(wants), most)
	}
	shown.AtLeast(2 * roundsOf(wants))
	return evaluate.Rerun(a.ctx, a.plan, wants, func(at suite.Side, r report.Result) error {
		shown.Advance()
		return add(at, r)
	})
}

// rest runs the live cases that only one side has.
func (a *ScoredSides) rest() error {
	if left := asking.AnswersPlanned(a.p.Sides) - a.taken; left > 0 && a.look != "" {
		a.p.Sides.Inputs.Progress.Again("asking the cases of one side", left)
	}
	return evaluate.Run(a.ctx, shards.Turn(a.p.Sides, a.plan, evaluate.Last), a.take)
}

// room returns which limit leaves too little budget for a recheck; "" if there is enough.
func (a *ScoredSides) room(wants []report.Want) string {
	if !a.p.Sides.Live.HasTargets() {
		return ""
	}
	calls := 0
	for q := range evaluate.RerunQuestions(a.plan, wants) {
		if !q.Kept {
			calls++
		}
	}
	if limit := a.p.Sides.Live.Run.Room(calls); limit != "" {
		return limit + " leaves no room for it"
	}
	return ""
}

// againWords describes the reruns for the progress.
func againWords(wants []report.Want) string {
	switch wants[0].Look {
	case report.LookJudge:
		return "asking the judge again about " + text.Count(len(wants), "flipped case")
	case report.LookConfirm:
		return "asking " + text.Count(len(wants), "flipped case") + " again"
	}
	return "asking " + text.Count(len(wants), "case") + " again, since the score fell"
}

// roundsOf counts the requested reruns on each side.
func roundsOf(wants []report.Want) (n int) {
	for _, w := range wants {
		n += w.Rounds
	}
	return n
}
