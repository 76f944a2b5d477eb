package suite

import (
	"io/fs"
	"path"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skilleval"
)

// evalsTree makes a tree of a suite file of evals.json, and of what stands beside it; nil where there is no suite.
func (f *file) evalsTree(root *document.Node) *document.Node {
	made, ds := skilleval.Evals(skilleval.Source{Path: f.faults.path, Root: root, Overlay: f.overlay(), File: f.loader.textAt})
	f.faults.add(ds...)
	f.needs = made.Needs
	c := f.loader.config
	if made.Root == nil || made.Total == 0 || c.Judge != nil || c.NoJudge != "" {
		return made.Root
	}
	tell := f.faults.errorAt
	if f.unnamed {
		tell = f.faults.warnAt
	}
	tell(root.KeyPos("evals"), ruleJudge, "the suite is not asked: its %d criteria in %d cases need a judge; name its target in the configuration: "+
		"`judges: { default: { target: … } }`", made.Total, made.Root.Get("cases").Len())
	return nil
}

// ruleJudge is the rule of a fault that there is no judge.
const ruleJudge = "judge"

// escalate makes errors of the warnings of a rule, and reports whether there are any.
func escalate(ds []document.Diagnostic, rule string) (found bool) {
	for i := range ds {
		if ds[i].Rule == rule {
			ds[i].Severity, found = document.Error, true
		}
	}
	return found
}

// overlay is the file beside evals.json that says more of its cases; nil where there is none.
func (f *file) overlay() *document.Node {
	at := skilleval.OverlayPath(f.faults.path)
	if _, err := fs.Lstat(f.loader.fsys, at); err != nil || at == f.loader.config.Path {
		return nil
	}
	f.faults.data = at
	if wrong, rule := present(f.loader.fsys, at); wrong != "" {
		f.faults.add(document.NewFault(at, document.Position{}, rule, "%s", wrong))
		return nil
	}
	data, ds := document.ReadText(f.loader.fsys, at, maxPrompt)
	f.faults.add(ds...)
	if document.HasErrors(ds) {
		return nil
	}
	root, ds := document.Parse(at, data)
	f.faults.add(ds...)
	if root != nil {
		root.Shift(dataLine)
	}
	return root
}

// textAt is how long the text of the file at a path is, and why there is none to send, or "".
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

// isOverlay reports a file that says more of the cases of an evals.json beside it, and is no suite.
func isOverlay(fsys fs.FS, cfg *config.Config, name string) bool {
	evals := path.Join(path.Dir(name), "evals.json")
	if skilleval.OverlayPath(evals) != name || name == cfg.Path {
		return false
	}
	info, err := fs.Lstat(fsys, evals)
	return err == nil && info.Mode().IsRegular()
}

// needs has every criterion that is judged on the base judged on the head, where that says that it needs more.
func (p suitePair) needs(m *matching) (changes []config.Change) {
	for one := range m.cases(p.base, p.head) {
		if one.Base == nil || one.Head == nil || !one.Base.Graded() || !one.Head.Graded() {
			continue
		}
		before, now := one.Base.judging().Rubric.Criteria, one.Head.judging().Rubric
		criteria := slices.Clone(now.Criteria)
		for i, c := range criteria {
			at := slices.IndexFunc(before, func(b Criterion) bool { return b.Text == c.Text })
			if at < 0 || skilleval.Compare(before[at].Needs, c.Needs) >= 0 {
				continue
			}
			changes = append(changes, p.change(one.Head.ID+".judged", before[at].Needs.String(), c.Needs.String()))
			criteria[i].Needs = before[at].Needs
		}
		if !slices.Equal(criteria, now.Criteria) {
			one.Head.judgeBy(&Rubric{criteria, now.Reference})
		}
	}
	return changes
}

// judgeBy gives the case another rubric. Its keys stay those of what is written.
func (c *Case) judgeBy(r *Rubric) {
	if c.Body != nil {
		c.Body = new(*c.Body)
		c.Body.Rubric = r
		return
	}
	read, judging := *c.read, *c.read.judging
	judging.Rubric, read.judging = r, &judging
	c.read = &read
}
