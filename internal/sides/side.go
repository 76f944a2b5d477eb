package sides

import (
	"fmt"
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
)

// Side is one revision of a run: the suites that the configuration names, and their targets.
type Side struct {
	Config     *config.Config
	Suites     []*suite.Suite
	Recordings map[string]*recorded.Client // recorded answers, by target name
	clients    map[string]model.Client     // clients of the targets that are not recorded, by name
	live       *live.Targets
}

// OpenSide returns the side with the given suites. It reads the recordings of the suites and opens a client for every
// other target that they use. Recorded answers that other has too are not read again; other may be nil.
func OpenSide(tree *source.Tree, c *config.Config, suites []*suite.Suite, l *live.Targets,
	other *Side) (*Side, []document.Diagnostic) {
	s := &Side{Config: c, Suites: suites, Recordings: map[string]*recorded.Client{},
		clients: map[string]model.Client{}, live: l}
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
	faults := recorded.CheckSize(tree, files, recorded.MaxBytes)
	if len(faults) > 0 {
		return s, faults // too large: nothing is read
	}
	for name, ids := range byTarget {
		var found []document.Diagnostic
		switch target := c.Targets[name]; target.Provider {
		case "echo":
			s.clients[name] = model.Echo{}
		case model.Recorded:
			s.Recordings[name], found = recorded.Load(tree, target.Path, ids, other.recordings(name))
		default:
			s.clients[name], found = l.Client(c, name)
		}
		faults = append(faults, found...)
	}
	document.Sort(faults)
	return s, faults
}

// recordings returns the recorded answers of a target, or nil if there are none. A nil side has none.
func (s *Side) recordings(target string) *recorded.Client {
	if s == nil {
		return nil
	}
	return s.Recordings[target]
}

// DropRecordings drops the side's recordings to free memory. The side cannot be run afterwards.
func (s *Side) DropRecordings() {
	if s != nil {
		clear(s.Recordings)
	}
}

// Target returns the target with the given name, for running the suites that name it.
func (s *Side) Target(name string) evaluate.Target {
	t, client := s.Config.Targets[name], s.clients[name]
	if t.Live() {
		return evaluate.Target{Client: client, Concurrency: t.Concurrency, Live: true, Address: live.Address(t)}
	}
	if replay := s.Recordings[name]; replay != nil {
		client = replay
	}
	if s.live.HasTargets() {
		client = s.live.Run.Guard(client)
	}
	return evaluate.Target{Client: client, Concurrency: runtime.GOMAXPROCS(0)}
}

// IsLive reports whether the side has a live target with this name.
func (s *Side) IsLive(name string) bool { return s.Config.Targets[name].Live() }

// Find returns the suite with this id, or nil.
func (s *Side) Find(id string) *suite.Suite {
	for _, one := range s.All() {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// All returns the side's suites; none for a nil side.
func (s *Side) All() []*suite.Suite {
	if s == nil {
		return nil
	}
	return s.Suites
}

// AnswersOf returns the side's recorded answers to a case of the suite named.
func (s *Side) AnswersOf(named *suite.Suite, caseID string) recorded.Answers {
	return s.Recordings[named.Target].Answers(named.ID, caseID)
}

// AnswersUnder returns the recorded answers of all targets under a name, whether or not it is the name of a case. A nil
// side has none.
func (s *Side) AnswersUnder(name suiteid.Name) (all recorded.Answers) {
	if s != nil {
		for _, client := range s.Recordings {
			all = append(all, client.Answers(name.Suite, name.Case)...)
		}
	}
	return all
}

// CountCases returns the number of cases in suites.
func CountCases(suites []*suite.Suite) (n int) {
	for _, s := range suites {
		n += len(s.Cases)
	}
	return n
}

// withoutUnanswered returns the base's suites without the cases whose answers are unknown: they have no recorded
// answer, and their file of recordings has an error. Suites without any case left are dropped.
func (s *Side) withoutUnanswered(faults []document.Diagnostic) (kept []*suite.Suite) {
	faulty := map[string]bool{}
	for _, f := range faults {
		if f.Severity == document.Error {
			faulty[f.Path] = true
		}
	}
	for _, one := range s.Suites {
		client := s.Recordings[one.Target]
		if client != nil && faulty[recorded.Path(s.Config.Targets[one.Target].Path, one.ID)] {
			answered := *one
			answered.Cases = one.Cases.Where(func(c *suite.Case) bool { return client.Answers(one.ID, c.ID).Len() > 0 })
			one = &answered
		}
		if len(one.Cases) > 0 {
			kept = append(kept, one)
		}
	}
	return kept
}

// unusedAnswers returns warnings of recorded answers whose case is not in the suite.
func (s *Side) unusedAnswers() (warnings []document.Diagnostic) {
	for _, one := range s.Suites {
		answers := s.Recordings[one.Target]
		if answers == nil {
			continue
		}
		if spare := answers.UnusedIDs(one.ID); len(spare) > 0 {
			more := ""
			if len(spare) > 1 {
				more = fmt.Sprintf(" (one of %d such cases)", len(spare))
			}
			at := answers.FirstPlace(one.ID, spare[0])
			warnings = append(warnings, document.NewWarning(at.File, document.Position{Line: at.Line, Column: 1}, "recording",
				"here is an answer to case %s, which is not in suite %s%s; remove the line, or correct its case_id",
				document.Quote(spare[0]), suiteid.AuthorID(one.ID), more))
		}
	}
	return warnings
}

// CaseIDs returns the ids of the cases of a suite, or nil if there is no such suite.
func (s *Side) CaseIDs(suiteID string) (out []string) {
	if found := s.Find(suiteID); found != nil {
		for _, c := range found.Cases {
			out = append(out, c.ID)
		}
	}
	return out
}

// Bind binds all recordings of the side; see recorded.Binding.
func (s *Side) Bind(b recorded.Binding) {
	if s == nil {
		return
	}
	for name, answers := range s.Recordings {
		b.LiveTarget = s.Config.Targets[name].RecordedFrom
		b.Cases = func() []recorded.Case { return s.recordedCases(name) }
		answers.Bind(b)
	}
}

// recordedCases returns the cases that the recordings of a target are for.
func (s *Side) recordedCases(target string) (out []recorded.Case) {
	for one, c := range suite.EachCase(s.Suites) {
		if one.Target == target {
			name := suiteid.Name{Suite: suiteid.AuthorID(one.ID), Case: c.ID}
			out = append(out, recorded.Case{Name: name, SuiteID: one.ID, Key: c.Keys().RequestKey.String()})
		}
	}
	return out
}

// Moves returns the new names of recorded answers that are under another name than that of their case.
func (s *Side) Moves() (out []recorded.RenamedAnswer) {
	for _, name := range slices.Sorted(maps.Keys(s.Recordings)) {
		out = append(out, s.Recordings[name].Moves()...)
	}
	return out
}

// WithTargets returns a copy of the side that also has clients of the given live targets. The side's own suites must
// not use these targets.
func (s *Side) WithTargets(targets map[string]config.Target) (*Side, []document.Diagnostic) {
	if len(targets) == 0 {
		return s, nil
	}
	out := *s
	out.clients = maps.Clone(s.clients)
	var faults []document.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if !s.IsLive(name) {
			out.Config = out.Config.WithTarget(targets[name])
		}
		if out.clients[name] == nil {
			client, found := s.live.Client(out.Config, name)
			out.clients[name], faults = client, append(faults, found...)
		}
	}
	return &out, faults
}

// NewTargets returns the set of live targets of c. No target is opened yet.
func NewTargets(in Inputs, c *config.Config) *live.Targets {
	o := live.Options{Getenv: in.Getenv, Dir: in.Dir, NoCommands: in.ByComment, Part: in.Part,
		Waiting: in.Progress.ShowPause}
	if in.Shards != nil {
		o.Spent = &in.Shards.Spent
	}
	return live.New(o, c)
}
