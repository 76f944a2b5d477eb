package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/journal"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// grace is how long a cancelled run waits for the answers that are under way: they are paid for. GitHub lets a cancelled job
// live for 7.5 s, in which the comment must be written too.
const grace = time.Second

// noCache is the value of the action's input that keeps nothing.
const noCache = "off"

// live is the asking of live targets in one run.
type live struct {
	run     *schedule.Run
	targets map[string]*schedule.Target // by name; both sides ask a target together
	journal *journal.Journal            // nil: answers are not kept
	clients []io.Closer
	getenv  func(string) string
}

// openLive prepares what live targets need, if a suite of either side has one.
func (g *gate) openLive() {
	if g.live != nil || !g.head.asksLive() && !g.base.asksLive() {
		return
	}
	limits := g.effective.Limits.InForce()
	g.live = &live{targets: map[string]*schedule.Target{}, getenv: g.Getenv, run: schedule.NewRun(schedule.Options{
		Limits: schedule.Limits{Calls: limits.MaxCalls, Tokens: limits.MaxTokens, CostUSD: limits.MaxCostUSD,
			Wall: time.Duration(limits.MaxWallSeconds * float64(time.Second))},
		Now:    time.Now, // waits are real, whatever clock the report is dated by
		Jitter: func(limit time.Duration) time.Duration { return rand.N(limit + 1) },
	})}
	g.head.live = g.live
	if g.base != nil {
		g.base.live = g.live
	}
}

// asksLive reports whether a suite of the side asks a live target.
func (s *side) asksLive() bool {
	if s == nil {
		return false
	}
	for name := range suitesByTarget(s.suites) {
		if s.isLive(name) {
			return true
		}
	}
	return false
}

// isLive reports whether a target of the side is known and live.
func (s *side) isLive(name string) bool {
	t, known := s.config.Targets[name]
	return known && t.Live()
}

// client returns a client of a target, scheduled with all that ask it. The key is read from the variable that the
// configuration in force names, which a head cannot choose.
func (l *live) client(t config.Target) (model.Client, error) {
	if l.targets[t.Name] == nil {
		l.targets[t.Name] = l.run.Target(t)
	}
	once, err := l.once(t)
	if err != nil {
		return nil, err
	}
	return l.targets[t.Name].Client(once), nil
}

func (l *live) once(t config.Target) (model.Client, error) {
	key := ""
	if t.APIKeyEnv != "" {
		if key = l.getenv(t.APIKeyEnv); strings.TrimSpace(key) == "" {
			return keyless{t.APIKeyEnv}, nil
		}
	}
	client, err := provider.New(t, key)
	if err == nil {
		l.clients = append(l.clients, client)
	}
	return client, err
}

// keyless stands for a target whose key is not there, as on a pull request from a fork: answers that are kept serve without it,
// and any other request fails.
type keyless struct{ variable string }

func (k keyless) Answer(context.Context, model.Request) (model.Response, error) {
	return model.Response{Failure: &model.Failure{Reason: model.ReasonAuth, Stop: true,
		Message: model.Untrusted("the variable " + k.variable + " is empty, and holds the key of the target; on a pull request from a fork there are no secrets")}}, nil
}

// where tells apart equal requests to different places.
func where(t config.Target) string {
	return t.Provider + " " + t.BaseURL + " " + strings.Join(t.Command, "\x00")
}

// openJournal opens the journal that answers are kept in. Without one the run goes on, and says so.
func (g *gate) openJournal() {
	folder := cmp.Or(g.Cache, defaultCache)
	if folder == noCache {
		return
	}
	if g.bringsCache(folder) {
		g.warn("journal", "the change brings kept answers of its own in "+folder+", which are not read; nothing is kept")
		return
	}
	root, path, err := makeFolder(g.Dir, folder, "cache")
	if err == nil {
		defer root.Close()
		g.cachePath = path
		trust := journal.Trusted
		if g.Fork {
			trust = journal.Fork
		}
		keys := redact.New(g.secrets(), nil)
		g.live.journal, err = journal.Open(journal.Options{Folder: root, Trust: trust, Now: g.Now,
			Secrets: func(text string) bool { return keys.Text(text) != text }})
	}
	if err != nil {
		g.warn("journal", fmt.Sprintf("answers are not kept: %v", err))
	}
}

// bringsCache reports whether the commit that is judged holds the folder: then whoever wrote the change wrote the answers.
func (g *gate) bringsCache(folder string) bool {
	if filepath.IsAbs(folder) {
		return false
	}
	tree := g.Head
	if tree.Revision.Kind != source.KindCommit {
		var err error
		if tree, err = source.Git(g.Dir, "HEAD"); err != nil {
			return false // not in a repository, or nothing is committed
		}
	}
	_, err := fs.Stat(tree, filepath.ToSlash(filepath.Clean(folder)))
	return !errors.Is(err, fs.ErrNotExist) // what cannot be told is not trusted
}

func (g *gate) warn(code, message string) {
	g.warnings = append(g.warnings, report.Warning{Code: code, Message: message})
}

// heed ends the asking when ctx ends, and gives up a little later what is under way then. Judging and writing go on.
func (l *live) heed(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		l.run.Cancel()
		time.AfterFunc(grace, l.run.Cut)
	})
}

// endAsking ends connections, brings the journal to disk and takes over what it has to say.
func (g *gate) endAsking() {
	for _, c := range g.live.clients {
		_ = c.Close() // idle connections
	}
	if g.live.journal == nil {
		return
	}
	if err := g.live.journal.Close(); err != nil {
		g.warn("journal", fmt.Sprintf("the journal was not closed: %v", err))
	}
	for _, w := range g.live.journal.Warnings() {
		g.warn("journal", w)
	}
	g.live.journal = nil
}
