package expect

import (
	"fmt"
	"slices"
	"strings"
)

// jsonSpace is JSON's white space.
const jsonSpace = " \t\r\n"

// readJSON reads text as JSON. If that fails, it applies the heuristics one after the other until one finds an object
// or an array. Each heuristic takes linear time, even for hostile text.
func readJSON(text string) jsonReading {
	strict := strictJSON(text)
	if strict.fault == "" {
		return strict
	}
	body, others, fenced := (candidate{text: text}).fence()
	if fenced && body.parse() {
		if body.contradicted(text, others) {
			return jsonReading{fault: faultBlocks}
		}
		return body.reading()
	}
	groups := body.spans()
	for _, group := range groups {
		if r, ok := firstReadable(group); ok {
			return r
		}
	}
	if fenced || startsContainer(text) {
		// The whole answer is meant as JSON, so report the error that the repairs left.
		return jsonReading{fault: groups[0][0].fault(text)}
	}
	return strict
}

// firstReadable returns the first candidate that parses. If none does, it applies the next repair to all candidates.
func firstReadable(candidates []candidate) (jsonReading, bool) {
	asItIs := func(*candidate) {}
	for _, repair := range [...]func(*candidate){asItIs, (*candidate).dropCommas, (*candidate).fixEscapes} {
		for i := range candidates {
			repair(&candidates[i])
		}
		for i := range candidates {
			if c := &candidates[i]; c.parse() {
				return c.reading(), true
			}
		}
	}
	return jsonReading{}, false
}

func startsContainer(text string) bool {
	text = strings.TrimLeft(text, jsonSpace)
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// candidate is a part of the answer that may be JSON.
type candidate struct {
	text    string // as repaired so far
	start   int    // byte offset of the part in the answer
	before  string // text before string escapes were fixed; "" if none was
	repairs []string

	tried bool // text was parsed, with this result:
	value any
	wrong *jsonFault
}

// parse reports whether the candidate is a JSON object or array.
func (c *candidate) parse() bool {
	if !c.tried {
		c.tried = true
		c.value, c.wrong = decodeJSON(c.text)
	}
	return c.wrong == nil && startsContainer(c.text)
}

func (c *candidate) reading() jsonReading { return jsonReading{value: c.value, repairs: c.repairs} }

func (c *candidate) change(name, text string) {
	c.text, c.tried = text, false
	c.repairs = append(c.repairs[:len(c.repairs):len(c.repairs)], name)
}

func (c *candidate) fault(answer string) string {
	if c.parse() || c.wrong == nil {
		return "Expected a JSON object or array"
	}
	at := c.wrong.at
	if c.before != "" {
		at = beforeEscapes(c.before, at)
	}
	return c.wrong.in(answer, c.start+at)
}

func (c candidate) part(from, to int) candidate {
	c.text, c.start, c.tried = c.text[from:to], c.start+from, false
	return c
}

// spans returns the span from the first { to the last } and the span from the first [ to the last ], in groups. Each
// group is parsed and repaired before the next. Spans that are not nested are one group, the longer one first. If there
// is no span, the candidate itself is the only group.
//
// If one span is inside the other, each is a group, the outer one first; otherwise {"a":[1],} would be read as its
// list. The inner one is left out if the outer one begins with {" or [{, because prose in brackets does not begin so.
func (c candidate) spans() [][]candidate {
	object, hasObject := c.span('{', '}')
	list, hasList := c.span('[', ']')
	switch {
	case !hasObject && !hasList:
		return [][]candidate{{c}}
	case !hasList:
		return [][]candidate{{object}}
	case !hasObject:
		return [][]candidate{{list}}
	case object.encloses(list) && secondSign(object.text, `"`):
		return [][]candidate{{object}}
	case object.encloses(list):
		return [][]candidate{{object}, {list}}
	case list.encloses(object) && secondSign(list.text, `{`):
		return [][]candidate{{list}}
	case list.encloses(object):
		return [][]candidate{{list}, {object}}
	case len(list.text) > len(object.text):
		return [][]candidate{{list, object}}
	}
	return [][]candidate{{object, list}}
}

// span returns the part from the first opening to the last closing bracket.
func (c candidate) span(opening, closing byte) (candidate, bool) {
	from, to := strings.IndexByte(c.text, opening), strings.LastIndexByte(c.text, closing)
	if from < 0 || to < from {
		return c, false
	}
	span := c.part(from, to+1)
	if len(span.text) < len(strings.Trim(c.text, jsonSpace)) {
		span.change(repairSpan, span.text)
	}
	return span, true
}

func (c candidate) encloses(d candidate) bool {
	return c.start < d.start && d.start+len(d.text) < c.start+len(c.text)
}

// secondSign reports whether sign follows the opening bracket of text, after white space if any.
func secondSign(text, sign string) bool {
	return strings.HasPrefix(strings.TrimLeft(text[1:], jsonSpace), sign)
}

// dropCommas replaces every comma between a value and a closing bracket by a space. Commas in strings stay.
func (c *candidate) dropCommas() {
	out, changed := []byte(c.text), false
	inString, previous, comma := false, byte(0), -1
	for i := 0; i < len(c.text); i++ {
		b := c.text[i]
		switch {
		case inString && b == '\\':
			i++
		case inString:
			inString = b != '"'
		case strings.IndexByte(jsonSpace, b) >= 0:
		default:
			if comma >= 0 && (b == '}' || b == ']') {
				out[comma], changed = ' ', true // a space keeps the offsets
			}
			comma = -1
			if b == ',' && strings.IndexByte("[{,:", previous) < 0 {
				comma = i
			}
			inString, previous = b == '"', b
		}
	}
	if changed {
		c.change(repairCommas, string(out))
	}
}

// fixEscapes escapes raw control characters in strings, and fixes backslashes that begin no valid escape.
func (c *candidate) fixEscapes() {
	var out strings.Builder
	changed := false
	for e := (escapes{text: c.text}); e.at < len(e.text); {
		from := e.at
		piece := e.next()
		changed = changed || piece != e.text[from:e.at]
		out.WriteString(piece)
	}
	if changed {
		c.before = c.text
		c.change(repairEscapes, out.String())
	}
}

// beforeEscapes converts a byte offset in fixEscapes' result to the offset in its input.
func beforeEscapes(text string, after int) int {
	written := 0
	for e := (escapes{text: text}); e.at < len(e.text); {
		from := e.at
		if written += len(e.next()); written > after {
			return from
		}
	}
	return len(text)
}

// escapes reads a text piece by piece, to repair escapes and control characters in its JSON strings.
type escapes struct {
	text     string
	at       int
	inString bool
}

// next skips the next piece and returns its replacement.
func (e *escapes) next() string {
	b := e.text[e.at]
	switch {
	case e.inString && b == '\\':
		return e.escape()
	case e.inString && b < 0x20:
		e.at++
		return escapedControl(b)
	case b == '"':
		e.inString = !e.inString
	}
	e.at++
	return e.text[e.at-1 : e.at]
}

func (e *escapes) escape() string {
	rest := e.text[e.at+1:]
	switch {
	case rest == "":
		e.at++
		return `\`
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		e.at += 2
		return e.text[e.at-2 : e.at]
	case rest[0] == 'u' && hexDigits(rest[1:], 4):
		e.at += 6
		return e.text[e.at-6 : e.at]
	case rest[0] == 'x' && hexDigits(rest[1:], 2):
		e.at += 4
		return `\u00` + e.text[e.at-2:e.at]
	}
	e.at++
	if isLetter(rest[0]) || isDigit(rest[0]) || rest[0] >= 0x80 {
		return `\\` // a lone backslash was meant: \d, C:\Users
	}
	return "" // Markdown and JavaScript escape punctuation and line ends: \_ \' \$
}

func escapedControl(b byte) string {
	if i := strings.IndexByte("\b\f\n\r\t", b); i >= 0 {
		return `\` + "bfnrt"[i:i+1]
	}
	return fmt.Sprintf(`\u%04x`, b)
}

func hexDigits(s string, n int) bool {
	return len(s) >= n && strings.Trim(s[:n], "0123456789abcdefABCDEF") == ""
}

type block struct {
	from, to int // byte offsets
	json     bool
}

// fence returns the content of the first fenced block that is labeled as JSON. If there is none, it returns the first
// block that begins with a bracket. others are further blocks of that kind. In a text that begins with a bracket, a
// fence is part of a string.
func (c candidate) fence() (inside candidate, others []block, found bool) {
	if startsContainer(c.text) {
		return c, nil, false
	}
	all := blocks(c.text)
	meant := func(b block) bool { return b.json }
	if !slices.ContainsFunc(all, meant) {
		meant = func(b block) bool { return startsContainer(c.text[b.from:b.to]) }
	}
	all = slices.DeleteFunc(all, func(b block) bool { return !meant(b) })
	if len(all) == 0 {
		return c, nil, false
	}
	inside = c.part(all[0].from, all[0].to)
	inside.change(repairFence, inside.text)
	return inside, all[1:], true
}

// contradicted reports whether another block has a different JSON value, as when a model corrects "approve" to "deny".
// Programs differ in which of the two they read.
func (c *candidate) contradicted(answer string, others []block) bool {
	return slices.ContainsFunc(others, func(b block) bool {
		other, fault := decodeJSON(answer[b.from:b.to])
		return fault == nil && differ(c.value, other) != nil
	})
}

// blocks returns the fenced blocks of a Markdown text. An unclosed block, as of a truncated answer, ends with the text.
func blocks(text string) []block {
	var out []block
	var open string // the fence that is open
	var b block
	for at := 0; at < len(text); {
		end := len(text)
		if feed := strings.IndexByte(text[at:], '\n'); feed >= 0 {
			end = at + feed + 1
		}
		mark, from := fenceMark(text[at:end])
		switch {
		case open == "" && mark != "":
			open = mark
			b, open = openBlock(text, at+from, end, mark)
			if open == "" {
				out = append(out, b)
			}
		case open != "" && strings.HasPrefix(mark, open) && strings.TrimSpace(text[at+from:end]) == "":
			b.to, open = at, ""
			out = append(out, b)
		}
		at = end
	}
	if open != "" {
		b.to = len(text)
		if last := strings.LastIndex(text[b.from:], open); last >= 0 {
			b.to = b.from + last // closed, but not on a line of its own
		}
		out = append(out, b)
	}
	return out
}

// openBlock returns the block that a fence opens, and the mark that closes it. The mark is "" if the fence's own line
// closes the block, as in ```json {"a":1}```. text[fenceEnd:lineEnd] is the rest of that line.
func openBlock(text string, fenceEnd, lineEnd int, mark string) (b block, closer string) {
	label := labelEnd(text[fenceEnd:lineEnd])
	b = block{from: fenceEnd + label, json: slices.Contains(jsonLabels,
		strings.ToLower(strings.TrimSpace(text[fenceEnd:fenceEnd+label])))}
	rest := strings.TrimRight(text[b.from:lineEnd], jsonSpace)
	if len(rest) > len(mark) && strings.HasSuffix(rest, mark) {
		b.to = b.from + len(rest) - len(mark)
		return b, ""
	}
	return b, mark
}

// fenceMark returns the run of three or more ` or ~ that begins a line, and where it ends.
func fenceMark(s string) (mark string, end int) {
	from := len(s) - len(strings.TrimLeft(s, " \t>"))
	end = from
	for end < len(s) && (s[end] == '`' || s[end] == '~') && s[end] == s[from] {
		end++
	}
	if end-from < 3 {
		return "", 0
	}
	return s[from:end], end
}

// labelEnd returns the length of the language name after a fence, with the white space before it.
func labelEnd(s string) int {
	from := len(s) - len(strings.TrimLeft(s, " \t"))
	end := from
	for end < len(s) && (isLetter(s[end]) || isDigit(s[end]) || strings.IndexByte("-_+.#", s[end]) >= 0) {
		end++
	}
	return end
}

var jsonLabels = []string{"json", "jsonc", "json5", "application-json"}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
