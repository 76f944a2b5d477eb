package suite

import (
	"strings"
	"testing"
)

func TestWhatAnIDIs(t *testing.T) {
	long := strings.Repeat("a", 128)
	for id, want := range map[string]struct{ ofCase, ofSuite bool }{
		"a": {true, true}, "0": {true, true}, "a.b_c-D9": {true, true}, long: {true, true}, long + "/" + long: {false, true},
		"": {}, "-a": {}, ".a": {}, "_a": {}, "é": {}, "a b": {}, "a\n": {}, long + "a": {}, "a/": {}, "/a": {}, "a//b": {}, "a/-b": {},
		"a/b": {false, true}, strings.Repeat("a/", 512): {}, strings.Repeat("a/", 511) + "ab": {false, true}, strings.Repeat("a/", 512) + "a": {},
	} {
		if validCaseID(id) != want.ofCase || validSuiteID(id) != want.ofSuite {
			t.Errorf("%q: case %v, suite %v; want %v", id, validCaseID(id), validSuiteID(id), want)
		}
	}
}
