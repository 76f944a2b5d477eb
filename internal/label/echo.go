package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// echoWords is the fewest words of a sentence of the question that are taken for an echo of it.
const echoWords = 3

// maskEcho strikes out the sentences of the question that the answer repeats, for they answer nothing. It leaves a
// verdict line alone ("Final answer: compliant" in an example), and a plain statement if the answer says nothing else.
func (s *Set) maskEcho(tokens, question []token) []token {
	asked := map[string][]token{}
	for _, sentence := range sentences(question) {
		if words := flat(sentence); strings.Count(words, " ") >= echoWords && !s.verdictLine(sentence) {
			asked[words] = sentence
		}
	}
	if len(asked) == 0 {
		return tokens
	}
	out, bare, echoed := slices.Clone(tokens), slices.Clone(tokens), false
	at := 0
	for _, sentence := range sentences(tokens) {
		if repeated, ok := asked[flat(sentence)]; ok {
			echoed = true
			strike(bare[at : at+len(sentence)])
			if s.asks(repeated) {
				strike(out[at : at+len(sentence)])
			}
		}
		at += len(sentence)
	}
	if !echoed || len(s.read(bare).mentions) == 0 {
		return out
	}
	return bare
}

// flat writes the words of a sentence, each with a space behind it.
func flat(sentence []token) string {
	var b strings.Builder
	for _, t := range sentence {
		if t.word {
			b.WriteString(t.text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func sentences(tokens []token) [][]token {
	var out [][]token
	for start := 0; start < len(tokens); {
		end := start + 1
		for end < len(tokens) && tokens[end].sent == tokens[start].sent {
			end++
		}
		out = append(out, tokens[start:end])
		start = end
	}
	return out
}

func strike(sentence []token) {
	for i := range sentence {
		sentence[i].struck = sentence[i].word
	}
}

// asks reports a sentence that puts the question: it ends with a question mark, begins with an instruction, or names
// several labels.
func (s *Set) asks(sentence []token) bool {
	named := none
	for _, m := range s.read(sentence).mentions {
		if named != none && m.label != named {
			return true
		}
		named = m.label
	}
	return slices.ContainsFunc(sentence, func(t token) bool { return t.text == "?" || t.word && instructions[t.text] })
}

var instructions = english.Set("answer classify decide determine state choose select reply respond label options option whether assess evaluate")

// verdictLine reports a sentence such as "Final answer: compliant", which an answer may well give word for word.
func (s *Set) verdictLine(sentence []token) bool {
	r := s.read(sentence)
	for i := range sentence {
		if _, _, ok := r.noun(i); ok {
			return len(r.mentions) == 1
		}
	}
	return false
}

// options returns the labels that question and answer number: "A) Compliant", "2. Non-Compliant".
func (s *Set) options(tokens []token) map[string]int {
	m := map[string]int{}
	if !numbered(tokens) {
		return m
	}
	r := s.read(tokens)
	for _, at := range r.mentions {
		i := at.start - 1
		for i >= 0 && !tokens[i].word && tokens[i].text != "\n" && tokens[i].text != "?" {
			i--
		}
		if i >= 0 && i < at.start-1 && optionName(tokens[i].text) && tokens[i].word {
			if _, taken := m[tokens[i].text]; !taken {
				m[tokens[i].text] = at.label
			}
		}
	}
	return m
}

// numbered reports the name of an option with a mark behind it.
func numbered(tokens []token) bool {
	for i := 1; i < len(tokens); i++ {
		if !tokens[i].word && tokens[i-1].word && optionName(tokens[i-1].text) {
			return true
		}
	}
	return false
}

func optionName(word string) bool {
	return len(word) == 1 && (word[0] >= 'a' && word[0] <= 'h' || word[0] >= '1' && word[0] <= '9')
}
