package action

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/source"
)

// At are the inputs of a job that works in a folder of its checkout, written from the checkout's root, and has a name; "" is the folder that the
// job was started in, and the name of what it works on. The error is a fault.Input.
func (in Inputs) At(folder, name string) (Inputs, error) {
	root, below, err := source.Within(in.Dir)
	if err != nil {
		root, below = in.Dir, "." // there is no checkout around it
	}
	in.Root = root
	folder = cmp.Or(folder, below)
	clean := path.Clean(folder)
	if !fs.ValidPath(clean) || strings.Contains(clean, `\`) {
		return in, fault.Inputf("input working-directory is %q; expected a folder of the repository, written from its root with / between folders", folder)
	}
	if in.Folder = clean; clean == "." {
		in.Folder = ""
	}
	from := ""
	if in.Name = name; name == "" {
		in.Name, from = github.FitName(in.worksOn()), " (taken from what the run works on)"
	}
	if err := github.ValidName(in.Name); err != nil {
		return in, fault.Inputf("input name%s: %w", from, err)
	}
	return in, nil
}

// worksOn is what the job was told to work on, in letters that a name may have; "" where it was told nothing.
func (in Inputs) worksOn() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(",()", r) {
			return '_'
		}
		return r
	}, cmp.Or(in.Folder, strings.Join(in.Suites, " "), in.Config))
}
