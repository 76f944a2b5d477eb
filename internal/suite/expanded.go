package suite

import "github.com/failproof/failproof/internal/document"

// A file of 1 MiB can ask for terabytes: a long text that a prompt repeats, or that every case takes over from the
// defaults. So what the cases come to is counted before it is made.
const (
	maxFilled   = 8 << 20   // bytes of one prompt with its variables filled in
	maxExpanded = 512 << 20 // bytes of all cases of one Load: prompts filled, variables, repeated defaults
	perValue    = 64        // bytes that a value takes besides its text
)

// filledLength returns the bytes of p with its variables filled in; 0 for no prompt.
func (p *prompt) filledLength(vars map[string]string) (n int) {
	if p == nil {
		return 0
	}
	for i := range p.messages {
		n += p.messages[i].template.filledLength(vars)
	}
	return n
}

// affords counts bytes towards the limit for all cases, and reports an excess at the position.
func (l *loader) affords(bytes int, faults *faults, at document.Position) bool {
	if l.expanded > maxExpanded { // which was reported where it happened
		return false
	}
	if l.expanded += bytes; l.expanded > maxExpanded {
		faults.errorAt(at, "too-large", "from here on, prompts with their variables and repeated defaults come to more than %d MiB; "+
			"shorten what every case repeats, or run suites apart", maxExpanded>>20)
		return false
	}
	return true
}

// affordable counts one case towards the limit for all, and reports a case beyond it. The cases behind it are not made.
func (c *collector) affordable(k Case, p *prompt) bool {
	size := p.filledLength(k.Vars)
	if size > maxFilled && c.loader.expanded <= maxExpanded {
		c.faults.errorAt(k.Pos, "too-large", "the prompt of case %s is %d MiB long with its variables filled in; at most %d MiB are sent",
			document.Quote(k.ID), size>>20, maxFilled>>20)
		return false
	}
	return c.loader.affords(size+len(c.envelope.request.Tools), c.faults, k.Pos)
}

// repeatable counts what a suite's cases take from its defaults, and reports whether that, with their shared prompt, is
// within the limit.
func (c *collector) repeatable(defaults *document.Node, cases *rows, p *prompt) bool {
	n := len(cases.items)
	shared := p.filledLength(nil) * n
	if !c.loader.affords(weigh(defaults)*n+shared, c.faults, cases.at) {
		return false
	}
	c.loader.expanded -= shared // counted case by case, so here it only told what is to come
	return true
}

// weigh is about what n takes in memory, in bytes, nothing for nil.
func weigh(n *document.Node) int {
	if n == nil {
		return 0
	}
	size := perValue + len(n.Text)
	for i, value := range n.Values {
		size += len(n.Keys[i].Text) + weigh(value)
	}
	for _, item := range n.Items() {
		size += weigh(item)
	}
	return size
}
