package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
)

// maxResults bounds promptfoo's stored results, in bytes.
const maxResults = 256 << 20

func newImportPromptfoo(sys System) *cobra.Command {
	var out, results string
	cmd := &cobra.Command{
		Use:   "promptfoo FILE",
		Short: "Take over a configuration of promptfoo as suites and targets",
		Long: `Reads promptfoo's configuration in YAML or JSON with the prompts, tests and schemas that it names, and writes suites, a configuration and a list,
promptfoo-import.md, of what it could not take over: each with its place, the reason and the nearest way. Prompt files below the folder that it writes
to stay where they are and are named by the suites; others are copied. Nothing is asked, no code is run, and a file that is there is never
written over.

With --results the answers that promptfoo stored (promptfoo eval -o output.json) become recordings, so that a change is gated by them at once.`,
		Example: `  failproof import promptfoo promptfooconfig.yaml
  failproof import promptfoo promptfooconfig.yaml --results output.json
  failproof import promptfoo promptfooconfig.yaml --out gate`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error { return importPromptfoo(sys, a[0], out, results) },
	}
	cmd.Flags().StringVar(&out, "out", ".", "the `folder` to write to; paths of the suites and of the configuration begin there")
	cmd.Flags().StringVar(&results, "results", "", "promptfoo's stored results, a JSON `file`, to make recordings of")
	return cmd
}

// importPromptfoo reads, writes, and says what is to do.
func importPromptfoo(sys System, file, out, results string) error {
	in, tree, err := promptfooInput(sys, file, out)
	if err != nil {
		return err
	}
	defer tree.Close()
	if results != "" {
		if in.Results, err = regular.Read(sys.path(results), maxResults); err != nil {
			return fault.Inputf("read the results: %w", err)
		}
		in.ResultsName = results
	}
	r := promptfoo.Import(in)
	if r.Extent() == promptfoo.None {
		printToDo(sys, r)
		return fault.Inputf("nothing of %s could be taken over; nothing was written", file)
	}
	to := sys.path(out)
	if err := writeImport(sys, to, r.Files); err != nil {
		return err
	}
	err = recordImport(sys, to, r.Answers)
	if printToDo(sys, r); err == nil {
		sayImported(sys, out, r)
	}
	return err
}

// promptfooInput opens what may be read: the folder that is written to, or the current one, if the file lies below it; else the file's own.
func promptfooInput(sys System, file, out string) (in promptfoo.Input, tree *source.Tree, err error) {
	full, err := filepath.Abs(sys.path(file))
	if err != nil {
		return in, nil, fault.Inputf("find %s: %w", file, err)
	}
	to, err := filepath.Abs(sys.path(out))
	if err != nil {
		return in, nil, fault.Inputf("find %s: %w", out, err)
	}
	for _, root := range []string{to, sys.path("."), filepath.Dir(full)} {
		name, ok := within(root, full)
		if !ok {
			continue
		}
		if in = (promptfoo.Input{Config: name}); root == to {
			in.Place = "."
		}
		if tree, err = source.Worktree(root); err != nil {
			return in, nil, fault.Inputf("open %s: %w", root, err)
		}
		in.Tree = tree
		return in, tree, nil
	}
	return in, nil, fault.Inputf("%s cannot be found", file)
}

// within is a file's path from a folder that holds it.
func within(root, full string) (string, bool) {
	name, err := filepath.Rel(root, full)
	if err != nil || !filepath.IsLocal(name) {
		return "", false
	}
	return filepath.ToSlash(name), true
}

// writeImport writes all files, or none where one of them is there. No link below the folder leads out of it.
func writeImport(sys System, dir string, files []promptfoo.File) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fault.Inputf("make the folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Inputf("open the folder: %w", err)
	}
	defer root.Close()
	for _, f := range files {
		switch _, err := root.Lstat(filepath.FromSlash(f.Name)); {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return fault.Inputf("write %s: %w", f.Name, err)
		case err == nil:
			return fault.Inputf("%s is there already, and nothing is written over: name a new folder with --out, or move it away", path.Join(filepath.ToSlash(dir), f.Name))
		}
	}
	for _, f := range files {
		if err := writeOne(root, filepath.FromSlash(f.Name), f.Text); err != nil {
			return fault.Inputf("write %s: %w", f.Name, err)
		}
		fmt.Fprintf(sys.Stdout, "wrote  %s\n", show.Log(f.Name))
	}
	return nil
}

func writeOne(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return errors.Join(err, to.Close())
}

// recordImport checks what was written, and writes recordings beside it.
func recordImport(sys System, dir string, answers []promptfoo.Answer) error {
	tree, err := run.OpenHead(dir, "")
	if err != nil {
		return err
	}
	defer tree.Close()
	var given []run.Given
	for _, a := range answers {
		given = append(given, run.Given(a))
	}
	files, faults, err := run.RecordGiven(dir, tree, given)
	if err != nil {
		return err
	}
	for _, name := range files {
		fmt.Fprintf(sys.Stdout, "wrote  %s\n", show.Log(name))
	}
	if document.HasErrors(faults) { // what stands in the source and was not foreseen: the place in the result says what to mend
		printFaults(sys, faults)
		return verdictError{verdict: report.Invalid}
	}
	return nil
}

// printToDo lists what is to do, with its place; what changed or was left is in the list.
func printToDo(sys System, r promptfoo.Result) {
	for _, f := range r.Findings {
		if f.Level == promptfoo.Lost {
			fmt.Fprintf(sys.Stdout, "%s: %s\n", show.Log(f.Place()), show.Log(f.String()))
		}
	}
}

func sayImported(sys System, out string, r promptfoo.Result) {
	count := map[promptfoo.Level]int{}
	for _, f := range r.Findings {
		count[f.Level]++
	}
	line := fmt.Sprintf("%s, %s", text.Count(r.Suites, "suite"), text.Count(r.Cases, "case"))
	if n := len(r.Answers); n > 0 {
		line += ", " + text.Count(n, "recorded answer")
	}
	fmt.Fprintf(sys.Stdout, "\n%s: taken over %s. %d to do, %d changed, %d left out: %s says each.\n", line, r.Extent(), count[promptfoo.Lost], count[promptfoo.Changed], count[promptfoo.Left], promptfoo.ListName)
	next := "failproof validate"
	if len(r.Answers) > 0 {
		next = "failproof run"
	}
	if out = strings.TrimSuffix(out, "/"); out != "." && out != "" {
		next = "cd " + out + " && " + next
	}
	fmt.Fprintln(sys.Stdout, show.Log("Next: "+next))
}
