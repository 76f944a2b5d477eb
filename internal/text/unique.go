package text

import "strings"

// Names makes names unique by numbers. The zero value has no names.
type Names struct {
	Fold bool           // reports whether names are equal that differ only in letter case
	last map[string]int // the last number that was tried for a name; 0 if the name is free
}

// Free returns name if it is free, else the first free one of numbered(2), numbered(3), …. The result is taken then.
func (n *Names) Free(name string, numbered func(int) string) string {
	if n.last == nil {
		n.last = map[string]int{}
	}
	free := name
	for n.last[n.key(free)] > 0 {
		n.last[n.key(name)]++
		free = numbered(n.last[n.key(name)])
	}
	n.last[n.key(free)] = 1
	return free
}

func (n *Names) key(name string) string {
	if n.Fold {
		return strings.ToLower(name)
	}
	return name
}
