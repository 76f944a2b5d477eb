package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// defaultRecordings is where recordings go if the configuration has no recorded target.
const defaultRecordings = "recordings/{suite}.jsonl"

// recordOptions are the flags of `failproof record`.
type recordOptions struct {
	runOptions
	Target string
	To     string
}

func newRecord(sys System) *cobra.Command {
	var o recordOptions
	cmd := &cobra.Command{
		Use:   "record [SUITE…]",
		Short: "Ask a live target and write its answers as recordings",
		Long: `Asks a live target every case of the suites, or takes the answers that are kept from earlier runs, and writes them where
the configuration's recorded target reads them: recordings/{suite}.jsonl, unless it says otherwise. Each answer is bound to
its request, so that a prompt that changes later makes its recording stale.`,
		Example: `  failproof record
  failproof record --target fast suites/refund.yaml`,
		RunE: func(cmd *cobra.Command, suites []string) error {
			if err := noneEmpty(cmd, "target", "to", "config", "cache"); err != nil {
				return err
			}
			o.Suites, o.Scope = suites, scopeAll
			return record(cmd.Context(), sys, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Target, "target", "", "the live target to ask (default: the suite's, else the only live one)")
	flags.StringVar(&o.To, "to", "", "the file to write, with {suite} for the suite's id (default: the path of the recorded target)")
	flags.StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	flags.StringVar(&o.Cache, "cache", defaultCache, "the folder that keeps the answers of live targets from run to run")
	flags.BoolVar(&o.NoCache, "no-cache", false, "neither use nor keep answers: ask everything anew")
	flags.BoolVar(&o.Yes, "yes", false, "do not ask before spending, even at a terminal")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no progress and no list")
	return cmd
}

// recording is one making of recordings.
type recording struct {
	sys   System
	o     recordOptions
	gate  *gate
	asked []*suite.Suite             // as the live target is asked
	keys  map[[2]string]string       // request keys of suite and case, as the recordings are read
	paths map[string]string          // where each suite's recordings go
	lines map[string][]byte          // by suite
	lost  map[string]int             // answers that did not come, by suite
	why   map[string]model.Untrusted // of the first of them
	own   *config.Config
	hide  *redact.Redactor
}

func record(ctx context.Context, sys System, o recordOptions) error {
	r := &recording{sys: sys, o: o, keys: map[[2]string]string{}, paths: map[string]string{}, lines: map[string][]byte{},
		lost: map[string]int{}, why: map[string]model.Untrusted{}}
	if err := r.prepare(); err != nil {
		return err
	}
	if err := r.ask(ctx); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	return r.say()
}

// prepare loads the suites twice: as they are asked, and as their recordings are read.
func (r *recording) prepare() (err error) {
	if r.gate, err = newGate(r.sys, r.o.runOptions); err != nil {
		return err
	}
	g := r.gate
	own, faults := readConfig(g.Head, r.o.Config)
	if own == nil && !document.HasErrors(faults) {
		faults = append(faults, notFound(r.o.Config))
	}
	if document.HasErrors(faults) {
		return r.invalid(faults)
	}
	r.own = own
	asking, reading, err := r.targets()
	if err != nil {
		return err
	}
	globs := r.o.Suites
	if len(globs) == 0 {
		globs = own.Suites
	}
	suites, faults := suite.Load(g.Head, asking, globs)
	replayed, _ := suite.Load(g.Head, reading, globs) // the same faults
	if document.HasErrors(faults) {
		return r.invalid(faults)
	}
	for _, s := range suites {
		if asking.Targets[s.Target].Provider == "recorded" {
			return inputErrorf("suite %s is answered from recordings, and the configuration has no live target, or several: name the one to ask with --target", s.ID)
		}
	}
	r.plan(suites, replayed, reading)
	g.effective, g.head = asking, &side{tree: g.Head, config: asking, suites: r.asked}
	g.asked = map[suite.Side][]*suite.Suite{suite.Head: r.asked}
	g.openLive()
	g.head.openClients()
	if document.HasErrors(g.head.faults) {
		return r.invalid(g.head.faults)
	}
	r.hide = redact.New(g.secrets(), asking.Secrets.RedactPatterns)
	return nil
}

func (r *recording) invalid(faults []document.Diagnostic) error {
	for _, f := range faults {
		fmt.Fprintln(r.sys.Stderr, render.Diagnostic(f))
	}
	return verdictError{report.Invalid}
}

// targets returns the configuration that suites are asked by, in which a recorded target stands for the live one, and the one that
// they are read by, in which a live target stands for the recorded one.
func (r *recording) targets() (asking, reading *config.Config, err error) {
	asking, _, _ = config.Resolve(nil, r.own, false)
	reading, _, _ = config.Resolve(nil, r.own, false)
	live, lived := r.only(func(t config.Target) bool { return t.Live() })
	if r.o.Target != "" {
		if live, lived = r.own.Targets[r.o.Target]; !lived || !live.Live() {
			return nil, nil, inputErrorf("--target %q is no live target of the configuration", r.o.Target)
		}
	}
	replay, replayed := r.only(func(t config.Target) bool { return t.Provider == "recorded" })
	if !replayed {
		replay = config.Target{Name: "replay", Provider: "recorded", Path: defaultRecordings}
	}
	if r.o.To != "" {
		replay.Path = r.o.To
	}
	for name, t := range r.own.Targets {
		switch {
		case t.Live():
			reading.Targets[name] = replay
			if r.o.Target != "" {
				asking.Targets[name] = live
			}
		case t.Provider == "recorded":
			if lived {
				asking.Targets[name] = live
			}
			if r.o.To != "" {
				t.Path = r.o.To
				reading.Targets[name] = t
			}
		}
	}
	return asking, reading, nil
}

// only returns the one target that is so, and false if there is none or more than one.
func (r *recording) only(is func(config.Target) bool) (config.Target, bool) {
	var found []config.Target
	for _, name := range slices.Sorted(maps.Keys(r.own.Targets)) {
		if t := r.own.Targets[name]; is(t) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return config.Target{}, false
	}
	return found[0], true
}

// plan keeps the suites that ask a live target, and notes where and under which keys their answers go.
func (r *recording) plan(suites, replayed []*suite.Suite, reading *config.Config) {
	for _, s := range suites {
		if r.own.Targets[s.Target].Provider != "echo" { // which answers as well without a recording
			r.asked = append(r.asked, s)
		}
	}
	for _, s := range replayed {
		r.paths[s.ID] = recorded.Path(reading.Targets[s.Target].Path, s.ID)
		for i := range s.Cases {
			r.keys[[2]string{s.ID, s.Cases[i].ID}] = s.Cases[i].RequestKey
		}
	}
}

// ask asks what no kept answer says.
func (r *recording) ask(ctx context.Context) error {
	g := r.gate
	if g.live == nil {
		return inputErrorf("no suite asks a live target, so that there is nothing to record")
	}
	g.openJournal()
	defer g.endAsking()
	plan := g.plan()
	plan.Judge = nil
	if err := g.beforeAsking(plan); err != nil {
		return err
	}
	defer g.live.heed(ctx)()
	g.Progress = newProgress(r.sys, r.o.Quiet)
	one, finish := g.newCounter()
	defer finish()
	return evaluate.Answers(context.WithoutCancel(ctx), plan, func(s *suite.Suite, c *suite.Case, trial int, answer model.Response) error {
		one()
		r.add(s, c, trial, answer)
		return nil
	})
}

// add keeps one answer for its file, without the secrets that it may hold.
func (r *recording) add(s *suite.Suite, c *suite.Case, trial int, answer model.Response) {
	if answer.Failure != nil {
		if r.lost[s.ID]++; r.lost[s.ID] == 1 {
			r.why[s.ID] = model.Untrusted(r.hide.Text(string(answer.Failure.Message)))
		}
		return
	}
	answer.Text = model.Untrusted(r.hide.Text(string(answer.Text)))
	answer.Refusal = model.Untrusted(r.hide.Text(string(answer.Refusal)))
	q := c.Prompt
	q.Trial = trial
	r.lines[s.ID] = append(r.lines[s.ID], recorded.Line(q, r.keys[[2]string{s.ID, c.ID}], answer)...)
}
