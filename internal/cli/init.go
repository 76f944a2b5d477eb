package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
)

// starter is what `failproof init` writes.
//
//go:embed all:starter
var starter embed.FS

func newInit(sys System) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a configuration, a first suite and a workflow",
		Long: `Writes into the current folder what a repository needs to gate its prompts: .github/failproof.yml, a prompt, a suite,
its recorded answers, and .github/workflows/failproof.yml. A file that is there is kept.`,
		Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return initialise(sys) },
	}
}

func initialise(sys System) error {
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return err
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return writeNew(sys, name, data)
	})
	if err != nil {
		return fault.Inputf("write the first files: %w", err)
	}
	fmt.Fprintln(sys.Stdout, "\nNext: failproof run")
	fmt.Fprintln(sys.Stdout, "When you change a prompt, write its answers in recordings/ anew, then: failproof record --stamp")
	return nil
}

// writeNew writes a file that is not there yet.
func writeNew(sys System, name string, data []byte) error {
	path := filepath.Join(sys.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(sys.Stdout, "kept   %s\n", name)
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	fmt.Fprintf(sys.Stdout, "wrote  %s\n", name)
	return f.Close()
}
