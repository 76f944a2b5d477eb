// Package live makes the clients of live targets, and keeps their calls within the limits of a run.
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
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/application"
	"github.com/failproof/failproof/internal/model/exec"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/redact"
)

// cancelGrace is how long a canceled run waits for the answers to requests that are already sent, because these cost
// money. GitHub kills a canceled job after 7.5 s, and the comment must be written before that.
const cancelGrace = time.Second

// Targets has the live targets of one run. Base and head share one Targets.
type Targets struct {
	Run     *schedule.Run
	mu      sync.Mutex                  // guards targets, clients and Callable while both sides make clients
	targets map[string]*schedule.Target // by name; both sides share the limits of a target
	// the configured targets by name; their limits apply to both sides
	effective   map[string]config.Target
	clients     []io.Closer
	Callable    []config.Target // the targets that have a working client
	options     Options
	LearnedKeys *redact.Learned // keys read from files
}

// Options are the settings of a run that concern its live targets.
type Options struct {
	Getenv     func(string) string
	Dir        string // the current folder; no key is read from its repository
	NoCommands bool   // run no commands, because a comment started the run
	Part       shard.Part
	// what all shards used, if the run merges shards: the limits apply to the whole run; nil: it merges none
	Spent   *schedule.Usage
	Waiting func(schedule.Wait)
}

// New returns the live targets of a run. c is the effective configuration.
func New(o Options, c *config.Config) *Targets {
	limits := c.Limits.WithDefaults()
	bounds := schedule.Limits{Calls: limits.MaxCalls, Tokens: limits.MaxTokens, CostUSD: limits.MaxCostUSD,
		Wall: time.Duration(limits.MaxWallSeconds * float64(time.Second))}
	var spent schedule.Usage
	if o.Spent != nil {
		spent = *o.Spent
	} else {
		bounds.Calls, bounds.Tokens = shardLimit(o.Part, bounds.Calls), shardLimit(o.Part, bounds.Tokens)
		bounds.CostUSD /= float64(max(o.Part.Total, 1))
	}
	return &Targets{options: o, targets: map[string]*schedule.Target{}, effective: c.Targets,
		LearnedKeys: &redact.Learned{},
		Run: schedule.NewRun(schedule.Options{
			Limits: bounds, Spent: spent,
			Now:    time.Now, // waits take real time, even if the report has another clock
			Jitter: func(limit time.Duration) time.Duration { return rand.N(limit + 1) },
			OnWait: o.Waiting,
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

// Client returns a client of the named live target of c. If it cannot be made, Client returns an error about the
// configuration file.
func (l *Targets) Client(c *config.Config, name string) (model.Client, []document.Diagnostic) {
	client, err := l.scheduledClient(c.Targets[name])
	if err != nil {
		return nil, []document.Diagnostic{document.NewError(c.Path, document.Position{}, "target", "target %s: %v",
			document.Quote(name), err)}
	}
	return client, nil
}

// WhyCancelled returns why the run was canceled; "" if it was not.
func (l *Targets) WhyCancelled() string {
	if end, ended := l.Run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return end.Why
	}
	return ""
}

// scheduledClient returns a client of the target t that keeps to limits. All clients of a target share its limits,
// which the effective configuration sets.
func (l *Targets) scheduledClient(t config.Target) (model.Client, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.targets[t.Name] == nil {
		shared, known := l.effective[t.Name]
		if !known {
			shared = t
		}
		shared.RequestsPerMinute = shardLimit(l.options.Part, shared.RequestsPerMinute) // all shards call the target at the same time
		l.targets[t.Name] = l.Run.Target(shared)
	}
	once, err := l.UnscheduledClient(t)
	if err != nil {
		return nil, err
	}
	return l.targets[t.Name].Client(once), nil
}

// UnscheduledClient returns a client of the target t that neither retries requests nor limits their rate. If a key is
// missing or NoCommands forbids the target, the client fails every request.
func (l *Targets) UnscheduledClient(t config.Target) (model.Client, error) {
	for _, variable := range t.EnvVars() {
		if config.IsReservedVar(variable) { // the configuration is rejected earlier
			return nil, fmt.Errorf("%s is a variable of the runner, not a key", variable)
		}
	}
	if t.APIKeyFile != "" && InRepository(l.options.Dir, t.APIKeyFile) {
		return nil, fmt.Errorf("api_key_file %s lies in the repository, where a pull request writes what it likes; "+
			"have it written elsewhere", document.Quote(t.APIKeyFile))
	}
	if missing := MissingKey(t, l.options.Getenv); missing != "" {
		return failingClient{model.ReasonNoKey,
			missing + "; it needs the target’s key"}, nil
	}
	if l.options.NoCommands && len(t.Command) > 0 {
		return failingClient{model.ReasonForbidden,
			"the target is a command, and a run that a comment starts executes no commands, because it has the " +
				"repository's secrets"}, nil
	}
	client, err := l.newClient(t)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.Name, err)
	}
	l.clients, l.Callable = append(l.clients, client), append(l.Callable, t)
	return client, nil
}

// MissingKey returns in words which key of the target t is missing, or "" if none is.
func MissingKey(t config.Target, getenv func(string) string) string {
	for _, variable := range t.EnvVars() {
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

// InRepository reports whether file is in the repository that contains dir. If no repository contains dir, it reports
// whether file is in dir itself. It also resolves links, and returns true if the resolved file is inside.
func InRepository(dir, file string) bool {
	root, err := filepath.Abs(dir)
	if err != nil {
		return true // if unknown, do not trust the file
	}
	for at := root; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			root = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return isBelow(root, file) || isBelow(ResolveLinks(root), ResolveLinks(file))
}

// ResolveLinks returns path with the links resolved in the part of it that exists.
func ResolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(ResolveLinks(parent), filepath.Base(path))
	}
	return path
}

func isBelow(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// failingClient is the client of a target that this run cannot or must not call, for example without a key on a fork's
// pull request. It fails every request. Answers from the cache are used without it.
type failingClient struct{ reason, why string }

func (f failingClient) Answer(context.Context, model.Request) (model.Response, error) {
	return model.Response{Failure: &model.Failure{Reason: f.reason, StopsTarget: true,
		Message: model.Untrusted(f.why)}}, nil
}

// Address returns the address or command of the target t. The result distinguishes equal requests to different places.
func Address(t config.Target) string {
	return t.Provider + " " + t.BaseURL + t.HTTP.URL + " " + strings.Join(t.Command, "\x00")
}

// StopOnCancel makes the run start no more requests once ctx ends, and abort running ones after grace. Judging and
// writing go on. stop takes this back, as in context.AfterFunc.
func (l *Targets) StopOnCancel(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		l.Run.Cancel()
		time.AfterFunc(cancelGrace, l.Run.Abort)
	})
}

// liveClient is a client that sends each request once. Close ends its idle connections.
type liveClient interface {
	model.Client
	io.Closer
}

// newClient returns a client of the live target t, whose keys are all set. A command runs in the current folder. No
// error contains a key.
func (l *Targets) newClient(t config.Target) (liveClient, error) {
	access, err := l.access(t)
	if err != nil {
		return nil, err
	}
	switch t.Provider {
	case "openai", "anthropic":
		return provider.New(t, access)
	case config.ProviderHTTP:
		return application.New(t, access)
	case "exec":
		return exec.New(t, l.options.Dir, access.Key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}

// access returns the keys and headers of the target t from the variables that it names. It trims white space, such as a
// line end in a secret.
func (l *Targets) access(t config.Target) (a wire.Access, err error) {
	values := map[string]string{}
	for _, name := range t.EnvVars() {
		values[name] = strings.TrimSpace(l.options.Getenv(name))
		a.Secrets = append(a.Secrets, values[name])
	}
	if a.Key = values[t.APIKeyEnv]; !wire.IsKey(a.Key) {
		return a, fmt.Errorf("the key in %s has a space or an invalid character", t.APIKeyEnv)
	}
	if t.APIKeyFile != "" {
		a.KeyFile = wire.NewKeyFile(t.APIKeyFile, l.LearnedKeys)
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

// shardLimit returns the part of the limit n that the shard p may use. A limit of 0 means no limit.
func shardLimit(p shard.Part, n int) int {
	if n == 0 || p.Total <= 1 {
		return n
	}
	return max(n/p.Total, 1)
}
