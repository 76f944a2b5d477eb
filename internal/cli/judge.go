package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/text"
)

func newJudgeCheck(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Hold the judge to what people said of answers",
		Long: `Asks the judge of the configuration of every answer that people labelled (judges.default.labelled), twice, and prints how far it agrees with
them, of what they call met and of what they call not met, where it does not, and how often it contradicts itself. What it came to is
written beside the labels; once that is merged, criteria count by it.`,
		Example: "  failproof judge check",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd, "config"); err != nil {
				return err
			}
			return checkJudge(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no progress")
	return cmd
}

func checkJudge(ctx context.Context, sys System, o runOptions) error {
	o.Scope = run.ScopeAll
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	checked, faults, err := run.CheckJudge(ctx, in, newSinks(sys, o, nil))
	if err != nil || document.HasErrors(faults) {
		return invalid(sys, faults, err)
	}
	printAgreement(sys.Stdout, checked)
	for _, w := range checked.Warnings {
		say(sys, "%s", w)
	}
	if checked.Errors > 0 {
		say(sys, "%s have no verdict, so that nothing was written: %s", text.Count(checked.Errors, "label"), lostWords(checked))
		return verdictError{verdict: report.Undecided}
	}
	if err := checked.Keep(sys.Dir); err != nil {
		return err
	}
	fmt.Fprintf(sys.Stdout, "written: %s\n", checked.Path)
	if checked.Misses(checked.Bar) != "" {
		return verdictError{verdict: report.Failed}
	}
	return nil
}

// printAgreement prints the figures, then the disagreements.
func printAgreement(w io.Writer, c run.JudgeCheck) {
	for _, one := range []struct {
		words string
		kind  judge.Kind
	}{{"agrees with people", c.All()}, {"of what they call met", c.Met}, {"of what they call not met", c.Unmet}} {
		lo, hi := one.kind.Interval()
		fmt.Fprintf(w, "%-26s %d of %d (%.0f %%; 95 %%: %.0f to %.0f %%)\n", one.words, one.kind.Agreed, one.kind.Labels, 100*one.kind.Share(), 100*lo, 100*hi)
	}
	if kappa, ok := c.Kappa(); ok {
		fmt.Fprintf(w, "%-26s %.2f\n", "kappa", kappa)
	}
	fmt.Fprintf(w, "%-26s %d of %d asked twice\n", "contradicts itself", c.Contradicted, c.Twice)
	for _, one := range c.Checked {
		if g := one.Grades[0]; g.Lost == nil && g.Met != one.Met {
			fmt.Fprintf(w, "\nline %d: %s\n  answer: %s\n  people: %s\n  judge:  %s: %s\n", one.Line, show.Lead(one.Criterion, show.SentenceRunes), show.Lead(string(one.Answer), show.SentenceRunes),
				metWords[one.Met], metWords[g.Met], show.Lead(string(g.Why), show.SentenceRunes))
		}
	}
	fmt.Fprintln(w)
	if why := c.Misses(c.Bar); why != "" {
		fmt.Fprintf(w, "criteria only warn: %s\n", why)
	} else {
		fmt.Fprintf(w, "criteria count: both kinds reach min_agreement %.2f\n", c.Bar)
	}
	if c.Criteria >= 3 && c.Votes < 3 {
		fmt.Fprintf(w, "a case has %d criteria, each of which may be called wrong: votes: 3 makes that rarer\n", c.Criteria)
	}
}

var metWords = map[bool]string{true: "met", false: "not met"}

// lostWords is why the first label without a verdict has none.
func lostWords(c run.JudgeCheck) string {
	for _, one := range c.Checked {
		if lost := one.Grades[0].Lost; lost != nil {
			return strings.TrimSpace(show.Lead(string(lost.Message), show.SentenceRunes))
		}
	}
	return ""
}
