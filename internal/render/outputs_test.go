package render_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render"
)

// A file that no run takes away would be read as the verdict of a later run that ended early.
func TestEveryOutputIsTakenAwayBeforeTheNextRun(t *testing.T) {
	dir := t.TempDir()
	folder, err := output.Open(dir, "out")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range render.Outputs {
		if o.File == "" {
			continue
		}
		if err := folder.Write(o.File, []byte("old")); err != nil {
			t.Fatal(err)
		}
	}
	if err := folder.Clear(); err != nil {
		t.Fatal(err)
	}
	left, err := fs.Glob(os.DirFS(filepath.Join(dir, "out")), "*")
	if err != nil || len(left) > 0 {
		t.Errorf("after Clear there are %v, %v", left, err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestEveryOutputIsInThePageOfCommands(t *testing.T) {
	page, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range render.Outputs {
		if !strings.Contains(string(page), "`"+o.File+"`") && o.File != "" || !strings.Contains(string(page), o.Format) {
			t.Errorf("docs/commands.md does not name %q and %q", o.Format, o.File)
		}
	}
}
