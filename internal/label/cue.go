package label

import "slices"

// verdictReach bounds a verdict, in tokens after its cue.
const verdictReach = 60

// What announces a verdict, beside a noun such as "Answer:".
const (
	concludes effect = 1 << iota // and says it in its sentence
	corrects                     // what was said before, in its sentence or in one of the next two
	takesBack                    // likewise, or puts nothing in its place
	breaksOff                    // what was said before, in its sentence
	replaces                     // with "to"
)

// announced settles the mentions that a cue announces, that are right, or that an option's name stands for.
func (r *reading) announced() {
	r.right()
	if start := r.skipMarks(0); len(r.mentions) == 0 && r.rightness(start+1) == 0 {
		r.option(start, min(len(r.tokens), start+4))
	}
	cue, keyed := none, false
	for i := range r.tokens {
		if t := &r.tokens[i]; t.tried&(inCues|isAnnouncing) == 0 || !t.word || t.struck {
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
		for _, m := range ms {
			m.stance, m.cue = settled, cue
		}
	}
}

// right settles the labels that are said to be right: "D is the better answer", and behind them a last one that the writer prefers.
func (r *reading) right() {
	some := false
	for i := range r.mentions {
		m := &r.mentions[i]
		switch {
		case m.asserted && !m.negated && !m.is(hedges) && r.rightness(r.coordinated(m.end-1)+1) > 0:
			m.stance, m.cue, some = settled, int(r.tokens[m.start].sentence.from), true
		case some && i == len(r.mentions)-1 && m.words == declared:
			m.stance = settled
		}
	}
}

// cued returns the labels that the cue at a place announces, if one stands there.
func (r *reading) cued(i int) []*mention {
	if from, sure, ok := r.noun(i); ok && sure {
		if ms := r.first(from, r.sentenceEnd(from)); len(ms) > 0 {
			return ms
		}
	}
	c := r.find(cues, i, none)
	if c == nil {
		return nil
	}
	behind, answered := i+1+len(c.behind), len(r.mentions) > 0 && r.mentions[0].end <= i
	switch c.effect {
	case concludes:
		ms := r.within(behind, r.sentenceEnd(behind))
		return r.said(slices.DeleteFunc(ms, func(m *mention) bool { return m.words == former || m.words == passing && m.is(hedges) }))
	case replaces:
		return r.change(i)
	case breaksOff:
		if answered {
			return r.breakOff(i)
		}
	case corrects, takesBack:
		if answered || !interjections[r.tokens[i].text] {
			return r.correction(i, behind, c.effect)
		}
	}
	return nil
}

// breakOff returns the labels of the sentence behind an interjection. "No." may answer a question.
func (r *reading) breakOff(i int) []*mention {
	next := r.skipMarks(i + 1)
	if next == len(r.tokens) || r.tokens[next].sentence != r.tokens[i].sentence && r.tokens[i].text == "no" {
		return nil
	}
	return r.said(r.meant(i, r.sentenceEnd(next)))
}

// correction returns the last label of the first of three sentences behind a cue that has one. Without one, what takes back
// leaves nothing.
func (r *reading) correction(i, behind int, by effect) []*mention {
	end := r.sentenceEnd(behind)
	for range 3 {
		if ms := r.said(r.meant(i, end)); len(ms) > 0 {
			return ms[len(ms)-1:]
		}
		end = r.sentenceEnd(end)
	}
	if by == takesBack {
		r.retracted = i
	}
	return nil
}

// said drops what a verdict mentions without saying it.
func (r *reading) said(ms []*mention) []*mention {
	ms = slices.DeleteFunc(ms, func(m *mention) bool { return !m.asserted })
	if left := slices.DeleteFunc(slices.Clone(ms), func(m *mention) bool { return m.words == imagined || m.words == former || m.words == granted }); len(left) > 0 {
		return left
	}
	return ms
}

// noun reads "Answer:", "the verdict is", "label =" and returns where what it announces begins. sure tells a verdict
// from a key that may stand among others, as in "Status:" and "risk assessment:".
func (r *reading) noun(i int) (from int, sure, ok bool) {
	t := &r.tokens[i]
	if !announcing[t.text] || r.notOwn(i) {
		return 0, false, false
	}
	for j := i + 1; j < min(i+1+keyWords, len(r.tokens)); j++ {
		u := &r.tokens[j]
		switch {
		case separators[u.text], u.text == "\n" && j == i+1:
			if r.headsKeys(j) {
				return 0, false, false
			}
			return r.skipMarks(j + 1), r.verdictKey(i), true
		case copulas[u.text] && (strongNouns[t.text] || finality[r.text(i-1)]), u.text == "{" && t.text == "boxed":
			return r.skipMarks(j + 1), true, true
		case !u.word || u.sentence != t.sentence:
			return 0, false, false
		}
	}
	return 0, false, false
}

// notOwn reports a verdict that is not the answer's own, or not its last: "the scanner's verdict", "my initial label".
func (r *reading) notOwn(i int) bool { return notFinal[r.text(i-1)] || i > 0 && r.tokens[i-1].owner }

// headsKeys reports the head of a column, or a separator at the end of a line below which other keys follow.
func (r *reading) headsKeys(j int) bool {
	if r.text(j) == "|" && r.text(j+1) == "\n" {
		return true
	}
	from := r.skipMarks(j + 1)
	return r.text(j) != "\n" && r.text(j+1) == "\n" && r.text(from+1) == ":" && r.text(from+2) != "\n" && len(r.within(from, from+1)) == 0
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

// meant returns the labels between two places. In a correction, "it should be low" says that it is.
func (r *reading) meant(from, to int) []*mention {
	ms := r.within(from, to)
	for _, m := range ms {
		m.asserted = m.asserted || m.is(oughts)
	}
	return ms
}

// changeReach bounds in words how far behind such a verb its "to" is looked for.
const changeReach = 8

// change returns the label that another one is changed to, but for "if it spreads, raise it to high".
func (r *reading) change(i int) []*mention {
	end := min(r.sentenceEnd(i), i+changeReach)
	to := i + slices.IndexFunc(r.tokens[i:end], func(t token) bool { return t.text == "to" && t.clause == r.tokens[i].clause })
	if to < i || r.conditioned(i) || slices.ContainsFunc(r.tokens[to:r.sentenceEnd(i)], func(t token) bool { return conditional[t.text] }) {
		return nil
	}
	return r.first(to+1, min(len(r.tokens), to+5))
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
	r.mentions = slices.Insert(r.mentions, at, mention{at: from, start: from, end: from + 1, label: label, asserted: true, stance: settled, cue: from})
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
