package score

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// WarnNoFacts is the warning of a completeness that was read from the sentences of the expected answer.
const WarnNoFacts = "key_facts_missing"

// factsQuoted bounds the missing facts that a description names.
const factsQuoted = 3

// completeness is the share of the key facts that an answer covers (document 002, step 4). Without key facts it is the
// share of the sentences of the expected answer.
func completeness(facts []*Fact, what string, p *english.Text) Metric {
	var missing []string
	for _, f := range facts {
		if !f.covered(p) {
			missing = append(missing, "“"+f.source+"”")
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

// Sentences makes a fact of each sentence of an expected answer that says something.
func (s *Synonyms) Sentences(text string) []*Fact {
	p := english.Read(text)
	var out []*Fact
	for from := 0; from < len(p.Clauses); {
		to := from
		for to < len(p.Clauses) && p.Clauses[to].Sentence == p.Clauses[from].Sentence {
			to++
		}
		start, end := p.Words[p.Clauses[from].First].Start, p.Words[p.Clauses[to-1].Last-1].End
		if f, err := s.Fact(oneLine(p.Source[start:end])); err == nil && len(f.terms) > 0 {
			f.share = sentenceShare
			out = append(out, f)
		}
		from = to
	}
	return out
}
