package render_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/failproof/failproof/internal/output"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// TestNoOutputHoldsACommandOfTheRunner checks all outputs, because a workflow step may print any of them.
func TestNoOutputHoldsACommandOfTheRunner(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) {
		for _, o := range render.Outputs {
			if o.Format == "html" {
				continue // it has tests of its own, and is the slowest
			}
			var b strings.Builder
			if err := o.Print(&b, storyOf(r, rendertest.Links()), report.ResultFinders{}); err != nil {
				t.Fatal(err)
			}
			for _, line := range rendertest.RunnerLines(b.String()) {
				if rendertest.IsCommand(line) {
					t.Errorf("of %s the runner takes %q for a command; escape it as package show does", o.Format, line)
				}
			}
		}
	})
}

// TestNoOutputTurnsTheDirectionOfItsText checks that no output has a character that changes the direction of the text
// around it. Such a character could make a passing answer look different.
func TestNoOutputTurnsTheDirectionOfItsText(t *testing.T) {
	rendertest.CheckHostileRuns(t, func(t *rapid.T, r *report.Report) {
		for _, o := range render.Outputs {
			var b strings.Builder
			if err := o.Print(&b, storyOf(r, rendertest.Links()), report.ResultFinders{}); err != nil {
				t.Fatal(err)
			}
			if at := strings.IndexFunc(b.String(), func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }); at >= 0 {
				t.Errorf("%s holds a mark raw: %q", o.Format, text.TruncateBytes(b.String()[max(0, at-80):], 200))
			}
		}
	})
}

// TestEveryOutputIsTakenAwayBeforeTheNextRun checks that old files are removed, because they would look like the
// verdict of a later run that ended early.
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
	page, err := os.ReadFile("../../docs/reference/outputs.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range render.Outputs {
		if !strings.Contains(string(page), "`"+o.File+"`") && o.File != "" || !strings.Contains(string(page), o.Format) {
			t.Errorf("docs/reference/outputs.md does not name %q and %q", o.Format, o.File)
		}
	}
}

// storyOf returns the story of a report whose changes have no kinds yet.
func storyOf(r *report.Report, l show.Links) *story.Story {
	return story.New(rendertest.SortChanges(r), l)
}
