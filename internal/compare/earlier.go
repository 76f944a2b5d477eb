package compare

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// earlierReruns returns the requests to judge the earlier reruns of the recorded cases that are wrong on the base.
func (r *Comparer) earlierReruns() (wants []report.RerunRequest) {
	if r.gate.Mode == config.ModeStrict || r.sides.EarlierReruns == nil {
		return nil
	}
	for p := range r.c.All() {
		if p.kind == noisy || !wrongBefore(p) {
			continue
		}
		for i, answer := range r.sides.EarlierReruns(p.SuiteID(), p.ID()) {
			if i < MaxRecordedRounds {
				wants = append(wants,
					report.RerunRequest{Reason: report.RerunEarlier, SuiteID: p.SuiteID(), CaseID: p.ID(),
						Rounds: 1, FirstNumber: p.Base.LastTrial() + 1 + i, Recorded: true,
						Answers: [2]*model.Response{&answer}})
			}
		}
	}
	return wants
}

// wrongBefore reports whether most first answers of the base to the case are wrong, and its earlier reruns may change
// the status. They change no status of a redefined case unless the head's answers also miss the base's expectation.
func wrongBefore(p *Case) bool {
	mayChange := p.firstStatus == report.StillFailing || p.firstStatus == report.Fixed ||
		p.firstStatus == report.Redefined && canShowRegression(p) && !eitherSide(p.Head).Passes()
	return mayChange && !CountsOf(p.Base).Passes()
}

// baseSide returns the base's counts of the recorded case p. A case whose first answer is wrong counts as right if most
// of its earlier reruns are right. Otherwise one unlucky answer would hide every later regression of the case.
func baseSide(p *Case) noise.Side {
	first := CountsOf(p.Base)
	if reruns := earlier(p); !first.Passes() && 2*reruns.Passed > reruns.Trials {
		return noise.Side{Count: stats.Count{Passed: 1, Trials: 1}, Planned: 1}
	}
	return first
}

// earlier counts the earlier reruns of p.
func earlier(p *Case) (n stats.Count) {
	for _, t := range p.Base.Reruns {
		if t.RerunReason == report.RerunEarlier && t.Loss == classify.NoLoss {
			n.Trials++
			if t.Passed {
				n.Passed++
			}
		}
	}
	return n
}

// rightEarlier reports whether the recorded case flipped, and only the base's earlier reruns were right.
func rightEarlier(p *Case) bool {
	return p.firstStatus == report.Regressed && p.kind != noisy && !CountsOf(p.Base).Passes() && baseSide(p).Passes()
}
