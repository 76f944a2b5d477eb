// Package live makes the clients of live targets, and keeps what they are asked within the limits of a run.
package live

import (
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
	"github.com/failproof/failproof/internal/model/openai"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
)

// grace is how long a cancelled run waits for answers under way, which are paid for. GitHub kills a cancelled job after
// 7.5 s, in which the comment must be written too.
const grace = time.Second

// Targets is the asking of live targets in one run, by both sides together.
type Targets struct {
	Run     *schedule.Run
	opening sync.Mutex                  // while clients are made: of both sides at once
	targets map[string]*schedule.Target // by name; both sides ask a target together
	inForce map[string]config.Target    // by name: both sides pace and pay a target alike
	clients []io.Closer
	Reached []config.Target // whom the clients can ask
	o       Options
	Learned *redact.Learned // keys that were read from files
}

// Options are what a run says of its live targets.
type Options struct {
	Getenv     func(string) string
	Dir        string // the current folder: what is judged is below it, and no key is read from there
	NoCommands bool   // a comment asks for the run: no command is run
	Part       shard.Part
	// by the parts of a run that was divided, whose limits are those of the whole; nil: it was not
	Spent   *schedule.Usage
	Waiting func(schedule.Wait)
}

// New prepares what live targets need by the effective configuration.
func New(o Options, c *config.Config) *Targets {
	limits := c.Limits.InForce()
	bounds := schedule.Limits{Calls: limits.MaxCalls, Tokens: limits.MaxTokens, CostUSD: limits.MaxCostUSD,
		Wall: time.Duration(limits.MaxWallSeconds * float64(time.Second))}
	var spent schedule.Usage
	if o.Spent != nil {
		spent = *o.Spent
	} else {
		bounds.Calls, bounds.Tokens = share(o.Part, bounds.Calls), share(o.Part, bounds.Tokens)
		bounds.CostUSD /= float64(max(o.Part.Of, 1))
	}
	return &Targets{o: o, targets: map[string]*schedule.Target{}, inForce: c.Targets, Learned: &redact.Learned{},
		Run: schedule.NewRun(schedule.Options{
			Limits: bounds, Spent: spent,
			Now:     time.Now, // waits are real, whatever clock the report is dated by
			Jitter:  func(limit time.Duration) time.Duration { return rand.N(limit + 1) },
			Waiting: o.Waiting,
		})}
}

// Close ends the clients' idle connections.
func (l *Targets) Close() {
	for _, c := range l.clients {
		_ = c.Close()
	}
}

// HasTargets reports whether the run uses a live target.
func (l *Targets) HasTargets() bool { return len(l.targets) > 0 }

// Client makes a client of a configuration's live target.
func (l *Targets) Client(c *config.Config, name string) (model.Client, []document.Diagnostic) {
	client, err := l.scheduled(c.Targets[name])
	if err != nil {
		return nil, []document.Diagnostic{document.NewFault(c.Path, document.Position{}, "target", "target %s: %v",
			document.Quote(name), err)}
	}
	return client, nil
}

// AddCancelled adds to the reasons why a run ended that it was canceled after its cases were asked, since such a run
// decides nothing either.
func (l *Targets) AddCancelled(all []report.Ended) []report.Ended {
	if slices.ContainsFunc(all, func(e report.Ended) bool { return e.Reason == model.ReasonCancelled }) {
		return all
	}
	if end, ended := l.Run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return append(all, report.Ended{Reason: end.Reason, Why: end.Why})
	}
	return all
}

// scheduled returns a target's client, scheduled together with all others of the target. The key is read from the
// variable that the configuration in force names, which a head cannot choose.
func (l *Targets) scheduled(t config.Target) (model.Client, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.targets[t.Name] == nil {
		shared, known := l.inForce[t.Name]
		if !known {
			shared = t
		}
		shared.RequestsPerMinute = share(l.o.Part, shared.RequestsPerMinute) // all machines ask at the same time
		l.targets[t.Name] = l.Run.Target(shared)
	}
	once, err := l.Once(t)
	if err != nil {
		return nil, err
	}
	return l.targets[t.Name].Client(once), nil
}

func (l *Targets) Once(t config.Target) (model.Client, error) {
	for _, variable := range t.Variables() {
		if config.Reserved(variable) { // a configuration that names it is refused before
			return nil, fmt.Errorf("%s is a variable of the runner, not a key", variable)
		}
	}
	if t.APIKeyFile != "" && InRepository(l.o.Dir, t.APIKeyFile) {
		return nil, fmt.Errorf("api_key_file %s lies in the repository, where a pull request writes what it likes; "+
			"have it written elsewhere", document.Quote(t.APIKeyFile))
	}
	if missing := MissingKey(t, l.o.Getenv); missing != "" {
		return unaskable{model.ReasonNoKey,
			missing + ", which holds a key of the target"}, nil
	}
	if l.o.NoCommands && len(t.Command) > 0 {
		return unaskable{model.ReasonForbidden,
			"the target is a command, and a run that a comment starts executes no commands, because it has the " +
				"repository's secrets"}, nil
	}
	client, err := l.newClient(t)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.Name, err)
	}
	l.clients, l.Reached = append(l.clients, client), append(l.Reached, t)
	return client, nil
}

// MissingKey says which of a target's keys is not there, or "".
func MissingKey(t config.Target, getenv func(string) string) string {
	for _, variable := range t.Variables() {
		if strings.TrimSpace(getenv(variable)) == "" {
			return "the variable " + variable + " is empty"
		}
	}
	if t.APIKeyFile == "" {
		return ""
	}
	if _, err := os.Stat(t.APIKeyFile); errors.Is(err, fs.ErrNotExist) {
		return "no such file: " + t.APIKeyFile
	}
	return ""
}

// InRepository reports whether a file is in the repository of a folder, or in the folder if it is in none, after
// resolving links.
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
	return within(root, file) || within(Resolved(root), Resolved(file))
}

// Resolved is a path without links, as far as it leads somewhere.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(Resolved(parent), filepath.Base(path))
	}
	return path
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// unaskable stands for a target that this run cannot ask, or may not, as without a key on a fork's pull request: kept
// answers need it not, and any other request fails.
type unaskable struct{ reason, why string }

func (u unaskable) Answer(context.Context, model.Request) (model.Response, error) {
	return model.Response{Failure: &model.Failure{Reason: u.reason, Stop: true, Message: model.Untrusted(u.why)}}, nil
}

// Where tells apart equal requests to different places.
func Where(t config.Target) string {
	return t.Provider + " " + t.BaseURL + t.HTTP.URL + " " + strings.Join(t.Command, "\x00")
}

// StopOnCancel ends the asking when ctx ends, and cuts off what is under way a little later. Judging and writing go on.
func (l *Targets) StopOnCancel(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		l.Run.Cancel()
		time.AfterFunc(grace, l.Run.Cut)
	})
}

// liveClient asks once for each answer. Close ends its idle connections.
type liveClient interface {
	model.Client
	io.Closer
}

// newClient returns a client of a live target whose keys are all set. A command runs in the current folder. No error
// holds a key.
func (l *Targets) newClient(t config.Target) (liveClient, error) {
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
		return exec.New(t, l.o.Dir, with.Key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}

// access reads the variables that a target names. It trims white space, such as a line end in a secret.
func (l *Targets) access(t config.Target) (a wire.Access, err error) {
	values := map[string]string{}
	for _, name := range t.Variables() {
		values[name] = strings.TrimSpace(l.o.Getenv(name))
		a.Secrets = append(a.Secrets, values[name])
	}
	if a.Key = values[t.APIKeyEnv]; !wire.IsKey(a.Key) {
		return a, fmt.Errorf("the key in %s has a space or an invalid character", t.APIKeyEnv)
	}
	if t.APIKeyFile != "" {
		a.KeyFile = wire.NewKeyFile(t.APIKeyFile, l.Learned)
	}
	a.Header = http.Header{}
	for _, h := range t.Headers {
		value := values[h.Env]
		if h.Env != "" && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			return a, fmt.Errorf("the value of %s, for the header %s, has an invalid character", h.Env, h.Name)
		}
		a.Header.Set(h.Name, h.Value+value)
	}
	return a, nil
}

// share returns a shard's share of a limit; 0 means no limit.
func share(p shard.Part, n int) int {
	if n == 0 || p.Of <= 1 {
		return n
	}
	return max(n/p.Of, 1)
}
