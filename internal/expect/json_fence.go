package expect

import (
	"slices"
	"strings"
)

// block is the inside of a fenced code block.
type block struct {
	from, to int // byte offsets
	json     bool
}

// fence returns the content of the fenced block that is meant as JSON: the first one labelled so, else the first that
// begins with a bracket; and of the others like it those behind it. A text that itself begins with a bracket is not
// wrapped: a fence in it stands in a string.
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

// contradicted reports whether another block can be read as JSON too, and says something else: "approve", and after a
// second thought "deny". Nobody can tell which of the two a program would take.
func (c *candidate) contradicted(answer string, others []block) bool {
	return slices.ContainsFunc(others, func(b block) bool {
		other, fault := decodeJSON(answer[b.from:b.to])
		return fault == nil && differ(c.value, other) != nil
	})
}

// blocks finds the fenced blocks of a Markdown text, line by line. An unclosed one runs to the end: the answer was cut.
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

// openBlock begins a block after its fence, which ends at from, on a line that ends at end. The fence stays open unless
// the line closes it too: ```json {"a":1}```.
func openBlock(text string, from, end int, mark string) (b block, open string) {
	label := labelEnd(text[from:end])
	b = block{from: from + label, json: isJSONLabel(text[from : from+label])}
	rest := strings.TrimRight(text[b.from:end], jsonSpace)
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

// labelEnd returns the length of the language name behind a fence, white space before it included.
func labelEnd(s string) int {
	from := len(s) - len(strings.TrimLeft(s, " \t"))
	end := from
	for end < len(s) && (isLetter(s[end]) || isDigit(s[end]) || strings.IndexByte("-_+.#", s[end]) >= 0) {
		end++
	}
	return end
}

func isJSONLabel(s string) bool {
	return slices.Contains([]string{"json", "jsonc", "json5", "application-json"}, strings.ToLower(strings.TrimSpace(s)))
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
