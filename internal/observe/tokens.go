package observe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// eachToken calls f with every token of text as scikit-learn's TfidfVectorizer cuts it by default: lower case, runs of two
// or more letters, digits or underscores. The bytes are f's until it returns.
func eachToken(text string, f func(token []byte)) {
	var buf [64]byte
	token := buf[:0]
	runes := 0
	end := func() {
		if runes >= 2 {
			f(token)
		}
		token, runes = token[:0], 0
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case r < utf8.RuneSelf && !asciiWord[r], r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
		default:
			token = utf8.AppendRune(token, r)
			runes++
		}
	}
	end()
}

// asciiWord are the ASCII characters that words are made of.
var asciiWord = func() (is [utf8.RuneSelf]bool) {
	for r := range is {
		c := rune(r)
		is[r] = c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	return is
}()
