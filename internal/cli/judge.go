package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/judgecheck"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

func newJudgeCheck(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Measure how far the judge agrees with people",
		Long: `Has the configured judge grade every answer that people labeled (judges.default.labelled), twice.
Prints how often it agrees with them on met and on not met, where it disagrees, and how often it
contradicts itself. The result is written beside the labels; after it is merged, criteria count by it.`,
		Example: "  failproof judge check",
		Args:    args(cobra.ExactArgs(0)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd, "config"); err != nil {
				return err
			}
			return checkJudge(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	addYes(cmd.Flags(), &o)
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the figures and the disagreements as JSON")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no progress")
	return cmd
}

func checkJudge(ctx context.Context, sys System, o runOptions) error {
	o.Scope = sides.ScopeAll
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	checked, faults, err := judgecheck.Run(ctx, in, newSinks(sys, o, nil))
	if err != nil || document.HasErrors(faults) {
		return invalid(sys, faults, err)
	}
	if o.JSON {
		err = show.WriteJSON(sys.Stdout, checked.Document())
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
		logf(sys, "%s have no verdict, so nothing was written: %s", text.Count(checked.Errors, "label"), checked.Lost())
		return verdictError{verdict: report.Undecided}
	}
	if err := checked.Keep(sys.Dir); err != nil {
		return err
	}
	if !o.JSON {
		fmt.Fprintf(sys.Stdout, "written: %s\n", checked.Path)
	}
	if checked.Misses(checked.Bar) != "" {
		return verdictError{verdict: report.Failed}
	}
	return nil
}
