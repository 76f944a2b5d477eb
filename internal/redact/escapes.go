package redact

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	plain "github.com/failproof/failproof/internal/text"
)

// A text may contain a key with some or all letters escaped: \u0073 in JSON, &#115; in HTML, %73 in a URL, \x73 in a
// program. Zero-width characters may separate them. This file unescapes the text, searches the result, and redacts the
// same places in the original.

// unescapings is the largest number of times that a text is unescaped. An answer may quote JSON that quotes JSON, so
// that escapes are nested.
const unescapings = 3

// unescaped is a text without its escapes. It knows where in the original text each of its bytes was.
type unescaped struct {
	text string
	// offset of each byte in the original, and then the original's length; nil: the text is the original
	offsets []int32
}

// offset returns the offset in the original of the byte u.text[i].
func (u unescaped) offset(i int) int32 {
	if u.offsets == nil {
		return int32(i)
	}
	return u.offsets[i]
}

// unescape returns u without one level of escapes and without zero-width characters. It returns false if u has neither.
func (u unescaped) unescape() (unescaped, bool) {
	if !strings.ContainsAny(u.text, `\&%`) &&
		(plain.IsPlainASCII(u.text) || !strings.ContainsFunc(u.text, plain.IsZeroWidth)) {
		return u, false
	}
	out := unescaped{offsets: make([]int32, 0, len(u.text)+1)}
	var text strings.Builder
	changed := false
	for i := 0; i < len(u.text); {
		if r, size := utf8.DecodeRuneInString(u.text[i:]); plain.IsZeroWidth(r) {
			changed = true
			i += size
			continue
		}
		r, size := decodeEscape(u.text[i:])
		if size == 0 { // skips a run of backslashes at once, else its length would be counted at each of them
			for end := i + max(1, backslashes(u.text[i:])); i < end; i++ {
				text.WriteByte(u.text[i])
				out.offsets = append(out.offsets, u.offset(i))
			}
			continue
		}
		changed = true
		n, _ := text.WriteRune(r)
		for range n {
			out.offsets = append(out.offsets, u.offset(i))
		}
		i += size
	}
	out.offsets = append(out.offsets, u.offset(len(u.text)))
	out.text = text.String()
	return out, changed
}

// decodeEscape returns the character that the escape at the beginning of s stands for, and the length of the escape.
// size is 0 if s begins with no escape.
func decodeEscape(s string) (r rune, size int) {
	switch s[0] {
	case '\\':
		return decodeBackslash(s)
	case '&':
		return entity(s)
	case '%':
		return hexadecimal(s, 1, 2)
	}
	return 0, 0
}

// decodeBackslash decodes \u0073, \x73, \n and \/ as escape does. It accepts any number of backslashes, because quoting
// doubles them.
func decodeBackslash(s string) (r rune, size int) {
	n := backslashes(s)
	if n == len(s) {
		return 0, 0
	}
	switch s[n] {
	case 'u', 'U':
		return hexadecimal(s, n+1, 4)
	case 'x', 'X':
		return hexadecimal(s, n+1, 2)
	case '/', '"', '\'', '-', '_', '.':
		return rune(s[n]), n + 1
	case 'n', 'r':
		return '\n', n + 1
	}
	return 0, 0
}

func backslashes(s string) int { return len(s) - len(strings.TrimLeft(s, `\`)) }

// hexadecimal returns the character that the hexadecimal digits at s[from] stand for. digits is their number. size is
// the length of s up to the end of the digits, or 0 if they are not there.
func hexadecimal(s string, from, digits int) (r rune, size int) {
	if len(s) < from+digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[from:from+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(v)) || v == 0 {
		return 0, 0
	}
	return rune(v), from + digits
}

// maxEntity is the largest length in bytes at which the end of an entity is searched for. &#x00000073; is longer than
// any named entity.
const maxEntity = 32

// entity decodes an HTML entity that stands for one character, as escape does.
func entity(s string) (r rune, size int) {
	end := strings.IndexByte(s[:min(len(s), maxEntity)], ';')
	if end < 0 {
		return 0, 0
	}
	text := html.UnescapeString(s[:end+1])
	r, n := utf8.DecodeRuneInString(text)
	if n != len(text) || text == s[:end+1] {
		return 0, 0
	}
	return r, end + 1
}

// spans are the ranges of the original text to redact, each as its start and its end.
type spans [][2]int

// find searches the unescaped text for values and patterns, and returns where they are in the original.
func (u unescaped) find(values []string, patterns []*regexp.Regexp) (found spans) {
	for _, v := range values {
		for from := 0; ; {
			i := strings.Index(u.text[from:], v)
			if i < 0 {
				break
			}
			found = append(found, u.span(from+i, from+i+len(v)))
			from += i + len(v)
		}
	}
	for _, p := range patterns {
		for _, m := range p.FindAllStringIndex(u.text, -1) {
			if m[0] < m[1] {
				found = append(found, u.span(m[0], m[1]))
			}
		}
	}
	return found
}

func (u unescaped) span(from, to int) [2]int { return [2]int{int(u.offset(from)), int(u.offset(to))} }

// redact returns s with each range replaced by Mark. Overlapping ranges are replaced by one Mark.
func (found spans) redact(s string) string {
	if len(found) == 0 {
		return s
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	var out strings.Builder
	end := 0
	for _, f := range found {
		if f[0] >= end {
			out.WriteString(s[end:f[0]])
			out.WriteString(Mark)
		}
		end = max(end, f[1])
	}
	out.WriteString(s[end:])
	return out.String()
}

// redactEscaped returns s with those secrets redacted that only unescaping shows, or whose characters are separated.
func (r *Redactor) redactEscaped(s string) string {
	u := unescaped{text: s}
	found := r.findSeparated(u)
	for range unescapings {
		next, changed := u.unescape()
		if !changed {
			break
		}
		u = next
		found = slices.Concat(found, u.find(r.known, r.patternsFor(u.text)), r.findSeparated(u))
	}
	return found.redact(s)
}
