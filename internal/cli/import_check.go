package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/importer"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// checkImport judges promptfoo's stored answers by the imported suites, in a temporary folder, and prints where the
// verdicts differ. If a difference has no known explanation, or no answer could be compared, it returns the verdict
// failed as an error.
func checkImport(ctx context.Context, sys System, in importer.Inputs) error {
	if in.Results == "" {
		return fault.Inputf("--check needs promptfoo's stored answers: name the file with --results FILE")
	}
	dir, err := os.MkdirTemp("", "failproof-check-")
	if err != nil {
		return fmt.Errorf("make a folder for the check: %w", err)
	}
	defer os.RemoveAll(dir)
	in.Out = dir
	done, err := importer.Import(in)
	if err = cmp.Or(err, document.AsError(done.Faults)); err != nil {
		return asVerdict(sys, err)
	}
	sub := sys
	sub.Dir, sub.Stdout, sub.Stderr = dir, io.Discard, io.Discard
	err = runGate(ctx, sub, runOptions{Scope: sides.ScopeAll, Out: output.DefaultFolder, NoCache: true, Quiet: true})
	if verdict := (verdictError{}); err != nil && !errors.As(err, &verdict) {
		return err
	}
	results, err := regular.Open(filepath.Join(dir, filepath.FromSlash(output.DefaultFolder), output.ResultsFile))
	if err != nil {
		return fmt.Errorf("read the results of the check: %w", err)
	}
	defer results.Close()
	check, err := done.Check(results)
	if err != nil {
		return fmt.Errorf("read the results of the check: %w", err)
	}
	if _, err := io.WriteString(show.LogWriter(sys.Stdout), check.String()); err != nil {
		return err
	}
	for _, f := range done.Findings {
		if f.Path == in.Results && f.Level == promptfoo.ToDo {
			fmt.Fprintf(show.LogWriter(sys.Stdout), "not compared: %s: %s\n", f.What, f.Why)
		}
	}
	if !check.AllExplained() || len(done.Answers) == 0 {
		return verdictError{verdict: report.Failed}
	}
	return nil
}
