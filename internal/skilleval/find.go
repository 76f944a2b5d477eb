package skilleval

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skill"
)

// Found has the skills and the evaluations in a tree, sorted by path.
type Found struct {
	Skills []string // paths of the SKILL.md files
	Evals  []Evals
}

// Evals describes a file with evaluations of skills.
type Evals struct {
	Path        string
	Skills      []string // folders of the skills
	Cases       int
	Judged, Run int // numbers of criteria that a judge can decide from the text, and that need a run
}

// maxVisited is the largest number of files and folders that Find visits.
const maxVisited = 20_000

// Find returns the skills and evaluations in a tree. It skips unreadable files.
func Find(fsys fs.FS) (found Found) {
	visited := 0
	_ = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		visited++
		base := path.Base(name)
		switch {
		case err != nil, visited > maxVisited:
			return fs.SkipDir
		case entry.IsDir():
			if name != "." && (base == "node_modules" || strings.HasPrefix(base, ".") && !slices.Contains(skill.HiddenFolders, base)) {
				return fs.SkipDir
			}
		case entry.Type() != 0: // a link
		case base == skill.FileName:
			found.Skills = append(found.Skills, name)
		case HasEvaluationsName(name):
			if e, ok := describeEvals(fsys, name); ok {
				found.Evals = append(found.Evals, e)
			}
		}
		return nil
	})
	return found
}

// describeEvals returns a description of the file with the given name, and reports whether the file has evaluations.
func describeEvals(fsys fs.FS, name string) (e Evals, ok bool) {
	data, ds := document.ReadText(fsys, name, MaxBytes)
	if document.HasErrors(ds) {
		return e, false
	}
	root, ds := document.Parse(name, data)
	if document.HasErrors(ds) || !IsEvaluations(name, root) {
		return e, false
	}
	converted, _ := Read(Source{Path: name, Root: root, HasJudge: true, FS: fsys,
		CheckFile: func(name string) (bytes int, lacks string) {
			data, ds := document.ReadText(fsys, name, MaxFileBytes)
			return len(data), map[bool]string{true: "cannot be read"}[document.HasErrors(ds)]
		},
	})
	e = Evals{Path: name, Skills: converted.Skills, Cases: converted.Cases}
	for _, c := range converted.Needs {
		if c.Needs == NeedsRun {
			e.Run++
		} else {
			e.Judged++
		}
	}
	return e, true
}

// SkillsWithoutEvals returns the paths of the skills that have no evaluations.
func (f Found) SkillsWithoutEvals() []string {
	return slices.DeleteFunc(slices.Clone(f.Skills), func(name string) bool {
		return slices.ContainsFunc(f.Evals, func(e Evals) bool { return slices.Contains(e.Skills, path.Dir(name)) })
	})
}

// EvalsWithoutSkill returns the paths of the evaluations whose skill is missing.
func (f Found) EvalsWithoutSkill() (paths []string) {
	for _, e := range f.Evals {
		if len(e.Skills) == 0 {
			paths = append(paths, e.Path)
		}
	}
	return paths
}
