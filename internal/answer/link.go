package answer

import "strings"

// link handles the bracket at the current place if it closes the text of a link. It skips the link's address and title,
// or the label of a reference. An image is skipped whole. link returns false if the bracket closes no link.
func (r *renderer) link() bool {
	if len(r.open) == 0 {
		return false
	}
	open := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	end, address := r.target()
	if end < 0 {
		return false
	}
	r.at = end
	if open > 0 && r.out[open-1] == '!' {
		r.out = r.out[:open-1]
		return true
	}
	r.out[open] = removed
	if r.addresses && absolute(address) {
		r.keep(" (" + address + ")")
	}
	return true
}

// target reads the target of the link whose text ends at the current bracket. end is the end of the link, or -1 if this
// is no link. address is "" for a reference.
func (r *renderer) target() (end int, address string) {
	switch rest := r.text[r.at+1:]; {
	case strings.HasPrefix(rest, "("):
		if d, ok := destination(r.text, r.at+2, ")"); ok {
			return d.end, d.address
		}
	case strings.HasPrefix(rest, "["):
		if to := strings.IndexAny(rest[1:], "[]"); to >= 0 && rest[1+to] == ']' && r.labels[normal(rest[1:1+to])] {
			return r.at + 1 + 1 + to + 1, ""
		}
	}
	return -1, ""
}

// definitions returns the labels of the link definitions in text, as normal returns them.
func definitions(text string) map[string]bool {
	if !strings.Contains(text, "]:") {
		return nil
	}
	labels := map[string]bool{}
	for at := 0; at < len(text); at = lineEnd(text, at) + 1 {
		if d, ok := definition(text, at); ok {
			labels[normal(d.label)] = true
		}
	}
	return labels
}

// normal returns label in the form in which labels are compared.
func normal(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// goal is the target of a link or of a link definition, as it was read from the text.
type goal struct {
	label   string // of a link definition; "" for a link
	address string
	end     int // offset after the link or definition
}

// followed reports whether the target is an address or a place in a page. Any other target may be text that is meant to
// be read.
func (g goal) followed() bool { return strings.ContainsAny(g.address, "#/:") }

// definition reads the link definition in the line that begins at the offset at: [label]: address "title". ok is false
// if there is none. A footnote is no definition, because readers see its text.
func definition(text string, at int) (g goal, ok bool) {
	line := text[at:lineEnd(text, at)]
	bare := strings.TrimLeft(line, " >-*+0123456789.)")
	if bare == "" || bare[0] != '[' || strings.HasPrefix(bare, "[^") {
		return g, false
	}
	end := strings.IndexAny(bare[1:], "[]") + 1
	if end < 2 || !strings.HasPrefix(bare[end:], "]:") {
		return g, false
	}
	from := at + len(line) - len(bare) + end + len("]:")
	g, ok = destination(text, from, "\n")
	g.label = bare[1:end]
	return g, ok
}

// maxNested is the largest depth of nested brackets in an address.
const maxNested = 32

// destination reads an address and an optional title that begin at the offset at. They must be followed by closer, a
// closing bracket or a line feed. ok is false if they cannot be read.
func destination(text string, at int, closer string) (g goal, ok bool) {
	from, _ := space(text, at)
	to := addressEnd(text, from)
	if to < 0 || to == from && closer == "\n" {
		return g, false
	}
	g.address = strings.Trim(text[from:to], "<>")
	if end, parted := space(text, to); parted {
		if titled := titleEnd(text, end); titled > 0 {
			if end, ok := ends(text, titled, closer); ok {
				g.end = end
				return g, true
			}
		}
	}
	g.end, ok = ends(text, to, closer)
	return g, ok
}

// ends looks for closer, a closing bracket or a line feed, after optional white space. It returns the offset after
// closer, and whether closer is there. The end of text counts as a line feed.
func ends(text string, at int, closer string) (int, bool) {
	if closer == "\n" {
		for at < len(text) && strings.IndexByte(" \t\r", text[at]) >= 0 {
			at++
		}
		if at == len(text) {
			return at, true
		}
		return at + 1, text[at] == '\n'
	}
	at, _ = space(text, at)
	return at + 1, at < len(text) && text[at] == closer[0]
}

// space returns the end of the white space that begins at the offset at and has at most one line break. ok is false if
// there is no white space.
func space(text string, at int) (end int, ok bool) {
	for end = at; end < len(text) && strings.IndexByte(" \t\r\n", text[end]) >= 0; end++ {
		if text[end] == '\n' && strings.IndexByte(text[at:end], '\n') >= 0 {
			break
		}
	}
	return end, end > at
}

// addressEnd returns the end of the address that begins at the offset at, or -1 if there is none. An address in angle
// brackets ends after the closing one. Any other address ends before a space or a round bracket without a partner.
func addressEnd(text string, at int) int {
	if at < len(text) && text[at] == '<' {
		end := strings.IndexAny(text[at+1:], "<>\n")
		if end < 0 || text[at+1+end] != '>' {
			return -1
		}
		return at + 1 + end + 1
	}
	depth := 0
	for ; at < len(text) && text[at] > ' '; at++ {
		switch text[at] {
		case '\\':
			at++
		case '(':
			if depth++; depth > maxNested {
				return -1
			}
		case ')':
			if depth--; depth < 0 {
				return at
			}
		}
	}
	return min(at, len(text))
}

// titleEnd returns the end of the title in quotation marks or brackets that begins at the offset at. It returns 0 if no
// title begins there.
func titleEnd(text string, at int) int {
	if at >= len(text) {
		return 0
	}
	closers := map[byte]byte{'"': '"', '\'': '\'', '(': ')'}
	last, ok := closers[text[at]]
	if !ok {
		return 0
	}
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == last:
			return i + 1
		case c == '(' && last == ')', c == '\n' && i+1 < len(text) && text[i+1] == '\n':
			return 0
		}
	}
	return 0
}

// endsParagraph reports whether the output so far ends a paragraph, so that the next line begins a new one.
func endsParagraph(out []byte) bool {
	text := strings.TrimSuffix(string(out[max(0, len(out)-lineLooked):]), "\n")
	line := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	return strings.Trim(line, "-*_= `~\x00") == "" || line[0] == '#'
}

// lineLooked is the number of bytes of a line that endsParagraph reads.
const lineLooked = 200
