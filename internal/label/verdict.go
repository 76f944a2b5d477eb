package label

import (
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// verdict is what an answer settles on in so many words.
type verdict struct {
	labels []int // more than one where it does not settle
	at     int   // token
	hedged bool
}

var (
	// Those that need no colon: "the answer is …".
	strongNouns = english.Set("answer verdict conclusion label classification decision determination assessment judgment judgement ruling prediction")
	notFinal    = english.Set("second runner alternative previous earlier initial wrong incorrect example sample their tentative possible preliminary original former long longer")
	separators  = english.Set(": = | – → ▸ ►")
	copulas     = english.Set("is was remains")

	connectives       = english.Set("therefore thus hence consequently accordingly ultimately")
	connectivePhrases = table(when(passes, `in conclusion|summary|short|sum; to conclude|summarise|summarize; to sum up; bottom line; on balance; all things considered;
		i|we conclude; i therefore; all in all; final verdict|answer|label|decision; my answer|verdict`))
	prevails = english.Set("dominates prevails predominates")

	subordinate = english.Set("given due owing considering although though while whereas because since unless even with despite except")
)

// verdictReach bounds a verdict, in tokens after its cue.
const verdictReach = 60

// cueWords are the words that a cue of a verdict can begin with.
var cueWords = func() map[string]bool {
	m := english.Set("so overall edit update on upon")
	for _, words := range []map[string]bool{english.VerdictNouns, connectives, changes, corrections, interjections, prevails} {
		maps.Copy(m, words)
	}
	for _, p := range []constructions{connectivePhrases, correctionPhrases} {
		for w := range p {
			m[w] = true
		}
	}
	return m
}()

// announced settles the mentions that a cue announces, that are right, or that an option's name stands for.
func (r *reading) announced() {
	r.right()
	if start := r.skipMarks(0); len(r.mentions) == 0 && r.rightness(start+1) == 0 {
		r.option(start, min(len(r.tokens), start+4))
	}
	cue, keyed := none, false
	for i := range r.tokens {
		if t := &r.tokens[i]; !t.word || t.struck || !cueWords[t.text] {
			continue
		}
		ms := r.cued(i)
		if len(ms) == 0 {
			continue
		}
		if !keyed || r.tokens[i].text != "so" { // what a mere "so" comes to stands beside a key such as "Verdict:"
			from, sure, _ := r.noun(i)
			cue, keyed = i, sure && r.tokens[from-1].text == ":"
		}
		r.settle(ms, cue)
	}
}

// settle makes mentions the verdict.
func (r *reading) settle(ms []*mention, cue int) {
	for _, m := range ms {
		m.stance, m.cue = settled, cue
	}
}

// right settles the labels that are said to be right: "D is the better answer", and behind them a last one that the writer prefers.
func (r *reading) right() {
	some := false
	for i := range r.mentions {
		m := &r.mentions[i]
		switch {
		case m.asserted && !m.negated && !m.hedged && r.rightness(r.coordinated(m.end-1)+1) > 0:
			m.stance, m.cue, some = settled, int(r.tokens[m.start].sentence.from), true
		case some && i == len(r.mentions)-1 && m.words == declared:
			m.stance = settled
		}
	}
}

func (r *reading) cued(i int) []*mention {
	if from, sure, ok := r.noun(i); ok && sure {
		return r.first(from, r.sentenceEnd(from))
	}
	if n := r.connective(i); n > 0 {
		return r.said(r.within(i+n, r.sentenceEnd(i+n)))
	}
	if ms := r.change(i); len(ms) > 0 {
		return ms
	}
	if prevails[r.tokens[i].text] { // "what dominates is sadness", "sadness prevails"
		if ms := r.said(r.within(i-1, i)); len(ms) > 0 {
			return ms
		}
		return r.said(r.within(i+1, r.sentenceEnd(i)))
	}
	return r.corrected(i)
}

// noun reads "Answer:", "the verdict is", "label (one of …) =" and returns where what it announces begins. sure tells a verdict
// from a key that may stand among others, as in "Status:" and "risk assessment:".
func (r *reading) noun(i int) (from int, sure, ok bool) {
	t := r.tokens[i]
	if !english.VerdictNouns[t.text] || i > 0 && r.tokens[i-1].word && notFinal[r.tokens[i-1].text] {
		return 0, false, false
	}
	j := r.skipBrackets(i + 1)
	for words := 0; j < len(r.tokens) && words < 4; words++ {
		u := r.tokens[j]
		switch {
		case separators[u.text]:
			if ms := r.said(r.within(i+1, j)); len(ms) > 0 {
				return ms[0].start, r.verdictKey(i), true // "Status red: two of three …"
			}
			return r.skipMarks(j + 1), r.verdictKey(i), true
		case u.text == "\n" && j == i+1 && r.headed(i):
			return r.skipMarks(j + 1), r.verdictKey(i), true
		case copulas[u.text] && (strongNouns[t.text] || i > 0 && (r.tokens[i-1].text == "my" || finality[r.tokens[i-1].text])):
			return r.skipMarks(j + 1), true, true
		case u.text == "{" && t.text == "boxed":
			return j + 1, true, true
		case !u.word || u.sentence != t.sentence:
			return 0, false, false
		}
		j++
	}
	return 0, false, false
}

// headed reports a noun that is a line of its own, alone or with what makes it the verdict: a heading.
func (r *reading) headed(i int) bool {
	for j := i - 1; j >= 0 && r.tokens[j].line == r.tokens[i].line; j-- {
		if r.tokens[j].word && !ofVerdict[r.tokens[j].text] {
			return false
		}
	}
	return true
}

// verdictKey reports a noun before a separator that announces the verdict itself: one that means nothing else, with no word before
// it that makes it the verdict on something in particular.
func (r *reading) verdictKey(i int) bool {
	final := false
	for j := i - 1; j >= 0 && r.tokens[j].word && r.tokens[j].sentence == r.tokens[i].sentence; j-- {
		if !ofVerdict[r.tokens[j].text] {
			return false
		}
		final = final || finality[r.tokens[j].text]
	}
	return final || !keyNouns[r.tokens[i].text]
}

var (
	finality  = english.Set("final overall therefore thus hence so")
	ofVerdict = english.Set("final overall therefore thus hence so my the our your correct right best updated revised corrected new and is here as chosen selected predicted expected most likely actual")
	// Verdict nouns that are often one key among others.
	keyNouns = english.Set("status finding category rating response opinion")
)

func (r *reading) skipBrackets(i int) int {
	if i >= len(r.tokens) || r.tokens[i].text != "(" {
		return i
	}
	for j := i; j < min(i+24, len(r.tokens)); j++ {
		if r.tokens[j].text == ")" {
			return j + 1
		}
	}
	return i
}

func (r *reading) skipMarks(i int) int {
	for i < len(r.tokens) && !r.tokens[i].word {
		i++
	}
	return i
}

func (r *reading) connective(i int) int {
	t := r.tokens[i]
	opens := i == 0 || !r.tokens[i-1].word || r.tokens[i-1].clause != t.clause
	switch {
	case connectives[t.text]:
		return 1
	case opens && (t.text == "so" || t.text == "overall"):
		return 1
	}
	return r.phrase(connectivePhrases, i)
}

// sentenceEnd returns the end of the sentence that the first word from i on belongs to.
func (r *reading) sentenceEnd(i int) int {
	if i = r.skipMarks(i); i < len(r.tokens) {
		return min(int(r.tokens[i].sentence.to), i+verdictReach)
	}
	return i
}

// within returns the mentions between two places.
func (r *reading) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.end - 1 - at })
	for i := first; i < len(r.mentions) && r.mentions[i].end <= to; i++ {
		out = append(out, &r.mentions[i])
	}
	return out
}

// said drops what a verdict mentions without saying it.
func (r *reading) said(ms []*mention) []*mention {
	ms = slices.DeleteFunc(ms, func(m *mention) bool { return !m.asserted })
	if left := slices.DeleteFunc(slices.Clone(ms), func(m *mention) bool { return m.words == imagined || m.words == former || m.words == granted }); len(left) > 0 {
		return left
	}
	return ms
}

func (r *reading) inSubordinate(m mention) bool {
	first := r.clauseStart(m.start)
	w := r.tokens[first].text
	return subordinate[w] && !(prepositions[w] && !r.wordAt(first+1, "that") && r.verbBetween(first, m.start)) // "with the patch it is low"
}

var prepositions = english.Set("with despite given due owing considering except")

// clauseStart finds the first word of the clause that i is in; one far away is not looked for.
func (r *reading) clauseStart(i int) int { return r.clauseFrom(i, verdictReach) }

func (r *reading) clauseFrom(i, reach int) int { return max(int(r.tokens[i].clause.from), i-reach, 0) }

func (r *reading) sentenceFrom(i, reach int) int {
	return max(int(r.tokens[i].sentence.from), i-reach, 0)
}

// first reads a verdict after a colon: its first clause that names a label, or the number of an option.
func (r *reading) first(from, to int) []*mention {
	ms := r.said(r.within(from, to))
	if len(ms) == 0 || ms[0].start > from+1 {
		if m := r.option(from, to); m != nil {
			return []*mention{m}
		}
	}
	return slices.DeleteFunc(ms, func(m *mention) bool { return r.tokens[m.start].clause != r.tokens[ms[0].start].clause })
}

// option settles "B", "(2)" or "option C", and takes it for a mention.
func (r *reading) option(from, to int) *mention {
	for from < to && r.wordAt(from, "option", "choice", "number", "answer") {
		from++
	}
	if from >= to || !r.tokens[from].word {
		return nil
	}
	label, ok := r.options[r.tokens[from].text]
	if !ok {
		label, ok = r.letter(from)
	}
	alone := from+1 >= len(r.tokens) || !r.tokens[from+1].word || r.tokens[from+1].sentence != r.tokens[from].sentence
	if !ok || !alone {
		return nil
	}
	at, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.start - at })
	r.mentions = slices.Insert(r.mentions, at, mention{start: from, end: from + 1, label: label, asserted: true, stance: settled, cue: from})
	return &r.mentions[at]
}

// letter reads a small letter for a label that is a capital: "Answer: (b)".
func (r *reading) letter(i int) (int, bool) {
	if t := r.tokens[i]; len(t.text) != 1 || t.upper || t.signed {
		return none, false
	}
	at := slices.IndexFunc(r.set.labels, func(l label) bool { return len(l.core) == 1 && l.core[0] == r.tokens[i].text })
	return at, at != none
}

func settle(ms []mention) verdict {
	v := verdict{at: ms[0].start}
	for _, m := range ms {
		if !slices.Contains(v.labels, m.label) {
			v.labels = append(v.labels, m.label)
		}
		v.hedged = v.hedged || m.hedged
		v.at = max(v.at, m.start)
	}
	return v
}
