package doctor

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// Patch is a remedy of a finding: the text of a workflow before and after.
type Patch struct {
	Finding       Finding
	Before, After string
}

// maxPatches bounds the work on hostile files with many findings.
const maxPatches = 50

// Fix returns a patch for each finding that has a mechanical remedy, and the remaining findings. Each patch applies to
// the text after the patch before it. Fix accepts a remedy only if it removes its finding and adds none.
func Fix(s Setup) (patches []Patch, remaining []Finding) {
	remaining, s.patched = Examine(s), map[string]string{}
	for before := -1; before < len(patches) && len(patches) < maxPatches; {
		before = len(patches)
		for _, f := range remaining {
			if patch, left, ok := s.tryRemedies(f, remaining); ok {
				patches, remaining, s.patched[f.Path] = append(patches, patch), left, patch.After
				break
			}
		}
	}
	return patches, remaining
}

// tryRemedies returns the patch of the first remedy that removes the finding f, which is one of findings, and the
// findings that remain after that patch. ok is false if there is no such remedy.
func (s Setup) tryRemedies(f Finding, findings []Finding) (p Patch, remaining []Finding, ok bool) {
	text, err := s.readPatched(f.Path)
	if err != nil || f.Line == 0 {
		return p, nil, false
	}
	s.patched = maps.Clone(s.patched)
	for _, remedy := range remedies[f.Rule] {
		lines := strings.SplitAfter(string(text), "\n")
		p = Patch{f, string(text), strings.Join(remedy(lines, f.Line-1, f), "")}
		s.patched[f.Path] = p.After
		if remaining = Examine(s); p.Before != p.After && p.isPrintable() && fixesOnly(f, findings, remaining) {
			return p, remaining, true
		}
	}
	return p, nil, false
}

// readPatched returns the text of the named workflow with the patches so far applied.
func (s Setup) readPatched(name string) ([]byte, error) {
	if text, ok := s.patched[name]; ok {
		return []byte(text), nil
	}
	return fs.ReadFile(s.Files, name)
}

// fixesOnly reports whether a remedy removed the finding f and added none. before and after are the findings without
// and with the remedy.
func fixesOnly(f Finding, before, after []Finding) bool {
	added := map[Finding]int{} // by what does not move with the lines
	count := func(f Finding, n int) int {
		f = Finding{Open: f.Open, Rule: f.Rule, Path: f.Path, What: f.What}
		added[f] += n
		return added[f]
	}
	for _, one := range before {
		count(one, -1)
	}
	return !slices.ContainsFunc(after, func(one Finding) bool { return count(one, 1) > 0 }) && count(f, 0) < 0
}

// diff returns the patch as a unified diff.
func (p Patch) diff() string { return text.Patch(p.Finding.Path, p.Before, p.After, 3) }

// isPrintable reports whether the diff is safe to print to a log, where the runner looks for commands.
func (p Patch) isPrintable() bool {
	var out bytes.Buffer
	w := show.LogWriter(&out)
	_, err := io.WriteString(w, p.diff())
	return err == nil && out.String() == p.diff()
}

// PrintPatches prints each patch as a unified diff for `git apply`, then the remaining findings.
func PrintPatches(w io.Writer, patches []Patch, remaining []Finding) error {
	for _, p := range patches {
		_, err := fmt.Fprintf(w, "%s  [%s]\n%s\n", show.LogLine(p.Finding.Place()), p.Finding.Rule, p.diff())
		if err != nil {
			return err
		}
	}
	about := "With these applied:"
	if len(patches) == 0 {
		about = "No finding has a patch."
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", about); err != nil {
		return err
	}
	return Print(w, remaining)
}
