package run

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/report"
)

// runsFile has the runs of cases, each as "NAME RUNS" in which 1 is a run that passed, 0 one that failed and e one
// without an answer. The file is JUnit or JSON lines.
func runsFile(junit bool, cases []string) fstest.MapFS {
	var text strings.Builder
	for _, one := range cases {
		name, runs, _ := strings.Cut(one, " ")
		for i, r := range runs {
			if !junit {
				said := map[rune]string{'1': `"passed":true`, '0': `"passed":false`, 'e': `"error":"503"`}[r]
				fmt.Fprintf(&text, "{\"case\":%q,\"run\":%d,%s}\n", name, i+1, said)
				continue
			}
			fmt.Fprintf(&text, "<testcase name='t[%s-%d]'>%s</testcase>", name, i+1, map[rune]string{'0': "<failure/>", 'e': "<error/>"}[r])
		}
	}
	if junit {
		return fstest.MapFS{"r": {Data: []byte("<testsuite>" + text.String() + "</testsuite>")}}
	}
	return fstest.MapFS{"r": {Data: []byte(text.String())}}
}

func TestAnswersThatTheBaseLacksAreHeldAgainstNoRightAnswer(t *testing.T) {
	for _, c := range []struct {
		rule       string
		base, head []string
		want       report.Verdict
	}{
		{"nothing came before, and all fail now", []string{"a e", "b e"}, []string{"a 0", "b 0"}, report.Undecided},
		{"one fails now of which nothing came before", []string{"a e", "b 1"}, []string{"a 0", "b 1"}, report.Undecided},
		{"a case that crashed passes now", []string{"a e", "b 1"}, []string{"a 1", "b 1"}, report.Passed},
		{"all that crashed pass now", []string{"a e", "b e"}, []string{"a 1", "b 1"}, report.Passed},
		{"some of its runs fail", []string{"a ee", "b 11"}, []string{"a 10", "b 11"}, report.Undecided},
		{"it crashes as before", []string{"a e", "b 1"}, []string{"a e", "b 1"}, report.Undecided},
		{"it crashes now", []string{"a 1", "b 1"}, []string{"a e", "b 1"}, report.Undecided},
	} {
		for _, junit := range []bool{true, false} {
			if got := verdictOf(t, runsFile(junit, c.base), runsFile(junit, c.head)); got != c.want {
				t.Errorf("%s (JUnit %v): %s, want %s", c.rule, junit, got, c.want)
			}
		}
	}
}

// Whatever other cases there are, and however often they ran.
func TestATestWithoutAModelIsJudgedByItsOwnRuns(t *testing.T) {
	for _, c := range []struct {
		rule, base, head string
		want             report.Verdict
	}{
		{"one of three runs fails now", "a 111", "a 110", report.Failed},
		{"a run more fails of a test that failed already", "a 100", "a 000", report.Failed},
		{"as many fail", "a 110", "a 011", report.Passed},
		{"no more fail", "a 110", "a 111", report.Passed},
		{"the same share of more runs fails", "a 10", "a 1010", report.Passed},
	} {
		for _, others := range []string{"", "1", "111"} {
			var beside []string
			for i := range 40 * min(len(others), 1) {
				beside = append(beside, fmt.Sprintf("p%d %s", i, others))
			}
			if got := verdictOf(t, runsFile(true, append(beside, c.base)), runsFile(true, append(beside, c.head))); got != c.want {
				t.Errorf("%s, beside others with the runs %q: %s, want %s", c.rule, others, got, c.want)
			}
		}
	}
}
