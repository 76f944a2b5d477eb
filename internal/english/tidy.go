package english

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Tidy maps the many ways to write a quote, a hyphen and a space to one, and drops what is not seen.
func Tidy(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("‘’‚‛ʼ´`′＇❛❜", r):
			return '\''
		case strings.ContainsRune("“”„‟«»‹›「」『』〝〞〟＂〈〉《》❝❞", r):
			return '"'
		case strings.ContainsRune("‐‑‒−﹣－", r):
			return '-'
		case strings.ContainsRune("。｡", r):
			return '.'
		case r == '、':
			return ','
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case strings.ContainsRune("→⇒➜➔", r):
			return ':'
		case r == '\u00ad' || r >= '\ufe00' && r <= '\ufe0f' || r == '\u20e3' || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFKC.String(text))
}
