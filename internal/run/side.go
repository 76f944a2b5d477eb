package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// side is one revision as it is judged: its suites by the configuration in force, and who answers them.
type side struct {
	tree    *source.Tree
	config  *config.Config
	suites  []*suite.Suite
	replay  map[string]*recorded.Client // recorded answers, by target name
	clients map[string]model.Client     // of the other targets, by name
	live    *live
}

// ReadConfig reads the configuration of a tree: the named file, else the usual places. A tree without one yields nil.
func ReadConfig(tree fs.FS, name string) (*config.Config, []document.Diagnostic) {
	path, found := configIn(tree, name)
	if name == "" && !found {
		return nil, nil
	}
	return config.Load(tree, path)
}

// configIn is where a tree's configuration is, and whether it is there, be it a faulty one: the named file, else one in the usual places.
func configIn(tree fs.FS, name string) (path string, found bool) {
	if name == "" {
		return config.Find(tree)
	}
	_, err := fs.Stat(tree, name)
	return name, !errors.Is(err, fs.ErrNotExist)
}

// RequireConfig reads the configuration of a tree that must have one.
func RequireConfig(tree fs.FS, name string) (*config.Config, []document.Diagnostic) {
	own, faults := ReadConfig(tree, name)
	if own == nil && !document.HasErrors(faults) {
		faults = append(faults, notFound(tree, name))
	}
	return own, faults
}

// HasConfig reports whether a tree has a configuration, be it a faulty one: the named file, else one in the usual places.
func HasConfig(tree fs.FS, name string) bool {
	_, found := configIn(tree, name)
	return found
}

// open reads the recorded answers of a side's suites, and makes a client for every other target that they use.
func open(tree *source.Tree, c *config.Config, suites []*suite.Suite, l *live) (*side, []document.Diagnostic) {
	s := &side{tree: tree, config: c, suites: suites, replay: map[string]*recorded.Client{}, clients: map[string]model.Client{}, live: l}
	byTarget := map[string][]string{}
	for _, one := range suites {
		byTarget[one.Target] = append(byTarget[one.Target], one.ID)
	}
	var files []string
	for name, ids := range byTarget {
		if target := c.Targets[name]; target.Provider == model.Recorded {
			files = append(files, recorded.Files(target.Path, ids)...)
		}
	}
	faults := recorded.TooMuch(tree, files, recorded.MaxBytes)
	if len(faults) > 0 {
		return s, faults // nothing of it is read
	}
	for name, ids := range byTarget {
		var more []document.Diagnostic
		switch target := c.Targets[name]; target.Provider {
		case "echo":
			s.clients[name] = model.Echo{}
		case model.Recorded:
			s.replay[name], more = recorded.Load(tree, target.Path, ids)
		default:
			s.clients[name], more = l.open(c, name)
		}
		faults = append(faults, more...)
	}
	document.Sort(faults)
	return s, faults
}

// target is who answers the suites of a target.
func (s *side) target(name string) evaluate.Target {
	t, client := s.config.Targets[name], s.clients[name]
	if t.Live() {
		return evaluate.Target{Client: client, Width: t.Concurrency, Live: true, Where: where(t)}
	}
	if replay := s.replay[name]; replay != nil {
		client = replay
	}
	if s.live.asks() {
		client = s.live.run.Guard(client)
	}
	return evaluate.Target{Client: client, Width: runtime.GOMAXPROCS(0)}
}

// isLive reports whether a target of the side is known and live.
func (s *side) isLive(name string) bool { return s.config.Targets[name].Live() }

// find returns the suite with this id, or nil.
func (s *side) find(id string) *suite.Suite {
	for _, one := range s.all() {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// all returns the side's suites; none for no side.
func (s *side) all() []*suite.Suite {
	if s == nil {
		return nil
	}
	return s.suites
}

// answersOf are a side's recorded answers to a case.
func (s *side) answersOf(of *suite.Suite, caseID string) recorded.Answers {
	return s.replay[of.Target].Answers(of.ID, caseID)
}

// notFound is the fault of a run that has no configuration to go by.
func notFound(tree fs.FS, named string) document.Diagnostic {
	if other := config.Misnamed(tree); named == "" && other != "" {
		return noConfiguration(other, "this is not read as the configuration: call it "+strings.TrimSuffix(other, ".yaml")+".yml, or name it with --config")
	}
	mend := "write one with `failproof init`, or name it with --config"
	if below := servicesBelow(tree); named == "" && len(below) > 0 {
		mend = fmt.Sprintf("folder %s has its own: run this there", document.Quote(below[0]))
		if len(below) > 1 {
			mend = fmt.Sprintf("folder %s and %d more below have their own: run this in each", document.Quote(below[0]), len(below)-1)
		}
	}
	return noConfiguration(cmp.Or(named, config.Paths[0]), "no configuration; expected "+config.Paths[0]+" or "+config.Paths[1]+" in this folder: "+mend)
}

func noConfiguration(path, why string) document.Diagnostic {
	return document.NewFault(path, document.Position{}, "no-configuration", "%s", why)
}

// servicesBelow are the folders one and two below that have a configuration, as a repository of several services has them.
func servicesBelow(tree fs.FS) (folders []string) {
	for _, depth := range []string{"*", "*/*"} {
		var found []string
		for _, name := range config.Paths {
			names, _ := fs.Glob(tree, depth+"/"+name) // the pattern is a good one
			for _, one := range names {
				found = append(found, strings.TrimSuffix(one, "/"+name))
			}
		}
		slices.Sort(found)
		folders = append(folders, slices.Compact(found)...)
	}
	return slices.DeleteFunc(folders, func(name string) bool { // what others wrote, or what a tool keeps
		return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || strings.Contains("/"+name+"/", "/node_modules/")
	})
}

// cases counts the cases of suites.
func cases(suites []*suite.Suite) (n int) {
	for _, s := range suites {
		n += s.Cases.Len()
	}
	return n
}
