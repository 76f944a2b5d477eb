package expect

import "strings"

// jsonSpace is white space as JSON has it.
const jsonSpace = " \t\r\n"

// readJSON reads text as JSON: strictly, else by the heuristics of document 003, each on top of the one before, until one
// succeeds. The heuristics look for an object or an array. No heuristic looks at a byte more than a few times, so
// hostile text costs linear time.
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
		if r, ok := mend(group); ok {
			return r
		}
	}
	if fenced || startsContainer(text) {
		// The answer is meant as JSON throughout, so what the repairs could not mend is the news.
		return jsonReading{fault: groups[0][0].fault(text)}
	}
	return strict
}

// mend parses the candidates, repairing all of them one step further as long as none parses.
func mend(candidates []candidate) (jsonReading, bool) {
	if r, ok := firstThatParses(candidates); ok {
		return r, true
	}
	for _, repair := range [...]func(*candidate){(*candidate).dropCommas, (*candidate).fixEscapes} {
		for i := range candidates {
			repair(&candidates[i])
		}
		if r, ok := firstThatParses(candidates); ok {
			return r, true
		}
	}
	return jsonReading{}, false
}

func firstThatParses(candidates []candidate) (jsonReading, bool) {
	for i := range candidates {
		if c := &candidates[i]; c.parse() {
			return c.reading(), true
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
	before  string // text before string escapes were mended; "" if none was
	repairs []string

	tried bool // text was parsed, with this outcome:
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

// spans returns the span from the first { to the last } and that from the first [ to the last ], the longer first; the
// candidate itself if there is none. Of one span inside the other, the outer is mended first, in a group of its own: else
// the list in {"a":[1],} would be taken for the answer. What stands inside {" or [{ is never taken for it: those begin
// an object or list that is the answer, and bracketed prose does not begin so.
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

// secondSign reports whether sign is what follows the opening bracket.
func secondSign(text, sign string) bool {
	return strings.HasPrefix(strings.TrimLeft(text[1:], jsonSpace), sign)
}
