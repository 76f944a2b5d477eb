package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/fault"
)

func newModelPull(sys System) *cobra.Command {
	var dir, from string
	cmd := &cobra.Command{
		Use:   "pull [NAME]",
		Short: "Fetch an embedding model and verify its checksum",
		Long: fmt.Sprintf(`Fetches an embedding model over https, checks its SHA-256, and installs it in the folder that %s
names, else in failproof/models in the user's cache folder. Known models: %s.`, models.FolderEnv, strings.Join(models.Names(), ", ")),
		Example: "  failproof model pull\n  failproof model pull all-MiniLM-L6-v2 --dir models",
		Args:    checkArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			name := models.DefaultModel("static")
			if len(a) == 1 {
				name = a[0]
			}
			return pullModel(cmd, sys, name, dir, from)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the folder for the model's folder")
	cmd.Flags().StringVar(&from, "from", "", "an https address to fetch the files from, such as a mirror")
	return cmd
}

func pullModel(cmd *cobra.Command, sys System, name, dir, from string) error {
	model, known := models.Find(name)
	if !known {
		return fault.Inputf("model %q is not known; expected one of %s. Any other can be used from a folder of "+
			"your own: see semantic.model", name, strings.Join(models.Names(), ", "))
	}
	dir = sys.path(cmp.Or(dir, models.Folders(sys.Getenv)[0]))
	fmt.Fprintf(sys.Stderr, "fetching %s\n", name)
	path, digest, err := models.Pull(cmd.Context(), models.Download{Model: model, Source: from, Dir: dir})
	if err != nil {
		return fault.Unreachable{Err: fmt.Errorf("fetch %s: %w", name, err)}
	}
	fmt.Fprintf(sys.Stdout, "%s\nsha256: %s\n", path, digest)
	return nil
}
