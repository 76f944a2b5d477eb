package document

import "encoding/binary"

// AppendNode appends a tree to buf in a compact form that Kept reads: kinds and texts, without places. n may be nil.
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

// Kept reads what AppendNode wrote.
func Kept(text []byte) *Node {
	k := nodeReader{string(text)}
	return k.node()
}

// nodeReader holds the text that is still to be read.
type nodeReader struct{ rest string }

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
	n := &Node{Kind: Kind(kind - 1)}
	switch n.Kind {
	case List:
		n.items = make([]*Node, k.number())
		for i := range n.items {
			n.items[i] = k.node()
		}
	case Map:
		length := k.number()
		n.Keys, n.Values = make([]*Node, length), make([]*Node, length)
		for i := range n.Keys {
			n.Keys[i] = &Node{Kind: String, Text: k.text()}
			n.Values[i] = k.node()
		}
	default:
		n.Text = k.text()
	}
	return n
}
