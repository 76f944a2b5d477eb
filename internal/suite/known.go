package suite

import "github.com/failproof/failproof/internal/document"

// mostRemembered bounds what is remembered of one kind, which a file could fill with a million texts.
const mostRemembered = 4096

// remembered holds what was made of texts.
type remembered[T any] map[string]T

// put remembers what was made of a text, in place of all others where they are many.
func (r *remembered[T]) put(text string, made T) T {
	if *r == nil || len(*r) >= mostRemembered {
		*r = remembered[T]{}
	}
	(*r)[text] = made
	return made
}

// of returns what make makes of a text, once.
func (r *remembered[T]) of(text string, make func() T) T {
	if made, known := (*r)[text]; known {
		return made
	}
	return r.put(text, make())
}

// known holds what was compiled, by its text: to compile an expression costs as much as to judge fifty answers by it, and the cases of a
// tree repeat a few. The zero value is ready.
type known[T any] struct {
	byText  remembered[*T]
	refused map[*document.Node]bool // which have been reported
}

// of returns what a node, written as text, is made to; nil for one of which nothing can be made, which make is told to say, once for
// each node.
func (k *known[T]) of(n *document.Node, text string, make func() *T) *T {
	if made := k.byText[text]; made != nil || k.refused[n] {
		return made
	}
	if made := make(); made != nil {
		return k.byText.put(text, made)
	}
	if k.refused == nil {
		k.refused = map[*document.Node]bool{}
	}
	k.refused[n] = true
	return nil
}

// compiled returns what a node's text is compiled to; nil for no text, and for one that cannot be compiled, of which report hears.
func (k *known[T]) compiled(n *document.Node, compile func(string) (*T, error), report func(text string, err error)) *T {
	text := n.AsText()
	if text == "" {
		return nil
	}
	return k.of(n, text, func() *T {
		out, err := compile(text)
		if err != nil {
			report(text, err)
			return nil
		}
		return out
	})
}
