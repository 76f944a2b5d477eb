package evaluate

import (
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/suite"
)

// learntTexts bounds the expected answers of a side that a suite's corpus learns from.
const learntTexts = 1000

// Corpora learns, suite by suite, from the expected answers of both sides, so that equal answers to an equal case are
// equal on both. The answers themselves are not learnt from: what others answered must not move the score of one.
func Corpora(head, base []*suite.Suite) map[string]*likeness.Corpus {
	texts := map[string][]string{}
	for _, s := range head {
		texts[s.ID] = append(texts[s.ID], expected(s, learntTexts)...)
	}
	for _, s := range base {
		texts[s.HeadID()] = append(texts[s.HeadID()], expected(s, learntTexts)...)
	}
	out := map[string]*likeness.Corpus{}
	for id, learnt := range texts {
		if len(learnt) > 0 {
			out[id] = likeness.NewCorpus(learnt)
		}
	}
	for _, s := range base {
		if _, taken := out[s.ID]; !taken {
			out[s.ID] = out[s.HeadID()]
		}
	}
	return out
}
