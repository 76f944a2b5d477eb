package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/anthropic"
	"github.com/failproof/failproof/internal/model/application"
	"github.com/failproof/failproof/internal/model/exec"
	"github.com/failproof/failproof/internal/model/journal"
	"github.com/failproof/failproof/internal/model/openai"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// grace is how long a cancelled run waits for the answers that are under way: they are paid for. GitHub lets a cancelled job
// live for 7.5 s, in which the comment must be written too.
const grace = time.Second

// live is the asking of live targets in one run, by both sides together.
type live struct {
	run     *schedule.Run
	opening sync.Mutex                  // while clients are made: of both sides at once
	targets map[string]*schedule.Target // by name; both sides ask a target together
	inForce map[string]config.Target    // by name: both sides pace and pay a target alike
	clients []io.Closer
	reached []config.Target // whom the clients can ask
	getenv  func(string) string
	dir     string          // the current folder: what is judged lies here, and no key is read from there
	asked   bool            // a comment asks for the run: no command is run
	part    shard.Part      // of the run
	learned *redact.Learned // keys that were read from files
}

// newLive prepares what live targets need by the configuration in force.
func newLive(in Inputs, c *config.Config) *live {
	limits := c.Limits.InForce()
	bounds, spent := in.bounds(schedule.Limits{Calls: limits.MaxCalls, Tokens: limits.MaxTokens, CostUSD: limits.MaxCostUSD,
		Wall: time.Duration(limits.MaxWallSeconds * float64(time.Second))})
	return &live{targets: map[string]*schedule.Target{}, inForce: c.Targets, getenv: in.Getenv, dir: in.Dir, asked: in.Asked, part: in.Part, learned: &redact.Learned{}, run: schedule.NewRun(schedule.Options{
		Limits: bounds, Spent: spent,
		Now:     time.Now, // waits are real, whatever clock the report is dated by
		Jitter:  func(limit time.Duration) time.Duration { return rand.N(limit + 1) },
		Waiting: in.Progress.Wait,
	})}
}

// asks reports whether anybody asks a live target.
func (l *live) asks() bool { return len(l.targets) > 0 }

// open makes a client of a configuration's live target.
func (l *live) open(c *config.Config, name string) (model.Client, []document.Diagnostic) {
	client, err := l.client(c.Targets[name])
	if err != nil {
		return nil, []document.Diagnostic{document.NewFault(c.Path, document.Position{}, "target", "target %s: %v", document.Quote(name), err)}
	}
	return client, nil
}

// cancelledLate adds to why a run ended that it was told to stop after its cases were asked: such a run decides nothing either.
func (l *live) cancelledLate(all []report.Ended) []report.Ended {
	if slices.ContainsFunc(all, func(e report.Ended) bool { return e.Reason == model.ReasonCancelled }) {
		return all
	}
	if end, ended := l.run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return append(all, report.Ended{Reason: end.Reason, Why: end.Why})
	}
	return all
}

// client returns a client of a target, scheduled with all that ask it. The key is read from the variable that the
// configuration in force names, which a head cannot choose.
func (l *live) client(t config.Target) (model.Client, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.targets[t.Name] == nil {
		shared, known := l.inForce[t.Name]
		if !known {
			shared = t
		}
		shared.RequestsPerMinute = share(l.part, shared.RequestsPerMinute) // all machines ask at the same time
		l.targets[t.Name] = l.run.Target(shared)
	}
	once, err := l.once(t)
	if err != nil {
		return nil, err
	}
	return l.targets[t.Name].Client(once), nil
}

func (l *live) once(t config.Target) (model.Client, error) {
	for _, variable := range t.Variables() {
		if config.Reserved(variable) { // a configuration that names it is refused before
			return nil, fmt.Errorf("the variable %s is the runner's own and no key", variable)
		}
	}
	if t.APIKeyFile != "" && InRepository(l.dir, t.APIKeyFile) {
		return nil, fmt.Errorf("api_key_file %s lies in the repository, where a pull request writes what it likes; have it written elsewhere", document.Quote(t.APIKeyFile))
	}
	if missing := missingKey(t, l.getenv); missing != "" {
		return unaskable{missing + ", which holds a key of the target; on a pull request from a fork there are no secrets"}, nil
	}
	if l.asked && len(t.Command) > 0 {
		return unaskable{"the target is a command, and a run that a comment asks for executes none: it holds the repository's secrets"}, nil
	}
	client, err := l.newClient(t)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.Name, err)
	}
	l.clients, l.reached = append(l.clients, client), append(l.reached, t)
	return client, nil
}

// missingKey says which of a target's keys is not there, or "".
func missingKey(t config.Target, getenv func(string) string) string {
	for _, variable := range t.Variables() {
		if strings.TrimSpace(getenv(variable)) == "" {
			return "the variable " + variable + " is empty"
		}
	}
	if t.APIKeyFile == "" {
		return ""
	}
	if _, err := os.Stat(t.APIKeyFile); errors.Is(err, fs.ErrNotExist) {
		return "there is no file " + t.APIKeyFile
	}
	return ""
}

// InRepository reports whether a file lies in the repository that a folder is of, or in the folder where it is of none, whatever
// links lead there.
func InRepository(dir, file string) bool {
	root, err := filepath.Abs(dir)
	if err != nil {
		return true // what cannot be told is not trusted
	}
	for at := root; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			root = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return within(root, file) || within(resolved(root), resolved(file))
}

// resolved is a path without links, as far as it leads somewhere.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// unaskable stands for a target that this run may not or cannot ask, as for want of a key on a pull request from a fork: answers that are
// kept serve without it, and any other request fails.
type unaskable struct{ why string }

func (u unaskable) Answer(context.Context, model.Request) (model.Response, error) {
	return model.Response{Failure: &model.Failure{Reason: model.ReasonAuth, Stop: true, Message: model.Untrusted(u.why)}}, nil
}

// where tells apart equal requests to different places.
func where(t config.Target) string {
	return t.Provider + " " + t.BaseURL + t.HTTP.URL + " " + strings.Join(t.Command, "\x00")
}

// openJournal opens the journal that answers are kept in; nil where none are. Without one the run goes on, and says so.
func (p Plan) openJournal() (*journal.Journal, []report.Warning) {
	folder := cmp.Or(p.Cache, output.DefaultCache)
	if folder == NoCache {
		return nil, nil
	}
	switch brings, err := p.brings(folder); {
	case err != nil:
		return nil, journalWarning(fmt.Sprintf("whether the change brings kept answers of its own in %s cannot be told: %v; nothing is read or kept", folder, err))
	case brings:
		return nil, journalWarning("the change brings kept answers of its own in " + folder + ", which are not read; nothing is kept")
	}
	root, _, err := output.Make(p.Dir, folder, "cache")
	if err != nil {
		return nil, journalWarning(fmt.Sprintf("answers are not kept: %v", err))
	}
	defer root.Close()
	trust := journal.Trusted
	if p.Fork {
		trust = journal.Fork
	}
	keys := redact.New(p.secrets(), nil).With(p.live.learned)
	j, err := journal.Open(journal.Options{Folder: root, Trust: trust, Now: p.Now,
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
	for _, names := range [][2]string{{root, path}, {resolved(root), resolved(path)}} {
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

// heed ends the asking when ctx ends, and gives up a little later what is under way then. Judging and writing go on.
func (l *live) heed(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		l.run.Cancel()
		time.AfterFunc(grace, l.run.Cut)
	})
}

// asking is what is open while live targets are asked.
type asking struct {
	live    *live            // nil: no live target is asked
	journal *journal.Journal // nil: answers are not kept
}

// openAsking opens what asking a plan takes, with what there is to say of it.
func (p Plan) openAsking() (asking, []report.Warning) {
	if !p.live.asks() {
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
	for _, c := range a.live.clients {
		_ = c.Close() // idle connections
	}
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

// liveClient asks once for each answer. Close ends its idle connections.
type liveClient interface {
	model.Client
	io.Closer
}

// newClient returns a client of a live target all of whose keys are there; a command runs in the current folder. No error holds a key.
func (l *live) newClient(t config.Target) (liveClient, error) {
	with, err := l.access(t)
	if err != nil {
		return nil, err
	}
	switch t.Provider {
	case "openai":
		return openai.New(t, with)
	case "anthropic":
		return anthropic.New(t, with)
	case config.ProviderHTTP:
		return application.New(t, with)
	case "exec":
		return exec.New(t, l.dir, with.Key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}

// access reads the variables that a target names. White space around a value, such as the end of a line in a secret, is left out.
func (l *live) access(t config.Target) (a wire.Access, err error) {
	values := map[string]string{}
	for _, name := range t.Variables() {
		values[name] = strings.TrimSpace(l.getenv(name))
		a.Secrets = append(a.Secrets, values[name])
	}
	if a.Key = values[t.APIKeyEnv]; !wire.IsKey(a.Key) {
		return a, fmt.Errorf("the key in %s has a space or a letter that keys do not have", t.APIKeyEnv)
	}
	if t.APIKeyFile != "" {
		a.KeyFile = wire.NewKeyFile(t.APIKeyFile, l.learned)
	}
	a.Header = http.Header{}
	for _, h := range t.Headers {
		value := values[h.Env]
		if h.Env != "" && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			return a, fmt.Errorf("the value of %s, which goes into the header %s, has a letter that headers do not have", h.Env, h.Name)
		}
		a.Header.Set(h.Name, h.Value+value)
	}
	return a, nil
}
