// Package asking builds the questions to both sides and collects their results.
package asking

import (
	"cmp"
	"fmt"

	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/journal"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// openJournal opens the response cache. It returns nil if the run has no cache. If the cache cannot be used, it returns
// nil and a warning.
func openJournal(p *sides.Sides) (*journal.Journal, []report.Warning) {
	folder := cmp.Or(p.Inputs.Cache, output.DefaultCache)
	if folder == sides.NoCache {
		return nil, nil
	}
	switch contained, err := p.Inputs.CommitContains(folder); {
	case err != nil:
		return nil, journalWarning(fmt.Sprintf("whether the change contains a response cache in %s cannot be told: "+
			"%v; nothing is read or kept", folder, err))
	case contained:
		return nil, journalWarning("the change contains a response cache in " + folder +
			", which is not used; no answer is cached")
	}
	root, _, err := output.Make(p.Inputs.Dir, folder, "cache")
	if err != nil {
		return nil, journalWarning(fmt.Sprintf("answers are not cached: %v", err))
	}
	defer root.Close()
	trust := journal.Trusted
	if p.Inputs.Fork {
		trust = journal.Fork
	}
	redactor := redact.New(p.Secrets(), nil).WithLearned(p.Live.LearnedKeys)
	j, err := journal.Open(journal.Options{Folder: root, Trust: trust, Now: p.Inputs.Now,
		HasSecret: func(text string) bool { return redactor.Text(text) != text }})
	if err != nil {
		return nil, journalWarning(fmt.Sprintf("answers are not cached: %v", err))
	}
	return j, nil
}

func journalWarning(message string) []report.Warning {
	return []report.Warning{{Code: "journal", Message: message}}
}

// Session holds the connections and the response cache of a run.
type Session struct {
	Live    *live.Targets    // nil: no live target
	journal *journal.Journal // the response cache; nil: none
	afresh  bool             // answers are kept in the cache, and none is taken from it
}

// OpenSession opens the session of a run. It returns a warning if the response cache cannot be used.
func OpenSession(p *sides.Sides) (Session, []report.Warning) {
	if !p.Live.HasTargets() {
		return Session{}, nil
	}
	j, warnings := openJournal(p)
	return Session{p.Live, j, p.Inputs.Afresh}, warnings
}

// Journal returns the response cache as evaluate needs it, or nil if the session has none.
func (s Session) Journal() model.Journal {
	if s.journal == nil {
		return nil
	}
	if s.afresh {
		return unread{s.journal}
	}
	return s.journal
}

// unread is a response cache from which no answer is taken. New answers replace those in it.
type unread struct{ model.Journal }

// Find finds no answer.
func (unread) Find(model.JournalKey) (model.Response, bool) { return model.Response{}, false }

// Close closes the connections, flushes the response cache, and returns the cache's warnings.
func (s Session) Close() (warnings []report.Warning) {
	if s.Live == nil {
		return nil
	}
	s.Live.Close()
	if s.journal == nil {
		return nil
	}
	s.journal.Close()
	for _, w := range s.journal.Warnings() {
		warnings = append(warnings, journalWarning(w)...)
	}
	return warnings
}
