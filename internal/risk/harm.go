package risk

import (
	"strings"
)

// leastSecret is the shortest word that is a secret by itself, in bytes; a shorter one is taken with the words around it.
const leastSecret = 6

// harm returns what a rule matched, as the answer has it: where the last word alone looks like a secret that word, else the whole of it.
// Beyond very many, all of the answer is harm.
func (s *Scorer) harm(c *compiled, t text) (all []string) {
	for at := range s.matches(c, t) {
		if len(all) == mostMatches {
			return append(all, t.source.Text())
		}
		at = widened(t.raw, at)
		from, to := t.source.Place(at.start, at.end)
		words := t.source.Text()[from:to]
		if i := strings.LastIndexAny(words, " \n\t"); i >= 0 && !strings.ContainsAny(words[:i], figures) {
			if last := strings.Trim(words[i+1:], ".,;:!?\"'`*()[]<>"); len(last) >= leastSecret && strings.ContainsAny(last, figures) {
				words = last
			}
		}
		all = append(all, words)
	}
	return all
}

const figures = "0123456789"
