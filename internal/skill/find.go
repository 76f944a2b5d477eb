package skill

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// EvalsName is what a file with cases of a skill is called.
const EvalsName = "evals.json"

// Found is what a tree holds for agents, by path.
type Found struct {
	Skills []string // SKILL.md of each
	Evals  []Evals
}

// Evals is a file with cases of a skill.
type Evals struct {
	Path            string
	Skill           string // its name
	Cases, Criteria int
}

// agentFolders are the hidden folders that are looked into, and filesLooked how many files and folders are looked at.
var agentFolders = []string{".github", ".claude", ".agents"}

const filesLooked = 20_000

// Find looks for skills and for their cases. What cannot be read is not there.
func Find(fsys fs.FS) (found Found) {
	looked := 0
	_ = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		looked++
		base := path.Base(name)
		switch {
		case err != nil, looked > filesLooked:
			return fs.SkipDir
		case entry.IsDir():
			if name != "." && (base == "node_modules" || strings.HasPrefix(base, ".") && !slices.Contains(agentFolders, base)) {
				return fs.SkipDir
			}
		case entry.Type() != 0: // a link
		case base == Name:
			found.Skills = append(found.Skills, name)
		case base == EvalsName:
			if e, ok := readEvals(fsys, name); ok {
				found.Evals = append(found.Evals, e)
			}
		}
		return nil
	})
	return found
}

// readEvals counts the cases of a file; false where it holds none.
func readEvals(fsys fs.FS, name string) (e Evals, ok bool) {
	data, ds := document.ReadText(fsys, name, document.MaxYAML)
	if document.HasErrors(ds) {
		return e, false
	}
	root, ds := document.Parse(name, data)
	cases := root.Get("evals").List()
	if document.HasErrors(ds) || len(cases) == 0 {
		return e, false
	}
	e = Evals{Path: name, Skill: root.Get("skill_name").AsText(), Cases: len(cases)}
	for _, c := range cases {
		if c.Get("prompt").AsText() == "" {
			return e, false
		}
		n := len(c.Get("expectations").List()) + len(c.Get("assertions").List())
		if n == 0 && c.Get("expected_output").AsText() != "" {
			n = 1
		}
		e.Criteria += n
	}
	return e, true
}

// Of reports cases of the skill of a SKILL.md: they lie in its folder or in evals/ there, or name it.
func (e Evals) Of(skill string) bool {
	dir, at := path.Dir(skill), path.Dir(e.Path)
	return at == dir || at == path.Join(dir, "evals") || e.Skill != "" && e.Skill == path.Base(dir)
}

// Bare are the skills without cases.
func (f Found) Bare() []string {
	return slices.DeleteFunc(slices.Clone(f.Skills), func(name string) bool {
		return slices.ContainsFunc(f.Evals, func(e Evals) bool { return e.Of(name) })
	})
}

// Orphans are the files with cases of no skill that is there.
func (f Found) Orphans() (paths []string) {
	for _, e := range f.Evals {
		if !slices.ContainsFunc(f.Skills, e.Of) {
			paths = append(paths, e.Path)
		}
	}
	return paths
}
