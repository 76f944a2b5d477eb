package label

import (
	"cmp"
	"slices"
	"strconv"
)

// markLists marks the labels that are only listed and not said, as in "compliant or non-compliant" or with one label on
// each line. Of two adjacent labels, it also marks the label that does not count.
func (ms mentions) markLists(s *Set, t tokens) {
	for i := 1; i < len(ms); i++ {
		a, b := &ms[i-1], &ms[i]
		row := t.between(pairs, a.start, a.end, b.start)
		switch {
		case a.label == b.label:
		case row.is(unsaid):
			a.asserted, b.asserted = false, false
		case t.text(b.start) == "not" && s.labels[b.label].words[0] != "not" && a.end < b.start:
			b.asserted = false // "partially compliant, not compliant" only says which label does not apply
		case row.is(listed), row.has(also) && a.listed, row == nil && inLines(t, a, b):
			a.listed, a.asserted, b.listed, b.asserted = true, false, true, false
		case row.has(second) && a.asserted:
			a.asserted, b.asserted = false, true
		}
	}
}

// inLines reports whether the labels a and b are two adjacent lines.
func inLines(t tokens, a, b *mention) bool {
	return t[a.start].line.to == t[b.start].line.from && aloneInLine(t, a) && aloneInLine(t, b)
}

// row is a label at the beginning of a line or an item, and what follows the label there: "A) False, wood floats", "|
// Bug | ✅ |", "spam: 0.12".
type row struct {
	mention *mention
	// 1 if the label is ticked or called right, -1 if it is crossed out or called wrong, 0 if neither
	right int
	share float64 // the probability of the label; negative if none is given
}

// choice returns 1 if the row c of a table says that a label is chosen, and -1 if it says that the label is not chosen.
// It returns 0 if c is nil.
func (c *construction) choice() int {
	if c == nil {
		return 0
	}
	if c.stance == said {
		return 1
	}
	return -1
}

// settleRows reads a list whose rows begin with labels. A label counts as said if the list ticks it, calls it right or
// makes it the most probable. The other labels of the list do not count. If the list picks no label, as a list of
// definitions does, all its labels are only listed.
func (ms mentions) settleRows(t tokens) {
	var rows []row
	for i := range ms {
		if w := (row{mention: &ms[i], share: -1}); w.read(t) {
			rows = append(rows, w)
		}
	}
	if len(rows) < 2 {
		return
	}
	pickLikeliest(rows)
	picked := slices.ContainsFunc(rows, func(w row) bool { return w.right > 0 })
	for _, w := range rows {
		w.mention.asserted = w.right > 0 && !w.mention.has(unsays)
		w.mention.listed = !picked && w.right == 0
	}
}

// pickLikeliest picks the row with the most probable label. It does nothing unless all rows give probabilities, and
// picks no row if several labels are equally probable.
func pickLikeliest(rows []row) {
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.share, a.share) })
	if rows[len(rows)-1].share < 0 || rows[0].share == rows[1].share {
		return
	}
	for i := range rows {
		rows[i].right = -1
	}
	rows[0].right = 1
}

// read reads what follows the label of r in its line. It returns false if the label does not begin a row.
func (r *row) read(t tokens) bool {
	m, line := r.mention, t[r.mention.start].line
	if r.right = t.framed(marks, m.start, m.end).choice(); r.right != 0 {
		return true
	}
	at := t.skipMarks(m.end)
	if at >= int(line.to) {
		return false
	}
	if r.readShare(t, at) {
		return true
	}
	return t.is(m.end, dividers) && t.framed(lines, m.start, m.end) != nil
}

// readShare sets the share of r to the probability at i, such as 0.88 or 88 %. It returns false if there is none.
func (r *row) readShare(t tokens, i int) bool {
	if t.is(i, shares) {
		i = t.skipMarks(i + 1)
	}
	value, err := strconv.ParseFloat(t.text(i), 64)
	if t.text(i+1) == "%" {
		value /= 100
	}
	if err != nil || value > 1 {
		return false
	}
	r.share = value
	return true
}
