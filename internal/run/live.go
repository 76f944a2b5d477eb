package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/journal"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// openJournal opens the journal that answers are kept in; nil where none are. Without one the run goes on, and says so.
func (p *Sides) openJournal() (*journal.Journal, []report.Warning) {
	folder := cmp.Or(p.in.Cache, output.DefaultCache)
	if folder == NoCache {
		return nil, nil
	}
	switch brings, err := p.in.brings(folder); {
	case err != nil:
		return nil, journalWarning(fmt.Sprintf("whether the change brings kept answers of its own in %s cannot be told: %v; nothing is read or kept", folder, err))
	case brings:
		return nil, journalWarning("the change brings kept answers of its own in " + folder + ", which are not read; nothing is kept")
	}
	root, _, err := output.Make(p.in.Dir, folder, "cache")
	if err != nil {
		return nil, journalWarning(fmt.Sprintf("answers are not kept: %v", err))
	}
	defer root.Close()
	trust := journal.Trusted
	if p.in.Fork {
		trust = journal.Fork
	}
	keys := redact.New(p.secrets(), nil).With(p.live.Learned)
	j, err := journal.Open(journal.Options{Folder: root, Trust: trust, Now: p.in.Now,
		Secrets: func(text string) bool { return keys.Text(text) != text }})
	if err != nil {
		return nil, journalWarning(fmt.Sprintf("answers are not kept: %v", err))
	}
	return j, nil
}

// Brings reports whether the commit that is judged, or the one that is checked out, holds a path of this machine: then whoever wrote the
// change wrote what lies there. A relative path begins in Dir. What cannot be told is not trusted.
func (in Inputs) Brings(path string) bool {
	is, err := in.brings(path)
	return is || err != nil
}

// brings is Brings. The error is why the repository cannot be read.
func (in Inputs) brings(path string) (bool, error) {
	full := pathIn(in.Dir, path)
	if in.Head.Revision.Kind == source.KindCommit && holds(in.Head, in.Dir, full) {
		return true, nil
	}
	top, _, err := source.Within(in.Dir)
	var tree *source.Tree
	if err == nil {
		tree, err = source.Git(top, "HEAD")
	}
	switch {
	case errors.Is(err, source.ErrNoRepository), errors.Is(err, source.ErrNoRevision): // nothing is committed
		return false, nil
	case err != nil:
		return false, err
	}
	return holds(tree, top, full), nil
}

// holds reports whether a tree whose root is a folder of this machine has a path of it, with or without links followed.
func holds(tree *source.Tree, root, path string) bool {
	for _, names := range [][2]string{{root, path}, {live.Resolved(root), live.Resolved(path)}} {
		name, err := filepath.Rel(names[0], names[1])
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		if _, err := fs.Stat(tree, filepath.ToSlash(name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

func journalWarning(message string) []report.Warning {
	return []report.Warning{{Code: "journal", Message: message}}
}

// asking is what is open while live targets are asked.
type asking struct {
	live    *live.Targets    // nil: no live target is asked
	journal *journal.Journal // nil: answers are not kept
}

// openAsking opens what asking a plan takes, with what there is to say of it.
func (p *Sides) openAsking() (asking, []report.Warning) {
	if !p.live.Asks() {
		return asking{}, nil
	}
	j, warnings := p.openJournal()
	return asking{p.live, j}, warnings
}

// keeper is the journal as the asking sees it.
func (a asking) keeper() model.Journal {
	if a.journal == nil {
		return nil
	}
	return a.journal
}

// end ends connections, brings the journal to disk and returns what it has to say.
func (a asking) end() (warnings []report.Warning) {
	if a.live == nil {
		return nil
	}
	a.live.Close()
	if a.journal == nil {
		return nil
	}
	if err := a.journal.Close(); err != nil {
		warnings = journalWarning(fmt.Sprintf("the journal was not closed: %v", err))
	}
	for _, w := range a.journal.Warnings() {
		warnings = append(warnings, journalWarning(w)...)
	}
	return warnings
}
