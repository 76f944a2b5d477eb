package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/explain"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

func newExplain(sys System) *cobra.Command {
	o := runOptions{Scope: sides.ScopeChanged}
	var want explain.Selection
	cmd := &cobra.Command{
		Use:   "explain [CASE…]",
		Short: "Find the changed prompt line that broke a case",
		Long: `Reruns broken cases with some of the changed prompt lines taken back, until it is proven which lines
break them, or explain.max_calls is reached. Without a CASE, it reruns the cases that are right on
the base and wrong on the head. It gives no verdict and writes nothing but the response cache.`,
		Example: `  failproof explain --base main
  failproof explain --base main refund/too-late
  failproof explain --base main --target fast`,
		RunE: func(cmd *cobra.Command, cases []string) error {
			o.Base = cmp.Or(o.Base, defaultBranch)
			want.Cases = cases
			return explainCases(cmd.Context(), sys.inConfigFolder(&o), o, want)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Base, "base", "", "what to compare with: a git `revision` (its merge base with the head) "+
		"or a folder (default: the default branch)")
	flags.StringVar(&o.Head, "head", "", "what broke: a git `revision` or a folder (default: the working tree)")
	flags.StringVar(&want.Target, "target", "", "only the cases of the live target of this `name`, recorded or not "+
		"(default: all; recorded ones call the only live target)")
	addAskFlags(flags, &o)
	addYes(flags, &o)
	flags.BoolVar(&o.JSON, "json", false, "print the result as JSON: the explanation of report.json")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no progress")
	return cmd
}

func explainCases(ctx context.Context, sys System, o runOptions, want explain.Selection) error {
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	if in.Stored != nil {
		return fault.Inputf("--base names a stored report, which has no prompts; name a revision or a folder")
	}
	rep, err := explain.FindLines(ctx, in, want, newSinks(sys, o, nil))
	if err != nil {
		return err
	}
	if rep.Verdict == report.Invalid {
		printFaultsWithLines(sys, rep.Diagnostics)
		return verdictError{verdict: report.Invalid}
	}
	for _, warning := range rep.Diagnostics {
		logf(sys, "%s", show.Diagnostic(warning))
	}
	if o.JSON {
		err = show.WriteJSON(sys.Stdout, rep.Explanation)
	} else {
		err = terminal.WriteLines(sys.Stdout, story.New(rep, show.Links{}), tableOptions(sys))
	}
	if err == nil && rep.Explanation.Ended != "" {
		return verdictError{verdict: report.Undecided}
	}
	return err
}
