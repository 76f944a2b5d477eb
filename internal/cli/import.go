package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/importer"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/starter"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/version"
)

func newImportPromptfoo(sys System) *cobra.Command {
	isSample := func(name string, text []byte) bool { return starter.IsSample(version.Tag(), name, text) }
	in, check := importer.Inputs{Dir: sys.Dir, IsSample: isSample}, false
	cmd := &cobra.Command{
		Use:   "promptfoo FILE",
		Short: "Convert a promptfoo configuration into suites and targets",
		Long: `Reads promptfoo's configuration (YAML or JSON) with the prompts, tests and schemas that it names.
Writes suites, a configuration, and promptfoo-import.md, a list of what was not converted: each with
its place, the reason and the nearest way. Suites name prompts and JSON Schemas below the output
folder where they are; other files are copied. No model is called and no code is run. No file is
overwritten, except a configuration that failproof init wrote and nobody edited.

With --results, answers that promptfoo stored (promptfoo eval -o output.json) become recordings, so
the next change is judged at once. With --check as well, nothing is written: the suites judge the
answers, and a table shows where promptfoo's verdict differs.`,
		Example: `  failproof import promptfoo promptfooconfig.yaml
  failproof import promptfoo promptfooconfig.yaml --results output.json
  failproof import promptfoo promptfooconfig.yaml --results output.json --check
  failproof import promptfoo promptfooconfig.yaml --out gate`,
		Args: checkArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			in.File = a[0]
			if check {
				return checkImport(cmd.Context(), sys, in)
			}
			return importPromptfoo(sys, in)
		},
	}
	cmd.Flags().StringVar(&in.Out, "out", ".", "the `folder` to write to; all written paths begin there")
	cmd.Flags().StringVar(&in.Results, "results", "", "a JSON `file` with promptfoo's stored results, which "+
		"become recordings")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; compare promptfoo's verdicts in --results with "+
		"those of the suites")
	return cmd
}

func importPromptfoo(sys System, in importer.Inputs) error {
	done, err := importer.Import(in)
	for _, name := range done.Written {
		fmt.Fprintf(sys.Stdout, "wrote  %s\n", show.LogLine(name))
	}
	const most = 20 // lines, to fit a screen
	toDo := 0
	// Changes and omissions are only in the written list.
	for _, g := range done.Groups() {
		if g.Level != promptfoo.ToDo {
			continue
		}
		if toDo++; toDo <= most {
			fmt.Fprintf(sys.Stdout, "%s: %s\n", show.LogLine(g.Place()), show.LogLine(g.String()))
		}
	}
	if toDo > most {
		fmt.Fprintf(sys.Stdout, "There is more to do: see %s.\n", promptfoo.FindingsFile)
	}
	if err = cmp.Or(err, document.AsError(done.Faults)); err != nil {
		return asVerdict(sys, err)
	}
	fmt.Fprintf(sys.Stdout, "\n%s\nA refusal passes only with `expected_classification: refusal`.\n", done.Summary())
	fmt.Fprintf(sys.Stdout, "failproof does not read %s again: delete it once the suites do what it did.\n",
		show.LogLine(in.File))
	if done.Sample != "" {
		fmt.Fprintf(sys.Stdout, "%s is the example of failproof init, and is judged too: delete it, with its prompt and recording.\n",
			show.LogLine(done.Sample))
	}
	if n := len(done.Copied); n > 0 {
		fmt.Fprintln(sys.Stdout, show.LogLine(fmt.Sprintf("The suites use copies of %s, first %s. Have your "+
			"application read the copies; or import without --out, "+
			"in a folder without a configuration, and the files stay where they are.", text.Count(n, "file"), done.Copied[0])))
	}
	_, err = fmt.Fprintln(sys.Stdout, show.LogLine("Next: "+done.NextCommand(in.Out)))
	return err
}
