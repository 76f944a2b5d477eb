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

// minSpread is the least number of letters and digits of a value that is also found if other characters separate them.
// Such a value needs both letters and digits. Shorter values would also match ordinary words.
const minSpread = 12

// spreadForms returns the letters and digits of the value v and of its encodings, in lower case. It returns nil if v
// has too few letters and digits.
func spreadForms(v string) (forms []string) {
	plain := squeeze(v)
	if len(plain) < minSpread || !strings.ContainsAny(plain, "0123456789") || strings.Trim(plain, "0123456789") == "" {
		return nil
	}
	reversed := []byte(plain)
	slices.Reverse(reversed)
	var codes strings.Builder
	for _, b := range []byte(v) {
		codes.WriteString(strconv.Itoa(int(b)))
	}
	all := append(base64Forms([]byte(v)), plain, string(reversed), hex.EncodeToString([]byte(v)), codes.String(),
		strings.TrimRight(base32.StdEncoding.EncodeToString([]byte(v)), "="), rotated(v))
	for _, form := range all {
		if text := squeeze(form); len(text) >= minSpread {
			forms = append(forms, text)
		}
	}
	return forms
}

// rotated returns v in ROT13.
func rotated(v string) string {
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

// squeeze returns the ASCII letters and digits of s, in lower case.
func squeeze(s string) string {
	text, _ := letters(s, false)
	return text
}

// letters returns the ASCII letters and digits of s, in lower case. If placed is true, it also returns the offset of
// each of them in s.
func letters(s string, placed bool) (text string, at []int) {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		b := s[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b >= 'a' && b <= 'z' || b >= '0' && b <= '9' {
			out = append(out, b)
			if placed {
				at = append(at, i)
			}
		}
	}
	return string(out), at
}

// unbroken returns s without line breaks and the indentation after them. If placed is true, it also returns the offset
// of each remaining byte in s.
func unbroken(s string, placed bool) (text string, at []int) {
	out, begins := make([]byte, 0, len(s)), false // begins: at the beginning of a line
	for i := range len(s) {
		switch b := s[i]; {
		case b == '\n' || b == '\r':
			begins = true
		case !begins || b != ' ' && b != '\t':
			out, begins = append(out, b), false
			if placed {
				at = append(at, i)
			}
		}
	}
	return string(out), at
}

// apart returns the ranges in the original of values that are split over lines, or whose letters and digits are
// separated.
func (r *Redactor) apart(u unescaped) (found spans) {
	if strings.ContainsAny(u.text, "\n\r") {
		found = u.among(unbroken, r.known)
	}
	return append(found, u.among(letters, r.spread)...)
}

// among converts the text with convert and searches the result for forms. It returns where they are in the original.
func (u unescaped) among(convert func(s string, placed bool) (string, []int), forms []string) (found spans) {
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
