package run

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sides"
)

// A file that lacks results is named, and read all the same. A folder of such files gets no endless list.
func TestAFileThatMayLackResultsIsNamed(t *testing.T) {
	tree := fstest.MapFS{"one.xml": {Data: []byte(`<testsuite tests="2"><testcase name="a"/></testsuite>`)}}
	for i := range 12 {
		tree[fmt.Sprintf("all/%02d.xml", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, `<testsuite tests="9"><testcase name="t%d"/></testsuite>`, i)}
	}
	paired, faults := pairResults([]sides.Results{{Base: sides.ResultFiles{Tree: tree, Path: "one.xml", Name: "out/one.xml"},
		Head: sides.ResultFiles{Tree: tree, Path: "all", Name: "out/all"}}})
	var told []string
	for _, f := range faults {
		told = append(told, fmt.Sprint(f.Severity, " ", f.Path, ": ", f.Message))
	}
	if paired == nil || len(told) != 12 || told[0] != "warning out/one.xml: a suite that ends after row 1 counts 2 tests and holds 1: some may be missing" ||
		!strings.HasPrefix(told[1], "warning out/all/00.xml: ") || told[11] != "warning out/all: its files have 2 more notes" {
		t.Errorf("the files are told as %q", told)
	}
}

func TestANoteSaysHowCasesOfAnotherRunnerWerePaired(t *testing.T) {
	for want, p := range map[string]*results.Pairing{
		"1 case is found by the input alone, under another name: b":                                                   {Renamed: []string{"b"}},
		"2 cases have equal variables and other assertions, and nothing but the order tells them apart":               {OrderedCases: 2},
		"a case has 1 run at most here, and 3 on the base: fewer runs prove less":                                     {Runs: [2]int{3, 1}},
		"1 case has several results of one name and no number of a run, which count as its runs":                      {Repeated: []string{"a"}},
		"1 case lacks answers of some runs on the base: a (1 of 2)":                                                   {Incomplete: [2][]string{{"a (1 of 2)"}, nil}},
		"2 cases lack answers of some runs: a (1 of 2), b (1 of 2)":                                                   {Incomplete: [2][]string{nil, {"a (1 of 2)", "b (1 of 2)"}}},
		"no test has a name in which the expression of the runs finds a run; correct the expression, or leave it out": {NoRunFound: true},
		"1 case that the base ran is skipped here, as if removed: b":                                                  {Skipped: []string{"b"}},
		"2 cases have another input than on the base, and the gate compares answers to different questions: a, b":     {OtherInput: []string{"a", "b"}},
		"no case is called \"late refnd*\", as `must_pass` of `results` says; correct the pattern":                    {UnusedMustPass: []string{"late refnd*"}},
		"the results do not show what a case is held to: that an expectation was changed cannot be seen":              {},
		"1 case passed before, and fails by assertions that are others now: a":                                        {Edited: []string{"a"}},
		"results of jsonl, judged by their runner; failproof asks nothing again, and its judge, policies, refusals,":  {Formats: []string{"jsonl"}},
	} {
		var told []string
		for _, n := range resultsNotes("", nil, p) {
			told = append(told, n.Message)
		}
		if !strings.Contains(strings.Join(told, "\n"), want) {
			t.Errorf("the notes are %q; want one that says %q", told, want)
		}
	}
}
