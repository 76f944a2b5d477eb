package run

import (
	"maps"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/suite"
)

// recordGiven checks the suites in dir, writes answers that another program asked for as their recordings, where they read them, and returns the
// files. What is wrong in the configuration or the suites comes as diagnostics, and nothing is written then.
func recordGiven(dir string, given []promptfoo.Answer) (files []string, faults []document.Diagnostic, err error) {
	tree, err := OpenHead(dir, "")
	if err != nil {
		return nil, nil, err
	}
	defer tree.Close()
	own, faults := RequireConfig(tree, "")
	if document.HasErrors(faults) {
		return nil, faults, nil
	}
	c := config.Own(own, config.AskNew)
	suites, faults := suite.Load(tree, c, c.Suites)
	if document.HasErrors(faults) || len(given) == 0 {
		return nil, faults, nil
	}
	of := map[givenTo][]promptfoo.Answer{}
	for _, g := range given {
		to := givenTo{g.File, g.Case, g.Replay}
		of[to] = append(of[to], g)
	}
	lines := map[string][]byte{}
	for _, s := range suites {
		t := c.Targets[s.Target]
		if t.Provider != model.Recorded {
			continue
		}
		name := recorded.Path(t.Path, s.ID)
		for k := range s.Cases.All() {
			for _, g := range of[givenTo{s.Path, k.ID, s.Target}] { // bound to what is asked and to who gave them
				q, bound := model.Request{SuiteID: s.ID, CaseID: k.ID, Trial: g.Trial}, recorded.Bound{Key: k.Keys().RequestKey.String(), From: recordedTarget(c.Targets[g.Target])}
				lines[name] = append(lines[name], recorded.Line(q, bound, g.Answer)...)
			}
		}
	}
	maps.DeleteFunc(lines, func(_ string, text []byte) bool { return len(text) == 0 })
	files, err = writeFiles(dir, slices.Sorted(maps.Keys(lines)), func(_ *os.Root, name string) ([]byte, error) { return lines[name], nil })
	return files, faults, err
}

// givenTo is the case that an answer is for, and the recorded target that gives it again.
type givenTo struct{ file, id, replay string }
