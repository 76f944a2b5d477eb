package suite

import (
	"cmp"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// rescueRounds is how often a file is read again at most. Each time, the entries that had errors before are left out.
const rescueRounds = 8

// LoadBase reads the suites of a base as Load does, but leaves out only the cases that have an error. A suite with an
// error that concerns all of it is in lost. It has no cases, but has its weight and threshold if these are known.
// LoadBase returns all errors.
func LoadBase(fsys fs.FS, cfg *config.Config, globs []string) (suites, lost []*Suite, ds []document.Diagnostic) {
	return loadBase(newLoader(fsys, cfg, nil), globs)
}

func loadBase(l *loader, globs []string) (suites, lost []*Suite, ds []document.Diagnostic) {
	files, ds := find(l.fsys, l.config, globs)
	suites, ds = l.readAll(files, ds, func(s source, o *fileResult) []*Suite {
		rescued, ok := l.rescue(s, o)
		if !ok {
			for _, s := range o.suites {
				lost = append(lost, &Suite{ID: s.ID, Path: s.Path, Pos: s.Pos, Weight: s.Weight, MinScore: s.MinScore})
			}
		}
		return rescued
	})
	document.Sort(ds)
	Sort(suites)
	return suites, lost, slices.Compact(ds)
}

// rescue returns the suites in a file without its faulty entries. o is the result of reading the whole file. rescue
// returns false if an error concerns more than single entries.
func (l *loader) rescue(s source, o *fileResult) ([]*Suite, bool) {
	if o.file == nil {
		return nil, false
	}
	data := o.file.faults.casesPath
	var earlierErrors []document.Diagnostic
	for range rescueRounds {
		newErrors := slices.DeleteFunc(slices.Clone(o.faults), func(d document.Diagnostic) bool {
			return d.Severity != document.Error || slices.Contains(earlierErrors, d)
		})
		if len(newErrors) == 0 {
			return o.suites, true
		}
		if slices.ContainsFunc(newErrors, func(d document.Diagnostic) bool { return d.Path != s.path && d.Path != data || d.Line == 0 }) {
			return nil, false
		}
		earlierErrors = append(earlierErrors, newErrors...)
		if o = l.readFile(s, earlierErrors); o.file == nil || o.file.suiteInvalid {
			return nil, false
		}
	}
	return nil, false
}

// readTree returns the tree of the file, without the entries at the places of the errors in f.earlierErrors.
func (f *file) readTree() *document.Node {
	root, ds := document.Parse(f.faults.Path, []byte(f.faults.text.text))
	f.faults.Add(slices.DeleteFunc(ds,
		func(d document.Diagnostic) bool { return slices.Contains(f.earlierErrors, d) })...)
	if root == nil || len(f.earlierErrors) == 0 {
		return root
	}
	var places []document.Position
	for _, d := range f.earlierErrors {
		if d.Path == f.faults.Path {
			places = append(places, d.Pos())
		}
	}
	pruned, paths, ok := document.Prune(root, places, func(path []string, _ int) bool { return len(path) == 1 && slices.Contains(caseKeys, path[0]) })
	f.suiteInvalid = !ok
	for _, path := range paths {
		f.suiteInvalid = f.suiteInvalid || len(path) == 1 && !slices.Contains(optionalKeys, path[0])
		f.thresholdInvalid = f.thresholdInvalid || path[0] == "min_score"
	}
	return pruned
}

// caseKeys are the keys of lists whose items can be left out one by one, because each is a case. Rows of a prompt file
// are never left out.
var caseKeys = []string{"cases", "evals", "stimuli", "scenarios", "tasks"}

// optionalKeys are the keys of a suite that can be left out, so that their defaults apply. An error in any other key
// concerns all cases of the suite.
var optionalKeys = []string{"weight", "min_score", "trials", "description"}

// maxWeight is the largest weight that the schema allows.
const maxWeight = 1e6

// ApplyLost applies the weights and thresholds of lost, the base suites that could not be read because of an error, to
// the head's suites. If a threshold is unknown, the head's threshold applies, which can only be stricter than none.
// ApplyLost returns the settings in which the head differs.
func ApplyLost(lost, head []*Suite) (changes []config.Change) {
	lostSuites := byAuthorID(lost)
	for _, h := range head {
		base := lostSuites[suiteid.AuthorID(h.ID)]
		if base == nil {
			continue
		}
		known := &Suite{Weight: base.Weight, MinScore: cmp.Or(base.MinScore, h.MinScore)}
		changes = append(changes, suitePair{base: known, head: h}.applySettings()...)
	}
	return uniqueChanges(changes)
}
