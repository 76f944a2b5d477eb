package suite

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/text"
)

// file is a suite file that is being read.
type file struct {
	loader *loader
	faults *diagnostics
	reader *reader // of the files that it names
	source

	evalCriteria map[*document.Node]skilleval.Criterion // criteria of evaluations of agent skills

	// the columns of its separate file of cases
	columns columns
	prompts cache[prompt] // prompts of JSON lines, by their text
	names   cache[string] // names of variables of JSON lines, by themselves

	earlierErrors []document.Diagnostic // errors of an earlier reading; entries at their places are skipped, see rescue
	// an error concerns the whole suite, so that no entry can be skipped for it
	suiteInvalid     bool
	thresholdInvalid bool // an error in earlierErrors is about the suite's threshold
}

// readSuite returns the suites in a file, which is a YAML or JSON suite, a prompt file, or evaluations of agent skills.
func (f *file) readSuite() []*Suite {
	root, isEvals := f.readTree(), skilleval.LooksLikeEvaluations(f.faults.text.text)
	switch {
	case root != nil && isPromptFile(f.faults.Path, root):
		return f.readPromptTree(root)
	case skilleval.IsEvaluations(f.faults.Path, root):
		return f.readEvals(root)
	case f.foundByName && (root != nil || !isEvals): // the file is probably not meant as a suite
		if *f.faults = *newDiagnostics(f.faults.Path); isEvals {
			f.faults.WarnAt(root.Pos, "not-asked", "the file is not asked: expected `evals` or `stimuli`, a list of maps, each with a text as its `prompt`")
		}
		return nil
	case root == nil:
		return nil
	case root.Kind == document.List: // its other errors are not about a suite
		*f.faults = *newDiagnostics(f.faults.Path)
		f.faults.ErrorAt(root.Pos, ruleList, "the file is a list; a suite is a map with `version` and `cases`")
		return nil
	}
	return f.readSuiteTree(root)
}

// readSuiteTree returns the suite in the tree root, once for each target.
func (f *file) readSuiteTree(root *document.Node) []*Suite {
	f.faults.Add(suiteSchema().Check(f.faults.Path, root)...)
	if root.AsMap() == nil {
		return nil
	}
	s := &Suite{
		ID:               cmp.Or(root.Get("id").AsText(), f.id),
		Path:             f.faults.Path,
		Pos:              root.Pos,
		Description:      root.Get("description").AsText(),
		Benchmark:        root.Get("benchmark").AsText(),
		Weight:           1,
		ThresholdInvalid: f.thresholdInvalid,
	}
	if idNode := root.Get("id"); idNode != nil {
		s.Pos = idNode.Pos
	} else {
		checkDefaultID(f.faults, s)
	}
	s.Trials = trialsOf(root.Get("trials"))
	// The schema reports invalid numbers; a base whose file has other errors keeps the valid ones.
	if v, ok := root.Get("weight").AsNumber(); ok && v >= 0 && v <= maxWeight {
		s.Weight = v
	}
	if v, ok := root.Get("min_score").AsNumber(); ok && v >= 0 && v <= 1 {
		s.MinScore = &v
	}
	c := f.newCollector(s, root)
	return c.perTarget(f.readCases(c, root), nil)
}

// checkDefaultID reports an error if the id that the suite got from its path is invalid.
func checkDefaultID(f *diagnostics, s *Suite) {
	if !validSuiteID(s.ID) {
		f.ErrorAt(s.Pos, "id", "the path gives the suite the id %s, which is none: letters, digits, '.', '_' and '-', "+
			"in parts joined by '/'; give `id`, or name the folder of the suites in the glob", document.Quote(s.ID))
	}
}

// trialsOf returns the number of trials at n, or 0 if it is missing or invalid. The schema reports an invalid number.
func trialsOf(n *document.Node) int {
	if v, ok := n.AsNumber(); ok && v >= 1 && v <= 100 {
		return int(v)
	}
	return 0
}

// suggestion returns the end of a message about the unknown name. It suggests a similar name in known, or else lists
// some of the known names.
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

// targets returns the targets that the suite or else the configuration names. It returns at least one. root is nil if
// the file has no keys for targets.
func (f *file) targets(s *Suite, root *document.Node) []namedTarget {
	single, list, names := root.Get("target"), root.Get("targets"), []*document.Node{}
	if single != nil && list != nil {
		f.faults.ErrorAt(list.Pos, "target", "both `target` and `targets` say who answers; keep `targets`")
	}
	isNamed := func(n *document.Node) bool { return n.AsText() != "" }
	for _, node := range list.List() {
		if isNamed(node) {
			names = append(names, node)
		}
	}
	switch {
	case len(names) > 0:
	case isNamed(single):
		names = append(names, single)
	default:
		s.targetIsDefault = true
		for _, name := range f.loader.config.DefaultTargets {
			names = append(names, &document.Node{Text: name, Pos: s.Pos})
		}
	}
	if len(names) == 0 {
		f.faults.ErrorAt(s.Pos, "target", "the suite names no `target` and the configuration no `default_target`")
		return make([]namedTarget, 1)
	}
	return findTargets(f.loader.config, f.faults, names)
}

// findTargets returns the targets with the given names. It reports those that the effective configuration lacks. It
// also reports two targets with the same file of recordings, because each would read the answers of the other one.
func findTargets(cfg *config.Config, f *diagnostics, names []*document.Node) (all []namedTarget) {
	owners := map[string]string{} // names of targets by their files of recordings
	for _, name := range names {
		t, known := cfg.Targets[name.Text]
		why, withheld := cfg.Withheld[name.Text]
		switch {
		case known:
		case withheld:
			f.ErrorAt(name.Pos, cfg.WithheldRule("target"), "target %s %s", document.Quote(name.Text), why)
		default:
			f.ErrorAt(name.Pos, "target", "target %s is not in the configuration%s", document.Quote(name.Text),
				suggestion(name.Text, cfg.Targets))
		}
		if owner := owners[t.Path]; t.Path != "" && owner != "" && owner != t.Name {
			f.ErrorAt(name.Pos, "target", "targets %s and %s both read the recordings %s, in which nothing tells "+
				"their answers apart; give each a `path` of its own",
				document.Quote(owner), document.Quote(t.Name), document.Quote(t.Path))
		}
		owners[t.Path] = t.Name
		all = append(all, namedTarget{name.Text, t})
	}
	return all
}
