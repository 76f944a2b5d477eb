package expect

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func lineFeeds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// equalTo compares with the answer after shape.
func equalTo(want string, shape func(string) string) judge {
	return func(a *Answer) string {
		if got := shape(lineFeeds(a.Text)); got != want {
			return difference(want, got)
		}
		return ""
	}
}

// difference names the first character (counted from 1) where two unequal texts part.
func difference(want, got string) string {
	same := commonPrefix(want, got)
	return fmt.Sprintf("differs at character %d: expected %s, got %s",
		utf8.RuneCountInString(want[:same])+1, firstCharacter(want[same:]), firstCharacter(got[same:]))
}

// commonPrefix returns the length in bytes of what two texts begin with alike, in whole characters.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// firstCharacter shows the first character of s.
func firstCharacter(s string) string {
	if s == "" {
		return "the end"
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("byte 0x%02x", s[0])
	}
	return strconv.QuoteRune(r)
}

func holds(want string) judge {
	return func(a *Answer) string {
		if got := lineFeeds(a.Text); !strings.Contains(got, want) {
			return missing(want, got)
		}
		return ""
	}
}

// missing says how near an answer comes to containing want.
func missing(want, got string) string {
	switch {
	case strings.Contains(strings.ToLower(got), strings.ToLower(want)):
		return "contained only in other upper and lower case"
	case strings.Contains(squeeze(got), squeeze(want)):
		return "contained only with other white space"
	case strings.Contains(strings.ToLower(squeeze(got)), strings.ToLower(squeeze(want))):
		return "contained only in other case and with other white space"
	}
	return "not contained"
}

// squeeze makes every run of white space one space.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// foldJudge compares without regard to case, as GitHub's evaluators do.
func foldJudge(mode, want string) judge {
	find := map[string]func(s, part string) bool{ModeContainsFold: strings.Contains, ModePrefixFold: strings.HasPrefix, ModeSuffixFold: strings.HasSuffix}[mode]
	where := map[string]string{ModeContainsFold: "not contained", ModePrefixFold: "does not start with it", ModeSuffixFold: "does not end with it"}[mode]
	want = strings.ToLower(lineFeeds(want))
	return func(a *Answer) string {
		if find(strings.ToLower(lineFeeds(a.Text)), want) {
			return ""
		}
		return where
	}
}
