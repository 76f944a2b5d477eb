package sides

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/report"
)

// ResultPaths names another tool's result files, in place of the files that the configuration names.
type ResultPaths struct {
	Base, Head string // paths or artifacts; "": as configured
	Format     string
	Runs       *regexp.Regexp
}

// Artifacts is a function that opens a workflow artifact named NAME or NAME@BRANCH. note is a message for the reader.
// tree is nil if there is no such artifact.
type Artifacts func(name string) (tree fs.FS, note string, err error)

// Results holds the result files that one other tool wrote for both sides.
type Results struct {
	config.Results
	Base, Head ResultFiles
	Notes      []string
}

// ResultFiles is a file or a folder; Tree is nil if there is none.
type ResultFiles struct {
	Tree fs.FS
	Path string // in the tree
	Name string // for messages
}

// HasResults reports whether this run judges another tool's results instead of suites.
func (s *Sides) HasResults() bool {
	return s.Inputs.Results != nil || s.Rules != nil && len(s.Rules.Results) > 0
}

// readResults opens the results that another runner wrote, which are judged instead of suites, and determines the rules
// of a first run: without results of the base, the head's own rules apply to a first configuration.
func readResults(s *Sides, c configs) (err error) {
	s.BaseState = report.BaseNone
	if document.HasErrors(s.Faults) {
		return nil
	}
	s.RulesTree = c.rulesTree()
	if !s.Inputs.AcceptsResults {
		s.Faults = append(s.Faults, document.NewError(s.Rules.Path, document.Position{}, "results",
			"the configuration has the results of another runner in place of suites; `failproof gate` judges them"))
		return nil
	}
	if s.Results, err = s.openResults(); err != nil {
		return err
	}
	if s.BaseState != report.BaseCompared && mayBeFirstRun(c) && c.head.Path != "" {
		s.setRules(c.firstRunRules())
		s.BaseState = report.BaseFirst
	}
	return nil
}

// openResults opens the results that the effective configuration names, and sets the state of the base. Files, format
// and runs that the caller names replace the configured ones.
func (s *Sides) openResults() (all []Results, err error) {
	for _, one := range s.Rules.Results {
		all = append(all, Results{Results: one})
	}
	if own := s.Inputs.Results; own != nil && *own != (ResultPaths{}) {
		if len(all) > 1 {
			return nil, fault.Inputf("the configuration names results of %d runners, and files in their place are named for one; leave one of both out", len(all))
		}
		if len(all) == 0 {
			all = []Results{{}}
		}
		one := &all[0].Results
		one.Base, one.Head, one.Format = cmp.Or(own.Base, one.Base), cmp.Or(own.Head, one.Head), cmp.Or(own.Format, one.Format)
		if own.Runs != nil {
			one.RunPattern = own.Runs
		}
	}
	if len(all) == 0 {
		return nil, fault.Inputf("no results are named; expected --base and --head, or `results` in the configuration")
	}
	for i := range all {
		if err := s.Inputs.openBoth(&all[i]); err != nil {
			return nil, err
		}
		if all[i].Base.Tree != nil {
			s.BaseState = report.BaseCompared
		} else if s.BaseState == report.BaseNone && all[i].Results.Base != "" {
			s.BaseState = report.BaseMissing
		}
	}
	return all, nil
}

// openBoth opens the result files of both sides that r names.
func (in Inputs) openBoth(r *Results) (err error) {
	if r.Results.Head == "" {
		return fault.Inputf("results of the change are not named; expected the file or folder that the runner wrote")
	}
	if r.Head, err = in.openFiles(r, r.Results.Head, false); err != nil {
		return err
	}
	if r.Head.Tree == nil {
		return fault.Inputf("there is no artifact %s", r.Results.Head)
	}
	if r.Results.Base != "" {
		r.Base, err = in.openFiles(r, r.Results.Base, true)
	}
	return err
}

// openFiles opens the result files of one side of r, and adds a note about them to r. The base's files are read from
// the base commit if they are in it, because the author of the change controls the checked-out files.
func (in Inputs) openFiles(r *Results, name string, ofBase bool) (files ResultFiles, err error) {
	if artifact, ok := strings.CutPrefix(name, config.ArtifactPrefix); ok {
		if in.Artifact == nil {
			return files, fault.Inputf("%s is an artifact of a workflow, which only the action can open; name a file", name)
		}
		tree, note, err := in.Artifact(artifact)
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
		return ResultFiles{tree, ".", name}, err
	}
	if ofBase && in.Base != nil {
		file := path.Clean(filepath.ToSlash(name))
		if _, err := fs.Stat(in.Base, file); err == nil {
			return ResultFiles{in.Base, file, name}, nil
		}
		switch brings, err := in.CommitContains(name); {
		case err != nil:
			return files, fault.Inputf("whether the change brings %s of its own cannot be told: %w", name, err)
		case brings:
			return files, fault.Inputf("the change brings %s of its own, which is not read as the base: whoever wrote the change wrote it; "+
				"name a file that is on the base branch (merge this one there first), or one that a step of the job writes", name)
		}
	}
	dir, file := in.Dir, filepath.Clean(filepath.FromSlash(name))
	if !filepath.IsLocal(file) {
		file = PathIn(in.Dir, name)
		dir, file = filepath.Dir(file), filepath.Base(file)
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		_, err = root.Stat(file)
	}
	if err != nil {
		return files, fault.Inputf("there are no results in %s; expected the file that the runner wrote, or a folder of such", name)
	}
	for part := file; part != "."; part = filepath.Dir(part) {
		if info, err := root.Lstat(part); err != nil || info.Mode().Type() == fs.ModeSymlink {
			return files, fault.Inputf("%s in %s is a link, which could lead to the other side's results; name the file itself",
				filepath.ToSlash(part), name)
		}
	}
	return ResultFiles{root.FS(), filepath.ToSlash(file), filepath.ToSlash(name)}, nil
}
