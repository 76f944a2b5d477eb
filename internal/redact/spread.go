package redact

import (
	"encoding/base32"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// A key may be written with anything between its characters: spaces, line breaks, quotes, characters of no width. So what
// is looked for is also looked for among the letters and digits of a text alone, whatever their case.

// minSpread is the fewest letters and digits, some of both, of a value that is looked for so: fewer would be found in
// ordinary words.
const minSpread = 12

// spreadForms are a value and its encodings as their letters and digits alone, in lower case; none of a value that has too few.
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

// rotated turns each letter by half the alphabet (ROT13).
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

// squeeze returns the letters and digits of a text, in lower case.
func squeeze(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if b, is := letter(s[i]); is {
			out = append(out, b)
		}
	}
	return string(out)
}

// letter returns a letter in lower case, or a digit; false for anything else.
func letter(b byte) (byte, bool) {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A', true
	}
	return b, b >= 'a' && b <= 'z' || b >= '0' && b <= '9'
}

// places are where the letters and digits of a text stand.
func places(s string) (at []int) {
	for i := range len(s) {
		if _, is := letter(s[i]); is {
			at = append(at, i)
		}
	}
	return at
}

// betweenOthers redacts values whose characters stand apart.
func (r *Redactor) betweenOthers(s string) string {
	if len(r.spread) == 0 {
		return s
	}
	text := squeeze(s)
	var found spans
	var at []int // made for the first hit: most texts have none
	for _, form := range r.spread {
		for from := 0; ; {
			i := strings.Index(text[from:], form)
			if i < 0 {
				break
			}
			if at == nil {
				at = places(s)
			}
			found = append(found, [2]int{at[from+i], at[from+i+len(form)-1] + 1})
			from += i + len(form)
		}
	}
	return found.cut(s)
}
