package suiteid_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/suiteid"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ id, suite, target string }{
		{"support/refund", "support/refund", ""},
		{"support/refund@careful", "support/refund", "careful"},
		{"refund@gpt-4.1_mini", "refund", "gpt-4.1_mini"},
		{"", "", ""},
		{"<b>@evil.example", "<b>@evil.example", ""},
		{"a@b@c", "a@b@c", ""},
		{"a @b", "a @b", ""},
	} {
		suite, target := suiteid.Split(c.id)
		if suite != c.suite || target != c.target {
			t.Errorf("Split(%q) = %q, %q; want %q, %q", c.id, suite, target, c.suite, c.target)
		}
		if target != "" && suiteid.ForTarget(suite, target) != c.id {
			t.Errorf("ForTarget(%q, %q) = %q, want %q", suite, target, suiteid.ForTarget(suite, target), c.id)
		}
	}
}

// A side is written as ids; target and content of each stand behind it: "a:fast:xyz", where capitals stand for another
// prompt, and behind a slash its cases, a letter each.
func TestJoin(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"a suite of one id is one", "a:fast:x b:fast:y", "a:careful:q b:fast:y", "a=a b=b"},
		{"a suite that is answered by several is joined target by target", "a@fast:fast:x a@careful:careful:y", "a@careful:careful:y a@fast:fast:q", "a@careful=a@careful a@fast=a@fast"},
		{"the target of the base is the same in a list", "a:fast:x", "a@fast:fast:q a@careful:careful:y", "a=a@fast"},
		{"and the one that is left of a list", "a@fast:fast:x a@careful:careful:y", "a:careful:q", "a@careful=a"},
		{"a target in place of another is another, whatever it is asked", "a@fast:fast:x a@careful:careful:x", "a@fast:fast:x a@lenient:lenient:x", "a@fast=a@fast"},
		{"no target of a list is in place of the only one", "a:fast:x", "a@careful:careful:x a@lenient:lenient:x", ""},
		{"nor the only one in place of those of a list", "a@fast:fast:x a@careful:careful:x", "a:lenient:x", ""},
		{"a renamed suite keeps its targets apart", "a@fast:fast:x a@careful:careful:x", "b@careful:careful:x b@fast:fast:x", "a@careful=b@careful a@fast=b@fast"},
		{"a renamed suite with a target less", "a@fast:fast:x a@careful:careful:x", "b@careful:careful:x b@third:third:x", "a@careful=b@careful"},
		{"a renamed suite with one target of several", "a@fast:fast:x a@careful:careful:x", "b:careful:x", "a@careful=b"},
		{"a renamed suite with another one target", "a:fast:x", "b:careful:x", "a=b"},
		{"a suite that is still there was not renamed", "a:fast:x", "a@careful:careful:y a@slow:slow:z b:fast:x", ""},
		{"a renamed suite with another prompt", "a:fast:x b:fast:y", "c:fast:Y d:fast:X", "a=d b=c"},
		{"an equal prompt comes before another", "a:fast:x", "b:fast:X c:fast:x", "a=c"},
		{"a renamed suite with more than half of the cases", "a:fast:x/abc d:fast:y/ghi", "b:fast:z/bcf e:fast:q/jkl", "a=b"},
		{"half is not more than half", "a:fast:x/abcd", "b:fast:z/abef", ""},
		{"two that have them are not guessed at", "a:fast:x/abc", "b:fast:y/abc c:fast:z/abd", ""},
		{"nor two that the cases are of", "a:fast:x/abc d:fast:y/bcd", "b:fast:z/abcd", ""},
		{"cases of a kind count as often as they stand there", "a:fast:x/aaab", "b:fast:y/ab", ""},
		{"a renamed suite keeps its targets apart whatever it asks", "a@fast:fast:x/abc a@careful:careful:x/abc", "b@careful:careful:y/abd b@fast:fast:z/abe", "a@careful=b@careful a@fast=b@fast"},
		{"who answers a stored suite may not be known", "a::x", "a@fast:fast:x a@careful:careful:y", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			joined := suiteid.Join(side(c.base), side(c.head))
			for _, b := range strings.Fields(c.base) {
				id := strings.Split(b, ":")[0]
				if joined[id] != "" {
					got = append(got, id+"="+joined[id])
				}
			}
			want := strings.Fields(c.want)
			if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
				t.Errorf("Join (-want +got):\n%s", diff)
			}
		})
	}
}

func side(text string) (out []suiteid.Suite[string]) {
	for _, s := range strings.Fields(text) {
		parts := strings.Split(s, ":")
		judged, cases, _ := strings.Cut(parts[2], "/")
		out = append(out, suiteid.Suite[string]{ID: parts[0], Target: parts[1], Lines: func(sent bool) []string {
			return []string{map[bool]string{true: parts[2], false: strings.ToLower(judged)}[sent]}
		},
			Cases: func() (all []suiteid.Case[string]) {
				for _, key := range strings.Split(cases, "") {
					all = append(all, suiteid.Case[string]{Key: key})
				}
				return all
			}})
	}
	return out
}

func sorted(list []string) map[string]bool {
	out := map[string]bool{}
	for _, x := range list {
		out[x] = true
	}
	return out
}
