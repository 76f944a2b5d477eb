package score

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/fact"
)

// WarnNoFacts is the warning of a completeness that was read from the sentences of the expected answer.
const WarnNoFacts = "key_facts_missing"

// factsQuoted bounds the missing facts that a description names.
const factsQuoted = 3

// covered is the share of the key facts that the answer covers (document 002, step 4). Without key facts it is the
// share of the sentences of the expected answer.
func (m *measurement) covered(facts []*fact.Fact, what string) Metric {
	var missing []string
	for _, f := range facts {
		if !f.Covered(m.prose()) && !(f.Addressed() && f.Covered(m.addressed())) {
			missing = append(missing, "“"+f.String()+"”")
		}
	}
	n := len(facts)
	x := Metric{Name: Completeness, Value: float64(n-len(missing)) / float64(n), Weight: CompletenessWeight}
	x.Description = fmt.Sprintf("%d of %d %s covered", n-len(missing), n, what)
	if len(missing) > 0 { // first: a reader cuts long sentences at their ends
		x.Description = fmt.Sprintf("missing %s (%s)", strings.Join(missing[:min(len(missing), factsQuoted)], ", "), x.Description)
	}
	return x
}
