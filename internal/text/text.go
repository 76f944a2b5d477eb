// Package text writes figures into sentences, and shortens texts.
package text

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count is a number with its noun, which takes an s unless its plural is given: "1 case", "2 cases".
func Count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(plural) > 0:
		return strconv.Itoa(n) + " " + plural[0]
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Grouped is a number with commas between its thousands.
func Grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Decimal is a figure with all of its digits and no exponent.
func Decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// mostOneIn is from where on a chance is only said to be smaller.
const mostOneIn = 1e6

// Odds writes a chance as people say it, with a word of theirs: 1 in 8, 1 of 8.
func Odds(p float64, in string) string {
	if !(p > 1/mostOneIn) {
		return "less than 1 " + in + " a million"
	}
	return "1 " + in + " " + Grouped(int(math.Floor(1/p+1e-9)))
}

// Dollars writes an amount of US dollars with two decimals, a small one with as many as show it.
func Dollars(v float64) string {
	if v > 0 && v < 0.01 {
		return strconv.FormatFloat(v, 'g', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// List joins words as a sentence has them, the last by a conjunction: a, b or c.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Head is the longest beginning of at most n bytes in which no character is cut in two.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); {
		n--
	}
	return s[:n]
}

// Cut shortens a text to at most n characters, the last of them an ellipsis where something is left out.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return First(s, n-1) + "…"
}

// First is the first n characters of a text.
func First(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// CutBytes shortens a text to at most n bytes, an ellipsis at their end where something is left out.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n-len("…")) + "…"
}

// JSON is a value as JSON on one line, without the escapes that HTML needs.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// MustJSON is JSON of texts, of finite numbers and of what is made of them, which always marshal.
func MustJSON(v any) []byte {
	out, err := JSON(v)
	if err != nil {
		panic("text: " + err.Error())
	}
	return out
}

// ReadLine returns the next line with its end, which holds until the one after it, and its length in bytes; of one of
// more than most bytes the length alone. Its error is io.EOF with the last line.
func ReadLine(in *bufio.Reader, most int) (line []byte, size int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		switch size += len(part); {
		case size == len(part) && err != bufio.ErrBufferFull:
			return part, size, err // nearly always
		case size <= most:
			line = append(line, part...)
		default:
			line = nil
		}
		if err != bufio.ErrBufferFull {
			return line, size, err
		}
	}
}
