package suite

import "github.com/failproof/failproof/internal/document"

// A file of 1 MiB can expand to terabytes, because prompts and defaults are repeated for every case. The expanded
// size is therefore counted before anything is made.
const (
	maxFilled   = 8 << 20   // bytes of one prompt with its variables filled in
	maxExpanded = 512 << 20 // bytes of all cases of one Load: prompts filled, variables, repeated defaults
	perValue    = 64        // bytes of a value besides its text
)

// filledLength returns the length of p in bytes with its variables filled in, or 0 for no prompt.
func (p *prompt) filledLength(vars map[string]string) (n int) {
	if p == nil {
		return 0
	}
	for i := range p.messages {
		n += p.messages[i].template.filledLength(vars)
	}
	return n
}

// affords adds a number of bytes to the size of all cases, and reports whether that size is still within the limit.
// When it first exceeds the limit, affords reports an error at place.
func (l *loader) affords(bytes int, faults *faults, place document.Position) bool {
	if l.expanded > maxExpanded { // reported already
		return false
	}
	if l.expanded += bytes; l.expanded > maxExpanded {
		faults.ErrorAt(place, "too-large", "from here on, prompts with their variables and repeated defaults come to more than %d MiB; "+
			"shorten what every case repeats, or run suites apart", maxExpanded>>20)
		return false
	}
	return true
}

// affordable adds one case to the size of all cases, and reports whether the case and that size are within their
// limits. Once that size is over its limit, it returns false for every later case.
func (l *loader) affordable(k Case, p *prompt, tools string, f *faults) bool {
	size := p.filledLength(k.Vars)
	if size > maxFilled && l.expanded <= maxExpanded {
		f.ErrorAt(k.Pos, "too-large", "the prompt of case %s is %d MiB long with its variables filled in; at most %d MiB are sent",
			document.Quote(k.ID), size>>20, maxFilled>>20)
		return false
	}
	return l.affords(size+len(tools), f, k.Pos)
}

// repeatable adds the size of the defaults, which each case repeats, to the size of all cases. It reports whether that
// size, with the shared prompt once for each case, is within the limit.
func (l *loader) repeatable(defaults *document.Node, cases *rows, p *prompt, f *faults) bool {
	n := len(cases.items)
	shared := p.filledLength(nil) * n
	if !l.affords(weigh(defaults)*n+shared, f, cases.at) {
		return false
	}
	l.expanded -= shared // each case counts its own prompt later
	return true
}

// weigh estimates the memory of n in bytes.
func weigh(n *document.Node) int {
	if n == nil {
		return 0
	}
	size := perValue + len(n.Text)
	for i, value := range n.Values {
		size += len(n.Keys[i].Text) + weigh(value)
	}
	for _, item := range n.List() {
		size += weigh(item)
	}
	return size
}
