//go:build browser

package acceptance_test

import (
	"cmp"
	"fmt"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestPicturesOfEachState draws each comment that TestTheCommentOfEachState keeps as GitHub shows it, wide and on a
// telephone, some on a sheet. FAILPROOF_PICTURES is a folder for the sheets.
func TestPicturesOfEachState(t *testing.T) {
	folder, program := cmp.Or(os.Getenv("FAILPROOF_PICTURES"), t.TempDir()), filepath.Join(t.TempDir(), "picture")
	run := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	run("go", "build", "-o", program, "../../tools/picture")
	const each = 6 // as many as chromium draws in one picture
	sheet := 0
	for some := range slices.Chunk(slices.Sorted(maps.Keys(states)), each) {
		sheet++
		var comments []string
		for _, state := range some {
			comments = append(comments, filepath.Join("testdata/states", state+".md"))
		}
		for _, width := range []int{900, 380} {
			picture := filepath.Join(folder, fmt.Sprintf("comments-%d-%d.png", width, sheet))
			run(program, append(append([]string{"-width", fmt.Sprint(width)}, comments...), picture)...)
			file, err := os.Open(picture)
			if err != nil {
				t.Fatal(err)
			}
			of, err := png.DecodeConfig(file)
			file.Close()
			if least := 50 * len(some); err != nil || of.Width > width || of.Height < least {
				t.Errorf("%s of %v is %d × %d pixels, %v; want at most %d × at least %d", picture, some, of.Width, of.Height, err, width, least)
			}
		}
	}
}
