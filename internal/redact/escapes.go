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

// unescapings is how often a text is unescaped: an answer may quote JSON that quotes JSON.
const unescapings = 3

// unescaped is a text without its escapes, with the place of each byte in the original.
type unescaped struct {
	text string
	at   []int32 // place of each byte, and then the original's length; nil: the text is the original
}

// place returns the place of a byte in the original.
func (u unescaped) place(i int) int32 {
	if u.at == nil {
		return int32(i)
	}
	return u.at[i]
}

// unescape removes one level of escapes and the zero-width characters. It returns false if there are none.
func (u unescaped) unescape() (unescaped, bool) {
	if !strings.ContainsAny(u.text, `\&%`) &&
		(plain.PlainASCII(u.text) || !strings.ContainsFunc(u.text, plain.NoWidth)) {
		return u, false
	}
	out := unescaped{at: make([]int32, 0, len(u.text)+1)}
	var text strings.Builder
	changed := false
	for i := 0; i < len(u.text); {
		if r, size := utf8.DecodeRuneInString(u.text[i:]); plain.NoWidth(r) {
			changed = true
			i += size
			continue
		}
		r, size := escape(u.text[i:])
		if size == 0 { // skips a run of backslashes at once, else its length would be counted at each of them
			for end := i + max(1, backslashes(u.text[i:])); i < end; i++ {
				text.WriteByte(u.text[i])
				out.at = append(out.at, u.place(i))
			}
			continue
		}
		changed = true
		n, _ := text.WriteRune(r)
		for range n {
			out.at = append(out.at, u.place(i))
		}
		i += size
	}
	out.at = append(out.at, u.place(len(u.text)))
	out.text = text.String()
	return out, changed
}

// escape decodes the escape at the beginning of s. size is 0 if there is none.
func escape(s string) (r rune, size int) {
	switch s[0] {
	case '\\':
		return backslashed(s)
	case '&':
		return entity(s)
	case '%':
		return hexadecimal(s, 1, 2)
	}
	return 0, 0
}

// backslashed decodes \u0073, \x73, \n and \/, with any number of backslashes, because quoting doubles them.
func backslashed(s string) (r rune, size int) {
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

// hexadecimal decodes a character's hexadecimal digits, which begin at an index of s.
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

// maxEntity limits the search for an entity's end, in bytes. &#x00000073; is longer than any named entity.
const maxEntity = 32

// entity decodes an HTML entity of one character.
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

// spans are the places to redact in the original, each from and to.
type spans [][2]int

// find returns the places of values and patterns in the unescaped text.
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

func (u unescaped) span(from, to int) [2]int { return [2]int{int(u.place(from)), int(u.place(to))} }

// cut replaces each place in s by Mark. Overlapping places get one Mark.
func (found spans) cut(s string) string {
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

// behindEscapes redacts secrets that appear only after unescaping s, or whose characters are separated.
func (r *Redactor) behindEscapes(s string) string {
	u := unescaped{text: s}
	found := r.apart(u)
	for range unescapings {
		next, changed := u.unescape()
		if !changed {
			break
		}
		u = next
		found = append(found, u.find(r.known, r.patterns)...)
		found = append(found, r.apart(u)...)
		for _, sh := range shapes {
			if strings.Contains(u.text, sh.hint) {
				found = append(found, u.find(nil, []*regexp.Regexp{sh.pattern})...)
			}
		}
	}
	return found.cut(s)
}
