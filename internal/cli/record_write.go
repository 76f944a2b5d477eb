package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
)

// write writes the recordings of the suites whose every answer came. A file that several suites share keeps what the others
// have in it.
func (r *recording) write() error {
	files := map[string][]string{}
	for _, s := range r.asked {
		if r.lost[s.ID] == 0 {
			files[r.paths[s.ID]] = append(files[r.paths[s.ID]], s.ID)
		}
	}
	root, err := os.OpenRoot(r.sys.Dir)
	if err != nil {
		return inputErrorf("open the working folder: %w", err)
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := r.writeFile(root, name, files[name]); err != nil {
			return inputErrorf("write the recordings %s: %w", name, err)
		}
	}
	return nil
}

func (r *recording) writeFile(root *os.Root, name string, suites []string) error {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return errors.New("it is not below the current folder")
	}
	ours := map[string]bool{}
	for _, id := range suites {
		ours[id] = true
	}
	old, err := root.ReadFile(local)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := recorded.Others(old, ours)
	for _, id := range suites {
		text = append(text, r.lines[id]...)
	}
	if folder := path.Dir(name); folder != "." {
		if err := root.MkdirAll(filepath.FromSlash(folder), 0o777); err != nil {
			return err
		}
	}
	part := local + ".part"
	if err := root.WriteFile(part, text, 0o666); err != nil {
		return err
	}
	return root.Rename(part, local)
}

// say lists what was written and what is missing. Answers that are missing leave the command undecided; those that did come are
// kept, so that it goes on when it is called again.
func (r *recording) say() error {
	for _, w := range r.gate.warnings {
		say(r.sys, "%s", w.Message)
	}
	missing := false
	for _, s := range r.asked {
		n := r.lost[s.ID]
		missing = missing || n > 0
		switch {
		case n > 0:
			say(r.sys, "%s: not written, %s did not come: %s", r.paths[s.ID], count(n, "answer"), strings.TrimSpace(string(r.why[s.ID])))
		case !r.o.Quiet:
			fmt.Fprintf(r.sys.Stdout, "%s: %s\n", r.paths[s.ID], count(trials(s), "answer"))
		}
	}
	if missing {
		return verdictError{report.Undecided}
	}
	return nil
}
