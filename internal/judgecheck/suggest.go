package judgecheck

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/suite"
)

// Suggestion is a list of questions that people should label next.
type Suggestion struct {
	Questions []judge.Question
	LabelFile string // the configured file of labels; "" if there is none

	Total   int // questions in the given runs
	Split   int // questions on which the votes differ
	Labeled int // questions counted in Differ that have a label
	Changed int // questions counted in Differ that another judge answered, or whose case changed
}

// Suggest returns at most limit questions on which the judge's votes differed in earlier runs. The most evenly split
// come first. folders are the folders of the runs' reports. Suggest calls no model.
func Suggest(inputs sides.Inputs, folders []string, limit int) (out Suggestion, err error) {
	c, err := readConfig(inputs)
	if err != nil {
		return out, err
	}
	if c.Judge == nil {
		return out, fault.Inputf("%s names no judge: judges: { default: { target: … } }", c.Path)
	}
	j := sides.NewJudge(c)
	out.LabelFile = c.Judge.LabelsPath
	labeled, err := labeledKeys(inputs, c, j)
	if err != nil {
		return out, err
	}
	cases, faults := gradedCases(inputs, c)
	if err := document.AsError(faults); err != nil {
		return out, err
	}
	all := votes{}
	for _, folder := range folders {
		if err := all.addRun(folder); err != nil {
			return out, err
		}
	}
	p := &sides.Sides{Inputs: inputs, Rules: c}
	panel := evaluate.NewPanel(j, nil, evaluate.PanelOptions{Redactor: p.Redactor()})
	differing := all.split()
	out.Total, out.Split = len(all), len(differing)
	for _, one := range differing {
		found, ok := cases[[2]string{one.suite, one.id}]
		if !ok {
			out.Changed++
			continue
		}
		asking, err := panel.Question(&found, one.criterion, one.answer)
		switch {
		case err != nil || asking.Key != one.key:
			out.Changed++
		case labeled[asking.Key]:
			out.Labeled++
		case len(out.Questions) < limit:
			out.Questions = append(out.Questions, asking.Question)
		}
	}
	return out, nil
}

// labeledKeys returns the set of the keys of the questions that have a label. The keys depend on the judge j.
func labeledKeys(in sides.Inputs, c *config.Config, j judge.Judge) (map[string]bool, error) {
	known := map[string]bool{}
	if _, err := fs.Stat(in.Head, c.Judge.LabelsPath); err != nil {
		return known, nil
	}
	_, labels, err := readLabels(in, c)
	for _, l := range labels {
		if asking, err := j.Prepare(l.Question); err == nil {
			known[asking.Key] = true
		}
	}
	return known, err
}

// gradedCases returns the head's cases that a judge grades, with their bodies. They are keyed by suite id and case id.
func gradedCases(in sides.Inputs, c *config.Config) (map[[2]string]suite.Case, []document.Diagnostic) {
	out := map[[2]string]suite.Case{}
	suites, faults := suite.Load(in.Head, c, in.SuiteGlobs(c.Suites))
	for s, c := range suite.EachCase(suites) {
		if c.Graded() {
			out[[2]string{s.ID, c.ID}] = c.Open()
		}
	}
	return out, faults
}

// votes counts the votes on each question, by the key of the question.
type votes map[string]*questionVotes

type questionVotes struct {
	suite, id, criterion, key string
	answer                    model.Untrusted
	met, unmet                int
}

// addRun counts the votes in the results of both sides of the run in folder. First answers to the same question share
// one verdict, and read counts that verdict once.
func (v votes) addRun(folder string) error {
	run, err := stored.Read(folder)
	if err != nil {
		return err
	}
	counted := map[string]bool{}
	for _, name := range []string{output.ResultsFile, output.BaseFile} {
		f, err := regular.Open(filepath.Join(run.Folder, name))
		if name == output.BaseFile && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fault.Inputf("read the results: %w", err)
		}
		err = report.ReadResults(f, func(r report.Result, _ report.Ref) error {
			for _, c := range r.Criteria {
				if c.Met == nil || c.Verdict == "" || r.RerunReason == "" && counted[c.Verdict] {
					continue
				}
				counted[c.Verdict] = counted[c.Verdict] || r.RerunReason == ""
				v.add(r, c)
			}
			return nil
		})
		f.Close()
		if err != nil {
			return fault.Inputf("read %s: %w", f.Name(), err)
		}
	}
	return nil
}

func (v votes) add(r report.Result, c report.Criterion) {
	one := v[c.Verdict]
	if one == nil {
		one = &questionVotes{suite: r.SuiteID, id: r.CaseID, criterion: c.Criterion, key: c.Verdict,
			answer: r.RawResponse}
		v[c.Verdict] = one
	}
	with, against := &one.met, &one.unmet
	if !*c.Met {
		with, against = against, with
	}
	*with += c.VotesAgainst + 1 // a majority has at least one vote more
	*against += c.VotesAgainst
}

// split returns the questions on which votes differ. The most evenly split come first.
func (v votes) split() (all []*questionVotes) {
	for _, one := range v {
		if one.met > 0 && one.unmet > 0 {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b *questionVotes) int {
		return cmp.Or(cmp.Compare(b.evenness(), a.evenness()), cmp.Compare(b.met+b.unmet, a.met+a.unmet),
			cmp.Compare(a.suite, b.suite), cmp.Compare(a.id, b.id), cmp.Compare(a.criterion, b.criterion), cmp.Compare(a.key, b.key))
	})
	return all
}

func (q *questionVotes) evenness() float64 {
	return float64(min(q.met, q.unmet)) / float64(q.met+q.unmet)
}
