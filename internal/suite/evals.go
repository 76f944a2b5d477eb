package suite

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/text"
)

// evals returns the suites in a file of evaluations of agent skills, together with the settings file beside it.
func (f *file) evals(root *document.Node) (all []*Suite) {
	if size := len(f.faults.text.text); size > skilleval.MaxBytes {
		f.faults.ErrorAt(root.Pos, "limit", "the file has %d KiB, at most %d are read", (size+1023)>>10, skilleval.MaxBytes>>10)
		return nil
	}
	c := f.loader.config
	from := skilleval.Source{Path: f.faults.Path, Root: root, Overlay: f.overlay(), Judge: c.Judge != nil || c.NoJudge != "",
		FS: f.loader.fsys, File: f.loader.textAt, Has: f.loader.has}
	made, ds := skilleval.Read(from)
	for _, d := range ds {
		if d.Rule == skilleval.RuleSkill && f.unnamed { // such a file is skipped without an error
			d.Severity = document.Warning
		}
		f.faults.Add(d)
	}
	f.needs = made.Needs
	if made.Total > 0 && !from.Judge {
		report := f.faults.ErrorAt
		if f.unnamed {
			report = f.faults.WarnAt
		}
		report(root.Pos, ruleJudge, "the file is not asked: its %s in %s need a judge; name its target in the configuration: "+
			"`judges: { default: { target: … } }`", text.Count(made.Total, "criterion", "criteria"), text.Count(made.Cases, "case"))
		return nil
	}
	for _, one := range made.Roots {
		all = append(all, f.suiteTree(one)...)
	}
	return all
}

// ruleJudge is the rule of an error about a missing judge.
const ruleJudge = "judge"

// escalate turns the diagnostics in ds that have one of the given rules into errors, and reports whether there were
// any.
func escalate(ds []document.Diagnostic, rules ...string) (found bool) {
	for i := range ds {
		if slices.Contains(rules, ds[i].Rule) {
			ds[i].Severity, found = document.Error, true
		}
	}
	return found
}

// overlay returns the tree of the settings file beside evals.json, or nil if there is none. It warns if that file's
// name ends in .yml, because such a file is not read.
func (f *file) overlay() *document.Node {
	at := skilleval.OverlayPath(f.faults.Path)
	wrong, rule := present(f.loader.fsys, at)
	if wrong == absent || at == f.loader.config.Path {
		other := strings.TrimSuffix(at, ".yaml") + ".yml"
		if wrong, _ := present(f.loader.fsys, other); wrong == "" && other != f.loader.config.Path {
			f.faults.Add(document.NewWarning(other, document.Position{}, "misnamed", "this is not read: call it %s", path.Base(at)))
		}
		return nil
	}
	f.faults.data = at
	if wrong != "" {
		f.faults.Add(document.NewFault(at, document.Position{}, rule, "%s", wrong))
		return nil
	}
	data, ds := document.ReadText(f.loader.fsys, at, maxPrompt)
	f.faults.Add(ds...)
	if document.HasErrors(ds) {
		return nil
	}
	root, ds := document.Parse(at, data)
	f.faults.Add(ds...)
	if root != nil {
		root.Shift(dataLine)
	}
	return root
}

// textAt returns the length of the text file name, or in lacks the reason why the file cannot be sent.
func (l *loader) textAt(name string) (bytes int, lacks string) {
	if _, lacks = beside("", name); lacks == "" {
		lacks, _ = present(l.fsys, name)
	}
	if lacks != "" {
		return 0, lacks
	}
	data, ds := document.ReadText(l.fsys, name, skilleval.MaxFileBytes)
	if document.HasErrors(ds) {
		return 0, "cannot be read as text"
	}
	return len(data), ""
}

// has reports whether the tree has a file or folder name.
func (l *loader) has(name string) bool {
	if _, wrong := beside("", name); wrong != "" {
		return false
	}
	wrong, _ := present(l.fsys, name)
	return wrong != absent
}

// isOverlay reports whether the file name has the settings for an evals.json beside it. Such a file is no suite.
func isOverlay(fsys fs.FS, cfg *config.Config, name string) bool {
	evals := path.Join(path.Dir(name), "evals.json")
	if skilleval.OverlayPath(evals) != name || name == cfg.Path {
		return false
	}
	wrong, _ := present(fsys, evals)
	return wrong == ""
}

// needs compares the Needs of the criteria that both sides have. A criterion that needs more on the head than on the
// base gets the base's Needs. needs returns these differences as changes.
func (p suitePair) needs(base *Rubric, head *Case) (changes []config.Change) {
	rubric := *head.judging().Rubric
	rubric.Criteria = slices.Clone(rubric.Criteria)
	for i, c := range rubric.Criteria {
		at := slices.IndexFunc(base.Criteria, func(b Criterion) bool { return b.Text == c.Text })
		if at < 0 || skilleval.Compare(base.Criteria[at].Needs, c.Needs) >= 0 {
			continue
		}
		changes = append(changes, p.change(head.ID+".judged", base.Criteria[at].Needs.String(), c.Needs.String()))
		rubric.Criteria[i].Needs = base.Criteria[at].Needs
	}
	if len(changes) > 0 { // the keys stay
		read, judging := *head.read, *head.read.judging
		judging.Rubric, read.judging = &rubric, &judging
		head.read = &read
	}
	return changes
}
