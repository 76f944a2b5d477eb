package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/judgecheck"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

func newJudgeCheck(sys System) *cobra.Command {
	var o runOptions
	var suggest int
	cmd := &cobra.Command{
		Use:   "check [FOLDER…]",
		Short: "Measure how far the judge agrees with people",
		Long: `Has the configured judge grade every answer that people labeled (judges.default.labeled), twice.
Prints how often it agrees with them on met and on not met, where it disagrees, and how often it
contradicts itself. The result is written beside the labels; after it is merged, criteria count by it.

--suggest calls no model. It prints answers of earlier runs on which the judge's votes differ, as lines of a
file of labels whose "met" you fill in. Each folder is that of a run's report (default: .failproof/out).`,
		Example: "  failproof judge check\n  failproof judge check --suggest 20 >> judge/labels.jsonl",
		Args:    checkArgs(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, folders []string) error {
			if cmd.Flags().Changed("suggest") {
				return suggestLabels(sys, o, folders, suggest)
			}
			if len(folders) > 0 {
				return fault.Inputf("folders of runs go with --suggest alone")
			}
			return checkJudge(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else "+
		"failproof.yml)")
	addYes(cmd.Flags(), &o)
	cmd.Flags().IntVar(&suggest, "suggest", 0, "print at most this `number` of answers on which votes differ, to be "+
		"labeled next")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the figures and the disagreements as JSON")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no progress")
	return cmd
}

func suggestLabels(sys System, o runOptions, folders []string, limit int) error {
	if limit < 1 {
		return fault.Inputf("--suggest is %d; expected how many answers to print, 1 or more", limit)
	}
	o.Scope = sides.ScopeAll
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		folders = []string{output.DefaultFolder}
	}
	for i, folder := range folders {
		folders[i] = sys.path(folder)
	}
	found, err := judgecheck.Suggest(in, folders, limit)
	if err != nil {
		return asVerdict(sys, err)
	}
	lines := json.NewEncoder(show.JSONWriter(sys.Stdout))
	lines.SetEscapeHTML(false)
	for _, q := range found.Questions {
		if err := lines.Encode(q.UnlabeledLine()); err != nil {
			return err
		}
	}
	logf(sys, "votes differ on %d of %s; %d of these are labeled, and %d are of another judge or of a case that "+
		"changed",
		found.Split, text.Count(found.Total, "question"), found.Labeled, found.Changed)
	if len(found.Questions) > 0 {
		logf(sys, "write met, true or false, into each line, and add them to %s", cmp.Or(found.LabelFile, "the file that judges.default.labeled names"))
	}
	return nil
}

func checkJudge(ctx context.Context, sys System, o runOptions) error {
	o.Scope = sides.ScopeAll
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	checked, err := judgecheck.Run(ctx, in, newSinks(sys, o, nil))
	if err != nil {
		return asVerdict(sys, err)
	}
	if o.JSON {
		err = show.WriteJSON(sys.Stdout, checked)
	} else {
		checked.Print(sys.Stdout)
	}
	if err != nil {
		return err
	}
	for _, w := range checked.Warnings {
		logf(sys, "%s", w)
	}
	if checked.Errors > 0 {
		logf(sys, "%s no verdict, so nothing was written: %s",
			text.Count(checked.Errors, "label has", "labels have"), checked.WhyNoVerdict)
		return verdictError{verdict: report.Undecided}
	}
	if err := checked.Save(sys.Dir); err != nil {
		return err
	}
	if !o.JSON {
		fmt.Fprintf(sys.Stdout, "written: %s\n", checked.AgreementPath)
	}
	if !checked.Counts {
		return verdictError{verdict: report.Failed}
	}
	return nil
}
