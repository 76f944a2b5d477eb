package score

import "slices"

// verdict is what an answer settles on in so many words.
type verdict struct {
	labels []int // more than one where it does not settle
	at     int   // token
	hedged bool
}

var (
	verdictNouns = set(`answer verdict conclusion label classification decision determination assessment judgment judgement
		ruling prediction result status finding outcome category rating response opinion boxed overall`)
	// Those that need no colon: "the answer is …".
	strongNouns = set("answer verdict conclusion label classification decision determination assessment judgment judgement ruling prediction")
	notFinal    = set("previous earlier initial wrong incorrect example sample their tentative possible preliminary original former long longer")
	separators  = set(": = | –")
	copulas     = set("is was remains")

	connectives       = set("therefore thus hence consequently accordingly ultimately")
	connectivePhrases = phrases("in conclusion", "in summary", "in short", "in sum", "to conclude", "to summarise", "to summarize",
		"to sum up", "bottom line", "on balance", "all things considered", "i conclude", "we conclude", "i therefore", "all in all",
		"final verdict", "final answer", "final label", "final decision", "my answer", "my verdict")
	// What a decision is, before "is to deny it".
	intents = set("recommendation advice suggestion choice call plan")

	corrections       = set("actually correction")
	correctionPhrases = phrases("on second thought", "on second thoughts", "on reflection", "scratch that", "strike that", "i was wrong",
		"my mistake", "that was a mistake", "that was wrong", "i retract", "i take that back", "i take it back", "i changed my mind", "i meant", "i mean", "i change my",
		"let me revise", "hold on", "no sorry", "sorry no", "i stand corrected", "let me correct", "i made a mistake", "i misread", "upon review", "looking again", "re checking")
	subordinate = set("although though while whereas because since unless even with despite except")
)

// verdictReach bounds a verdict, in tokens after its cue.
const verdictReach = 60

// explicit returns the last verdict that a cue announces.
func (r *reading) explicit(options map[string]int) (last verdict, ok bool) {
	for i, t := range r.tokens {
		if !t.word || t.struck {
			continue
		}
		v, found := r.cued(i, options)
		if found && (!ok || v.at >= last.at) {
			last, ok = v, true
		}
	}
	return last, ok
}

func (r *reading) cued(i int, options map[string]int) (verdict, bool) {
	if from, ok := r.noun(i); ok {
		return r.first(from, r.sentenceEnd(from), options)
	}
	if n := r.connective(i); n > 0 {
		return r.all(i+n, r.sentenceEnd(i+n))
	}
	if n := r.correction(i); n > 0 {
		end := r.sentenceEnd(i + n)
		for range 3 { // "Wait. I missed clause 5. It is …"
			if v, ok := r.last(i, end); ok {
				return v, true
			}
			end = r.sentenceEnd(end)
		}
	}
	return verdict{}, false
}

// noun reads "Answer:", "the verdict is", "label (one of …) =" and returns where what it announces begins.
func (r *reading) noun(i int) (from int, ok bool) {
	t := r.tokens[i]
	if !verdictNouns[t.text] || i > 0 && r.tokens[i-1].word && notFinal[r.tokens[i-1].text] {
		return 0, false
	}
	j := r.skipBrackets(i + 1)
	for words := 0; j < len(r.tokens) && words < 4; words++ {
		u := r.tokens[j]
		switch {
		case separators[u.text]:
			return r.skipMarks(j + 1), true
		case copulas[u.text] && strongNouns[t.text]:
			return r.skipMarks(j + 1), true
		case u.text == "{" && t.text == "boxed":
			return j + 1, true
		case !u.word || u.sent != t.sent:
			return 0, false
		}
		j++
	}
	return 0, false
}

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
	return phraseAt(r.tokens, i, connectivePhrases)
}

func (r *reading) correction(i int) int {
	t := r.tokens[i]
	opens := i == 0 || !r.tokens[i-1].word
	alone := i+1 < len(r.tokens) && (!r.tokens[i+1].word || r.wordAt(i+1, "no", "but", "i", "let", "the", "that"))
	switch {
	case corrections[t.text], t.text == "wait" && opens && alone:
		return 1
	case (t.text == "edit" || t.text == "update") && opens && i+1 < len(r.tokens) && r.tokens[i+1].text == ":":
		return 1
	}
	return phraseAt(r.tokens, i, correctionPhrases)
}

// sentenceEnd returns the end of the sentence that the first word from i on belongs to.
func (r *reading) sentenceEnd(i int) int {
	i = r.skipMarks(i)
	end := i
	for end < min(len(r.tokens), i+verdictReach) && r.tokens[end].sent == r.tokens[i].sent {
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

// said drops what a verdict mentions without saying it; subordinate clauses count only if nothing else does.
func (r *reading) said(ms []mention) []mention {
	var main, side []mention
	for _, m := range ms {
		switch {
		case !m.asserted:
		case r.inSubordinate(m):
			side = append(side, m)
		default:
			main = append(main, m)
		}
	}
	if len(main) == 0 {
		return side
	}
	return main
}

func (r *reading) inSubordinate(m mention) bool {
	return subordinate[r.tokens[r.clauseStart(m.start)].text]
}

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
	alone := from+1 >= len(r.tokens) || !r.tokens[from+1].word || r.tokens[from+1].sent != r.tokens[from].sent
	if !ok || !alone {
		return verdict{}, false
	}
	return verdict{labels: []int{label}, at: from}, true
}

func (r *reading) all(from, to int) (verdict, bool) {
	ms := r.said(r.within(from, to))
	if len(ms) == 0 {
		return verdict{}, false
	}
	return settle(ms), true
}

func (r *reading) last(from, to int) (verdict, bool) {
	ms := r.said(r.within(from, to))
	if len(ms) == 0 {
		return verdict{}, false
	}
	return settle(ms[len(ms)-1:]), true
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
