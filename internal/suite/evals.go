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

// readEvals returns the suites in a file of evaluations of agent skills, together with the settings file beside it.
func (f *file) readEvals(root *document.Node) (all []*Suite) {
	if size := len(f.faults.text.text); size > skilleval.MaxBytes {
		f.faults.ErrorAt(root.Pos, "limit", "the file has %d KiB, at most %d are read", (size+1023)>>10, skilleval.MaxBytes>>10)
		return nil
	}
	c := f.loader.config
	evalsSource := skilleval.Source{Path: f.faults.Path, Root: root, Overlay: f.readOverlay(), HasJudge: c.Judge != nil || c.NoJudgeReason != "",
		FS: f.loader.fsys, CheckFile: f.loader.textFileSize}
	result, ds := skilleval.Read(evalsSource)
	for _, d := range ds {
		if d.Rule == skilleval.RuleSkill && f.foundByName { // such a file is skipped without an error
			d.Severity = document.Warning
		}
		f.faults.Add(d)
	}
	f.evalCriteria = result.Needs
	if result.CriteriaCount > 0 && !evalsSource.HasJudge {
		report := f.faults.ErrorAt
		if f.foundByName {
			report = f.faults.WarnAt
		}
		report(root.Pos, ruleJudge, "the file is not asked: its %s in %s need a judge; name its target in the configuration: "+
			"`judges: { default: { target: … } }`", text.Count(result.CriteriaCount, "criterion", "criteria"), text.Count(result.Cases, "case"))
		return nil
	}
	for _, tree := range result.Roots {
		all = append(all, f.readSuiteTree(tree)...)
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

// readOverlay returns the tree of the settings file beside evals.json, or nil if there is none. It warns if that file's
// name ends in .yml, because such a file is not read.
func (f *file) readOverlay() *document.Node {
	overlayPath := skilleval.OverlayPath(f.faults.Path)
	problem, rule := fileProblem(f.loader.fsys, overlayPath)
	if problem == problemAbsent || overlayPath == f.loader.config.Path {
		other := strings.TrimSuffix(overlayPath, ".yaml") + ".yml"
		if problem, _ := fileProblem(f.loader.fsys, other); problem == "" && other != f.loader.config.Path {
			f.faults.Add(document.NewWarning(other, document.Position{}, "misnamed", "this is not read: call it %s", path.Base(overlayPath)))
		}
		return nil
	}
	f.faults.casesPath = overlayPath
	if problem != "" {
		f.faults.Add(document.NewError(overlayPath, document.Position{}, rule, "%s", problem))
		return nil
	}
	data, ds := document.ReadText(f.loader.fsys, overlayPath, maxPrompt)
	f.faults.Add(ds...)
	if document.HasErrors(ds) {
		return nil
	}
	root, ds := document.Parse(overlayPath, data)
	f.faults.Add(ds...)
	if root != nil {
		root.Shift(dataLine)
	}
	return root
}

// textFileSize returns the length of the text file name, or in problem the reason why the file cannot be sent.
func (l *loader) textFileSize(name string) (bytes int, problem string) {
	if _, problem = resolvePath("", name); problem == "" {
		problem, _ = fileProblem(l.fsys, name)
	}
	if problem != "" {
		return 0, problem
	}
	data, ds := document.ReadText(l.fsys, name, skilleval.MaxFileBytes)
	if document.HasErrors(ds) {
		return 0, "cannot be read as text"
	}
	return len(data), ""
}

// isOverlay reports whether the file name has the settings for an evals.json beside it. Such a file is no suite.
func isOverlay(fsys fs.FS, cfg *config.Config, name string) bool {
	evals := path.Join(path.Dir(name), "evals.json")
	if skilleval.OverlayPath(evals) != name || name == cfg.Path {
		return false
	}
	wrong, _ := fileProblem(fsys, evals)
	return wrong == ""
}

// restoreNeeds compares the Needs of the criteria that both sides have. A criterion that needs more on the head than on
// the base gets the base's Needs. restoreNeeds returns these differences as changes.
func (p suitePair) restoreNeeds(base *Rubric, head *Case) (changes []config.Change) {
	rubric := *head.judging().Rubric
	rubric.Criteria = slices.Clone(rubric.Criteria)
	for i, c := range rubric.Criteria {
		at := slices.IndexFunc(base.Criteria, func(b Criterion) bool { return b.Text == c.Text })
		if at < 0 || skilleval.CompareNeeds(base.Criteria[at].Needs, c.Needs) >= 0 {
			continue
		}
		changes = append(changes, p.change(head.ID+".judged", base.Criteria[at].Needs.String(), c.Needs.String()))
		rubric.Criteria[i].Needs = base.Criteria[at].Needs
	}
	if len(changes) > 0 { // the keys stay
		read, judging := *head.parsed, *head.parsed.judging
		judging.Rubric, read.judging = &rubric, &judging
		head.parsed = &read
	}
	return changes
}
