package expect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/text"
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
	body, others, fenced := (jsonCandidate{text: text}).fencedBlock()
	if value, ok := body.container(); ok {
		if differ(value, text, others) {
			return jsonReading{fault: faultBlocks}
		}
		return jsonReading{value: value, repairs: body.repairs}
	}
	groups := body.spans()
	for _, group := range groups {
		if r, ok := firstParsed(group); ok {
			return r
		}
	}
	if fenced || startsContainer(text) {
		// The whole answer is meant as JSON, so report the error that the repairs left.
		return jsonReading{fault: groups[0][0].fault(text)}
	}
	return strict
}

// firstParsed returns the first candidate that parses. If none does, it applies the next repair to all candidates.
func firstParsed(candidates []jsonCandidate) (jsonReading, bool) {
	asItIs := func(*jsonCandidate) {}
	for _, repair := range [...]func(*jsonCandidate){asItIs, (*jsonCandidate).dropCommas, (*jsonCandidate).fixEscapes} {
		for i := range candidates {
			repair(&candidates[i])
		}
		for i := range candidates {
			if value, ok := candidates[i].container(); ok {
				return jsonReading{value: value, repairs: candidates[i].repairs}, true
			}
		}
	}
	return jsonReading{}, false
}

func startsContainer(text string) bool {
	text = strings.TrimLeft(text, jsonSpace)
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// jsonCandidate is a part of the answer that may be JSON.
type jsonCandidate struct {
	text    string // as repaired so far
	start   int    // byte offset of the part in the answer
	offsets []int  // by byte of text: its offset before string escapes were fixed; nil if none was
	repairs []string
}

// container returns the value of the candidate if that is a JSON object or array.
func (c *jsonCandidate) container() (value any, ok bool) {
	if !startsContainer(c.text) {
		return nil, false
	}
	value, fault := decodeJSON(c.text)
	return value, fault == nil
}

func (c *jsonCandidate) setRepaired(name, text string) {
	c.text, c.repairs = text, append(slices.Clip(c.repairs), name)
}

// fault returns why the candidate is no JSON object or array.
func (c *jsonCandidate) fault(answer string) string {
	_, fault := decodeJSON(c.text)
	if fault == nil {
		return "Expected a JSON object or array"
	}
	at := fault.offset
	if c.offsets != nil {
		at = c.offsets[at]
	}
	return fault.message(answer, c.start+at)
}

func (c jsonCandidate) slice(from, to int) jsonCandidate {
	c.text, c.start = c.text[from:to], c.start+from
	return c
}

// spans returns the span from the first { to the last } and the span from the first [ to the last ], in groups. Each
// group is parsed and repaired before the next. Spans that are not nested are one group, the longer one first. If there
// is no span, the candidate itself is the only group.
//
// If one span is inside the other, each is a group, the outer one first; otherwise {"a":[1],} would be read as its
// list. The inner one is left out if the outer one begins with {" or [{, because prose in brackets does not begin so.
func (c jsonCandidate) spans() [][]jsonCandidate {
	var spans []jsonCandidate
	for _, brackets := range [...]string{"{}", "[]"} {
		from, to := strings.IndexByte(c.text, brackets[0]), strings.LastIndexByte(c.text, brackets[1])
		if from < 0 || to < from {
			continue
		}
		span := c.slice(from, to+1)
		if len(span.text) < len(strings.Trim(c.text, jsonSpace)) {
			span.setRepaired(repairSpan, span.text)
		}
		spans = append(spans, span)
	}
	slices.SortStableFunc(spans, func(a, b jsonCandidate) int { return len(b.text) - len(a.text) })
	switch {
	case len(spans) == 0:
		return [][]jsonCandidate{{c}}
	case len(spans) == 1 || spans[1].start < spans[0].start || spans[1].end() > spans[0].end():
		return [][]jsonCandidate{spans}
	case beginsJSON.MatchString(spans[0].text):
		return [][]jsonCandidate{spans[:1]}
	}
	return [][]jsonCandidate{spans[:1], spans[1:]}
}

func (c jsonCandidate) end() int { return c.start + len(c.text) }

// beginsJSON matches the beginning of an object, or of a list of objects.
var beginsJSON = regexp.MustCompile(`^(?:\{[ \t\r\n]*"|\[[ \t\r\n]*\{)`)

// These find what the repairs change in JSON, whose strings may lack their end.
var (
	jsonString = regexp.MustCompile(quotedString)
	// a string, a comma without a value before it, or one before a closing bracket
	commaPlace = regexp.MustCompile(quotedString + `|[\[{:,](?:[ \t\r\n]*,)+|,[ \t\r\n]*[}\]]`)
	// in a string: an escape of JSON or the end, \xHH, \ before a letter or digit, any other \, or a control character
	escapePlace = regexp.MustCompile(`(\\(?:["\\/bfnrt]|u[[:xdigit:]]{4}|\z))|\\x([[:xdigit:]]{2})|` +
		`\\([[:alnum:]]|[^\x00-\x7f])|\\|([\x00-\x1f])`)
)

const quotedString = `(?s)"(?:[^"\\]|\\.)*\\?"?`

// dropCommas replaces every comma between a value and a closing bracket by a space. Commas in strings stay.
func (c *jsonCandidate) dropCommas() {
	fixed := commaPlace.ReplaceAllStringFunc(c.text, func(found string) string {
		if found[0] == ',' && !strings.HasSuffix(found, ",") {
			return " " + found[1:] // a space keeps the offsets
		}
		return found
	})
	if fixed != c.text {
		c.setRepaired(repairCommas, fixed)
	}
}

// fixEscapes escapes raw control characters in strings, and fixes backslashes that begin no valid escape.
func (c *jsonCandidate) fixEscapes() {
	var out []byte
	var offsets []int
	next := 0
	replace := func(from, to int, by string) {
		for ; next < from; next++ {
			out, offsets = append(out, c.text[next]), append(offsets, next)
		}
		for i := range len(by) {
			out, offsets = append(out, by[i]), append(offsets, from)
		}
		next = to
	}
	for _, span := range jsonString.FindAllStringIndex(c.text, -1) {
		inside := c.text[span[0]:span[1]]
		for _, m := range escapePlace.FindAllStringSubmatchIndex(inside, -1) {
			from, to := span[0]+m[0], span[0]+m[1]
			switch {
			case m[2] >= 0: // valid
			case m[4] >= 0:
				replace(from, to, `\u00`+inside[m[4]:m[5]])
			case m[6] >= 0: // a lone backslash was meant: \d, C:\Users
				replace(from, from+1, `\\`)
			case m[8] >= 0:
				replace(from, to, strings.Trim(string(text.MustJSON(inside[m[8]:m[9]])), `"`))
			default: // Markdown and JavaScript escape punctuation and line ends: \_ \' \$
				replace(from, to, "")
			}
		}
	}
	if replace(len(c.text), len(c.text), ""); string(out) != c.text {
		c.offsets = append(offsets, len(c.text))
		c.setRepaired(repairEscapes, string(out))
	}
}

type block struct {
	from, to    int // byte offsets
	labeledJSON bool
}

// fencedBlock returns the content of the first fenced block that is labeled as JSON. If there is none, it returns the
// first block that begins with a bracket. others are further blocks of that kind. In a text that begins with a bracket,
// a fence is part of a string.
func (c jsonCandidate) fencedBlock() (inside jsonCandidate, others []block, found bool) {
	if startsContainer(c.text) {
		return c, nil, false
	}
	all := blocks(c.text)
	isJSON := func(b block) bool { return b.labeledJSON }
	if !slices.ContainsFunc(all, isJSON) {
		isJSON = func(b block) bool { return startsContainer(c.text[b.from:b.to]) }
	}
	all = slices.DeleteFunc(all, func(b block) bool { return !isJSON(b) })
	if len(all) == 0 {
		return c, nil, false
	}
	inside = c.slice(all[0].from, all[0].to)
	inside.setRepaired(repairFence, inside.text)
	return inside, all[1:], true
}

// differ reports whether a block has another JSON value, as when a model corrects "approve" to "deny". Programs differ
// in which of the two they read.
func differ(value any, answer string, others []block) bool {
	return slices.ContainsFunc(others, func(b block) bool {
		other, fault := decodeJSON(answer[b.from:b.to])
		return fault == nil && firstDifference(value, other, false) != nil
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
		found := append(fence.FindStringSubmatch(text[at:end]), "", "")
		mark, from := found[1], len(found[0])
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
	label := len(fenceLabel.FindString(text[fenceEnd:lineEnd]))
	b = block{from: fenceEnd + label, labeledJSON: slices.Contains(jsonLabels,
		strings.ToLower(strings.TrimSpace(text[fenceEnd:fenceEnd+label])))}
	rest := strings.TrimRight(text[b.from:lineEnd], jsonSpace)
	if len(rest) > len(mark) && strings.HasSuffix(rest, mark) {
		b.to = b.from + len(rest) - len(mark)
		return b, ""
	}
	return b, mark
}

var (
	fence      = regexp.MustCompile("^[ \t>]*(`{3,}|~{3,})") // the beginning of a line that opens or closes a block
	fenceLabel = regexp.MustCompile(`^[ \t]*[\w+.#-]*`)      // the name of a language after a fence
)

var jsonLabels = []string{"json", "jsonc", "json5", "application-json"}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
