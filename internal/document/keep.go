package document

import "encoding/binary"

// AppendNode appends a tree to buf in a compact form that Lines.Kept reads: kinds and texts, without places. n may be nil.
func AppendNode(buf []byte, n *Node) []byte {
	if n == nil {
		return append(buf, 0)
	}
	buf = append(buf, byte(n.Kind)+1)
	switch n.Kind {
	case List:
		buf = binary.AppendUvarint(buf, uint64(n.Len()))
		for _, item := range n.Items() {
			buf = AppendNode(buf, item)
		}
	case Map:
		buf = binary.AppendUvarint(buf, uint64(len(n.Keys)))
		for i, key := range n.Keys {
			buf = AppendNode(appendText(buf, key.Text), n.Values[i])
		}
	default:
		buf = appendText(buf, n.Text)
	}
	return buf
}

func appendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

// Kept reads what AppendNode wrote. The tree holds until the next call, its texts for good.
func (l *Lines) Kept(text []byte) *Node {
	l.reuse()
	k := nodeReader{l, string(text)}
	return k.node()
}

// nodeReader holds the text that is still to be read.
type nodeReader struct {
	lines *Lines
	rest  string
}

func (k *nodeReader) number() int {
	n, shift := 0, 0
	for {
		b := k.rest[0]
		k.rest = k.rest[1:]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
		shift += 7
	}
}

func (k *nodeReader) text() string {
	n := k.number()
	text := k.rest[:n]
	k.rest = k.rest[n:]
	return text
}

func (k *nodeReader) node() *Node {
	kind := k.rest[0]
	k.rest = k.rest[1:]
	if kind == 0 {
		return nil
	}
	n := k.lines.node()
	n.Kind = Kind(kind - 1)
	switch n.Kind {
	case List:
		for range k.number() {
			n.items = append(n.items, k.node())
		}
	case Map:
		for range k.number() {
			key := k.lines.node()
			key.Kind, key.Text = String, k.text()
			n.Keys, n.Values = append(n.Keys, key), append(n.Values, k.node())
		}
	default:
		n.Text = k.text()
	}
	return n
}
