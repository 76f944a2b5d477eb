package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// cutShort reports a case that the base answers in full, and of whose answers most are cut at their length limit on the head.
func (p casePair) cutShort() bool {
	return p.base != nil && p.head != nil && p.base.Tally().Unscored < p.base.Tally().Trials && !p.base.Cut() && p.head.Cut()
}

// cutShort names the cases whose answers a change cuts. An answer that was cut is an answer, and is judged. But where a case passes by what is not
// said (policies, forbidden claims, risks), by its own expectation or the base's, whoever lowers the limit takes its judge away: that is held like a
// change of the rules. So is a case that nobody held to the base's expectation.
func (j *judgement) cutShort() {
	var unproven, cut names
	for s, p := range j.in.Comparison.all() {
		switch {
		case p.quarantined || !p.cutShort() || !p.head.Passes():
		case p.head.Unproven() || p.unjudged():
			unproven.add(s, p)
		default:
			cut.add(s, p)
		}
	}
	what := func(n names) string {
		return text.Count(n.n, "answer that was whole is", "answers that were whole are") + " cut at the length limit"
	}
	j.tell(j.gate.OnPolicyChange, fails, report.CodeCut, unproven, what(unproven)+", so that nothing shows that what is forbidden is not said")
	j.tell(config.Warn, warns, report.CodeCut, cut, what(cut))
}
