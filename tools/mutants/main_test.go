package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestEveryKindOfChangeIsMade(t *testing.T) {
	source := `package p

var table = func(a int) bool { return a == 2 }

func f(a, b int, m map[int]int) (bool, int) {
	if a < b && b >= 0 {
		m[a] += b
		a, b = b, a
		_ = a
		c := a
		c++
		f(c, b, nil)
	}
	switch a {
	case b:
		return false, 7
	}
	return true, a
}
`
	want := []string{
		`3: == becomes != [a != 2]`,
		`3: 2 becomes 2 + 1 [a == (2 + 1)]`,
		`6: the condition is negated [if !(a < b && b >= 0) {]`,
		`6: < becomes <= [a <= b]`,
		`6: && becomes || [a < b || b]`,
		`6: >= becomes > [b > 0]`,
		`6: 0 becomes 0 + 1 [b >= (0 + 1)]`,
		`7: m[a] += b is deleted [_ = b]`,
		`8: a, b = b, a is deleted [_, _ = b, a]`,
		`11: c++ is deleted [c := a]`,
		`12: f(c, b, nil) is deleted [c++]`,
		`15: the body of the case is deleted [case b:]`,
		`16: false becomes true [return true, 7]`,
		`16: 7 becomes 7 + 1 [return false, (7 + 1)]`,
		`18: true becomes false [return false, a]`,
	}
	mutants, err := mutantsOf("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if len(mutants) != len(want) {
		t.Errorf("%d mutants, want %d", len(mutants), len(want))
	}
	for i, m := range mutants[:min(len(mutants), len(want))] {
		change, text, _ := strings.Cut(strings.TrimSuffix(want[i], "]"), " [")
		if got := fmt.Sprintf("%d: %s", m.line, m.description); got != change {
			t.Errorf("mutant %d is %q, want %q", i, got, change)
		}
		if got := string(m.apply([]byte(source))); got == source || !strings.Contains(got, text) {
			t.Errorf("mutant %d has no %q:\n%s", i, text, got)
		}
	}
}

func TestChangesThatNoTestSeesArePrinted(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, "./testdata/sample", 100, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	want := `testdata/sample/sample.go:6: < becomes <=
testdata/sample/sample.go:6: 0 becomes 0 + 1
testdata/sample/sample.go:9: > becomes >=
testdata/sample/sample.go:17: && becomes ||
4 of 8 mutants killed (50 %), sampled from 8; 0 more did not build
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
