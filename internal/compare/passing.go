package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// claims names the cases that pass although an answer states what they forbid: one claim among several metrics may leave the overall score at its bar.
func (j *judgement) claims() {
	var stating names
	for _, s := range j.head.Suites {
		for _, c := range s.Cases {
			if claim := c.States(); claim != "" && c.Passes() {
				stating.addCase(s.ID, c.ID, " ("+strconv.Quote(claim)+")")
			}
		}
	}
	j.tell(config.Warn, warns, report.CodeClaims, stating, text.Count(stating.n, "answer passes and states", "answers pass and state")+
		" what is forbidden, which a policy or `scoring.grounding.required` would fail")
}

// repairs names the cases whose answers were JSON as they came on the base, and are read as JSON only after repairs now: whoever reads them
// with less patience breaks on them. The rules allow repairs, so that blocks nothing.
func (j *judgement) repairs() {
	var repaired names
	var by []string
	for s, p := range j.in.Comparison.all() {
		if p.base == nil || p.head == nil || p.quarantined || p.redefined() || !p.base.Passes() || !p.head.Passes() || len(p.base.Repairs()) > 0 {
			continue
		}
		used := p.head.Repairs()
		if len(used) == 0 {
			continue
		}
		repaired.add(s, p)
		for _, one := range used {
			if one = strings.ReplaceAll(one, "_", " "); !slices.Contains(by, one) {
				by = append(by, one)
			}
		}
	}
	j.tell(config.Warn, warns, report.CodeRepairs, repaired, text.Count(repaired.n, "answer is", "answers are")+" JSON only after repairs ("+strings.Join(by, ", ")+
		"), which `strict: true` would fail, and needed none before")
}

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
