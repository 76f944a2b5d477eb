package text

import (
	"strings"
	"unicode/utf8"
)

// ByName returns a map from each name to its value. A key of groups has several names, separated by |. ByName panics if
// a name stands twice.
func ByName[V any](groups map[string]V) map[string]V {
	out := map[string]V{}
	for names, value := range groups {
		for name := range strings.SplitSeq(names, "|") {
			if _, twice := out[name]; twice {
				panic("text: a table has the name " + name + " twice")
			}
			out[name] = value
		}
	}
	return out
}

// InvalidUTF8 returns the offset of the first byte of s that is not UTF-8, or -1.
func InvalidUTF8(s string) int {
	for at, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[at:], string(utf8.RuneError)) {
			return at
		}
	}
	return -1
}
