package label

import (
	"iter"
	"slices"
	"strings"
)

// echoWords is the fewest words of a sentence of the question that are taken for an echo of it.
const echoWords = 3

// maskEcho strikes out the sentences of the question that the answer repeats, for they answer nothing. It leaves a
// verdict line alone ("Final answer: compliant" in an example), and all of them if the answer says nothing else.
func (s *Set) maskEcho(answer, asked tokens) tokens {
	heard := map[string]span{}
	for at := range sentences(asked) {
		if words := flat(asked[at.from:at.to]); strings.Count(words, " ") >= echoWords {
			heard[words] = at
		}
	}
	if len(heard) == 0 {
		return answer
	}
	var question *reading
	bare := answer
	for at := range sentences(answer) {
		repeated, ok := heard[flat(answer[at.from:at.to])]
		if ok && question == nil {
			question, bare = s.read(asked, nil), slices.Clone(answer)
		}
		if !ok || question.verdictLine(repeated) {
			continue
		}
		for i := at.from; i < at.to; i++ {
			bare[i].struck = bare[i].word
		}
	}
	if question == nil || len(s.read(bare, nil).mentions) == 0 {
		return answer
	}
	return bare
}

// flat writes the words of a sentence, each with a space behind it.
func flat(sentence tokens) string {
	var b strings.Builder
	for _, t := range sentence {
		if t.word {
			b.WriteString(t.text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func sentences(t tokens) iter.Seq[span] {
	return func(yield func(span) bool) {
		for at := 0; at < len(t) && yield(t[at].sentence); {
			at = int(t[at].sentence.to)
		}
	}
}

// verdictLine reports a sentence such as "Final answer: compliant", which an answer may well give word for word.
func (r *reading) verdictLine(at span) bool {
	for i := int(at.from); i < int(at.to); i++ {
		if from, _ := noun(r.tokens, i); from > 0 {
			return len(r.mentions.within(int(at.from), int(at.to))) == 1
		}
	}
	return false
}

// options returns the labels that question and answer number: "A) Compliant", "2. Non-Compliant".
func (s *Set) options(t tokens) map[string]int {
	m := map[string]int{}
	if !numbered(t) {
		return m
	}
	for _, at := range s.read(t, nil).mentions {
		i := at.start - 1
		for i >= 0 && !t[i].word && t[i].text != "\n" && t[i].text != "?" {
			i--
		}
		if i >= 0 && i < at.start-1 && optionName(t[i].text) && t[i].word && !s.opens(t[i].text) {
			m[t[i].text] = at.label
		}
	}
	return m
}

// numbered reports the name of an option with a mark behind it.
func numbered(t tokens) bool {
	for i := 1; i < len(t); i++ {
		if !t[i].word && t[i-1].word && optionName(t[i-1].text) {
			return true
		}
	}
	return false
}

func optionName(word string) bool {
	return len(word) == 1 && (word[0] >= 'a' && word[0] <= 'h' || word[0] >= '1' && word[0] <= '9')
}
