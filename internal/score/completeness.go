package score

import (
	"fmt"
	"strings"
)

// WarnNoFacts is the warning of a completeness that was read from the sentences of the expected answer.
const WarnNoFacts = "key_facts_missing"

// factsQuoted bounds the missing facts that a description names.
const factsQuoted = 3

// completeness is the share of the key facts that an answer covers (document 002, step 4). Without key facts it is the
// share of the sentences of the expected answer.
func completeness(facts []*Fact, what string, p *prose) Metric {
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
	p := readProse(text)
	var out []*Fact
	for from := 0; from < len(p.clauses); {
		to := from
		for to < len(p.clauses) && p.clauses[to].sentence == p.clauses[from].sentence {
			to++
		}
		start, end := p.words[p.clauses[from].first].start, p.words[p.clauses[to-1].last-1].end
		if f, err := s.Fact(oneLine(p.text[start:end])); err == nil && len(f.terms) > 0 {
			f.share = sentenceShare
			out = append(out, f)
		}
		from = to
	}
	return out
}
