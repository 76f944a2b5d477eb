package cli

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/stored"
)

func newView(sys System) *cobra.Command {
	return &cobra.Command{
		Use:   "view [FOLDER]",
		Short: "Open the page of the last run in the browser",
		Long: `Opens ` + output.PageFile + ` of a run's folder, ` + output.DefaultFolder + ` by default. The page is made from the
report first, so a page that somebody else put there is never opened.`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			folder := output.DefaultFolder
			if len(a) > 0 {
				folder = a[0]
			}
			if err := writePage(sys, folder); err != nil {
				return err
			}
			file := sys.path(filepath.Join(folder, output.PageFile))
			if err := open(cmd.Context(), file); err != nil {
				logf(sys, "no browser could be opened: %v", err)
				_, err = io.WriteString(sys.Stdout, terminal.FileLink(sys.Getenv, file)+"\n")
				return err
			}
			return nil
		},
	}
}

// writePage makes the page of the report in a folder.
func writePage(sys System, folder string) error {
	last, err := stored.Read(sys.path(folder))
	if err != nil {
		return err
	}
	answers, err := run.StoredAnswers(last)
	if err != nil {
		return err
	}
	out, err := output.Open(sys.Dir, folder)
	if err != nil {
		return err
	}
	defer out.Close()
	commit, err := out.Prepare(output.PageFile, func(w io.Writer) error {
		return page.Write(w, story.Of(view.New(last.Report, show.Links{})), answers)
	})
	if err != nil {
		return err
	}
	return commit()
}

// open opens a file in the program that the desktop has for it.
func open(ctx context.Context, file string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	return exec.CommandContext(ctx, command[0], append(command[1:], file)...).Run()
}
