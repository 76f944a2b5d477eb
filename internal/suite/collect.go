package suite

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// collector gathers the cases of one suite, whatever the form of its file. It also checks what depends on all cases,
// such as unused variables.
type collector struct {
	file        *file
	loader      *loader
	faults      *diagnostics
	suite       *Suite                       // with all that its targets share
	targets     []namedTarget                // at least one
	ids         knownIDs                     // of the suite's cases
	files       map[string]bool              // paths of suite.Files
	defined     map[string]document.Position // where each variable is first defined
	used        map[string]bool              // variables that a prompt, an assertion, the judge or the target reads
	tools       tools                        // the tools that every case offers the model
	undefined   map[variableUse]*undefinedUse
	dialects    map[dialectKey]dialectUse
	lastJudging *Judging // how the last added case is judged
	varsInvalid bool     // some `vars` is not a map, so its variables are unknown
	faultless   int      // the number of cases that were added before the first error; only these get request keys
}

// namedTarget is a target under the name that a suite or the configuration gives. After an error it may be the zero
// Target, and the name may be "".
type namedTarget struct {
	name string
	config.Target
}

// variableUse is a variable and what reads it: a *prompt, an assertion (its *document.Node), a key of the rubric (a
// string), or a target.
type variableUse struct {
	reader any
	name   string
}

// targetReader is the value of variableUse.reader if a target reads the variable. It is the target's name.
type targetReader string

// undefinedUse is the first place that reads an undefined variable, with the ids of the cases that lack the variable.
type undefinedUse struct {
	path string
	at   document.Position
	ids  []string
}

// newCollector returns a collector for the suite s. root is nil if the file has no keys for targets.
func (f *file) newCollector(s *Suite, root *document.Node) *collector {
	return &collector{
		file:      f,
		loader:    f.loader,
		faults:    f.faults,
		suite:     s,
		targets:   f.targets(s, root),
		ids:       knownIDs{},
		files:     map[string]bool{},
		defined:   map[string]document.Position{},
		used:      map[string]bool{},
		undefined: map[variableUse]*undefinedUse{},
		dialects:  map[dialectKey]dialectUse{},
	}
}

// readVars returns the variables in vars, and records where each is first defined. It includes variables that the
// schema rejects.
func (c *collector) readVars(vars *document.Node) variables {
	if vars != nil && vars.Kind != document.Map {
		c.varsInvalid = true
	}
	if vars.AsMap() == nil || len(vars.Keys) == 0 {
		return nil
	}
	out := make(variables, len(vars.Keys))
	for i, key := range vars.Keys {
		out[i] = variable{key.Text, c.variableValue(key.Text, vars.Values[i])}
		if _, known := c.defined[key.Text]; !known {
			c.defined[key.Text] = key.Pos
		}
	}
	return out
}

// add adds the case k with its expectation key, unless another case has its id. k.Body has what was read of the case so
// far. p is nil if the prompt could not be read.
func (c *collector) add(k Case, vars variables, p *prompt, content expectationContent) {
	if first := c.ids.get(k.ID); first != nil {
		c.faults.ErrorAt(k.Pos, "duplicate-id", "%s", duplicateCase(&k, first, fmt.Sprintf("at line %d", first.Pos.Line)))
		return
	}
	content.copyFrom(&k.Judging)
	judgingKey := content.key()
	content.caseInput = caseInput{Vars: k.Vars, Turns: p.turns()}
	k.parsed = &parsedCase{source: p, parsedContent: &parsedContent{keys: Keys{ExpectationKey: content.key()},
		judgingKey: judgingKey, vars: vars, schema: content.schema, expect: k.Expect}}
	expectation := k.Expect
	// Compare without Expect, which equal neighbors do not share.
	k.Expect = nil
	if c.lastJudging == nil || !reflect.DeepEqual(c.lastJudging, &k.Judging) {
		c.lastJudging = new(k.Judging)
	}
	k.Expect, k.parsed.judging = expectation, c.lastJudging
	if p != nil {
		c.recordPromptUses(&k, p)
		c.recordDialects(&k, p)
		c.recordTargetUses(&k)
		c.loader.reserveCase(k, p, c.tools.text, len(c.targets), c.faults)
	}
	if c.suite.JSONLines { // many lines have the same prompt
		k.parsed.source = c.file.prompts.get(p.messages[0].text, func() *prompt { return p })
	}
	// Up to here, errors need the line number as it was read.
	k.Path, k.Pos.Line = c.faults.originalLine(c.faults.Path, k.Pos.Line)
	k.Body = nil
	c.suite.Cases.Add(k)
	c.ids.add(c.suite.Cases[len(c.suite.Cases)-1])
	if !c.faults.HasErrors() && c.loader.expandedBytes <= maxExpanded {
		c.faultless = len(c.suite.Cases)
	}
}

// perTarget returns the suite for each of its targets, with the request keys of its cases. If there are several
// targets, the suites have different ids. If complete is set, perTarget also reports undefined and unused variables.
// override, unless it is nil, changes what the requests of a suite share.
func (c *collector) perTarget(complete bool, override func(*Suite, *suiteRequest)) (all []*Suite) {
	if complete {
		c.reportVars()
	}
	for i, t := range c.targets {
		s := *c.suite
		s.Target, s.writtenTrials = t.name, s.Trials
		if len(c.targets) > 1 {
			s.ID = suiteid.ForTarget(s.ID, t.name)
		}
		// A recording says by itself how many answers it has, so gate.trials applies only to live targets.
		if s.Trials = cmp.Or(s.Trials, t.Trials); t.Live() {
			s.Trials = cmp.Or(s.Trials, c.loader.config.Gate.Trials)
		}
		s.Trials = max(s.Trials, 1)
		request := newSuiteRequest(s.ID, t.Target, c.tools.text)
		if override != nil {
			override(&s, request)
		}
		s.Cases = slices.Clone(s.Cases)
		for at, k := range s.Cases {
			if i < len(c.targets)-1 { // the last suite takes the cases themselves
				parsed, content := *k.parsed, *k.parsed.parsedContent
				parsed.parsedContent, k = &content, new(*k)
				k.parsed, s.Cases[at] = &parsed, k
			}
			k.Trials, k.parsed.suiteRequest = cmp.Or(k.Trials, s.Trials), request
			if at < c.faultless {
				k.parsed.keys.RequestKey = k.parsed.prompt(k.ID, k.parsed.vars.texts()).Sum()
			}
		}
		all = append(all, &s)
	}
	return all
}

// duplicateCase returns the message that the case k has the id of first, an earlier case of the suite at place.
func duplicateCase(k, first *Case, place string) string {
	how := "is also"
	switch {
	case k.idGenerated && first.idGenerated:
		return "the case " + place + " has the same vars and messages, of which ids are made; give each of them an `id`"
	case first.ID != k.ID:
		how = "differs only by letter case from the one"
	}
	return fmt.Sprintf("case id %s %s %s; ids are unique in a suite", document.Quote(k.ID), how, place)
}

// recordTargetUses records the variables that targets read besides the messages, and which of them the case lacks.
func (c *collector) recordTargetUses(k *Case) {
	for _, t := range c.targets {
		for _, name := range t.Inputs.Vars {
			c.used[name] = true
			if t.Provider != model.Recorded {
				c.recordUse(k, variableUse{targetReader(t.name), name}, c.faults.Path,
					func() document.Position { return k.Pos })
			}
		}
		if t.Inputs.AllVars {
			c.markAllUsed(k)
		}
	}
}

// markAllUsed marks all variables of a case as used.
func (c *collector) markAllUsed(k *Case) {
	for name := range k.Vars {
		c.used[name] = true
	}
}

// recordPromptUses records the variables that the prompt p reads, and which of them the case lacks.
func (c *collector) recordPromptUses(k *Case, p *prompt) {
	if p.shared != nil {
		c.recordPromptUses(k, p.shared)
	}
	for i := range p.ownMessages() {
		m := &p.ownMessages()[i]
		m.template.eachPlaceholder(func(name string, offset int) {
			c.recordUse(k, variableUse{p, name}, m.path,
				func() document.Position { return c.faults.positionIn(m, offset) })
		})
	}
}

// recordUse marks the variable of u as used. If case k lacks the variable, recordUse records the case, and also
// position() in the file path if this is the first such case.
func (c *collector) recordUse(k *Case, u variableUse, path string, position func() document.Position) {
	c.used[u.name] = true
	if _, defined := k.Vars[u.name]; defined || k.ID == "" {
		return
	}
	known := c.undefined[u]
	if known == nil {
		known = &undefinedUse{path: path, at: position()}
		c.undefined[u] = known
	}
	if n := len(known.ids); n == 0 || known.ids[n-1] != k.ID {
		known.ids = append(known.ids, k.ID)
	}
}

// reportVars reports undefined and unused variables.
func (c *collector) reportVars() {
	if len(c.file.earlierErrors) == 0 && !c.faults.HasErrors() { // else the entry that reads one may be missing
		c.suite.used = c.used
		for name := range c.defined {
			if !c.used[name] {
				c.suite.unused = append(c.suite.unused, name)
			}
		}
		slices.Sort(c.suite.unused)
	}
	if c.varsInvalid && c.faults.HasErrors() {
		clear(c.undefined)
	}
	misspelled := c.warnOfDialects()
	var missing []document.Diagnostic
	for u, l := range c.undefined {
		ending := ""
		switch in := u.reader.(type) {
		case *prompt:
			ending = asText
		case targetReader:
			ending = ", which target " + document.Quote(string(in)) + " sends"
		}
		advice := "add it to vars" + ending
		if like, ok := text.Suggest(u.name, c.suite.unused); ok {
			misspelled[like] = true
			advice = fmt.Sprintf("vars has %s, which nothing reads: rename one of the two", document.Quote(like))
		}
		missing = append(missing, document.NewError(l.path, l.at, "undefined-variable", "variable %s is not defined in %s of suite %s; %s",
			document.Quote(u.name), caseNames(l.ids), c.suite.ID, advice))
	}
	slices.SortFunc(missing, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	c.faults.Add(missing...)
	c.reportUnread(misspelled)
}
