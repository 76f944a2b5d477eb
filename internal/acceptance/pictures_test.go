//go:build browser

package acceptance_test

import (
	"cmp"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPicturesOfEachState draws each comment that TestTheCommentOfEachState keeps as GitHub shows it, wide and on a
// telephone. FAILPROOF_PICTURES is a folder for the pictures.
func TestPicturesOfEachState(t *testing.T) {
	folder, program := cmp.Or(os.Getenv("FAILPROOF_PICTURES"), t.TempDir()), filepath.Join(t.TempDir(), "picture")
	run := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	run("go", "build", "-o", program, "../../tools/picture")
	for state := range states {
		for _, width := range []int{900, 380} {
			picture := filepath.Join(folder, fmt.Sprintf("comment-%s-%d.png", state, width))
			run(program, "-width", fmt.Sprint(width), filepath.Join("testdata/states", state+".md"), picture)
			file, err := os.Open(picture)
			if err != nil {
				t.Fatal(err)
			}
			of, err := png.DecodeConfig(file)
			file.Close()
			if err != nil || of.Width > width || of.Height < 50 {
				t.Errorf("%s is %d × %d pixels, %v; want a comment, at most %d wide", picture, of.Width, of.Height, err, width)
			}
		}
	}
}
