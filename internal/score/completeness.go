package score

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
)

// WarnNoFacts is the warning of a completeness that was read from the sentences of the expected answer.
const WarnNoFacts = "key_facts_missing"

// factsQuoted bounds the missing facts that a description names.
const factsQuoted = 3

// completeness is the share of the key facts that an answer covers (document 002, step 4). Without key facts it is the
// share of the sentences of the expected answer.
func completeness(facts []*fact.Fact, what string, p *english.Text) Metric {
	var missing []string
	for _, f := range facts {
		if !f.Covered(p) {
			missing = append(missing, "“"+f.String()+"”")
		}
	}
	n := len(facts)
	m := Metric{Name: Completeness, Value: float64(n-len(missing)) / float64(n), Weight: CompletenessWeight}
	m.Description = fmt.Sprintf("%d of %d %s covered", n-len(missing), n, what)
	if len(missing) > 0 {
		m.Description += "; missing " + strings.Join(missing[:min(len(missing), factsQuoted)], ", ")
	}
	return m
}
