package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// helpColumns is the width that every help fits.
const helpColumns = 80

// layOut wraps what a command and those below it say of themselves, and has their complaints name what was meant.
func layOut(cmd *cobra.Command) {
	cmd.Long = wrapped(cmd.Long)
	cmd.SetUsageTemplate(strings.NewReplacer(".FlagUsages |", ".FlagUsagesWrapped 80 |", "for more information about a command", "for more about a command").
		Replace(cmd.UsageTemplate()))
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fault.Inputf("%w%s; see `%s --help`", err, flagMeant(cmd, err), cmd.CommandPath())
	})
	for _, below := range cmd.Commands() {
		layOut(below)
	}
}

// wrapped lays paragraphs out anew; a line that is indented stays as it is.
func wrapped(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = strings.Join(show.WrapLine(strings.ReplaceAll(p, "\n", " "), helpColumns, helpColumns), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// flagMeant ends a complaint about an unknown flag with the one that is like it.
func flagMeant(cmd *cobra.Command, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if like, ok := text.Suggest(name, known); ok {
		return ", did you mean --" + like + "?"
	}
	return ""
}

// group is a command that only holds another, and alone tells of it.
func group(use, short string, args cobra.PositionalArgs, inner *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(inner)
	return cmd
}

// knownCommand refuses a command that there is not.
func knownCommand(cmd *cobra.Command, a []string) error {
	if len(a) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	meant := ""
	if like, ok := text.Suggest(a[0], known); ok {
		meant = ", did you mean `" + cmd.CommandPath() + " " + like + "`?"
	}
	return fault.Inputf("unknown command %q%s; see `%s --help`", a[0], meant, cmd.CommandPath())
}

// defaultBranch stands for a --base without a value.
const defaultBranch = "the default branch"

// withDefaultBase gives a --base of run, record or explain that no value follows one: cobra would take the next flag for it.
func withDefaultBase(args []string) []string {
	if len(args) == 0 || args[0] != "run" && args[0] != "record" && args[0] != "explain" {
		return args
	}
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		if a == "--base" && (i == len(args)-1 || strings.HasPrefix(args[i+1], "-")) {
			a = "--base=" + defaultBranch
		}
		out = append(out, a)
	}
	return out
}
