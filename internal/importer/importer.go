// Package importer writes the suites that a configuration of promptfoo is converted to.
package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/validate"
)

// maxResults bounds promptfoo's stored results, in bytes.
const maxResults = 256 << 20

// Inputs are the files of an import. Relative paths begin in Dir.
type Inputs struct {
	Dir     string
	File    string // the configuration
	Out     string // the folder to write to
	Results string // promptfoo's stored results, or ""

	IsSample func(name string, text []byte) bool // reports whether init wrote a file and nobody edited it
}

// Result is a converted configuration with the files that were written.
type Result struct {
	promptfoo.Result
	Written []string              // the names of files, in the order of writing
	Faults  []document.Diagnostic // errors in the written files, because of an unexpected configuration
	Sample  string                // path of a suite of init's example that is in the folder too, or ""

	byTrial map[trial]promptfoo.Answer // the recorded answers
}

// trial identifies a recorded answer.
type trial struct {
	suite, id string
	number    int
}

// Import converts a promptfoo configuration and writes the suites, and recordings of the stored results. If a file
// exists already, Import writes nothing; an unchanged sample is replaced. If nothing can be converted, the result has
// the findings.
func Import(in Inputs) (result Result, err error) {
	input, tree, err := in.openSource()
	if err != nil {
		return result, err
	}
	defer tree.Close()
	if in.Results != "" {
		if input.Results, err = regular.Read(sides.PathIn(in.Dir, in.Results), maxResults); err != nil {
			return result, fault.Inputf("read the results: %w; `promptfoo eval -o output.json` writes them", err)
		}
		input.ResultsName = in.Results
	}
	if result.Result = promptfoo.Import(input); result.Extent() == promptfoo.ExtentNone {
		return result, fault.Inputf("nothing of %s could be converted; nothing was written", in.File)
	}
	root, outDir, err := in.makeOutput()
	if err != nil {
		return result, err
	}
	defer root.Close()
	name, hasConfig := config.Find(root.FS())
	if hasConfig && !in.isSample(root, name) { // only one of two configurations would be read
		return Result{}, existsError(outDir, name)
	}
	if result.Written, err = writeAllNew(root, outDir, result.Files, name); err != nil {
		return Result{Written: result.Written}, err
	}
	files, err := result.writeRecordings(outDir, func(name string) bool { return in.isSample(root, name) })
	result.Written = append(result.Written, files...)
	return result, err
}

// Summary returns the numbers of suites, cases, answers and findings.
func (i Result) Summary() string {
	count := map[promptfoo.Level]int{}
	for _, f := range i.Findings {
		count[f.Level]++
	}
	line := text.Count(i.Suites, "suite") + ", " + text.Count(i.Cases, "case")
	if n := len(i.Answers); n > 0 {
		line += ", " + text.Count(n, "recorded answer")
	}
	return fmt.Sprintf("%s: converted %s. %d to do, %d changed, %d left out; see %s.", line, i.Extent(),
		count[promptfoo.ToDo], count[promptfoo.Changed], count[promptfoo.LeftOut], promptfoo.FindingsFile)
}

// NextCommand returns the command that the user should run next. out is the output folder, relative to the current one.
func (i Result) NextCommand(out string) string {
	next := "failproof validate"
	if len(i.Answers) > 0 {
		next = "failproof run"
	}
	if out = strings.TrimSuffix(out, "/"); out != "." && out != "" {
		next = "cd " + out + " && " + next
	}
	return next
}

// openSource opens the folder that may be read: the output folder or the current one if the configuration is below it,
// else the folder of the configuration.
func (in Inputs) openSource() (input promptfoo.Input, tree *source.Tree, err error) {
	full, outDir := filepath.Clean(sides.PathIn(in.Dir, in.File)), filepath.Clean(sides.PathIn(in.Dir, in.Out))
	root, name := filepath.Dir(full), filepath.Base(full)
	for _, wider := range []string{in.Dir, outDir} {
		if below, err := filepath.Rel(wider, full); err == nil && filepath.IsLocal(below) {
			root, name = wider, below
		}
	}
	if tree, err = source.Worktree(root); err != nil {
		return input, nil, fault.Inputf("open %s: %w", root, err)
	}
	input.Tree, input.Config, input.InPlace = tree, filepath.ToSlash(name), root == outDir
	return input, tree, nil
}

// makeOutput makes the output folder. It follows no link of the repository.
func (in Inputs) makeOutput() (root *os.Root, path string, err error) {
	outDir, base := sides.PathIn(in.Dir, in.Out), in.Dir
	if top, _, err := source.FindRepository(in.Dir); err == nil && top != "" {
		if below, err := filepath.Rel(top, outDir); err == nil && filepath.IsLocal(below) {
			base = top
		}
	}
	return output.Make(base, outDir, "new")
}

func (in Inputs) isSample(root *os.Root, name string) bool {
	text, err := regular.ReadIn(root, filepath.FromSlash(name), document.MaxYAML)
	return err == nil && in.IsSample(name, text)
}

// writeAllNew writes the files and returns their names. If one exists already, other than the sample, it writes none.
// It follows no link below the folder.
func writeAllNew(root *os.Root, dir string, files []promptfoo.File, sample string) (written []string, err error) {
	for _, f := range files {
		if f.Name == sample {
			continue
		}
		switch _, err := root.Lstat(filepath.FromSlash(f.Name)); {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fault.Inputf("write %s: %w", f.Name, err)
		case err == nil:
			return nil, existsError(dir, f.Name)
		}
	}
	for _, f := range files {
		write := output.WriteNew
		if f.Name == sample {
			write = output.Replace
		}
		if err := write(root, f.Name, f.Text); err != nil {
			return written, fault.Inputf("write %s: %w", f.Name, err)
		}
		written = append(written, f.Name)
	}
	return written, nil
}

func existsError(dir, name string) error {
	return fault.Inputf("%s exists, and files are not overwritten: to import again, delete what the first import wrote; "+
		"to import one more configuration, run the command in its folder, or choose a new folder with --out",
		filepath.ToSlash(filepath.Join(dir, name)))
}

// writeRecordings checks the suites in dir, and writes the stored answers as their recordings. It returns the written
// files. If the suites have errors, it sets i.Faults and writes nothing.
func (i *Result) writeRecordings(dir string, isSample func(name string) bool) (files []string, err error) {
	checked, err := validate.Folder(dir, "", nil)
	i.Faults = checked.Faults
	for _, s := range checked.Suites {
		if isSample(s.Path) {
			i.Sample = s.Path
		}
	}
	if err != nil || document.HasErrors(checked.Faults) || len(i.Answers) == 0 {
		return nil, err
	}
	byTest := map[answerKey][]promptfoo.Answer{}
	for _, a := range i.Answers {
		key := answerKey{a.File, a.Case, a.ReplayTarget}
		byTest[key] = append(byTest[key], a)
	}
	lines := map[string][]byte{}
	i.byTrial = map[trial]promptfoo.Answer{}
	for _, s := range checked.Suites {
		t := checked.Config.Targets[s.Target]
		if t.Provider != model.Recorded {
			continue
		}
		name := recorded.Path(t.Path, s.ID)
		for _, k := range s.Cases {
			for _, a := range byTest[answerKey{s.Path, k.ID, s.Target}] { // bound to the request and the target
				q := model.Request{SuiteID: s.ID, CaseID: k.ID, Trial: a.Trial}
				bound := recorded.LineFields{Key: k.Keys().RequestKey.String(),
					Target: sides.RecordedTarget(checked.Config.Targets[a.Target])}
				lines[name] = append(lines[name], recorded.Line(q, bound, a.Response)...)
				i.byTrial[trial{s.ID, k.ID, a.Trial}] = a
			}
		}
	}
	return output.WriteFiles(dir, slices.Sorted(maps.Keys(lines)),
		func(_ *os.Root, name string) ([]byte, error) { return recorded.Replace(lines[name], nil), nil })
}

// answerKey identifies the case of an answer and the recorded target that replays it.
type answerKey struct{ file, id, replay string }
