package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

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
	g.setTrials()
	g.openLive()
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
	g.endQuarantines()
}

// endQuarantines takes out of the gate what is in quarantine no longer, and says so: the day is over.
func (g *gate) endQuarantines() {
	var expired []config.Quarantine
	g.effective.Gate, expired = g.effective.Gate.On(g.now().Format(time.DateOnly))
	for _, q := range expired {
		suiteID, caseID := "", q.ID
		if at := strings.LastIndexByte(q.ID, '/'); at > 0 {
			suiteID, caseID = q.ID[:at], q.ID[at+1:]
		}
		g.warnings = append(g.warnings, report.Warning{Code: "quarantine_expired", SuiteID: suiteID, CaseID: caseID, Path: g.effective.Path,
			Message: fmt.Sprintf("the quarantine of %s ended on %s (%s); the case is judged again", q.ID, q.Expires, q.Reason)})
	}
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
	g.openLive()
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
