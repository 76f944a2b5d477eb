package run

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/suite"
)

// JudgeCheck is how far the head's judge agrees with people.
type JudgeCheck struct {
	judge.Agreement
	Checked  []evaluate.Checked // in the order of the labels
	Bar      float64
	Votes    int
	Criteria int // of the case that has most
	Path     string
	Warnings []string
}

// CheckJudge asks the judge of the head's configuration of every label, twice, and keeps how far it agrees beside the labels. Where a verdict
// is lost because nobody answers, nothing is kept. What is wrong in files comes as diagnostics.
func CheckJudge(ctx context.Context, in Inputs, to Sinks) (out JudgeCheck, faults []document.Diagnostic, err error) {
	own, faults := RequireConfig(in.Head, in.Config)
	if document.HasErrors(faults) {
		return out, faults, nil
	}
	c := config.Own(own, config.AskNew)
	if c.Judge == nil || c.Judge.Labelled == "" {
		return out, nil, fault.Inputf("%s names no labels to check a judge by: judges: { default: { target: …, labelled: judge/labels.jsonl } }", own.Path)
	}
	text, err := fs.ReadFile(in.Head, c.Judge.Labelled)
	if err != nil {
		return out, nil, fault.Inputf("read the labels: %w", err)
	}
	labels, err := judge.ReadLabels(text)
	if err != nil {
		return out, nil, fault.Inputf("%s: %w", c.Judge.Labelled, err)
	}
	p := Plan{Inputs: in, rules: c, live: newLive(in, c)}
	j := grader(c)
	calls := len(labels)*2*j.Votes + len(judge.Controls())
	if limit := c.Limits.InForce().MaxCalls; calls > limit {
		return out, nil, fault.Inputf("%d labels take %d calls of the judge, more than limits.max_calls (%d) allows", len(labels), calls, limit)
	}
	if p.judgeClient, faults = p.live.open(c, c.Judge.Target); document.HasErrors(faults) {
		return out, faults, nil
	}
	defer asking{live: p.live}.end()
	defer p.live.heed(ctx)()
	to.Say("asking the judge of %d labels, twice each: %d calls", len(labels), calls)
	p.Progress.Begin(2*len(labels), p.live.run.Spent)
	defer p.Progress.Finish()
	panel := p.panel(asking{}, config.StaleAsk)
	if out.Checked, err = panel.Check(context.WithoutCancel(ctx), labels, j.Target.Concurrency, p.Progress.Tell); err != nil {
		return out, nil, err
	}
	out.Agreement, out.Bar, out.Votes = evaluate.AgreementOf(out.Checked), c.Judge.MinAgreement, j.Votes
	out.Judge, out.Model, out.Labels = j.Fingerprint(), j.Target.Model, judge.Digest(text)
	out.Criteria, out.Path = mostCriteria(in, c), judge.AgreementPath(c.Judge.Labelled)
	if told := panel.Controls(); told.Wrong != "" {
		out.Warnings = append(out.Warnings, "it got a control wrong three times running: "+told.Wrong)
	} else if told.Obeyed {
		out.Warnings = append(out.Warnings, "it called an answer met that ordered it to: an answer may talk it round")
	}
	return out, nil, nil
}

// Keep writes the agreement beside the labels, below the folder.
func (c JudgeCheck) Keep(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	if err := replaceFile(root, filepath.ToSlash(c.Path), c.Write()); err != nil {
		return fault.Inputf("write %s: %w", c.Path, err)
	}
	return nil
}

// mostCriteria is the number of criteria of the case that has most; 0 where the suites cannot be read.
func mostCriteria(in Inputs, c *config.Config) (most int) {
	suites, _ := suite.Load(in.Head, c, in.globs(c.Suites))
	for _, s := range suites {
		for c := range s.Cases.All() {
			if c.Graded() {
				most = max(most, len(c.Open().Rubric.Criteria))
			}
		}
	}
	return most
}
