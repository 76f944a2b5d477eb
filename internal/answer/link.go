package answer

import (
	"regexp"
	"strings"
)

// Parts of patterns: white space with at most one line break, and an optional title. A title is in quotation marks or
// round brackets, stands apart from the address before it and has no blank line.
var (
	gap   = `[ \t\r]*(?:\n[ \t\r]*)?`
	title = `(?:(?:[ \t\r]+(?:\n[ \t\r]*)?|\n[ \t\r]*)(?:` + quoted(`"`, `"`) + `|` + quoted(`'`, `'`) + `|` +
		quoted(`\(`, `\)`) + `))?`
)

func quoted(begin, end string) string {
	return begin + `(?:\n?(?:[^` + begin + end + `\\\n]|\\(?s:.)))*\n?` + end
}

var (
	// linkBegin and linkEnd match what stands before and after the address of a link, from the bracket that closes the
	// text of the link.
	linkBegin = regexp.MustCompile(`^\]\(` + gap)
	linkEnd   = regexp.MustCompile(`^` + title + gap + `\)`)
	// labeled matches the end of a link whose address is in the definition of a label.
	labeled = regexp.MustCompile(`^\]\[([^\[\]]*)\]`)
	// definitionBegin and definitionEnd match what stands before and after the address in a line that defines a label:
	// [label]: address "title". A footnote is no definition, because readers see its text.
	definitionBegin = regexp.MustCompile(`^[ >\-*+0-9.)]*\[([^\[\]\n^][^\[\]\n]*)\]:` + gap)
	definitionEnd   = regexp.MustCompile(`^` + title + `[ \t\r]*(?:\n|$)`)
	// angled matches an address in angle brackets.
	angled = regexp.MustCompile(`^<[^<>\n]*>`)
)

// maxLabel is the largest length of a label and its opening bracket, in bytes.
const maxLabel = 1000

// maxNested is the largest depth of nested brackets in an address.
const maxNested = 32

// link handles the bracket at the current place if it closes the text of a link. It skips the link's address and title,
// or the label of a reference. An image is skipped whole. link returns false if the bracket closes no link.
func (r *renderer) link() bool {
	if len(r.open) == 0 {
		return false
	}
	open := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	image := open > 0 && r.out[open-1] == '!'
	address, size := "", 0
	if begin := linkBegin.FindString(r.text[r.at:]); begin != "" {
		address, size = destination(r.text[r.at:], len(begin), linkEnd)
	} else if m := labeled.FindStringSubmatch(r.text[r.at:]); m != nil && m[1] != "" && r.labels[normal(m[1])] {
		size = len(m[0])
	} else if image && len(r.out)-open <= maxLabel && r.labels[normal(string(r.out[open+1:]))] {
		size = 1 // the text of the image is its label
		if m != nil && m[1] == "" {
			size = len(m[0])
		}
	}
	if size == 0 {
		return false
	}
	r.at += size
	if image {
		r.out = r.out[:open-1]
		return true
	}
	r.out[open] = removed
	r.follow(" (", strings.Trim(address, "<>"), ")")
	return true
}

// follow keeps the address between before and after, if addresses are kept and this one can be followed.
func (r *renderer) follow(before, address, after string) {
	if r.addresses && absolute(address) {
		r.keep(before + address + after)
	}
}

// definition reads the link definition in the line at the beginning of text. size is 0 if there is none.
func definition(text string) (label, address string, size int) {
	line := lineEnd(text, 0)
	if !strings.Contains(text[:line], "]:") {
		return "", "", 0
	}
	next := lineEnd(text, min(line+1, len(text))) // the address may be in the next line
	begin := definitionBegin.FindStringSubmatch(text[:next])
	if begin == nil {
		return "", "", 0
	}
	if address, size = destination(text, len(begin[0]), definitionEnd); address == "" {
		return "", "", 0
	}
	return begin[1], strings.Trim(address, "<>"), size
}

// destination reads the address at the offset at, and what end matches after it. It returns the address and the offset
// after both, or 0 if they cannot be read.
func destination(text string, at int, end *regexp.Regexp) (address string, to int) {
	size := addressSize(text[at:])
	if size < 0 {
		return "", 0
	}
	rest := text[at+size:]
	if next := strings.TrimLeft(rest, " \t\r\n"); next != "" && strings.IndexByte("\"'(", next[0]) < 0 {
		rest = rest[:len(rest)-len(next)+1] // there is no title, so that end needs no more of the text
	}
	found := end.FindStringIndex(rest)
	if found == nil {
		return "", 0
	}
	return text[at : at+size], at + size + found[1]
}

// addressSize returns the length of the address at the beginning of text, or -1 if there is none. An address without
// angle brackets ends before a space or a round bracket without a partner.
func addressSize(text string) int {
	if strings.HasPrefix(text, "<") {
		if angled := angled.FindString(text); angled != "" {
			return len(angled)
		}
		return -1
	}
	depth := 0
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c <= ' ', c == ')' && depth == 0:
			return at
		case c == '\\':
			at++
		case c == '(' && depth == maxNested:
			return -1
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return len(text)
}

// definitions returns the labels of the link definitions in text, as normal returns them.
func definitions(text string) map[string]bool {
	if !strings.Contains(text, "]:") {
		return nil
	}
	labels := map[string]bool{}
	for at := 0; at < len(text); at = lineEnd(text, at) + 1 {
		if label, _, size := definition(text[at:]); size > 0 {
			labels[normal(label)] = true
		}
	}
	return labels
}

// normal returns label in the form in which labels are compared.
func normal(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// endsParagraph reports whether the output so far ends a paragraph, so that the next line begins a new one.
func endsParagraph(out []byte) bool {
	text := strings.TrimSuffix(string(out[max(0, len(out)-lineLooked):]), "\n")
	line := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	return strings.Trim(line, "-*_= `~\x00") == "" || line[0] == '#'
}

// lineLooked is the number of bytes of a line that endsParagraph reads.
const lineLooked = 200
