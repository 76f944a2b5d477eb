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
	plain, _ := squeeze(v)
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
		if text, _ := squeeze(form); len(text) >= minSpread {
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

// squeeze returns the letters and digits of a text, in lower case, and where each stands.
func squeeze(s string) (text string, at []int) {
	out := make([]byte, 0, len(s))
	at = make([]int, 0, len(s))
	for i := range len(s) {
		b := s[i]
		switch {
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
		default:
			continue
		}
		out, at = append(out, b), append(at, i)
	}
	return string(out), at
}

// betweenOthers redacts values whose characters stand apart.
func (r *Redactor) betweenOthers(s string) string {
	if len(r.spread) == 0 {
		return s
	}
	text, at := squeeze(s)
	var found spans
	for _, form := range r.spread {
		for from := 0; ; {
			i := strings.Index(text[from:], form)
			if i < 0 {
				break
			}
			found = append(found, [2]int{at[from+i], at[from+i+len(form)-1] + 1})
			from += i + len(form)
		}
	}
	return found.cut(s)
}
