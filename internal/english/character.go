package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
	"golang.org/x/text/unicode/norm"
)

// runEnd returns the end of the run that begins at text[at]. A run is letters, digits and the apostrophes between them,
// or a single ideograph.
func runEnd(text string, at int) int {
	if first, size := utf8.DecodeRuneInString(text[at:]); ideograph(first) {
		return at + size
	}
	for at < len(text) {
		if IsASCIIAlnum(text[at]) {
			at++
			continue
		}
		if text[at] < utf8.RuneSelf && text[at] != '\'' {
			break
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		apostrophe := r == '\'' && at+1 < len(text) && IsWordRuneAt(text, at+1) && text[at+1] != '\''
		if ideograph(r) || !IsWordRune(r) && !apostrophe {
			break
		}
		at += size
	}
	return at
}

// IsAllCaps reports whether a run has at least two letters, all of them capitals except for a plural s at the end:
// APIs.
func IsAllCaps(run string) bool {
	letters := 0
	for i, r := range run {
		switch {
		case r == 's' && i == len(run)-1 && letters >= 2:
		case unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters >= 2
}

// IsASCIIAlnum reports whether c is an ASCII letter or digit.
func IsASCIIAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// IsWordRune reports whether r is a letter, a digit, or a combining mark.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return IsASCIIAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// ideograph reports whether r belongs to a script that writes no spaces between words. Each such character counts as
// one word.
func ideograph(r rune) bool {
	return r >= firstIdeograph && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// firstIdeograph is a lower bound for ideographs: the first code point of the CJK radicals.
const firstIdeograph = 0x2e80

// IsWordRuneAt reports whether a letter or digit begins at text[at].
func IsWordRuneAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return r != utf8.RuneError && IsWordRune(r)
}

// IsWordRuneBefore reports whether a letter or digit ends right before text[at].
func IsWordRuneBefore(text string, at int) bool {
	r := RuneBefore(text, at)
	return r != utf8.RuneError && IsWordRune(r)
}

// RuneBefore returns the character right before text[at].
func RuneBefore(text string, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(text[:max(at, 0)])
	return r
}

// IsDigitAt reports whether text[at] is an ASCII digit.
func IsDigitAt(text string, at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }

func digitBefore(text string, at int) bool { return at > 0 && IsDigitAt(text, at-1) }

// Tidy returns the text with one kind of quote, hyphen, space and line break, and without invisible characters.
func Tidy(written string) string {
	if text.IsPlainASCII(written) && !strings.ContainsAny(written, "\r`") {
		return written // which is only quicker
	}
	written = strings.ReplaceAll(written, "´", "'") // NFKC would turn it into a space with an accent
	return strings.Map(fold, norm.NFKC.String(strings.ReplaceAll(written, "\r\n", "\n")))
}

// fold returns the plain form of r. It maps the many forms of a quote, a hyphen, an arrow and the marks of a
// sentence to one each. It returns -1 for an invisible character.
func fold(r rune) rune {
	if r < utf8.RuneSelf && r != '\r' && r != '`' {
		return r
	}
	if to, ok := folded[r]; ok {
		return to
	}
	if text.IsZeroWidth(r) {
		return -1
	}
	return r
}

var folded = func() map[rune]rune {
	m := map[rune]rune{'\u20e3': -1}
	for to, from := range map[rune]string{
		'\'': "‘’‚‛ʼ´`′＇❛❜", '"': "“”„‟«»‹›「」『』〝〞〟＂〈〉《》❝❞", '-': "‐‑‒−﹣－",
		'.': "。｡", ',': "、，", '!': "！", '?': "？", '\n': "\r\u2028\u2029", Arrow: "⇒➜➔➡",
	} {
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()
