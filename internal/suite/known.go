package suite

import "github.com/failproof/failproof/internal/document"

// known holds what was compiled, by its text: to compile an expression costs as much as to judge fifty answers by it, and the cases of a
// tree repeat a few. The zero value is ready.
type known[T any] struct {
	byText  map[string]*T
	refused map[*document.Node]bool // which have been reported
}

// compiled returns what a node's text is compiled to; nil for no text, and for one that cannot be compiled, of which report hears once
// for each node.
func (k *known[T]) compiled(n *document.Node, compile func(string) (*T, error), report func(text string, err error)) *T {
	text := stringOf(n)
	if text == "" || k.refused[n] {
		return nil
	}
	if k.byText[text] != nil {
		return k.byText[text]
	}
	if k.byText == nil {
		k.byText, k.refused = map[string]*T{}, map[*document.Node]bool{}
	}
	out, err := compile(text)
	if err != nil {
		k.refused[n] = true
		report(text, err)
		return nil
	}
	k.byText[text] = out
	return out
}
