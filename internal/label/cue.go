package label

import "slices"

// settleAnnounced settles the mentions that a cue announces. If the answer is only the name of an option, it settles
// the label of that option.
func (a *reading) settleAnnounced() {
	t := a.tokens
	if start := t.skipMarks(0); len(a.mentions) == 0 && rightness(t, start+1) == 0 {
		a.optionMention(start, min(len(t), start+4))
	}
	cue := none
	for i := range t {
		ms := announcedMentions(a, i)
		if len(ms) == 0 {
			continue
		}
		if t[i].text != "so" { // labels behind a mere "so" are added to those announced before
			cue = i
		}
		for _, m := range ms {
			m.stance, m.cue = settled, cue
		}
	}
}

// announcedMentions returns the mentions that a cue at token i announces, or nil if there is no cue.
func announcedMentions(r *reading, i int) []*mention {
	t := r.tokens
	c, behind := t.match(cues, i, none)
	if c == nil {
		return nil
	}
	switch c.effect {
	case announces:
		if behind = t.skipMarks(behind); i == 0 || !t[i-1].owner {
			return r.firstMentions(behind, t.sentenceEnd(behind))
		}
	case concludes:
		return assertedMentions(slices.DeleteFunc(r.mentions.within(behind, t.sentenceEnd(behind)),
			func(m *mention) bool {
				return m.wordStance == former || m.wordStance == passing && m.has(hedges)
			}))
	case replaces:
		if end := t.sentenceEnd(i); !t.has(t.sentenceStart(i), end, conditional) { // not "if it spreads, …"
			ms := r.firstMentions(behind, min(end, behind+4))
			return ms[:min(1, len(ms))]
		}
	case corrects, takesBack:
		return correction(r, i, behind, c.effect)
	}
	return nil
}

// correction looks for labels in the three sentences after the cue at i, which ends before behind. It returns the last
// label of the first sentence that has one. If none has one and by is takesBack, correction records that the cue
// retracts what was said before.
func correction(r *reading, i, behind int, by effect) []*mention {
	end := r.tokens.sentenceEnd(behind)
	for range 3 {
		ms := r.mentions.within(i, end)
		for _, m := range ms {
			m.asserted = m.asserted || m.has(oughts) // "it should be low"
		}
		if ms = assertedMentions(ms); len(ms) > 0 {
			return ms[len(ms)-1:]
		}
		end = r.tokens.sentenceEnd(end)
	}
	if by == takesBack {
		r.retracted = i
	}
	return nil
}

// assertedMentions returns the asserted mentions of ms. If some of these are neither former nor granted, it returns
// only those.
func assertedMentions(ms []*mention) []*mention {
	ms = slices.DeleteFunc(ms, func(m *mention) bool { return !m.asserted })
	if left := slices.DeleteFunc(slices.Clone(ms), func(m *mention) bool {
		return m.wordStance == former || m.wordStance == granted
	}); len(left) > 0 {
		return left
	}
	return ms
}

// firstMentions returns the labels that the announced text in tokens[from:to] gives. These are the labels of its first
// clause with a label. If the text begins with the name of an option, firstMentions returns the label of that option.
func (a *reading) firstMentions(from, to int) []*mention {
	ms := assertedMentions(a.mentions.within(from, to))
	if len(ms) == 0 {
		if m := a.optionMention(from, to); m != nil {
			return []*mention{m}
		}
	}
	return slices.DeleteFunc(ms, func(m *mention) bool {
		return a.tokens[m.start].clause != a.tokens[ms[0].start].clause
	})
}

// optionMention reads tokens[from:to] as the name of an option: "B", "(2)", "option C". It adds a settled mention of
// the option's label and returns the mention, or nil if the text is more or something else.
func (a *reading) optionMention(from, to int) *mention {
	t := a.tokens
	for from < to && t.wordAt(from, "option", "choice", "number", "answer") {
		from++
	}
	if from >= to || !t[from].word || t.word(from+1) && t.sameSentence(from, from+1) {
		return nil
	}
	label, ok := a.options[t[from].text]
	if !ok && !t[from].upper && !t[from].signed && len(t[from].text) == 1 {
		label, ok = a.set.named(t[from].text), true // "Answer: (b)", where B is a label
	}
	if !ok || label == none {
		return nil
	}
	at, _ := slices.BinarySearchFunc(a.mentions, from, func(m mention, i int) int { return m.start - i })
	m := mention{at: from, start: from, end: from + 1, label: label, asserted: true, stance: settled, cue: from}
	a.mentions = slices.Insert(a.mentions, at, m)
	return &a.mentions[at]
}
