package cli

import (
	"fmt"
	"io/fs"
	"runtime"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// side is one revision, read: its configuration, suites and answers.
type side struct {
	tree    *source.Tree
	own     *config.Config // as the revision has it; nil if it has none
	config  *config.Config // in force
	suites  []*suite.Suite
	clients map[string]model.Client // by target name
	live    *live                   // nil: no suite of either side asks a live target
	faults  []document.Diagnostic
}

// readConfig reads the configuration of a tree: the named file, else the usual places. A tree without one yields nil.
func readConfig(tree fs.FS, name string) (*config.Config, []document.Diagnostic) {
	if name == "" {
		found, ok := config.Find(tree)
		if !ok {
			return nil, nil
		}
		name = found
	}
	return config.Load(tree, name)
}

// loadSuites reads the side's suites by the configuration in force.
func (s *side) loadSuites(globs []string) {
	suites, faults := suite.Load(s.tree, s.config, globs)
	s.suites, s.faults = suites, append(s.faults, faults...)
}

// openClients makes a client for every target that a suite of the side uses.
func (s *side) openClients() {
	s.clients = map[string]model.Client{}
	for name, ids := range suitesByTarget(s.suites) {
		target := s.config.Targets[name]
		switch target.Provider {
		case "echo":
			s.clients[name] = model.Echo{}
		case "recorded":
			client, faults := recorded.Load(s.tree, target.Path, ids)
			s.clients[name], s.faults = client, append(s.faults, faults...)
		default:
			client, err := s.live.client(target)
			if err != nil {
				s.faults = append(s.faults, document.Diagnostic{Severity: document.Error, Path: s.config.Path, Rule: "target",
					Message: document.Line(fmt.Sprintf("target %s: %v", document.Quote(name), err))})
			}
			s.clients[name] = client
		}
	}
	document.Sort(s.faults)
}

// target is who answers the suites of a target.
func (s *side) target(name string) evaluate.Target {
	t, client := s.config.Targets[name], s.clients[name]
	switch {
	case t.Live():
		return evaluate.Target{Client: client, Width: t.Concurrency, Live: true, Where: where(t)}
	case s.live != nil:
		client = s.live.run.Guard(client)
	}
	return evaluate.Target{Client: client, Width: runtime.GOMAXPROCS(0)}
}

func suitesByTarget(suites []*suite.Suite) map[string][]string {
	ids := map[string][]string{}
	for _, s := range suites {
		ids[s.Target] = append(ids[s.Target], s.ID)
	}
	return ids
}

// fingerprint identifies the recorded answers of a case; "" where answers are not recorded.
func (s *side) fingerprint(target, suiteID, caseID string) string {
	if client, ok := s.clients[target].(*recorded.Client); ok {
		return client.Fingerprint(suiteID, caseID)
	}
	return ""
}

// find returns the suite with this id, or nil.
func (s *side) find(id string) *suite.Suite {
	if s == nil {
		return nil
	}
	for _, one := range s.suites {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// notFound is the fault of a run that has no configuration to go by.
func notFound(named string) document.Diagnostic {
	path := named
	if path == "" {
		path = config.Paths[0]
	}
	return document.Diagnostic{Severity: document.Error, Path: path, Rule: "no-configuration",
		Message: "no configuration; expected " + config.Paths[0] + " or " + config.Paths[1] +
			" in this folder: write one with `failproof init`, or name it with --config"}
}

// missingAtHead is the fault of a head that lost the configuration its base has.
func missingAtHead(basePath string) document.Diagnostic {
	return document.Diagnostic{Severity: document.Error, Path: basePath, Rule: "no-configuration",
		Message: "the base has this configuration and the head has none; a gate cannot be removed by the change it judges: put the file back"}
}
