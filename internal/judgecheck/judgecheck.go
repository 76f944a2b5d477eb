// Package judgecheck compares the verdicts of a configured judge with the labels of people.
package judgecheck

import (
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
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Result is the agreement of a judge with people.
type Result struct {
	judge.Agreement
	Checked       []evaluate.CheckedLabel // in the order of the labels
	MinAgreement  float64
	Votes         int
	MaxCriteria   int // the largest number of criteria of a case
	AgreementPath string
	Warnings      []string
}

// Run has the judge of the head's configuration grade every label twice, and counts how often the judge agrees with
// people. Errors in files are returned as diagnostics. Run writes no file; see Keep.
func Run(ctx context.Context, inputs sides.Inputs, sinks asking.Sinks) (out Result, faults []document.Diagnostic,
	err error) {
	c, path, faults := readConfig(inputs)
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	if c.Judge == nil || c.Judge.LabelsPath == "" {
		return out, nil, fault.Inputf("%s names no labels to check a judge by: "+
			"judges: { default: { target: …, labeled: judge/labels.jsonl } }", path)
	}
	text, labels, err := readLabels(inputs, c)
	if err != nil {
		return out, nil, err
	}
	p := &sides.Sides{Inputs: inputs, Rules: c, RulesTree: inputs.Head, Live: sides.NewTargets(inputs, c)}
	j := sides.NewJudge(c)
	calls := len(labels)*2*j.Votes + len(judge.Controls(false))
	if maxCalls := c.Limits.WithDefaults().MaxCalls; calls > maxCalls {
		return out, nil, fault.Inputf("%d labels take %d calls of the judge, more than limits.max_calls (%d) allows",
			len(labels), calls, maxCalls)
	}
	if p.Judge, faults = p.Live.Client(c, c.Judge.Target); document.HasErrors(faults) {
		return out, faults, nil
	}
	defer asking.Session{Live: p.Live}.Close()
	if err := p.ConfirmTargets(); err != nil {
		return out, nil, err
	}
	defer p.Live.StopOnCancel(ctx)()
	sinks.Say("asking the judge of %d labels, twice each: %d calls", len(labels), calls)
	p.Inputs.Progress.Begin(2*len(labels), p.Live.Run.Usage)
	defer p.Inputs.Progress.Finish()
	panel := asking.NewPanel(p, asking.Session{}, config.StaleAsk)
	ctx = context.WithoutCancel(ctx)
	if out.Checked, err = panel.CheckLabels(ctx, labels, j.Target.Concurrency, p.Inputs.Progress.Advance); err != nil {
		return out, nil, err
	}
	out.Agreement, out.MinAgreement, out.Votes = evaluate.CountAgreement(out.Checked), c.Judge.MinAgreement, j.Votes
	out.Judge, out.Model, out.Labels = j.Fingerprint(), j.Target.Model, judge.Digest(text)
	out.MaxCriteria, out.AgreementPath = maxCriteria(inputs, c), judge.AgreementPath(c.Judge.LabelsPath)
	if panel.ControlResults().Obeyed {
		out.Warnings = append(out.Warnings,
			"the judge called an answer met that ordered it to: an answer may talk it round")
	}
	return out, nil, nil
}

// readConfig returns the head's own configuration and its path.
func readConfig(inputs sides.Inputs) (*config.Config, string, []document.Diagnostic) {
	parsed, faults := sides.RequireConfig(inputs.Head, inputs.Config)
	if document.HasErrors(faults) {
		return nil, "", faults
	}
	return config.ResolveAlone(parsed, config.CallNew), parsed.Path, nil
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

// Save writes the agreement to the file r.Path in the working folder dir. The file is next to the labels.
func (r Result) Save(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	if err := output.Replace(root, filepath.ToSlash(r.AgreementPath), r.JSON()); err != nil {
		return fault.Inputf("write %s: %w", r.AgreementPath, err)
	}
	return nil
}

// maxCriteria returns the largest number of criteria that a case has. It returns 0 if the suites cannot be read.
func maxCriteria(inputs sides.Inputs, c *config.Config) (largest int) {
	suites, _ := suite.Load(inputs.Head, c, inputs.SuiteGlobs(c.Suites))
	for _, s := range suites {
		for _, c := range s.Cases {
			if c.Graded() {
				largest = max(largest, len(c.Open().Rubric.Criteria))
			}
		}
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
	if kappa, ok := r.Kappa(); ok {
		fmt.Fprintf(w, "%-26s %.2f\n", "kappa", kappa)
	}
	fmt.Fprintf(w, "%-26s %d of %d asked twice\n", "contradicts itself", r.Contradicted, r.Twice)
	for _, one := range r.disagreements() {
		lead := func(text string) string { return show.Excerpt(text, show.SentenceRunes) }
		fmt.Fprintf(w, "\nline %d: %s\n  answer: %s\n  people: %s\n  judge:  %s: %s\n", one.Line, lead(one.Criterion),
			lead(string(one.Answer)), metWords[one.People], metWords[!one.People], lead(string(one.Why)))
	}
	fmt.Fprintln(w)
	if why := r.WhyNotCounted(r.MinAgreement); why != "" {
		fmt.Fprintf(w, "criteria only warn: %s\n", why)
	} else {
		fmt.Fprintf(w, "criteria count: both kinds reach min_agreement %.2f\n", r.MinAgreement)
	}
	if r.MaxCriteria >= 3 && r.Votes < 3 {
		fmt.Fprintf(w, "a case has %d criteria, each of which may be called wrong: votes: 3 makes that rarer\n", r.MaxCriteria)
	}
}

// Document is the output of `judge check --json`.
type Document struct {
	judge.Agreement
	Twice         int            `json:"twice"`        // labels with two verdicts
	Contradicted  int            `json:"contradicted"` // labels with two different verdicts
	Kappa         *float64       `json:"kappa"`        // null if it is undefined
	MinAgreement  float64        `json:"min_agreement"`
	Counts        bool           `json:"counts"`        // unmet criteria fail a case
	Why           string         `json:"why,omitempty"` // why unmet criteria only warn; "" if they count
	Disagreements []Disagreement `json:"disagreements"`
	Warnings      []string       `json:"warnings"`
}

// Disagreement is a label that the judge contradicts.
type Disagreement struct {
	Line      int             `json:"line"`
	Criterion string          `json:"criterion"`
	Answer    model.Untrusted `json:"answer"`
	People    bool            `json:"people"` // people call the criterion met
	Why       model.Untrusted `json:"why"`    // in the judge's words
}

// Document returns the result in the form of `judge check --json`.
func (r Result) Document() Document {
	out := Document{Agreement: r.Agreement, Twice: r.Twice, Contradicted: r.Contradicted, MinAgreement: r.MinAgreement, Why: r.WhyNotCounted(r.MinAgreement),
		Disagreements: r.disagreements(), Warnings: append([]string{}, r.Warnings...)}
	out.Counts = out.Why == ""
	if kappa, ok := r.Kappa(); ok {
		out.Kappa = &kappa
	}
	return out
}

// disagreements returns the labels that the judge contradicts.
func (r Result) disagreements() []Disagreement {
	out := []Disagreement{}
	for _, one := range r.Checked {
		if g := one.Grades[0]; g.Failure == nil && g.Met != one.Met {
			out = append(out, Disagreement{one.Line, one.Criterion, one.Answer, one.Met, g.Why})
		}
	}
	return out
}

var metWords = map[bool]string{true: "met", false: "not met"}

// WhyNoVerdict returns why the first label without a verdict has none. It returns "" if all labels have a verdict.
func (r Result) WhyNoVerdict() string {
	for _, one := range r.Checked {
		if lost := one.Grades[0].Failure; lost != nil {
			return strings.TrimSpace(show.Excerpt(string(lost.Message), show.SentenceRunes))
		}
	}
	return ""
}
