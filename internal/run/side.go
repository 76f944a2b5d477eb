package run

import (
	"maps"
	"runtime"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
) // side is one revision as it is judged: its suites by the configuration in force, and who answers them.
type side struct {
	tree    *source.Tree
	config  *config.Config
	suites  []*suite.Suite
	replay  map[string]*recorded.Client // recorded answers, by target name
	clients map[string]model.Client     // of the other targets, by name
	live    *live.Targets
}

// open reads the recorded answers of a side's suites, and makes a client for every other target that they use.
func open(tree *source.Tree, c *config.Config, suites []*suite.Suite, l *live.Targets) (*side, []document.Diagnostic) {
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
			s.clients[name], more = l.Client(c, name)
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
		return evaluate.Target{Client: client, Width: t.Concurrency, Live: true, Where: live.Where(t)}
	}
	if replay := s.replay[name]; replay != nil {
		client = replay
	}
	if s.live.Asks() {
		client = s.live.Run.Guard(client)
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

// cases counts the cases of suites.
func cases(suites []*suite.Suite) (n int) {
	for _, s := range suites {
		n += s.Cases.Len()
	}
	return n
}

// withoutUnanswered leaves out of a base's suites the cases whose recorded answer stood in a file with a fault: nobody can say what
// it was, and that it is gone is no outage.
func (s *side) withoutUnanswered(faults []document.Diagnostic) (kept []*suite.Suite) {
	faulty := map[string]bool{}
	for _, f := range faults {
		if f.Severity == document.Error {
			faulty[f.Path] = true
		}
	}
	for _, one := range s.suites {
		client := s.replay[one.Target]
		if client != nil && faulty[recorded.Path(s.config.Targets[one.Target].Path, one.ID)] {
			rest := *one
			rest.Cases = one.Cases.Where(func(c *suite.Case) bool { return client.Answers(one.ID, c.ID).Len() > 0 })
			one = &rest
		}
		if one.Cases.Len() > 0 {
			kept = append(kept, one)
		}
	}
	return kept
}

// recordedOf are those of its suites that are answered from recordings.
func (s *side) recordedOf(suites []*suite.Suite) (out []*suite.Suite) {
	for _, one := range suites {
		if s.replay[one.Target] != nil {
			out = append(out, one)
		}
	}
	return out
}

// names are what the side's cases are called in recordings.
func (s *side) names() map[recorded.Name]bool {
	out := map[recorded.Name]bool{}
	for _, one := range s.suites {
		for c := range one.Cases.All() {
			out[recorded.Name{SuiteID: suiteid.Written(one.ID), CaseID: c.ID}] = true
		}
	}
	return out
}

// caseIDs are the ids of a suite's cases; none for a suite that is not there.
func (s *side) caseIDs(suiteID string) (out []string) {
	if found := s.find(suiteID); found != nil {
		for c := range found.Cases.All() {
			out = append(out, c.ID)
		}
	}
	return out
}

func (s *side) bind(b recorded.Binding) {
	if s == nil {
		return
	}
	for name, answers := range s.replay {
		b.Records = s.config.Targets[name].Records
		answers.Bind(b)
	}
}

// alsoAsking is the side with clients of live targets that none of its suites may name.
func (s *side) alsoAsking(targets map[string]config.Target) (*side, []document.Diagnostic) {
	if len(targets) == 0 {
		return s, nil
	}
	more := *s
	more.clients = maps.Clone(s.clients)
	var faults []document.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if !s.isLive(name) {
			more.config = more.config.WithTarget(targets[name])
		}
		if more.clients[name] == nil {
			client, found := s.live.Client(more.config, name)
			more.clients[name], faults = client, append(faults, found...)
		}
	}
	return &more, faults
}

// liveTargets prepares what live targets need by a configuration.
func liveTargets(in Inputs, c *config.Config) *live.Targets {
	o := live.Options{Getenv: in.Getenv, Dir: in.Dir, NoCommands: in.Asked, Part: in.Part, Waiting: in.Progress.Wait}
	if in.Shards != nil {
		o.Spent = &in.Shards.Spent
	}
	return live.New(o, c)
}
