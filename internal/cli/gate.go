package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// Values of --scope.
const (
	scopeChanged = "changed"
	scopeAll     = "all"
)

// gate is one run: what is judged, against what, by whose rules, and where the results go.
type gate struct {
	Head        *source.Tree
	Base        *source.Tree  // nil: no base revision
	Stored      *storedReport // a stored report as the base; nil: none
	Config      string        // the configuration's path; "" for the usual places
	Suites      []string      // files or globs in place of the configuration's
	Scope       string
	Phase       string // in place of the configuration's; "" keeps it
	MinScore    *float64
	Trials      int  // of live targets, in place of the files\'; 0 keeps them
	Fork        bool // the head is somebody else's repository
	Secrets     []string
	Dir         string // the current folder, where paths of the configuration begin
	Getenv      func(string) string
	Now         func() time.Time
	RunID       string // "" for the time
	Out         *outFolder
	Progress    *progress // nil: none is shown
	Cache       string    // folder of kept answers; "" for the default, noCache for none
	Say         func(format string, args ...any)
	GoOn        func(question string) bool // asks whether to spend; nil: yes
	live        *live                      // nil: no live target is asked
	cachePath   string                     // of the folder, to hand over; "" if there is none
	callPlan    *report.CallPlan
	base        *side // nil: nothing to compare with
	head        *side
	baseState   string
	effective   *config.Config
	changes     []config.Change
	faults      []document.Diagnostic // of the head and the configuration
	warnings    []report.Warning
	scope       suite.Selection
	asked       map[suite.Side][]*suite.Suite // the suites that are run
	meaning     *evaluate.Meaning             // nil: nothing is compared by meaning
	unavailable *embed.Fault                  // why not, where something was to be
}

// judge does the whole run and returns its report, which it has written together with the results.
func (g *gate) judge(ctx context.Context) (*report.Report, error) {
	started := g.now()
	g.RunID = cmp.Or(g.RunID, strconv.FormatInt(started.Unix(), 10))
	if err := g.Out.clear(); err != nil {
		return nil, err
	}
	if err := g.prepare(); err != nil {
		return nil, err
	}
	if document.HasErrors(g.faults) {
		return g.invalid(started), nil
	}
	if err := g.prepareMeaning(ctx); err != nil {
		return nil, err
	}
	if document.HasErrors(g.faults) {
		return g.invalid(started), nil
	}
	found, err := g.ask(ctx)
	if err != nil {
		return nil, err
	}
	rep := g.assemble(found, started)
	return rep, g.observe(rep, found)
}

// prepare reads both sides and settles what is asked. Faults of the files are in g.faults.
func (g *gate) prepare() error {
	g.asked = map[suite.Side][]*suite.Suite{}
	head, base := watch(g.Head), watch(g.Base)
	g.read()
	if err := errors.Join(head.err(), base.err()); err != nil {
		return err
	}
	if !document.HasErrors(g.faults) {
		g.findScope()
		g.warnUnbound()
	}
	return nil
}

// now is the clock, or SOURCE_DATE_EPOCH where a reproducible run is asked for.
func (g *gate) now() time.Time {
	if seconds, err := strconv.ParseInt(g.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	return g.Now().UTC()
}

// write writes the report, the comment and what other tools read beside the results.
func (g *gate) write(rep *report.Report, links render.Links) error {
	return writeReport(g.Out, rep, links, g.answers())
}

// answers are what both sides answered in this run, or in the stored one that it is compared with.
func (g *gate) answers() render.Answers {
	a := render.Answers{Head: g.Out.results(resultsFile), Base: g.Out.results(baseFile)}
	if g.Stored != nil {
		a.Base = resultsIn(g.Stored.folder, resultsFile)
	}
	return a
}

// writeReport writes the report last: whoever sees it finds the rest beside it.
func writeReport(out *outFolder, rep *report.Report, links render.Links, answers render.Answers) error {
	comment := func(r *report.Report, l render.Links) ([]byte, error) { return []byte(render.Comment(r, l)), nil }
	for _, f := range []struct {
		name  string
		print func(*report.Report, render.Links) ([]byte, error)
	}{{commentFile, comment}, {junitFile, render.JUnit}, {sarifFile, render.SARIF}} {
		text, err := f.print(rep, links)
		if err != nil {
			return err
		}
		if err := out.write(f.name, text); err != nil {
			return err
		}
	}
	page := func(w io.Writer) error { return render.HTML(w, rep, links, answers) }
	if err := out.stream(pageFile, page); err != nil {
		return err
	}
	return out.stream(reportFile, rep.Write)
}
