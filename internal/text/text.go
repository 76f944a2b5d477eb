// Package text formats numbers and lists for sentences, shortens texts and suggests corrections of misspelled words.
package text

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count returns a number with its noun: "1 case", "2 cases". plural is the plural of the noun. Without it, the plural
// is the noun with an s.
func Count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(plural) > 0:
		return strconv.Itoa(n) + " " + plural[0]
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Named returns how many of n things a sentence names that names about limit of them. It never leaves out a single one:
// its name is as short as "and 1 more".
func Named(n, limit int) int {
	if n <= limit+1 {
		return n
	}
	return limit
}

// Grouped returns n with commas between groups of three digits, such as 12,345.
func Grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Decimal returns v with all its digits and without an exponent.
func Decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// mostOneIn is the largest denominator that Odds returns.
const mostOneIn = 1e6

// Odds returns the probability p as a text such as "1 in 8". separator is the word between the numbers.
func Odds(p float64, separator string) string {
	if !(p > 1/mostOneIn) {
		return "less than 1 " + separator + " a million"
	}
	return "1 " + separator + " " + Grouped(int(math.Floor(1/p+1e-9)))
}

// Dollars returns an amount of US dollars with two decimals. An amount below one cent has one significant digit.
func Dollars(v float64) string {
	if v > 0 && v < 0.01 {
		return strconv.FormatFloat(v, 'g', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// List returns the words joined by commas, with the conjunction before the last word: a, b or c.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// plainPath matches a path that no shell and no command reads as anything else.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9._/][A-Za-z0-9._/-]*$`)

// Command returns a command for the reader to run: command with path as its argument, or command alone if a shell or
// the command could read the path as anything else. A pull request chooses the paths in it.
func Command(command, path string) string {
	if !plainPath.MatchString(path) {
		return command
	}
	return command + " " + path
}

// FirstBytes returns the longest beginning of s that has at most n bytes and ends with a complete character.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); {
		n--
	}
	return s[:n]
}

// CutMiddle returns s if it has at most head+tail bytes. Otherwise it returns its first head and last tail bytes,
// without characters that are cut in two, and an empty line between them.
func CutMiddle(s string, head, tail int) string {
	if len(s) <= head+tail {
		return s
	}
	return FirstBytes(s, head) + "\n\n" + strings.ToValidUTF8(s[len(s)-tail:], "")
}

// Lower returns s in lower case, but for letters that have another length there.
func Lower(s string) string {
	b := []byte(s)
	for i, r := range s {
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == utf8.RuneLen(r) {
			utf8.EncodeRune(b[i:], l)
		}
	}
	return string(b)
}

// LowerASCII returns s with its ASCII letters in lower case. Offsets in it are offsets in s.
func LowerASCII(s string) string {
	out := []byte(s)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// Truncate returns s if it has at most n characters. Otherwise it returns the first n-1 characters and an ellipsis.
func Truncate(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return FirstRunes(s, n-1) + "…"
}

// FirstRunes returns the first n characters of s, or all if s has fewer.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// TruncateBytes returns s if it has at most n bytes. Otherwise it returns a beginning of s and an ellipsis, which
// together have at most n bytes.
func TruncateBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return FirstBytes(s, n-len("…")) + "…"
}

// JSON returns v as JSON on one line, without escapes for HTML.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// MustJSON returns what JSON returns for a value that always marshals, such as a text, a finite number or a list of
// them. It panics on an error.
func MustJSON(v any) []byte { return Must(JSON(v)) }

// Must returns v. It panics if err is not nil: it is for calls that cannot fail, because their arguments were checked
// or are part of the program.
func Must[T any](v T, err error) T {
	if err != nil {
		panic("text: " + err.Error())
	}
	return v
}

// MustParse returns the value that data holds, which is JSON and part of the program. It panics on an error, and on a
// field that T lacks.
func MustParse[T any](data []byte) (v T) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(&v)
	return Must(v, err)
}
