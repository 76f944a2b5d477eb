package run

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Stamps are the recorded answers of the head that do not say what they answer, or no longer do.
type Stamps struct {
	Renamed    []recorded.Renamed // under the name that the base has for their case
	Unstamped  []recorded.Unstamped
	Unanswered []Unanswered
}

// Unanswered is a suite of which cases have no recorded answer.
type Unanswered struct {
	Path  string
	Cases int
	First string   // case
	Spare []string // recorded ids that no case has
}

// ReadStamps reads the suites with their recordings, and those of the base that they are held against; a base that cannot be read
// is none. What is wrong in files of the head comes as diagnostics.
func ReadStamps(in RecordInputs) (out Stamps, faults []document.Diagnostic, err error) {
	own, faults := RequireConfig(in.Head, in.Config)
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	p := Plan{Inputs: in.Inputs, rules: own}
	if p.head, faults, err = in.readingSide(in.Head, own); err != nil || document.HasErrors(faults) {
		return out, faults, err
	}
	if in.Base != nil {
		theirs := in
		theirs.To = ""
		if before, faults := ReadConfig(in.Base, in.Config); before != nil && !document.HasErrors(faults) {
			if p.base, _, err = theirs.readingSide(in.Base, before); err != nil {
				return out, nil, err
			}
		}
	}
	p.scope = suite.Scope(p.base.all(), p.head.suites, suite.Recordings{})
	pairs := p.pairs()
	p.head.bind(recorded.Binding{Targets: recordedTargets(own), Before: p.baseForm(pairs), Cases: p.head.caseIDs})
	taken := p.head.names()
	for _, s := range p.head.suites {
		none := Unanswered{Path: s.Path}
		for c := range s.Cases.All() {
			out.Unstamped = append(out.Unstamped, p.head.replay[s.Target].Unstamped(c.Open().Prompt)...)
			if own.Targets[s.Target].Provider == model.Recorded && p.head.answersOf(s.ID, c.ID).Len() == 0 {
				if renamed := p.renamedAnswers(pairs[s.ID].cases(c.ID), taken); len(renamed) > 0 {
					out.Renamed = append(out.Renamed, renamed...)
					continue
				}
				none.Cases++
				none.First = cmp.Or(none.First, c.ID)
			}
		}
		if none.Cases > 0 {
			none.Spare = p.head.replay[s.Target].Spare(s.ID)
			out.Unanswered = append(out.Unanswered, none)
		}
	}
	return out, nil, nil
}

// names are what the side's cases are called in recordings.
func (s *side) names() map[recorded.Name]bool {
	out := map[recorded.Name]bool{}
	for _, one := range s.suites {
		for c := range one.Cases.All() {
			out[recorded.Name{SuiteID: suiteid.Written(one.ID), CaseID: c.ID}] = true
		}
	}
	return out
}

// renamedAnswers are the head's recorded answers to a case under the name that the base has for it, in the file that its own are read from, where
// no other case has that name now.
func (p Plan) renamedAnswers(both suite.Pair, taken map[recorded.Name]bool) []recorded.Renamed {
	if both.Base == nil || both.Head == nil {
		return nil
	}
	was := recorded.Name{SuiteID: suiteid.Written(both.BaseSuite.ID), CaseID: both.Base.ID}
	if taken[was] {
		return nil
	}
	client := p.head.replay[both.HeadSuite.Target]
	if client.Answers(was.SuiteID, was.CaseID).File() != recorded.Path(p.head.config.Targets[both.HeadSuite.Target].Path, both.HeadSuite.ID) {
		return nil
	}
	return client.Renamed(was, recorded.Name{SuiteID: suiteid.Written(both.HeadSuite.ID), CaseID: both.Head.ID})
}

// WriteNames gives recorded answers the names that their cases have by now. Files lie below the folder dir. It returns those that it wrote, also
// beside an error.
func WriteNames(dir string, renamed []recorded.Renamed) (out []Stamped, err error) {
	files := map[string]map[int]recorded.Name{}
	for _, r := range renamed {
		if files[r.File] == nil {
			files[r.File] = map[int]recorded.Name{}
		}
		files[r.File][r.Line] = r.To
	}
	return rewritten(dir, files, recorded.Rename)
}

// readingSide loads the suites of a tree as their recordings are read; suites that are not answered from recordings are left out.
func (in RecordInputs) readingSide(tree *source.Tree, own *config.Config) (*side, []document.Diagnostic, error) {
	in.Target = ""
	_, reading, err := in.targets(own)
	if err != nil {
		return nil, nil, err
	}
	suites, faults := suite.Load(tree, reading, in.globs(own.Suites))
	suites = slices.DeleteFunc(suites, func(one *suite.Suite) bool { return reading.Targets[one.Target].Provider != model.Recorded })
	s, more := open(tree, reading, suites, newLive(in.Inputs, reading))
	faults = append(faults, more...)
	document.Sort(faults)
	return s, faults, nil
}

// Stamped is a file of recordings with so many answers stamped, or renamed.
type Stamped struct {
	Path    string
	Answers int
}

// WriteStamps writes into recorded answers which request they answer, and that they are by hand. Files lie below the folder dir. It
// returns those that it wrote, also beside an error.
func WriteStamps(dir string, unstamped []recorded.Unstamped) (out []Stamped, err error) {
	files := map[string]map[int]string{}
	for _, u := range unstamped {
		if files[u.File] == nil {
			files[u.File] = map[int]string{}
		}
		files[u.File][u.Line] = u.Key
	}
	return rewritten(dir, files, recorded.Stamp)
}

// rewritten changes lines of recordings, by their files and numbers.
func rewritten[V any](dir string, files map[string]map[int]V, change func([]byte, map[int]V) []byte) (out []Stamped, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := root.ReadFile(filepath.FromSlash(name))
		if err == nil {
			err = replaceFile(root, name, change(old, files[name]))
		}
		if err != nil {
			return out, fault.Inputf("write the recordings %s: %w", name, err)
		}
		out = append(out, Stamped{name, len(files[name])})
	}
	return out, nil
}
