package cli

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
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
	Head      *source.Tree
	Base      *source.Tree  // nil: no base revision
	Stored    *storedReport // a stored report as the base; nil: none
	Config    string        // the configuration's path; "" for the usual places
	Suites    []string      // files or globs in place of the configuration's
	Scope     string
	Phase     string // in place of the configuration's; "" keeps it
	MinScore  *float64
	Fork      bool // the head is somebody else's repository
	Secrets   []string
	Getenv    func(string) string
	Now       func() time.Time
	RunID     string // "" for the time
	Out       *outFolder
	Progress  func(done, total int)
	base      *side // nil: nothing to compare with
	head      *side
	baseState string
	effective *config.Config
	changes   []config.Change
	faults    []document.Diagnostic // of the head and the configuration
	warnings  []report.Warning
	scope     suite.Selection
	asked     map[suite.Side][]*suite.Suite // the suites that are run
}

// judge does the whole run and returns its report, which it has written together with the results.
func (g *gate) judge(ctx context.Context) (*report.Report, error) {
	started := g.now()
	g.RunID = cmp.Or(g.RunID, strconv.FormatInt(started.Unix(), 10))
	g.asked = map[suite.Side][]*suite.Suite{}
	g.read()
	if document.HasErrors(g.faults) {
		return g.invalid(started), g.Out.remove(resultsFile, baseFile)
	}
	g.findScope()
	g.warnUnbound()
	head, base, err := g.ask(ctx)
	if err != nil {
		return nil, err
	}
	return g.assemble(head, base, started), nil
}

// read loads configuration, suites and recordings of both sides and settles whose rules are in force.
func (g *gate) read() {
	g.head = &side{tree: g.Head}
	if g.Base != nil {
		g.base = &side{tree: g.Base}
	}
	g.readConfigs()
	if document.HasErrors(g.faults) {
		return
	}
	g.head.config = g.effective
	g.head.loadSuites(g.globs(g.head))
	g.readBase()
	g.head.openClients()
	g.faults = append(g.faults, g.head.faults...)
	document.Sort(g.faults)
}

func (g *gate) globs(s *side) []string {
	if len(g.Suites) > 0 {
		return g.Suites
	}
	return s.config.Suites
}

// readConfigs reads both configurations and resolves which settings are in force.
func (g *gate) readConfigs() {
	own, faults := readConfig(g.Head, g.Config)
	g.faults = append(g.faults, faults...)
	g.head.own = own
	if g.base != nil {
		g.base.own, faults = readConfig(g.Base, g.Config)
		g.warnBase(faults)
	}
	if own == nil && !document.HasErrors(g.faults) {
		g.faults = append(g.faults, g.noConfig())
	}
	if document.HasErrors(g.faults) {
		return
	}
	var base *config.Config
	if g.base != nil {
		base = g.base.own
	}
	effective, changes, faults := config.Resolve(base, own, g.Fork)
	g.effective = effective
	if g.base != nil { // else there is nothing that the head could have changed
		g.changes = changes
	}
	g.faults = append(g.faults, faults...)
	if g.Stored != nil {
		g.effective, g.changes = g.effective.HeldTo(g.Stored.rules())
	}
	g.override(g.effective)
}

func (g *gate) noConfig() document.Diagnostic {
	if g.base != nil && g.base.own != nil {
		return missingAtHead(g.base.own.Path)
	}
	return notFound(g.Config)
}

// override applies what the caller of the run, not a file of the change, has set.
func (g *gate) override(c *config.Config) {
	if g.Phase != "" {
		c.Phase = config.Phase(g.Phase)
		if !c.Gate.MinRunScore.Set {
			c.Gate.MinRunScore.Value = c.Phase.Bar()
		}
	}
	if g.MinScore != nil {
		c.Gate.MinRunScore = config.Rule{Value: *g.MinScore, Level: config.Err, Set: true}
	}
}

// readBase loads the base's suites by the base's configuration. What is wrong there is a warning: the head cannot mend it.
func (g *gate) readBase() {
	g.baseState = report.BaseNone
	switch {
	case g.Stored != nil:
		g.baseState = report.BaseCompared
		g.changes = append(g.changes, suite.ApplyBase(g.Stored.suites(g.head.suites), g.head.suites)...)
		return
	case g.base == nil:
		return
	}
	g.baseState = report.BaseMissing
	if g.base.own == nil {
		g.base = nil
		return
	}
	g.base.config = g.base.own
	g.base.config.Policies = g.effective.Policies // both sides are judged by the same rules
	g.override(g.base.config)
	g.base.loadSuites(g.globs(g.base))
	g.base.openClients()
	g.warnBase(g.base.faults)
	if len(g.base.suites) == 0 {
		g.base = nil
		return
	}
	g.baseState = report.BaseCompared
	g.changes = append(g.changes, suite.ApplyBase(g.base.suites, g.head.suites)...)
}

func (g *gate) warnBase(faults []document.Diagnostic) {
	for _, f := range faults {
		if f.Severity == document.Error {
			g.warnings = append(g.warnings, report.Warning{Code: "base_fault", Path: f.Path, Line: f.Line,
				Message: "in the base: " + f.Message})
		}
	}
}

// findScope settles which suites are asked on each side.
func (g *gate) findScope() {
	g.scope = suite.Scope(g.base.all(), g.head.suites, g.fingerprint)
	if g.base == nil || g.Scope == scopeAll {
		g.asked[suite.Head], g.asked[suite.Base] = g.head.suites, g.base.all()
		g.scope.LeftOut = 0
		return
	}
	for at, s := range map[suite.Side]*side{suite.Head: g.head, suite.Base: g.base} {
		for _, one := range s.suites {
			if g.scope.Has(at, one.ID) {
				g.asked[at] = append(g.asked[at], one)
			}
		}
	}
}

// warnUnbound warns of answers that were recorded for another prompt, as far as anybody can tell: the request changed, the
// answer did not, and it does not say which request it was made for.
func (g *gate) warnUnbound() {
	before := g.baseCases()
	for _, s := range g.asked[suite.Head] {
		client, ok := g.head.clients[s.Target].(*recorded.Client)
		if !ok {
			continue
		}
		count := 0
		for i := range s.Cases {
			c := &s.Cases[i]
			base := before(s.ID, c.ID)
			if base == nil || base.Case.RequestKey == c.RequestKey || client.Keyed(s.ID, c.ID) {
				continue
			}
			if answer := client.Fingerprint(s.ID, c.ID); answer != "" && answer == g.base.fingerprint(base.Suite.Target, base.Suite.ID, c.ID) {
				count++
			}
		}
		if count > 0 {
			g.warnings = append(g.warnings, report.Warning{Code: "recording_unbound", SuiteID: s.ID, Path: s.Path, Line: s.Pos.Line, Count: count,
				Message: "the prompt changed and the recorded answers did not: were they recorded again? Give them a request_key, and a stale one is seen"})
		}
	}
}

// all returns the side's suites; none for no side.
func (s *side) all() []*suite.Suite {
	if s == nil {
		return nil
	}
	return s.suites
}

func (g *gate) fingerprint(at suite.Side, suiteID, caseID string) string {
	s := g.head
	if at == suite.Base {
		s = g.base
	}
	found := s.find(suiteID)
	if found == nil {
		return ""
	}
	return s.fingerprint(found.Target, suiteID, caseID)
}

// ask evaluates both sides, the base first, and writes their results.
func (g *gate) ask(ctx context.Context) (head, base *report.Side, err error) {
	judge := g.newJudge()
	heads, bases := g.asked[suite.Head], g.asked[suite.Base]
	progress := newCounter(g.Progress, heads, bases)
	if err := g.Out.remove(resultsFile, baseFile); err != nil {
		return nil, nil, err
	}
	switch {
	case g.Stored != nil:
		if err = g.Stored.readResults(g.wanted); err != nil {
			return nil, nil, err
		}
		base = g.Stored.head
	case g.base != nil:
		if base, err = g.evaluate(ctx, judge, g.base, bases, baseFile, progress); err != nil {
			return nil, nil, err
		}
	}
	head, err = g.evaluate(ctx, judge, g.head, heads, resultsFile, progress)
	return head, base, err
}

// wanted reports whether a suite of a stored base takes part: all do, unless the run was narrowed to some.
func (g *gate) wanted(suiteID string) bool {
	return len(g.Suites) == 0 || g.head.find(suiteID) != nil
}

func (g *gate) newJudge() *evaluate.Judge {
	return &evaluate.Judge{
		Classifier:   classify.New(refusal.New(g.effective.Refusal.ExtraPatterns)),
		Phase:        g.effective.Phase,
		UnclearScore: g.effective.Scoring.LabelUnclearScore,
		Redactor:     redact.New(g.secrets(), g.effective.Secrets.RedactPatterns),
	}
}

// secrets are the values that must not be kept: what the caller names, and the keys of the targets.
func (g *gate) secrets() []string {
	values := append([]string{}, g.Secrets...)
	for _, name := range slices.Sorted(maps.Keys(g.effective.Targets)) {
		if env := g.effective.Targets[name].APIKeyEnv; env != "" {
			values = append(values, g.Getenv(env))
		}
	}
	return values
}

// evaluate runs one side's suites and streams its results to a file.
func (g *gate) evaluate(ctx context.Context, judge *evaluate.Judge, s *side, suites []*suite.Suite, file string, progress func()) (*report.Side, error) {
	out, err := g.Out.create(file)
	if err != nil {
		return nil, err
	}
	var builder report.Builder
	builder.Plan(plans(suites))
	writer := report.NewResultWriter(out)
	plan := evaluate.Plan{
		Suites: suites, Judge: judge, RunID: g.RunID, Now: g.now, Workers: runtime.GOMAXPROCS(0),
		Client: func(target string) model.Client { return s.clients[target] },
	}
	if s == g.head && g.base != nil {
		plan.Base = g.baseCases()
	}
	err = evaluate.Run(ctx, plan, func(r report.Result) error {
		progress()
		if err := builder.Add(r); err != nil {
			return err
		}
		return writer.Write(r)
	})
	if err != nil {
		return nil, err
	}
	return builder.Side(), out.commit()
}

// baseCases returns a look-up of the base's form of a head's case.
func (g *gate) baseCases() func(suiteID, caseID string) *evaluate.BaseCase {
	type key struct{ suite, id string }
	cases := map[key]*evaluate.BaseCase{}
	for _, s := range g.asked[suite.Base] {
		id := cmp.Or(g.scope.Renamed[s.ID], s.ID)
		for i := range s.Cases {
			cases[key{id, s.Cases[i].ID}] = &evaluate.BaseCase{Suite: s, Case: &s.Cases[i]}
		}
	}
	return func(suiteID, caseID string) *evaluate.BaseCase { return cases[key{suiteID, caseID}] }
}

func plans(suites []*suite.Suite) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, Path: s.Path, Line: s.Pos.Line, Weight: s.Weight, MinScore: s.MinScore,
			Cases: len(s.Cases), Trials: s.Trials}
	}
	return out
}

// newCounter calls tell with the number of trials done so far and in all.
func newCounter(tell func(done, total int), sides ...[]*suite.Suite) func() {
	if tell == nil {
		return func() {}
	}
	done, total := 0, 0
	for _, suites := range sides {
		for _, s := range suites {
			total += len(s.Cases) * s.Trials
		}
	}
	return func() { done++; tell(done, total) }
}

// now is the clock, or SOURCE_DATE_EPOCH where a reproducible run is asked for.
func (g *gate) now() time.Time {
	if seconds, err := strconv.ParseInt(g.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	return g.Now().UTC()
}

// write writes the report and the comment beside the results.
func (g *gate) write(rep *report.Report, links render.Links) error {
	return writeReport(g.Out, rep, links)
}

func writeReport(out *outFolder, rep *report.Report, links render.Links) error {
	text, err := rep.Marshal()
	if err != nil {
		return err
	}
	if err := out.write(commentFile, []byte(render.Comment(rep, links))); err != nil {
		return err
	}
	return out.write(reportFile, text)
}
