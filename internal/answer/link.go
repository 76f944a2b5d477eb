package answer

import (
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Parts of patterns: white space with at most one line break; an address in angle brackets; an optional title, in
// quotation marks or round brackets, which stands apart from the address and has no blank line; and a label.
var (
	gap     = `[ \t\r]*(?:\n[ \t\r]*)?`
	escaped = `\\(?s:.)`
	angled  = `<(?:[^<>\n\\]|` + escaped + `)*>`
	loose   = `<(?:[^>\n\\]|\\.)*>` // an address in a definition, as the most lenient renderers take it
	title   = `(?:(?:[ \t\r]+(?:\n[ \t\r]*)?|\n[ \t\r]*)(?:` + quoted(`"`, `"`) + `|` + quoted(`'`, `'`) + `|` +
		quoted(`\(`, `\)`) + `))?`
	label = `((?:[^\[\]\\]|` + escaped + `)*)`
)

func quoted(begin, end string) string {
	return begin + `(?:\n?(?:[^` + begin + end + `\\\n]|` + escaped + `))*\n?` + end
}

var (
	// linkBegin and linkEnd match the end of a link, from the bracket that closes its text: to the address, with an
	// address in angle brackets, and behind the address.
	linkBegin = regexp.MustCompile(`^\]\(` + gap + `(` + angled + `)?`)
	linkEnd   = regexp.MustCompile(`^` + title + gap + `\)`)
	// labeled matches the end of a link whose address is in the definition of a label.
	labeled = regexp.MustCompile(`^\]\[` + label + `\]`)
	// defines matches a definition of a label: [label]: address "title".
	defines = regexp.MustCompile(layout + `\[` + label + `\]:` + gap + `(` + loose + `|[^\s<]\S*)` + title +
		`[ \t\r]*(?:\n|$)`)
)

// addressed reads the end of a link at the beginning of text, from the bracket that closes its text. size is 0 if that
// has no address.
func addressed(text string) (url string, size int) {
	begin := linkBegin.FindStringSubmatch(text)
	if begin == nil {
		return "", 0
	}
	rest := text[len(begin[0]):]
	if begin[1] == "" {
		url = rest[:balanced(rest, " \t\n\v\f\r", "(", ")")]
		rest = rest[len(url):]
	}
	end := linkEnd.FindString(rest)
	if end == "" || strings.HasPrefix(url, "<") {
		return "", 0
	}
	return url + strings.Trim(begin[1], "<>"), len(text) - len(rest) + len(end)
}

// balanced returns the length of the longest beginning of text without a byte of stops, in which every closing bracket
// has its partner. More than maxNested brackets in each other end it.
func balanced(text, stops, opening, closing string) (size int) {
	for depth := 0; size < len(text); size++ {
		switch c := text[size : size+1]; {
		case strings.Contains(stops, c), depth == 0 && strings.Contains(closing, c), depth > maxNested:
			return size
		case c == "\\":
			size++
		case strings.Contains(opening, c):
			depth++
		case strings.Contains(closing, c):
			depth--
		}
	}
	return len(text)
}

// maxNested is the largest depth of nested brackets in an address.
const maxNested = 32

// maxLabel is the largest length of a label and its opening bracket, in bytes.
const maxLabel = 1000

// link handles the bracket at the current place if it closes the text of a link. It skips the link's address and title,
// or the label of a reference. An image is skipped whole. link returns false if the bracket closes no link.
func (p *page) link() bool {
	if len(p.links) == 0 {
		return false
	}
	open := p.links[len(p.links)-1]
	p.links = p.links[:len(p.links)-1]
	image := open > 0 && p.out[open-1] == '!'
	rest := p.text[p.at:]
	url, size := addressed(rest)
	reference := labeled.FindStringSubmatch(rest)
	switch {
	case size > 0:
	case reference != nil && p.labels[normal(reference[1])]:
		size = len(reference[0])
	case image && len(p.out)-open <= maxLabel && p.labels[normal(string(p.out[open+1:]))]: // named by its text
		size = len("]")
		if strings.HasPrefix(rest, "][]") {
			size = len("][]")
		}
	default:
		return false
	}
	switch {
	case image:
		p.out = p.out[:open-1]
	case open >= 0:
		p.out[open] = removed
	}
	p.skip(size)
	if !image {
		p.follow(" (", url, ")")
	}
	return true
}

// follow keeps the address url between before and after, if addresses are kept and this one can be followed.
func (p *page) follow(before, url, after string) {
	if p.addresses && absolute.MatchString(url) {
		p.keep(before + url + after)
	}
}

// definition is the definition of a label in a text.
type definition struct {
	url string
	end int // offset behind it
}

// define finds the definitions in the text. A footnote is none, because readers see its text.
func (p *page) define() {
	if !strings.Contains(p.text, "]:") {
		return
	}
	p.labels, p.defined = map[string]bool{}, map[int]definition{}
	for at := 0; at < len(p.text); at = lineEnd(p.text, at) + 1 {
		m := defines.FindStringSubmatch(p.text[at:])
		if m != nil && m[1] != "" && m[1][0] != '^' {
			p.labels[normal(m[1])] = true
			p.defined[at] = definition{strings.Trim(m[2], "<>"), at + len(m[0])}
		}
	}
}

// definition skips the definition in the line at the current place. Within a paragraph there is none, but an address
// that can be followed is no text that is meant to be read.
func (p *page) definition(inProse bool) bool {
	d, ok := p.defined[p.at]
	if !ok || inProse && !strings.ContainsAny(d.url, "#/:") {
		return false
	}
	p.skip(d.end - p.at)
	p.follow("(", d.url, ")\n")
	return true
}

// normal returns label in the form in which labels are compared.
func normal(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// absolute matches the beginning of an address that can be followed from anywhere.
var absolute = regexp.MustCompile(`^(?i:https?://|www\.|mailto:)`)

// address skips the address of a page at the current place, because words in an address state nothing. It returns false
// if no address begins here or if addresses are kept.
func (p *page) address() bool {
	rest := p.text[p.at:]
	if p.addresses || english.IsWordRuneBefore(p.text, p.at) || !absolute.MatchString(rest) {
		return false
	}
	size := balanced(rest, " \t\r\n<>\"`|", "([", ")]")
	p.at += len(strings.TrimRight(rest[:size], ".,;:!?*_~'"))
	return true
}
