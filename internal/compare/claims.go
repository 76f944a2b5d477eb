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
