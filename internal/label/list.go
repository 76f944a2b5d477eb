package label

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/english"
)

// markLists finds labels that are only listed: "compliant or non-compliant", and one a line.
func (r *reading) markLists() {
	list := func(ms ...*mention) {
		for _, m := range ms {
			m.listed, m.asserted = true, false
		}
	}
	for i := 1; i < len(r.mentions); i++ {
		a, b := &r.mentions[i-1], &r.mentions[i]
		switch {
		case r.between(a, b):
			list(a, b)
		case a.label == b.label:
		case r.spans(a, b), r.neither(a, b):
			a.asserted, b.asserted = false, false
		case r.leadsTo(a, b):
			a.asserted, b.asserted = false, true
		case r.joined(a, b, arrows) && a.asserted:
			if a.asserted = false; r.scales(i) {
				list(&r.mentions[i-2], a, b)
			}
		case r.without(a, b):
			b.asserted = false
		case r.beside(a, b):
			list(a, b)
		case a.listed && r.joined(a, b, lasts):
			list(b)
		case r.amended(a, b):
			a.asserted = false
		}
	}
}

// scales reports a label behind two arrows, which make a scale.
func (r *reading) scales(i int) bool {
	return i > 1 && r.joined(&r.mentions[i-2], &r.mentions[i-1], arrows)
}

// amended reports a label that another amends: "not compliant but partially compliant".
func (r *reading) amended(a, b *mention) bool {
	return a.negated && len(r.set.labels) > 2 && r.joined(a, b, amending)
}

// between reports "between high and low".
func (r *reading) between(a, b *mention) bool {
	return r.text(a.start-1) == "between" && r.parts(a, b, "and")
}

// parts reports one word between two labels.
func (r *reading) parts(a, b *mention, word string) bool {
	return r.text(a.end) == word && a.end+1 == b.start
}

// spans reports the ends of a range: "on a scale from low to high".
func (r *reading) spans(a, b *mention) bool {
	return r.text(a.start-1) == "from" && r.parts(a, b, "to") && r.back(ranges, a.start, r.clauseFrom(a.start, 5)) != nil
}

// leadsTo reports a change: "from high to medium".
func (r *reading) leadsTo(a, b *mention) bool {
	return r.text(a.start-1) == "from" && r.text(b.start-1) == "to" && b.start-a.end <= 2
}

// without reports a label that is not the other: "partially compliant, not compliant".
func (r *reading) without(a, b *mention) bool {
	return r.text(b.start) == "not" && b.at > b.start && r.set.words(r.set.labels[b.label].name)[0] != "not" && a.end < b.start
}

// beside reports choices: "high or low", "to tell A from B", "low as well as high", and one a line.
func (r *reading) beside(a, b *mention) bool {
	switch {
	case r.parts(a, b, "from") && choosing[r.text(a.start-1)], r.parts(a, b, "to"), r.joined(a, b, joiners):
		return true
	case r.joined(a, b, likewise):
		return r.text(a.end+1) == "well"
	}
	return r.tokens[a.start].line.to == r.tokens[b.start].line.from && r.aloneInLine(a) && r.aloneInLine(b)
}

// neither reports "nor" between two labels of a sentence.
func (r *reading) neither(a, b *mention) bool {
	return r.tokens[a.end-1].sentence == r.tokens[b.start].sentence && a.end <= b.at && slices.ContainsFunc(r.tokens[a.end:b.at], func(t token) bool { return t.text == "nor" })
}

// joined reports two labels of a sentence that only such words part; brackets do not matter.
func (r *reading) joined(a, b *mention, by map[string]bool) bool {
	some := false
	for _, t := range r.tokens[a.end:max(a.end, b.start)] {
		if t.text != "(" && t.text != ")" && !by[t.text] {
			return false
		}
		some = some || by[t.text]
	}
	return some && r.tokens[a.end].sentence == r.tokens[b.start].sentence
}

// row is a label at the head of a line or an item, and what stands behind it: "A) False, wood floats", "| Bug | ✅ |", "spam: 0.12".
type row struct {
	mention *mention
	right   int     // 1 if it is ticked or said to be right, -1 if it is crossed or said to be wrong, 0 if nothing tells
	share   float64 // how probable it is; below 0 if nothing tells
}

// picks is 1 where a construction says that a label is picked out, -1 where it says that it is not, 0 where there is none.
func (c *construction) picks() int {
	switch {
	case c == nil:
		return 0
	case c.stance == said:
		return 1
	}
	return -1
}

// settleRows reads a list in which several labels stand at the heads of rows: the one that is ticked, right or the most probable is said, and
// the others are not. Where nothing picks one out, all are only listed, as in a list of definitions.
func (r *reading) settleRows() {
	rows := r.rows()
	if len(rows) < 2 {
		return
	}
	if best := slices.MaxFunc(rows, byShare); slices.MinFunc(rows, byShare).share >= 0 {
		level := 0
		for i := range rows {
			if rows[i].right = -1; rows[i].share == best.share {
				rows[i].right, level = 1, level+1
			}
		}
		for i := range rows {
			if level > 1 {
				rows[i].right = 0 // none is ahead
			}
		}
	}
	picked := slices.ContainsFunc(rows, func(w row) bool { return w.right > 0 })
	for _, w := range rows {
		m := w.mention
		m.asserted, m.listed = w.right > 0, !picked && w.right == 0
		m.negated = m.negated && !m.asserted
	}
}

func byShare(a, b row) int { return cmp.Compare(a.share, b.share) }

// rows returns the first row of each label.
func (r *reading) rows() (out []row) {
	for i := range r.mentions {
		m := &r.mentions[i]
		if slices.ContainsFunc(out, func(w row) bool { return w.mention.label == m.label }) {
			continue
		}
		if right, share, ok := r.row(m); ok {
			out = append(out, row{m, right, share})
		}
	}
	return out
}

// row reads the row that a label heads; ok is false if it heads none.
func (r *reading) row(m *mention) (right int, share float64, ok bool) {
	line := r.tokens[m.start].line
	opens := r.marksBefore(m) <= int(line.from)
	if right = r.framed(marks, m.start, m.end).picks(); right != 0 {
		return right, -1, true
	}
	i := m.end
	for i < int(line.to) && (dividers[r.tokens[i].text] || r.tokens[i].text == "." && r.symbolic(m.start)) {
		i++
	}
	if at := r.skipMarks(i); at < int(line.to) {
		if share, ok = r.share(at); ok {
			return 0, share, true
		}
	}
	if i >= int(line.to) {
		return 0, -1, false
	}
	if right = r.find(marks, i, none).picks(); right != 0 {
		return right, -1, true
	}
	if i == m.end {
		right = r.rightness(i)
		return right, -1, opens && right != 0
	}
	if right = r.find(judgments, i, none).picks(); right == 0 || r.set.verdicts() || r.set.opens(r.tokens[i].text) {
		right = r.rightness(i)
	}
	return right, -1, opens
}

// marksBefore returns where the marks and the number begin that stand before a label in its line.
func (r *reading) marksBefore(m *mention) int {
	i, line := m.start, r.tokens[m.start].line
	for i > max(0, m.start-lineReach) && r.tokens[i-1].line == line && (!r.tokens[i-1].word || len(r.tokens[i-1].text) <= 2 && i < m.start && !r.tokens[i].word) {
		i--
	}
	return i
}

// share reads a probability that stands alone at i: 0.88 or 88 %.
func (r *reading) share(i int) (float64, bool) {
	if r.wordAt(i, "confidence", "score", "probability", "p", "prob") {
		i = r.skipMarks(i + 1)
	}
	t := r.text(i)
	value, err := strconv.ParseFloat(t, 64)
	if err != nil || !english.DigitAt(t, 0) {
		return 0, false
	}
	next := i + 1
	percent := next < len(r.tokens) && r.tokens[next].text == "%"
	if percent {
		next++
	}
	for r.wordAt(next, "confident", "confidence", "probability", "likely", "chance", "sure", "certain") {
		next++
	}
	if percent {
		value /= 100
	}
	return value, value <= 1 && (next == len(r.tokens) || !r.tokens[next].word)
}

// setAside takes back labels behind such a key in their line.
func (r *reading) setAside() {
	for i := range r.mentions {
		m := &r.mentions[i]
		if r.back(besides, m.start, max(int(r.tokens[m.start].line.from), m.start-lineReach)) != nil {
			m.asserted = false
		}
		if r.framed(turnedDown, m.start, m.end) != nil {
			m.asserted = false
		}
	}
}
