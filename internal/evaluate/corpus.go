package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/suite"
)

// learntTexts bounds the expected answers of a side that a suite's corpus learns from.
const learntTexts = 1000

// Corpora learns, suite by suite, from the expected answers of both sides, so that equal answers to an equal case are
// equal on both. The answers themselves are not learnt from: what others answered must not move the score of one. Suites that a case moved
// between learn together.
func Corpora(head, base []*suite.Suite) map[string]*likeness.Corpus {
	texts, first := map[string][]string{}, learnTogether(base)
	for _, s := range head {
		texts[first(s.ID)] = append(texts[first(s.ID)], expected(s, learntTexts)...)
	}
	for _, s := range base {
		texts[first(s.HeadID())] = append(texts[first(s.HeadID())], expected(s, learntTexts)...)
	}
	learnt, out := map[string]*likeness.Corpus{}, map[string]*likeness.Corpus{}
	for id, all := range texts {
		if len(all) > 0 {
			learnt[id] = likeness.NewCorpus(all)
		}
	}
	for _, s := range slices.Concat(base, head) {
		if c := learnt[first(s.HeadID())]; c != nil {
			out[s.HeadID()] = c
		}
	}
	for _, s := range base {
		if _, taken := out[s.ID]; !taken {
			out[s.ID] = out[s.HeadID()]
		}
	}
	return out
}

// learnTogether says of suites, by the ids that the head has for them, which ones cases moved between, at once or by way of others: those have one
// first.
func learnTogether(base []*suite.Suite) (first func(id string) string) {
	next := map[string]string{}
	first = func(id string) string {
		for next[id] != "" {
			id = next[id]
		}
		return id
	}
	if len(base) == 0 || !base[0].Names.Moves() {
		return first
	}
	for _, s := range base {
		for c := range s.Cases.All() {
			if a, b := first(s.HeadID()), first(s.Head(c.ID).Suite); a != b {
				next[max(a, b)] = min(a, b)
			}
		}
	}
	return first
}
