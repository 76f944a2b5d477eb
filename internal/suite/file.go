package suite

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// file is a suite file being read.
type file struct {
	*loader
	written
	faults *faults
	id     string // the default id
	again  bool   // it was read before, and nothing is said

	columns columns // of its file of cases

	expanded *int // bytes that the cases so far come to

	without []document.Diagnostic // entries with these faults are read as if they were not there; see rescue
	lost    bool                  // one of them is no entry that can be left out
	noBar   bool                  // one of them is the suite's bar
}

// suite reads a YAML or JSON suite, or a prompt file.
func (f *file) suite(p parsed) []*Suite {
	root := f.tree(p)
	if root == nil {
		return nil
	}
	if p.form == promptForm || isPromptFile(f.faults.path, root) {
		return f.promptTree(root)
	}
	if root.Kind == document.List { // what else may be wrong with it, it is not for a suite to say
		*f.faults = faults{path: f.faults.path}
		f.faults.errorAt(root.Pos, ruleList, "the file is a list; a suite is a map with `version` and `cases`")
		return nil
	}
	if len(f.without) > 0 {
		p.unmet = suiteSchema().Check(p.path, root)
	}
	f.faults.add(p.unmet...)
	if root.AsMap() == nil {
		return nil
	}
	s := &Suite{
		ID:          cmp.Or(root.Get("id").AsText(), f.id),
		Path:        f.faults.path,
		Pos:         root.Pos,
		Description: root.Get("description").AsText(),
		Benchmark:   root.Get("benchmark").AsText(),
		Weight:      1,
		BarFaulty:   f.noBar,
	}
	if at := root.Get("id"); at != nil {
		s.Pos = at.Pos
	} else {
		f.checkDefaultID(s)
	}
	s.Trials = trialsOf(root.Get("trials"))
	if v, ok := root.Get("weight").AsNumber(); ok { // which the schema has bounded
		s.Weight = v
	}
	if v, ok := root.Get("min_score").AsNumber(); ok {
		s.MinScore = &v
	}
	return f.answered(s, root, func(one *Suite) *collector { return f.cases(one, root) })
}

// checkDefaultID refuses an id that comes from a path which is none.
func (f *file) checkDefaultID(s *Suite) {
	if !validSuiteID(s.ID) {
		f.faults.errorAt(s.Pos, "id", "the path gives the suite the id %s, which is none: letters, digits, '.', '_' and '-', "+
			"in parts joined by '/'; give `id`, or name the folder of the suites in the glob", document.Quote(s.ID))
	}
}

// trialsOf reads a number of trials; 0 is none that can be used, which the schema has reported if it was given.
func trialsOf(n *document.Node) int {
	if v, ok := n.AsNumber(); ok && v >= 1 && v <= 100 {
		return int(v)
	}
	return 0
}

// meant ends a message with the known name that is close to name, or with all if they are few.
func meant[V any](name string, known map[string]V) string {
	all := slices.Sorted(maps.Keys(known))
	if like, ok := text.Suggest(name, all); ok {
		return "; did you mean " + document.Quote(like) + "?"
	}
	if len(all) == 0 {
		return "; it has none"
	}
	return "; it has " + listed(all)
}
