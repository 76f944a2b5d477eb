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
	Labelled  string // the configured file of labels; "" if there is none

	All     int // questions in the given runs
	Differ  int // questions on which the votes differ
	Known   int // questions counted in Differ that have a label
	Changed int // questions counted in Differ that another judge answered, or whose case changed
}

// Suggest returns at most limit questions on which the judge's votes differed in earlier runs. The most evenly split
// come first. folders are the folders of the runs' reports. Suggest calls no model.
func Suggest(in sides.Inputs, folders []string, limit int) (out Suggestion, faults []document.Diagnostic, err error) {
	c, path, faults := configOf(in)
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	if c.Judge == nil {
		return out, nil, fault.Inputf("%s names no judge: judges: { default: { target: … } }", path)
	}
	j := sides.Grader(c)
	out.Labelled = c.Judge.Labelled
	known, err := labelledKeys(in, c, j)
	if err != nil {
		return out, nil, err
	}
	suites, faults := suite.Load(in.Head, c, in.SuiteGlobs(c.Suites))
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	all := votes{}
	for _, folder := range folders {
		if err := all.read(folder); err != nil {
			return out, nil, err
		}
	}
	p := &sides.Sides{Inputs: in, Rules: c}
	panel, cases := evaluate.NewPanel(j, nil, evaluate.PanelOptions{Redactor: p.Redactor()}), graded(suites)
	differing := all.differing()
	out.All, out.Differ = len(all), len(differing)
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
		case known[asking.Key]:
			out.Known++
		case len(out.Questions) < limit:
			out.Questions = append(out.Questions, asking.Question)
		}
	}
	return out, nil, nil
}

// labelledKeys returns the set of the keys of the questions that have a label. The keys depend on the judge j.
func labelledKeys(in sides.Inputs, c *config.Config, j judge.Judge) (map[string]bool, error) {
	known := map[string]bool{}
	if _, err := fs.Stat(in.Head, c.Judge.Labelled); err != nil {
		return known, nil
	}
	_, labels, err := readLabels(in, c)
	for _, l := range labels {
		if asking, err := j.Ask(l.Question); err == nil {
			known[asking.Key] = true
		}
	}
	return known, err
}

// graded returns the cases that a judge grades, with their bodies. They are keyed by suite id and case id.
func graded(suites []*suite.Suite) map[[2]string]suite.Case {
	out := map[[2]string]suite.Case{}
	for _, s := range suites {
		for _, c := range s.Cases {
			if c.Graded() {
				out[[2]string{s.ID, c.ID}] = c.Open()
			}
		}
	}
	return out
}

// votes counts the votes on each question, by the key of the question.
type votes map[string]*tally

type tally struct {
	suite, id, criterion, key string
	answer                    model.Untrusted
	met, unmet                int
}

// read counts the votes in the results of both sides of the run in folder. First answers to the same question share one
// verdict, and read counts that verdict once.
func (v votes) read(folder string) error {
	run, err := stored.Read(folder)
	if err != nil {
		return err
	}
	first := map[string]bool{}
	for _, name := range []string{output.ResultsFile, output.BaseFile} {
		f, err := regular.Open(filepath.Join(run.Folder, name))
		if name == output.BaseFile && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fault.Inputf("read the results: %w", err)
		}
		err = report.Results(f, func(r report.Result, _ report.Ref) error {
			for _, c := range r.Criteria {
				if c.Met == nil || c.Verdict == "" || r.RerunReason == "" && first[c.Verdict] {
					continue
				}
				first[c.Verdict] = first[c.Verdict] || r.RerunReason == ""
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
		one = &tally{suite: r.SuiteID, id: r.CaseID, criterion: c.Criterion, key: c.Verdict, answer: r.RawResponse}
		v[c.Verdict] = one
	}
	with, against := &one.met, &one.unmet
	if !*c.Met {
		with, against = against, with
	}
	*with += c.Against + 1 // a majority has at least one vote more
	*against += c.Against
}

// differing returns the questions on which votes differ. The most evenly split come first.
func (v votes) differing() (all []*tally) {
	for _, one := range v {
		if one.met > 0 && one.unmet > 0 {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.evenness(), a.evenness()), cmp.Compare(b.met+b.unmet, a.met+a.unmet),
			cmp.Compare(a.suite, b.suite), cmp.Compare(a.id, b.id), cmp.Compare(a.criterion, b.criterion), cmp.Compare(a.key, b.key))
	})
	return all
}

func (t *tally) evenness() float64 { return float64(min(t.met, t.unmet)) / float64(t.met+t.unmet) }
