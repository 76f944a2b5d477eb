// Package judgecheck compares the verdicts of a configured judge with the labels of people.
package judgecheck

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// Result is the agreement of a judge with people. As JSON it is the output of `judge check --json`.
type Result struct {
	judge.Agreement
	Twice         int            `json:"twice"`        // labels with two verdicts
	Contradicted  int            `json:"contradicted"` // labels with two different verdicts
	Kappa         *float64       `json:"kappa"`        // null if it is undefined
	MinAgreement  float64        `json:"min_agreement"`
	Counts        bool           `json:"counts"`        // unmet criteria fail a case
	Why           string         `json:"why,omitempty"` // why unmet criteria only warn; "" if they count
	Disagreements []Disagreement `json:"disagreements"` // in the order of the labels
	Warnings      []string       `json:"warnings"`

	AgreementPath string `json:"-"`
	WhyNoVerdict  string `json:"-"` // why the first label without a verdict has none
}

// Disagreement is a label that the judge contradicts.
type Disagreement struct {
	Line      int             `json:"line"`
	Criterion string          `json:"criterion"`
	Answer    model.Untrusted `json:"answer"`
	People    bool            `json:"people"` // people call the criterion met
	Why       model.Untrusted `json:"why"`    // in the judge's words
}

// Run has the judge of the head's configuration grade every label twice, and counts how often the judge agrees with
// people. Errors in files are document.Faults. Run writes no file; see Save.
func Run(ctx context.Context, inputs sides.Inputs, sinks asking.Sinks) (out Result, err error) {
	c, err := readConfig(inputs)
	if err != nil {
		return out, err
	}
	if c.Judge == nil || c.Judge.LabelsPath == "" {
		return out, fault.Inputf("%s names no labels to check a judge by: "+
			"judges: { default: { target: …, labeled: judge/labels.jsonl } }", c.Path)
	}
	text, labels, err := readLabels(inputs, c)
	if err != nil {
		return out, err
	}
	p := &sides.Sides{Inputs: inputs, Rules: c, RulesTree: inputs.Head, Live: sides.NewTargets(inputs, c)}
	j := sides.NewJudge(c)
	calls := len(labels)*2*j.Votes + len(judge.Controls(false))
	if maxCalls := c.Limits.WithDefaults().MaxCalls; calls > maxCalls {
		return out, fault.Inputf("%d labels take %d calls of the judge, more than limits.max_calls (%d) allows",
			len(labels), calls, maxCalls)
	}
	judging, faults := p.Live.Client(c, c.Judge.Target)
	if err := document.AsError(faults); err != nil {
		return out, err
	}
	p.Judge = judging
	defer asking.Session{Live: p.Live}.Close()
	if err := p.ConfirmTargets(); err != nil {
		return out, err
	}
	defer p.Live.StopOnCancel(ctx)()
	sinks.Say("asking the judge of %d labels, twice each: %d calls", len(labels), calls)
	p.Inputs.Progress.Begin(2*len(labels), p.Live.Run.Usage)
	defer p.Inputs.Progress.Finish()
	panel := asking.NewPanel(p, asking.Session{}, config.StaleAsk)
	ctx = context.WithoutCancel(ctx)
	checked, err := panel.CheckLabels(ctx, labels, j.Target.Concurrency, p.Inputs.Progress.Advance)
	if err != nil {
		return out, err
	}
	a := evaluate.CountAgreement(checked)
	a.Judge, a.Model, a.Labels = j.Fingerprint(), j.Target.Model, judge.Digest(text)
	out = newResult(a, checked, c.Judge.MinAgreement)
	out.AgreementPath = judge.AgreementPath(c.Judge.LabelsPath)
	if panel.ControlResults().Obeyed {
		out.Warnings = append(out.Warnings,
			"the judge called an answer met that ordered it to: an answer may talk it round")
	}
	if n := maxCriteria(inputs, c); n >= 3 && j.Votes < 3 {
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("a case has %d criteria, each of which may be called wrong: votes: 3 makes that rarer", n))
	}
	return out, nil
}

func newResult(a judge.Agreement, checked []evaluate.CheckedLabel, minAgreement float64) Result {
	out := Result{Agreement: a, Twice: a.Twice, Contradicted: a.Contradicted, Kappa: report.Optional(a.Kappa()),
		MinAgreement: minAgreement, Why: a.WhyNotCounted(minAgreement), Disagreements: []Disagreement{}, Warnings: []string{}}
	out.Counts = out.Why == ""
	for _, one := range checked {
		switch g := one.Grades[0]; {
		case g.Failure != nil:
			out.WhyNoVerdict = cmp.Or(out.WhyNoVerdict, strings.TrimSpace(excerpt(g.Failure.Message)))
		case g.Met != one.Met:
			out.Disagreements = append(out.Disagreements, Disagreement{one.Line, one.Criterion, one.Answer, one.Met, g.Why})
		}
	}
	return out
}

func excerpt[T ~string](text T) string { return show.Excerpt(string(text), show.SentenceRunes) }

// readConfig returns the head's own configuration.
func readConfig(inputs sides.Inputs) (*config.Config, error) {
	parsed, faults := sides.RequireConfig(inputs.Dir, inputs.Head, inputs.Config)
	if err := document.AsError(faults); err != nil {
		return nil, err
	}
	return config.ResolveAlone(parsed, config.CallNew), nil
}

func readLabels(inputs sides.Inputs, c *config.Config) ([]byte, []judge.Label, error) {
	text, err := fs.ReadFile(inputs.Head, c.Judge.LabelsPath)
	if err != nil {
		return nil, nil, fault.Inputf("read the labels: %w", err)
	}
	labels, err := judge.ReadLabels(text)
	if err != nil {
		return nil, nil, fault.Inputf("%s: %w", c.Judge.LabelsPath, err)
	}
	return text, labels, nil
}

// Save writes the agreement to the file r.AgreementPath in the working folder dir. The file is next to the labels.
func (r Result) Save(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	if err := output.Replace(root, filepath.ToSlash(r.AgreementPath), r.Agreement.JSON()); err != nil {
		return fault.Inputf("write %s: %w", r.AgreementPath, err)
	}
	return nil
}

// maxCriteria returns the largest number of criteria that a case has. It returns 0 if the suites cannot be read.
func maxCriteria(inputs sides.Inputs, c *config.Config) (largest int) {
	cases, _ := gradedCases(inputs, c)
	for _, one := range cases {
		largest = max(largest, len(one.Rubric.Criteria))
	}
	return largest
}

// Print writes the figures and then the disagreements to w.
func (r Result) Print(w io.Writer) {
	for _, one := range []struct {
		words string
		kind  judge.AgreementCounts
	}{{"agrees with people", r.Total()}, {"of what they call met", r.Met}, {"of what they call not met", r.Unmet}} {
		if one.kind.Labels == 0 {
			fmt.Fprintf(w, "%-26s no label has a verdict\n", one.words)
			continue
		}
		lo, hi := one.kind.Interval()
		fmt.Fprintf(w, "%-26s %d of %d (%.0f %%; 95 %%: %.0f to %.0f %%)\n",
			one.words, one.kind.Agreed, one.kind.Labels, 100*one.kind.Share(), 100*lo, 100*hi)
	}
	if r.Kappa != nil {
		fmt.Fprintf(w, "%-26s %.2f\n", "kappa", *r.Kappa)
	}
	fmt.Fprintf(w, "%-26s %d of %d asked twice\n", "contradicts itself", r.Contradicted, r.Twice)
	words := map[bool]string{true: "met", false: "not met"}
	for _, one := range r.Disagreements {
		fmt.Fprintf(w, "\nline %d: %s\n  answer: %s\n  people: %s\n  judge:  %s: %s\n", one.Line, excerpt(one.Criterion),
			excerpt(one.Answer), words[one.People], words[!one.People], excerpt(one.Why))
	}
	fmt.Fprintln(w)
	if r.Counts {
		fmt.Fprintf(w, "criteria count: both kinds reach min_agreement %.2f\n", r.MinAgreement)
	} else {
		fmt.Fprintf(w, "criteria only warn: %s\n", r.Why)
	}
}
