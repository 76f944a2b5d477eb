package english

var (
	charging = Set("charge charges charged cost costs fee fees pay")
	extras   = Set("a extra additional further separate any have need to be")
)

// waives reports a denial at i, of a charge, that says no more than that something is free: "no extra charge", "not charged for", "costs nothing".
func (p *Text) waives(i int) bool {
	k := i + 1
	for extras[p.textAt(k)] {
		k++
	}
	next := p.textAt(k + 1)
	switch p.Words[i].Text {
	case "no", "without":
		return charging[p.textAt(k)] && !p.Parted(k)
	case "not":
		return charging[p.textAt(k)] && (next == "for" || next == "anything" || next == "extra")
	case "nothing":
		return i > 0 && charging[p.Words[i-1].Text] && !p.Parted(i)
	}
	return false
}

// waived reports the charge at i of such a denial, and that of "free of charge".
func (p *Text) waived(i int) bool {
	k := i - 1
	for k > 0 && extras[p.Words[k].Text] {
		k--
	}
	return k >= 0 && p.waives(k) || i > 1 && p.Words[i-1].Text == "of" && p.Words[i-2].Text == "free" || p.textAt(i+1) == "nothing" && p.waives(i+1)
}

// frees reports a "free" at i that denies what it is free of: "free of errors", "free from nuts".
func (p *Text) frees(i int) bool {
	next := p.textAt(i + 1)
	return p.Words[i].Is(isFreeing) && (next == "of" || next == "from") && !p.Parted(i+1) && !charging[p.textAt(i+2)] && i+2 < len(p.Words) && p.Content(i+2) && !p.Words[i+2].Amount
}

// suffixed reports a "free" at i that a hyphen joins to what it denies: "sugar-free".
func (p *Text) suffixed(i int) bool {
	return i > 0 && p.Words[i].Is(isFreeing) && p.Words[i].Glued && p.Content(i-1)
}
