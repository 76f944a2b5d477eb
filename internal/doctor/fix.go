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

// Patch is a remedy of the finding Of: the text of a workflow before and after.
type Patch struct {
	Of            Finding
	Before, After string
}

// maxPatches bounds the work on hostile files with many findings.
const maxPatches = 50

// Fix returns a patch for each finding that has a mechanical remedy, and the remaining findings. Each patch applies to
// the text after the patch before it. Fix accepts a remedy only if it removes its finding and adds none.
func Fix(s Setup) (patches []Patch, left []Finding) {
	left, s.edited = Examine(s), map[string]string{}
	for len(patches) < maxPatches {
		at := len(patches)
		for _, f := range left {
			if patch, after, ok := s.tryRemedies(f, left); ok {
				patches, left = append(patches, patch), after
				s.edited[f.Path] = patch.After
				break
			}
		}
		if len(patches) == at {
			break
		}
	}
	return patches, left
}

// tryRemedies returns the patch of the first remedy that removes the finding f, and the findings that remain after that
// patch. found has the findings so far. ok is false if there is no such remedy. tryRemedies leaves s as it was.
func (s Setup) tryRemedies(f Finding, found []Finding) (p Patch, after []Finding, ok bool) {
	if len(remedies[f.Rule]) == 0 || f.Line == 0 {
		return p, nil, false
	}
	text, err := s.read(f.Path)
	if err != nil {
		return p, nil, false
	}
	for _, remedy := range remedies[f.Rule] {
		lines := strings.SplitAfter(string(text), "\n")
		if f.Line > len(lines) {
			break
		}
		p = Patch{f, string(text), strings.Join(remedy(lines, f.Line-1, f), "")}
		before, edited := s.edited[f.Path]
		s.edited[f.Path] = p.After
		after = Examine(s)
		s.edited[f.Path] = before
		if !edited {
			delete(s.edited, f.Path)
		}
		if p.Before != p.After && p.shows() && mends(f, found, after) {
			return p, after, true
		}
	}
	return p, nil, false
}

// read returns the text of the named workflow with the patches so far applied.
func (s Setup) read(name string) ([]byte, error) {
	if text, ok := s.edited[name]; ok {
		return []byte(text), nil
	}
	return fs.ReadFile(s.Files, name)
}

// mends reports whether a remedy removed the finding f and added none. before and after are the findings without and
// with the remedy.
func mends(f Finding, before, after []Finding) bool {
	count := func(all []Finding, sought Finding) (n int) {
		for _, one := range all {
			if one.Open == sought.Open && one.Rule == sought.Rule && one.Path == sought.Path && one.What == sought.What {
				n++
			}
		}
		return n
	}
	return count(after, f) < count(before, f) && !slices.ContainsFunc(after, func(one Finding) bool {
		return count(after, one) > count(before, one)
	})
}

// diff returns the patch as a unified diff.
func (p Patch) diff() string { return text.Patch(p.Of.Path, p.Before, p.After, 3) }

// shows reports whether the diff is safe to print to a log, where the runner looks for commands.
func (p Patch) shows() bool {
	var out bytes.Buffer
	w := show.LogWriter(&out)
	_, err := io.WriteString(w, p.diff())
	return err == nil && out.String() == p.diff()
}

// PrintPatches prints each patch as a unified diff for `git apply`, then the remaining findings.
func PrintPatches(w io.Writer, patches []Patch, left []Finding) error {
	for _, p := range patches {
		if _, err := fmt.Fprintf(w, "%s  [%s]\n%s\n", show.Log(p.Of.Place()), p.Of.Rule, p.diff()); err != nil {
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
	return Print(w, left)
}
