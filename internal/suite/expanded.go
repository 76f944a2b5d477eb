package suite

import "github.com/failproof/failproof/internal/document"

// A file of 1 MiB can expand to terabytes, because prompts and defaults are repeated for every case. The expanded size
// is therefore computed before anything is made.
const (
	maxFilled   = 8 << 20   // bytes of one prompt with its variables filled in
	maxExpanded = 512 << 20 // bytes of all cases of one Load: filled prompts, variables, repeated defaults
	perValue    = 64        // bytes of a value besides its text
)

// filledLength returns the length in bytes of p with its variables filled in, or 0 if p is nil.
func (p *prompt) filledLength(vars map[string]string) (n int) {
	if p == nil {
		return 0
	}
	for i := range p.messages {
		n += p.messages[i].template.filledLength(vars)
	}
	return n
}

// reserve adds bytes to the size of all cases, and reports whether that size is still within maxExpanded. When the size
// first exceeds the limit, reserve reports an error at place.
func (l *loader) reserve(bytes int, faults *diagnostics, place document.Position) bool {
	if l.expandedBytes > maxExpanded { // reported already
		return false
	}
	if l.expandedBytes += bytes; l.expandedBytes > maxExpanded {
		faults.ErrorAt(place, "too-large", "from here on, prompts with their variables and repeated defaults come to more than %d MiB; "+
			"shorten what every case repeats, or run suites apart", maxExpanded>>20)
		return false
	}
	return true
}

// reserveCase adds the size of one case, once for each of its targets, to the size of all cases. It reports an error if
// one of these sizes exceeds its limit.
func (l *loader) reserveCase(k Case, p *prompt, tools string, targets int, f *diagnostics) {
	size := p.filledLength(k.Vars)
	if size > maxFilled && l.expandedBytes <= maxExpanded {
		f.ErrorAt(k.Pos, "too-large", "the prompt of case %s is %d MiB long with its variables filled in; at most %d MiB are sent",
			document.Quote(k.ID), size>>20, maxFilled>>20)
		return
	}
	l.reserve((size+len(tools))*targets, f, k.Pos)
}

// reserveDefaults adds the size of the defaults, once for each case, to the size of all cases. It reports whether that
// size, together with the shared prompt once for each case and target, is within the limit.
func (l *loader) reserveDefaults(defaults *document.Node, cases *rows, p *prompt, targets int, f *diagnostics) bool {
	n := len(cases.items)
	shared := p.filledLength(nil) * n * targets
	if !l.reserve(nodeSize(defaults)*n+shared, f, cases.at) {
		return false
	}
	l.expandedBytes -= shared // reserveCase adds the prompt of each case later
	return true
}

// nodeSize estimates the memory of n in bytes.
func nodeSize(n *document.Node) int {
	if n == nil {
		return 0
	}
	size := perValue + len(n.Text)
	for i, value := range n.Values {
		size += len(n.Keys[i].Text) + nodeSize(value)
	}
	for _, item := range n.List() {
		size += nodeSize(item)
	}
	return size
}
