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
	connectivePhrases = table(rows{text: `in conclusion|summary|short|sum; to conclude|summarise|summarize; to sum up; bottom line; on balance; all things considered;
		i|we conclude; i therefore; all in all; final verdict|answer|label|decision; my answer|verdict`})
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

// findCues returns the places where a cue of a verdict may stand.
func (r *reading) findCues() (out []int) {
	for i, t := range r.tokens {
		if t.word && !t.struck && cueWords[t.text] {
			out = append(out, i)
		}
	}
	return out
}

// explicit returns the last verdict that a cue announces; what a mere "so" comes to stands beside a key such as "Verdict:".
func (r *reading) explicit(cues []int, options map[string]int) (last verdict, ok bool) {
	keyed := false
	for _, i := range cues {
		v, found := r.cued(i, options)
		if !found || ok && v.at < last.at {
			continue
		}
		from, sure, _ := r.noun(i)
		if keyed && r.wordAt(i, "so") {
			last.add(v)
			continue
		}
		last, ok, keyed = v, true, sure && r.tokens[from-1].text == ":"
	}
	return last, ok
}

func (r *reading) cued(i int, options map[string]int) (verdict, bool) {
	if from, sure, ok := r.noun(i); ok && sure {
		return r.first(from, r.sentenceEnd(from), options)
	}
	if n := r.connective(i); n > 0 {
		return r.all(i+n, r.sentenceEnd(i+n))
	}
	if v, ok := r.change(i); ok {
		return v, true
	}
	if prevails[r.tokens[i].text] {
		return r.prevailing(i)
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
	i = r.skipMarks(i)
	end := i
	for end < min(len(r.tokens), i+verdictReach) && r.tokens[end].sentence == r.tokens[i].sentence {
		end++
	}
	return end
}

func (r *reading) within(from, to int) []mention {
	first, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.end - 1 - at })
	var out []mention
	for _, m := range r.mentions[first:] {
		if m.end > to {
			break
		}
		out = append(out, m)
	}
	return out
}

// said drops what a verdict mentions without saying it.
func (r *reading) said(ms []mention) []mention {
	ms = slices.DeleteFunc(ms, func(m mention) bool { return !m.asserted })
	return without(without(without(ms, r.former), r.inSubordinate), func(m mention) bool { return m.wishful })
}

func (r *reading) inSubordinate(m mention) bool {
	first := r.clauseStart(m.start)
	w := r.tokens[first].text
	return subordinate[w] && !(prepositions[w] && !r.wordAt(first+1, "that") && r.verbBetween(first, m.start)) // "with the patch it is low"
}

var prepositions = english.Set("with despite given due owing considering except")

// clauseStart finds the first word of the clause that i is in; one far away is not looked for.
func (r *reading) clauseStart(i int) int {
	for n := 0; n < verdictReach && i > 0 && r.tokens[i-1].clause == r.tokens[i].clause; n++ {
		i--
	}
	return i
}

// first reads a verdict after a colon: its first clause that names a label, or the number of an option.
func (r *reading) first(from, to int, options map[string]int) (verdict, bool) {
	ms := r.said(r.within(from, to))
	if len(ms) == 0 || ms[0].start > from+1 {
		if v, ok := r.option(from, to, options); ok {
			return v, true
		}
	}
	if len(ms) == 0 {
		return verdict{}, false
	}
	clause := r.tokens[ms[0].start].clause
	return settle(slices.DeleteFunc(ms, func(m mention) bool { return r.tokens[m.start].clause != clause })), true
}

// option reads "B", "(2)" or "option C".
func (r *reading) option(from, to int, options map[string]int) (verdict, bool) {
	for from < to && r.wordAt(from, "option", "choice", "number", "answer") {
		from++
	}
	if from >= to || !r.tokens[from].word {
		return verdict{}, false
	}
	label, ok := options[r.tokens[from].text]
	if !ok {
		label, ok = r.letter(from)
	}
	alone := from+1 >= len(r.tokens) || !r.tokens[from+1].word || r.tokens[from+1].sentence != r.tokens[from].sentence
	if !ok || !alone {
		return verdict{}, false
	}
	return verdict{labels: []int{label}, at: from}, true
}

// letter reads a small letter for a label that is a capital: "Answer: (b)".
func (r *reading) letter(i int) (int, bool) {
	if t := r.tokens[i]; len(t.text) != 1 || t.upper || t.signed {
		return none, false
	}
	at := slices.IndexFunc(r.set.labels, func(l label) bool { return len(l.core) == 1 && l.core[0] == r.tokens[i].text })
	return at, at != none
}

// prevailing reads the label that dominates: "what dominates is sadness", "sadness prevails".
func (r *reading) prevailing(i int) (verdict, bool) {
	if ms := r.said(r.within(i-1, i)); len(ms) > 0 {
		return settle(ms), true
	}
	return r.all(i+1, r.sentenceEnd(i))
}

func (r *reading) all(from, to int) (verdict, bool) {
	ms := r.said(r.within(from, to))
	if len(ms) == 0 {
		return verdict{}, false
	}
	return settle(ms), true
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
