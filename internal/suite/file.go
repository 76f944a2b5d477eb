package suite

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// file is a suite file being read.
type file struct {
	loader *loader
	faults *faults
	id     string // the default id

	unnamed bool                                   // nobody named it: what is no suite is none
	needs   map[*document.Node]skilleval.Criterion // of criteria of evaluations that others wrote

	columns columns       // of its file of cases
	prompts cache[prompt] // of JSON lines, by their texts

	without []document.Diagnostic // entries with these faults are read as if they were not there; see rescue
	lost    bool                  // one of them cannot be left out
	noBar   bool                  // one of them is the suite's bar
}

// readSuite reads a YAML or JSON suite, a prompt file, or evaluations of agent skills.
func (f *file) readSuite() []*Suite {
	root, meant := f.readTree(), skilleval.Meant(f.faults.text.text)
	switch {
	case root != nil && isPromptFile(f.faults.path, root):
		return f.promptTree(root)
	case skilleval.Is(f.faults.path, root):
		return f.evals(root)
	case f.unnamed && (root != nil || !meant): // it is some other file
		if *f.faults = (faults{path: f.faults.path}); meant {
			f.faults.warnAt(root.Pos, "not-asked", "the file is not asked: expected `evals` or `stimuli`, a list of maps, each with a text as its `prompt`")
		}
		return nil
	case root == nil:
		return nil
	case root.Kind == document.List: // what else may be wrong with it, it is not for a suite to say
		*f.faults = faults{path: f.faults.path}
		f.faults.errorAt(root.Pos, ruleList, "the file is a list; a suite is a map with `version` and `cases`")
		return nil
	}
	return f.suiteTree(root)
}

// suiteTree reads the tree of a suite.
func (f *file) suiteTree(root *document.Node) []*Suite {
	f.faults.add(suiteSchema().Check(f.faults.path, root)...)
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
		checkDefaultID(f.faults, s)
	}
	s.Trials = trialsOf(root.Get("trials"))
	if v, ok := root.Get("weight").AsNumber(); ok { // which the schema has bounded
		s.Weight = v
	}
	if v, ok := root.Get("min_score").AsNumber(); ok {
		s.MinScore = &v
	}
	return f.readTargets(s, root, func(one *Suite) *collector { return f.readCases(one, root) })
}

// checkDefaultID rejects an invalid id that was made of the path.
func checkDefaultID(f *faults, s *Suite) {
	if !validSuiteID(s.ID) {
		f.errorAt(s.Pos, "id", "the path gives the suite the id %s, which is none: letters, digits, '.', '_' and '-', "+
			"in parts joined by '/'; give `id`, or name the folder of the suites in the glob", document.Quote(s.ID))
	}
}

// trialsOf reads a number of trials; 0 if there is no valid one. The schema has reported an invalid one.
func trialsOf(n *document.Node) int {
	if v, ok := n.AsNumber(); ok && v >= 1 && v <= 100 {
		return int(v)
	}
	return 0
}

// suggestion returns the end of a message: the known name that is close to name, or all names if they are few.
func suggestion[V any](name string, known map[string]V) string {
	all := slices.Sorted(maps.Keys(known))
	if like, ok := text.Suggest(name, all); ok {
		return "; did you mean " + document.Quote(like) + "?"
	}
	if len(all) == 0 {
		return "; it has none"
	}
	return "; it has " + nameList(all)
}

// targetName is the name of a target and its place.
type targetName struct {
	name string
	at   document.Position
}

// suitePerTarget returns one suite for each target, which differ in their ids alone. root may be nil for a file that
// cannot name targets.
func (f *file) suitePerTarget(s *Suite, root *document.Node) []*Suite {
	targets := f.targets(s, root)
	out := make([]*Suite, len(targets))
	for i, t := range targets {
		one := *s
		if one.Target = t.name; len(targets) > 1 {
			one.ID = suiteid.Of(s.ID, t.name)
		}
		in := f.loader.config.Targets[t.name]
		if one.Trials = cmp.Or(s.Trials, in.Trials); in.Live() { // a recording has as many answers as were recorded
			one.Trials = cmp.Or(one.Trials, f.loader.config.Gate.Trials)
		}
		one.Trials = max(one.Trials, 1)
		f.checkTarget(t)
		out[i] = &one
	}
	f.checkRecordings(targets)
	return out
}

// readTargets returns one suite for each target, for which read gathers the cases; nil gathers none.
func (f *file) readTargets(s *Suite, root *document.Node, read func(*Suite) *collector) []*Suite {
	all, collectors := f.suitePerTarget(s, root), []*collector{}
	for _, one := range all {
		if c := read(one); c != nil {
			collectors = append(collectors, c)
		}
	}
	closeAll(collectors)
	return all
}

// targets are who answers the suite, at least one.
func (f *file) targets(s *Suite, root *document.Node) (out []targetName) {
	one, list := root.Get("target"), root.Get("targets")
	if one != nil && list != nil {
		f.faults.errorAt(list.Pos, "target", "both `target` and `targets` say who answers; keep `targets`")
	}
	for _, at := range list.List() {
		if name := at.AsText(); name != "" {
			out = append(out, targetName{name, at.Pos})
		}
	}
	switch name := one.AsText(); {
	case len(out) > 0:
	case name != "":
		out = []targetName{{name, one.Pos}}
	default:
		for _, name := range f.loader.config.DefaultTargets {
			out = append(out, targetName{name, s.Pos})
		}
	}
	if len(out) == 0 {
		f.faults.errorAt(s.Pos, "target", "the suite names no `target` and the configuration no `default_target`")
		out = []targetName{{at: s.Pos}}
	}
	return out
}

// checkTarget reports a target that the configuration in force has not.
func (f *file) checkTarget(t targetName) {
	_, known := f.loader.config.Targets[t.name]
	why, withheld := f.loader.config.Withheld[t.name]
	switch {
	case known, t.name == "":
	case withheld:
		f.faults.errorAt(t.at, "target", "target %s %s", document.Quote(t.name), why)
	default:
		f.faults.errorAt(t.at, "target", "target %s is not in the configuration%s", document.Quote(t.name), suggestion(t.name, f.loader.config.Targets))
	}
}

// checkRecordings rejects two targets of a suite whose answers would share a file: each would be answered by the
// other's.
func (f *file) checkRecordings(targets []targetName) {
	of := map[string]string{}
	for _, named := range targets {
		t := f.loader.config.Targets[named.name]
		if other := of[t.Path]; t.Path != "" && other != "" && other != t.Name {
			f.faults.errorAt(named.at, "target", "targets %s and %s both read the recordings %s, in which nothing tells their answers apart; give each a `path` of its own",
				document.Quote(other), document.Quote(t.Name), document.Quote(t.Path))
		}
		of[t.Path] = t.Name
	}
}
