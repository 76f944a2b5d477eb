package run

import (
	"maps"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// recordGiven writes answers that another program asked for as recordings of the suites in dir, where those read them, and returns the
// files. What is wrong in the configuration or the suites comes as diagnostics, and nothing is written then.
func recordGiven(dir string, tree *source.Tree, given []promptfoo.Answer) (files []string, faults []document.Diagnostic, err error) {
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
			lines[name] = append(lines[name], givenLines(c, s, k, of[givenTo{s.Path, k.ID, s.Target}])...)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fault.Inputf("open the folder of the recordings: %w", err)
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if len(lines[name]) == 0 {
			continue
		}
		if err := replaceFile(root, name, lines[name]); err != nil {
			return files, nil, fault.Inputf("write the recordings %s: %w", name, err)
		}
		files = append(files, name)
	}
	return files, faults, nil
}

// givenTo is the case that an answer is for, and the recorded target that gives it again.
type givenTo struct{ file, id, replay string }

// givenLines are the answers to a case, bound to what is asked and to who gave them.
func givenLines(c *config.Config, s *suite.Suite, k *suite.Case, given []promptfoo.Answer) (out []byte) {
	for _, g := range given {
		q := model.Request{SuiteID: s.ID, CaseID: k.ID, Trial: g.Trial}
		out = append(out, recorded.Line(q, recorded.Bound{Key: k.Keys().RequestKey.String(), From: recordedTarget(c.Targets[g.Target])}, g.Answer)...)
	}
	return out
}
