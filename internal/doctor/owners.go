package doctor

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ownerFiles are the paths at which GitHub looks for a CODEOWNERS file. The first existing file counts.
var ownerFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// owners is a CODEOWNERS file. The last line that matches a path names the path's owners.
type owners struct {
	path  string
	lines []ownerLine
}

type ownerLine struct {
	globs  []string
	owners []string
}

// readOwners reads the CODEOWNERS file. It returns nil if there is none.
func readOwners(files fs.FS) (*owners, error) {
	for _, name := range ownerFiles {
		data, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		o := &owners{path: name}
		for line := range strings.Lines(string(data)) {
			text, _, _ := strings.Cut(line, "#")
			if words := strings.Fields(text); len(words) > 0 {
				o.lines = append(o.lines, ownerLine{ownerGlobs(words[0]), words[1:]})
			}
		}
		return o, nil
	}
	return nil, nil
}

// ownerGlobs converts a pattern of CODEOWNERS to globs of paths from the root. A pattern with a slash before its end is
// anchored at the root. Any other pattern matches in every folder. A pattern also matches everything below its matches,
// unless it is anchored and ends with `/*`.
func ownerGlobs(pattern string) []string {
	folder := strings.HasSuffix(pattern, "/")
	body := strings.TrimSuffix(pattern, "/")
	anchored := strings.Contains(body, "/")
	body = strings.TrimPrefix(body, "/")
	if !anchored {
		body = "**/" + body
	}
	below := body + "/**"
	switch {
	case folder:
		return []string{below}
	case anchored && strings.HasSuffix(body, "/*"):
		return []string{body}
	}
	return []string{body, below}
}

// ownersOf returns the owners of the file with the path name, or nil if it has none.
func (o *owners) ownersOf(name string) []string {
	for _, line := range slices.Backward(o.lines) {
		for _, glob := range line.globs {
			if ok, err := doublestar.Match(glob, name); err == nil && ok {
				return line.owners
			}
		}
	}
	return nil
}

// checkOwners checks whether changes of the gate itself need the review of an owner.
func checkOwners(e *examination) {
	o, err := readOwners(e.Files)
	if err != nil {
		e.addNote("", noPosition, "owners-unread", "CODEOWNERS cannot be read: "+err.Error()+".",
			"Doctor cannot tell who owns the gate.", "make it a plain file")
		return
	}
	const why = "GitHub runs the pull request's own copy of the workflow: a change can remove the gate without an " +
		"owner's review."
	if o == nil {
		e.addOpen("", noPosition, "no-owners", "There is no CODEOWNERS.", why,
			"write .github/CODEOWNERS with the line `/.github/ @owner`, and require the owner's review")
		return
	}
	reported := map[string]bool{}
	for _, g := range e.gates {
		for _, c := range g.chain {
			if name := c.workflow.path; len(o.ownersOf(name)) == 0 && !reported[name] {
				reported[name] = true
				e.addOpen(o.path, noPosition, "unowned", name+" has no owner.", why, "add the line `/.github/ @owner`")
			}
		}
	}
	if len(o.ownersOf(o.path)) == 0 {
		e.addOpen(o.path, noPosition, "unowned", o.path+" has no owner.",
			"A pull request can remove the owners without a review; the next one then needs none either.",
			"add the line `/"+o.path+" @owner`")
	}
	if e.Config != nil && len(o.ownersOf(path.Join(e.Folder, e.Config.Path))) == 0 {
		e.addNote(o.path, noPosition, "unowned", path.Join(e.Folder, e.Config.Path)+" has no owner.",
			"A change of the gate's rules takes effect after the merge: whoever merges it sets the rules for later "+
				"changes.", "give the file an owner")
	}
}
