package redact

import (
	"encoding/base32"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// A text may contain a key with spaces, line breaks or quotes between its characters. This file searches the letters
// and digits of a text alone, in lower case.

// minSeparated is the least number of letters and digits of a value that is also found if other characters separate
// them. Such a value needs both letters and digits. Shorter values would also match ordinary words.
const minSeparated = 12

// separatedForms returns the letters and digits of the value v and of its encodings, in lower case. It returns nil if v
// has too few letters and digits.
func separatedForms(v string) (forms []string) {
	plain := alphanumerics(v)
	if len(plain) < minSeparated || !strings.ContainsAny(plain, "0123456789") ||
		strings.Trim(plain, "0123456789") == "" {
		return nil
	}
	reversed := []byte(plain)
	slices.Reverse(reversed)
	var codes strings.Builder
	for _, b := range []byte(v) {
		codes.WriteString(strconv.Itoa(int(b)))
	}
	all := append(base64Forms([]byte(v)), plain, string(reversed), hex.EncodeToString([]byte(v)), codes.String(),
		strings.TrimRight(base32.StdEncoding.EncodeToString([]byte(v)), "="), rot13(v))
	for _, form := range all {
		if text := alphanumerics(form); len(text) >= minSeparated {
			forms = append(forms, text)
		}
	}
	return forms
}

// rot13 returns v in ROT13.
func rot13(v string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, v)
}

// alphanumerics returns the ASCII letters and digits of s, in lower case.
func alphanumerics(s string) string {
	text, _ := alphanumericsAt(s, false)
	return text
}

// alphanumericsAt returns the ASCII letters and digits of s, in lower case. If withOffsets is true, it also returns the
// offset of each of them in s.
func alphanumericsAt(s string, withOffsets bool) (text string, at []int) {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		b := s[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b >= 'a' && b <= 'z' || b >= '0' && b <= '9' {
			out = append(out, b)
			if withOffsets {
				at = append(at, i)
			}
		}
	}
	return string(out), at
}

// joinLines returns s without line breaks and the indentation after them. If withOffsets is true, it also returns the
// offset of each remaining byte in s.
func joinLines(s string, withOffsets bool) (text string, at []int) {
	out, lineStart := make([]byte, 0, len(s)), false // begins: at the beginning of a line
	for i := range len(s) {
		switch b := s[i]; {
		case b == '\n' || b == '\r':
			lineStart = true
		case !lineStart || b != ' ' && b != '\t':
			out, lineStart = append(out, b), false
			if withOffsets {
				at = append(at, i)
			}
		}
	}
	return string(out), at
}

// findSeparated returns the ranges in the original of values that are split over lines, or whose letters and digits are
// separated.
func (r *Redactor) findSeparated(u unescaped) (found spans) {
	if strings.ContainsAny(u.text, "\n\r") {
		found = u.findConverted(joinLines, r.known)
	}
	return append(found, u.findConverted(alphanumericsAt, r.separatedForms)...)
}

// findConverted converts the text with convert and searches the result for forms. It returns where they are in the
// original.
func (u unescaped) findConverted(convert func(s string, placed bool) (string, []int), forms []string) (found spans) {
	if len(forms) == 0 {
		return nil
	}
	text, _ := convert(u.text, false)
	var at []int // made for the first match: most texts have none
	for _, form := range forms {
		for from := 0; ; {
			i := strings.Index(text[from:], form)
			if i < 0 {
				break
			}
			if at == nil {
				_, at = convert(u.text, true)
			}
			found = append(found, u.span(at[from+i], at[from+i+len(form)-1]+1))
			from += i + len(form)
		}
	}
	return found
}
