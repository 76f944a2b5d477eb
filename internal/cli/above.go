package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/run"
)

// above moves a command to the folder whose configuration holds: the nearest one above, up to the root of the repository, where the
// current folder has none and names none. What the command line names stays what it is from where the command was given.
func (s System) above(o *runOptions) System {
	if dir, found := run.ConfigAbove(s.Dir); found && o.Config == "" {
		return s.moved(dir, o)
	}
	return s
}

// moved is the system in another folder, and the options as they are named from there.
func (s System) moved(dir string, o *runOptions) System {
	from, err := filepath.Rel(dir, s.Dir)
	back, err2 := filepath.Rel(s.Dir, dir)
	if err != nil || err2 != nil {
		return s
	}
	path, _ := config.Find(os.DirFS(dir))
	say(s, "using %s", filepath.ToSlash(filepath.Join(back, path)))
	for i, name := range o.Suites {
		rest, excluded := config.Excluded(name)
		if !filepath.IsAbs(rest) {
			o.Suites[i] = map[bool]string{true: "!"}[excluded] + filepath.ToSlash(filepath.Join(from, rest))
		}
	}
	for _, name := range []*string{&o.Base, &o.Head} {
		if strings.HasPrefix(*name, ".") || strings.HasSuffix(*name, ".json") { // a folder or a report, and no revision
			*name = s.path(*name)
		}
	}
	if o.Out != "" && o.OutNamed {
		o.Out = s.path(o.Out)
	}
	s.Dir = dir
	return s
}
