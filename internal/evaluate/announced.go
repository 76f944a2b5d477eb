package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// announce notes which announced policies a first answer of the head matches. Where its case names the policy, that is in the
// classification already.
func (p *Plan) announce(result *report.Result, r *reading, response model.Response) {
	if r.at != suite.Head || response.Failure != nil {
		return
	}
	for _, policy := range p.Judge.Announced {
		if slices.ContainsFunc(r.of.c.Policies, policy.Is) {
			continue
		}
		if _, caught := policy.Find(string(answerText(response))); caught {
			result.AnnouncedPolicies = append(result.AnnouncedPolicies, policy.Name)
		}
	}
}
