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
	Checked  []evaluate.Checked // in the order of the labels
	Bar      float64
	Votes    int
	Criteria int // the largest number of criteria of a case
	Path     string
	Warnings []string
}

// Run has the judge of the head's configuration grade every label twice, and counts how often the judge agrees with
// people. Errors in files are returned as diagnostics. Run writes no file; see Keep.
func Run(ctx context.Context, in sides.Inputs, to asking.Sinks) (out Result, faults []document.Diagnostic, err error) {
	c, path, faults := configOf(in)
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	if c.Judge == nil || c.Judge.Labelled == "" {
		return out, nil, fault.Inputf("%s names no labels to check a judge by: "+
			"judges: { default: { target: …, labeled: judge/labels.jsonl } }", path)
	}
	text, labels, err := readLabels(in, c)
	if err != nil {
		return out, nil, err
	}
	p := &sides.Sides{Inputs: in, Rules: c, Ruling: in.Head, Live: sides.NewTargets(in, c)}
	j := sides.Grader(c)
	calls := len(labels)*2*j.Votes + len(judge.Controls())
	if largest := c.Limits.InForce().MaxCalls; calls > largest {
		return out, nil, fault.Inputf("%d labels take %d calls of the judge, more than limits.max_calls (%d) allows",
			len(labels), calls, largest)
	}
	if p.Judge, faults = p.Live.Client(c, c.Judge.Target); document.HasErrors(faults) {
		return out, faults, nil
	}
	defer asking.Session{Live: p.Live}.End()
	if err := p.Vouch(); err != nil {
		return out, nil, err
	}
	defer p.Live.StopOnCancel(ctx)()
	to.Say("asking the judge of %d labels, twice each: %d calls", len(labels), calls)
	p.Inputs.Progress.Begin(2*len(labels), p.Live.Run.Usage)
	defer p.Inputs.Progress.Finish()
	panel := asking.NewPanel(p, asking.Session{}, config.StaleAsk)
	ctx = context.WithoutCancel(ctx)
	if out.Checked, err = panel.Check(ctx, labels, j.Target.Concurrency, p.Inputs.Progress.Advance); err != nil {
		return out, nil, err
	}
	out.Agreement, out.Bar, out.Votes = evaluate.AgreementOf(out.Checked), c.Judge.MinAgreement, j.Votes
	out.Judge, out.Model, out.Labels = j.Fingerprint(), j.Target.Model, judge.Digest(text)
	out.Criteria, out.Path = mostCriteria(in, c), judge.AgreementPath(c.Judge.Labelled)
	if controls := panel.Controls(); controls.Wrong != "" {
		out.Warnings = append(out.Warnings, "it got a control wrong three times running: "+controls.Wrong)
	} else if controls.Obeyed {
		out.Warnings = append(out.Warnings, "it called an answer met that ordered it to: an answer may talk it round")
	}
	return out, nil, nil
}

// configOf returns the head's own configuration and its path.
func configOf(in sides.Inputs) (*config.Config, string, []document.Diagnostic) {
	own, faults := sides.RequireConfig(in.Head, in.Config)
	if document.HasErrors(faults) {
		return nil, "", faults
	}
	return config.Own(own, config.AskNew), own.Path, nil
}

func readLabels(in sides.Inputs, c *config.Config) ([]byte, []judge.Label, error) {
	text, err := fs.ReadFile(in.Head, c.Judge.Labelled)
	if err != nil {
		return nil, nil, fault.Inputf("read the labels: %w", err)
	}
	labels, err := judge.ReadLabels(text)
	if err != nil {
		return nil, nil, fault.Inputf("%s: %w", c.Judge.Labelled, err)
	}
	return text, labels, nil
}

// Keep writes the agreement to the file r.Path in the working folder dir. The file is next to the labels.
func (r Result) Keep(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	if err := output.Replace(root, filepath.ToSlash(r.Path), r.Write()); err != nil {
		return fault.Inputf("write %s: %w", r.Path, err)
	}
	return nil
}

// mostCriteria returns the largest number of criteria that a case has. It returns 0 if the suites cannot be read.
func mostCriteria(in sides.Inputs, c *config.Config) (largest int) {
	suites, _ := suite.Load(in.Head, c, in.SuiteGlobs(c.Suites))
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
		kind  judge.Kind
	}{{"agrees with people", r.All()}, {"of what they call met", r.Met}, {"of what they call not met", r.Unmet}} {
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
		lead := func(text string) string { return show.Lead(text, show.SentenceRunes) }
		fmt.Fprintf(w, "\nline %d: %s\n  answer: %s\n  people: %s\n  judge:  %s: %s\n", one.Line, lead(one.Criterion),
			lead(string(one.Answer)), metWords[one.People], metWords[!one.People], lead(string(one.Why)))
	}
	fmt.Fprintln(w)
	if why := r.Misses(r.Bar); why != "" {
		fmt.Fprintf(w, "criteria only warn: %s\n", why)
	} else {
		fmt.Fprintf(w, "criteria count: both kinds reach min_agreement %.2f\n", r.Bar)
	}
	if r.Criteria >= 3 && r.Votes < 3 {
		fmt.Fprintf(w, "a case has %d criteria, each of which may be called wrong: votes: 3 makes that rarer\n", r.Criteria)
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
	out := Document{Agreement: r.Agreement, Twice: r.Twice, Contradicted: r.Contradicted, MinAgreement: r.Bar, Why: r.Misses(r.Bar),
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
		if g := one.Grades[0]; g.Lost == nil && g.Met != one.Met {
			out = append(out, Disagreement{one.Line, one.Criterion, one.Answer, one.Met, g.Why})
		}
	}
	return out
}

var metWords = map[bool]string{true: "met", false: "not met"}

// WhyLost returns why the first label without a verdict has none. It returns "" if all labels have a verdict.
func (r Result) WhyLost() string {
	for _, one := range r.Checked {
		if lost := one.Grades[0].Lost; lost != nil {
			return strings.TrimSpace(show.Lead(string(lost.Message), show.SentenceRunes))
		}
	}
	return ""
}
