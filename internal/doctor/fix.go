package doctor

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
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
	for len(patches) < maxPatches {
		before := len(patches)
		for _, f := range remaining {
			if patch, newRemaining, ok := s.tryRemedies(f, remaining); ok {
				patches, remaining = append(patches, patch), newRemaining
				s.patched[f.Path] = patch.After
				break
			}
		}
		if len(patches) == before {
			break
		}
	}
	return patches, remaining
}

// tryRemedies returns the patch of the first remedy that removes the finding f, and the findings that remain after that
// patch. findings has the findings so far. ok is false if there is no such remedy. tryRemedies leaves s as it was.
func (s Setup) tryRemedies(f Finding, findings []Finding) (p Patch, remaining []Finding, ok bool) {
	if len(remedies[f.Rule]) == 0 || f.Line == 0 {
		return p, nil, false
	}
	text, err := s.readPatched(f.Path)
	if err != nil {
		return p, nil, false
	}
	for _, remedy := range remedies[f.Rule] {
		lines := strings.SplitAfter(string(text), "\n")
		p = Patch{f, string(text), strings.Join(remedy(lines, f.Line-1, f), "")}
		oldText, edited := s.patched[f.Path]
		s.patched[f.Path] = p.After
		remaining = Examine(s)
		s.patched[f.Path] = oldText
		if !edited {
			delete(s.patched, f.Path)
		}
		if p.Before != p.After && p.isPrintable() && fixesOnly(f, findings, remaining) {
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
	countOf := func(all []Finding, sought Finding) (n int) {
		for _, one := range all {
			if one.Open == sought.Open && one.Rule == sought.Rule && one.Path == sought.Path && one.What == sought.What {
				n++
			}
		}
		return n
	}
	return countOf(after, f) < countOf(before, f) && !slices.ContainsFunc(after, func(one Finding) bool {
		return countOf(after, one) > countOf(before, one)
	})
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
