package score

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// answerBytes bounds the text that is searched: a label stands at the beginning or at the end of an answer.
const answerBytes = 128 << 10

func middleCut(text string) string {
	if len(text) <= answerBytes {
		return text
	}
	return strings.ToValidUTF8(text[:answerBytes/2], "") + "\n\n" + strings.ToValidUTF8(text[len(text)-answerBytes/2:], "")
}

// tidy maps the many ways to write a quote, a hyphen and a space to one, and drops what is not seen.
func tidy(text string) string {
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
