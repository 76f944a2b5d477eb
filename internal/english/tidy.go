package english

import (
	"strings"

	"github.com/failproof/failproof/internal/text"
	"golang.org/x/text/unicode/norm"
)

// Tidy writes a text with one kind of quote, hyphen, space and line break, and drops what is not seen.
func Tidy(text string) string {
	text = strings.ReplaceAll(text, "´", "'") // which NFKC would make a space with an accent
	return strings.Map(fold, norm.NFKC.String(strings.ReplaceAll(text, "\r\n", "\n")))
}

// fold maps the many ways to write a quote, a hyphen, a full stop and an arrow to one, and what is not seen to -1.
func fold(r rune) rune {
	if to, ok := folded[r]; ok {
		return to
	}
	if text.NoWidth(r) {
		return -1
	}
	return r
}

var folded = func() map[rune]rune {
	m := map[rune]rune{'\u20e3': -1}
	for to, from := range map[rune]string{
		'\'': "‘’‚‛ʼ´`′＇❛❜", '"': "“”„‟«»‹›「」『』〝〞〟＂〈〉《》❝❞", '-': "‐‑‒−﹣－", '.': "。｡", ',': "、", '\n': "\r\u2028\u2029", Arrow: "⇒➜➔➡",
	} {
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()
