package suiteid_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/suiteid"
)

// A side is written as cases, "suite/id:key" each, or "suite/id:key?asked", or "suite/id:key!own" where its own suite
// reads less than all do, each with "#question" at its end if that is known. The target that answers a suite of the id
// "a@fast" or "a:fast" is fast.
func TestRenamedCasesAreFound(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"another id", "a/x:K", "a/y:K", "a/x=a/y"},
		{"another suite", "a/x:K", "b/x:K", "a/x=b/x"},
		{"another suite and another id", "a/x:K", "b/y:K", "a/x=b/y"},
		{"two suites become one", "a/x:K b/y:L", "c/x:K c/y:L", "a/x=c/x b/y=c/y"},
		{"equal ids of two suites", "a/x:K b/x:L", "c/x:K c/z:L", "a/x=c/x b/x=c/z"},
		{"a suite becomes two", "a/x:K a/y:L", "b/x:K c/y:L", "a/x=b/x a/y=c/y"},
		{"what stays in its suite comes first", "a/x:K b/y:K", "a/y:K b/x:K", "a/x=a/y b/y=b/x"},
		{"then what has an equal id", "a/x:K a/y:K", "b/y:K b/x:K", "a/x=b/x a/y=b/y"},
		{"and then what is left", "a/x:K a/y:K", "b/x:K c/z:K", "a/x=b/x a/y=c/z"},
		{"equal ones are joined in their order", "a/x:K a/y:K", "b/v:K b/w:K", "a/x=b/v a/y=b/w"},
		{"those of them that ask the same come first", "a/x:K?p a/y:K?q a/z:K?r", "a/u:K?q a/v:K?s a/w:K?p", "a/x=a/w a/y=a/u a/z=a/v"},
		{"in another suite, too", "a/x:K?p a/y:K?q", "b/v:K?q b/w:K?p", "a/x=b/w a/y=b/v"},
		{"but after what stays in its suite", "a/x:K?p a/y:K?q", "a/v:K?r b/w:K?p", "a/x=a/v a/y=b/w"},
		{"what its own suite does not read tells none apart there", "a/x:K!O", "a/y:L!O", "a/x=a/y"},
		{"and elsewhere it does", "a/x:K!O", "b/y:L!O", ""},
		{"one that became two is the first of them", "a/x:K", "b/v:K c/w:K", "a/x=b/v"},
		{"and rather the one that stayed in its suite", "a/x:K", "a/w:K a/z:K b/v:K", "a/x=a/w"},
		{"two that became one are it in their order", "a/x:K b/y:K", "c/z:K", "a/x=c/z"},
		{"another key is another case", "a/x:K", "b/x:L", ""},
		{"a name that another took", "a/x:K b/x:L", "b/x:K", "a/x=b/x b/x=b/x@base"},
		{"round in a ring", "a/x:K b/y:L c/z:M", "b/y:K c/z:L a/x:M", "a/x=b/y b/y=c/z c/z=a/x"},
		{"each target's of several", "a@fast/x:K a@careful/x:K", "b@careful/x:K b@fast/x:K", "a@fast/x=b@fast/x a@careful/x=b@careful/x"},
		{"a target in place of another is another", "a@careful/x:K", "a@lenient/x:K", ""},
		{"a suite that several answer takes the one's of the same target", "a:fast/x:K", "b@fast/x:K b@careful/x:K", "a/x=b@fast/x"},
		{"the same question with another expectation", "a/x:K#q a/y:L#r", "a/v:M#r a/w:N#q", "a/x=a/w a/y=a/v"},
		{"another question, and one that is not known", "a/x:K#q a/y:L", "a/v:M#r a/w:N", ""},
		{"the same question in another suite", "a/x:K#q", "b/y:L#q", ""},
		{"the question rather than the name", "a/x:K#q", "a/v:L#q a/x:M#r", "a/x=a/v"},
		{"also with a name that another case had", "a/x:K#q a/y:L#r", "a/x:M#r", "a/x=a/x@base a/y=a/x"},
		{"of the same question the one with the same name", "a/x:K#q a/y:L#q", "a/y:M#q a/x:N#q", ""},
		{"a name that another took frees the question", "a/x:K#q a/y:L#r", "a/v:M#q a/x:L#r", "a/x=a/v a/y=a/x"},
		{"a question that became two is the first of them", "a/x:K#q", "a/v:L#q a/w:M#q", "a/x=a/v"},
		{"rather one with equal checks", "a/x:K#q", "a/v:L#q a/w:K#q", "a/x=a/w"},
		{"equal cases of two targets", "a:fast/x:K b:careful/x:K", "c:careful/y:K d:fast/y:K", "a/x=d/y b/x=c/y"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			names := suiteid.FindRenamed(some(c.base), some(c.head))
			var got []string
			for _, s := range some(c.base) {
				for _, one := range s.Cases {
					was := suiteid.Name{Suite: s.Suite, Case: one.ID}
					is := names.Head(was)
					if is != was {
						got = append(got, was.Suite+"/"+was.Case+"="+is.Suite+"/"+is.Case)
					}
					if own, known := names.Base(is); own != was || !known {
						t.Errorf("%v is called %v in the head, and that is %v of the base (%v)", was, is, own, known)
					}
				}
			}
			if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" && c.want+strings.Join(got, "") != "" {
				t.Errorf("FindRenamed (-want +got):\n%s", diff)
			}
		})
	}
}

func some(text string) (out []suiteid.SuiteCases[string]) {
	for _, field := range strings.Fields(text) {
		field, question, _ := strings.Cut(field, "#")
		field, own, less := strings.Cut(field, "!")
		field, sent, _ := strings.Cut(field, "?")
		at, key := field[:len(field)-2], field[len(field)-1:]
		if !less {
			own = key
		}
		suite, id, _ := strings.Cut(at, "/")
		suite, target, single := strings.Cut(suite, ":")
		if !single {
			_, target = suiteid.Split(suite)
		}
		i := slices.IndexFunc(out, func(s suiteid.SuiteCases[string]) bool { return s.Suite == suite })
		if i < 0 {
			i, out = len(out), append(out, suiteid.SuiteCases[string]{Suite: suite, Target: target})
		}
		out[i].Cases = append(out[i].Cases, suiteid.Case[string]{ID: id, Key: key, SuiteKey: own, RequestKey: sent, Question: question})
	}
	return out
}
