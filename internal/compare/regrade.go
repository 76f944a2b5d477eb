package compare

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// graded reports whether a judge graded case p on either side.
func graded(p *Case) bool { return p.Base.Criteria != nil || p.Head.Criteria != nil }

// flippedCriteria returns the criteria that most first answers of the base meet, and at most half of the head's meet.
// It returns nil if no judge graded the case. Reruns are graded by these criteria alone, because the judge may call any
// criterion unmet by chance.
func flippedCriteria(p *Case) []string {
	if !graded(p) {
		return nil
	}
	flipped := []string{}
	if p.Head.Criteria == nil {
		return flipped
	}
	for _, now := range p.Head.Criteria.Tallies {
		was := p.Base.Criteria.Tally(now.Text)
		if was.Met > was.Unmet && now.Met <= now.Unmet {
			flipped = append(flipped, now.Text)
		}
	}
	return flipped
}

// flippedByJudge reports whether a criterion flipped the case and at least one of its answers is live. The judge then
// grades the same two answers again before any rerun. If both answers are recorded, reruns decide without new verdicts.
func flippedByJudge(p *Case) bool {
	if !isComparable(p) || p.Redefined() || p.Quarantined || p.SharesAnswer() || p.Base.Replayed && p.Head.Replayed {
		return false
	}
	return flipped(p) && CountsOf(p.Head).Trials > 0 && len(flippedCriteria(p)) > 0
}

// regrades returns the requests for the judge to grade the same answers again, one for each case that criteria flipped.
// It fails if an answer cannot be read back.
func (r *Comparer) regrades() (wants []report.RerunRequest, err error) {
	for _, p := range casesToGradeAgain(r.c, r.gate) {
		if len(rerunPairs(p, report.RerunJudge)) > 0 {
			continue
		}
		base, head, err := shownResults(p, r.sides.Base, r.sides.Head)
		if err != nil {
			return nil, err
		}
		wants = append(wants, report.RerunRequest{Reason: report.RerunJudge, SuiteID: p.SuiteID(), CaseID: p.ID(),
			Rounds: 1, FirstNumber: nextTrial(p), Regrade: true, Criteria: flippedCriteria(p),
			Answers: [2]*model.Response{new(base.Response()), new(head.Response())}})
	}
	return wants, nil
}

// casesToGradeAgain returns the cases of which the judge grades the same answers again.
func casesToGradeAgain(c Comparison, g config.Gate) (out []*Case) {
	if g.Mode == config.ModeStrict || g.Confirm == 0 {
		return nil
	}
	for p := range c.All() {
		if flippedByJudge(p) && len(out) < maxCandidates {
			out = append(out, p)
		}
	}
	return out
}

// withdrawFlips withdraws the flip of a case if the judge graded both answers again, and the head's now passes, or the
// base's now fails a criterion. Other checks do not count against the base, because its stored result lacks data that
// they need. A second grade never confirms a flip, since only reruns show whether further answers are as bad.
func withdrawFlips(c Comparison, g config.Gate) {
	for _, p := range casesToGradeAgain(c, g) {
		for _, round := range rerunPairs(p, report.RerunJudge) {
			base, head := round[0], round[1]
			both := base.Loss == classify.NoLoss && head.Loss == classify.NoLoss
			p.flipWithdrawn = both && (head.Passed || base.Unmet)
		}
	}
}
