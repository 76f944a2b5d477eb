package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/stored"
)

func newView(sys System) *cobra.Command {
	return &cobra.Command{
		Use:   "view [FOLDER | BASE HEAD]",
		Short: "Open the page of the last run, or of two runs, in the browser",
		Long: `Opens ` + output.PageFile + ` of a run's folder, ` + output.DefaultFolder + ` by default. The page is made from the
report first, so a page that somebody else put there is never opened. Of two reports it opens what
"failproof diff" finds, in a temporary file.`,
		Example: "  failproof view monday/report.json tuesday/report.json",
		Args:    checkArgs(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			file, err := writePage(sys, a)
			if err != nil {
				return err
			}
			if err := open(cmd.Context(), file); err != nil {
				logf(sys, "no browser could be opened: %v", err)
				_, err = io.WriteString(sys.Stdout, terminal.FileLink(sys.Getenv, file)+"\n")
				return err
			}
			return nil
		},
	}
}

// writePage writes a page and returns its path. Of one folder or none, it is the page of that run's report; of two
// reports, the page of their comparison.
func writePage(sys System, folders []string) (string, error) {
	if len(folders) == 2 {
		_, _, rep, answers, err := compareStored(sys, folders[0], folders[1])
		if err != nil {
			return "", err
		}
		file, err := os.CreateTemp("", "failproof-*.html")
		if err != nil {
			return "", err
		}
		return file.Name(), errors.Join(page.Write(file, story.New(rep, show.Links{}), answers), file.Close())
	}
	folder := cmp.Or(strings.Join(folders, ""), output.DefaultFolder)
	last, err := stored.Read(sys.path(folder))
	if err != nil {
		return "", err
	}
	answers, err := run.StoredAnswers(last)
	if err != nil {
		return "", err
	}
	out, err := output.Open(sys.Dir, folder)
	if err != nil {
		return "", err
	}
	defer out.Close()
	return sys.path(filepath.Join(folder, output.PageFile)), out.Print(output.PageFile, func(w io.Writer) error {
		return page.Write(w, story.New(last.Report, show.Links{}), answers)
	})
}

// open opens a file in the program that the desktop uses for such files.
func open(ctx context.Context, file string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	return exec.CommandContext(ctx, command[0], append(command[1:], file)...).Run()
}
