package label

import (
	"slices"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// echoWords is the fewest words of a sentence of the question that are taken for an echo of it.
const echoWords = 3

// maskEcho strikes out the sentences of the question that the answer repeats, for they answer nothing. It leaves a
// verdict line alone ("Final answer: compliant" in an example), and a plain statement if the answer says nothing else.
func (s *Set) maskEcho(tokens, question []token) []token {
	var out, statements []token
	text, index := flat(tokens)
	seen := map[string]bool{}
	for _, sentence := range sentences(question) {
		words, _ := flat(sentence)
		if strings.Count(words, " ")-1 < echoWords || seen[words] || !strings.Contains(text, words) || s.verdictLine(sentence) {
			continue
		}
		seen[words] = true
		if s.asks(sentence) {
			if out == nil {
				out = slices.Clone(tokens)
			}
			strike(out, text, index, words)
		} else {
			statements = append(statements, sentence...)
		}
	}
	if out == nil {
		out = tokens
	}
	if len(statements) == 0 {
		return out
	}
	bare := slices.Clone(out)
	for _, sentence := range sentences(statements) {
		words, _ := flat(sentence)
		strike(bare, text, index, words)
	}
	if len(s.read(bare).mentions) == 0 {
		return out
	}
	return bare
}

// starts are the bytes at which words begin, and which tokens they are.
type starts []struct{ at, token int }

// token returns the one that begins at a byte.
func (s starts) token(at int) int {
	i := sort.Search(len(s), func(i int) bool { return s[i].at >= at })
	return s[i].token
}

// flat writes the words as " a b c " and tells where each begins.
func flat(tokens []token) (text string, index starts) {
	var b strings.Builder
	b.Grow(8 * len(tokens))
	index = make(starts, 0, len(tokens))
	b.WriteByte(' ')
	for i, t := range tokens {
		if t.word {
			index = append(index, struct{ at, token int }{b.Len(), i})
			b.WriteString(t.text)
			b.WriteByte(' ')
		}
	}
	return b.String(), index
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

func strike(tokens []token, text string, index starts, words string) {
	n := strings.Count(words, " ") - 1
	for from := 0; ; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return
		}
		i, struck := index.token(from+at+1), 0
		for ; struck < n; i++ {
			if tokens[i].word {
				tokens[i].struck = true
				struck++
			}
		}
		from += at + len(words) - 1
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
