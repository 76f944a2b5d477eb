package suite

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

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
	envelope    *suiteRequest
	suite       *Suite
	ids         knownIDs                     // of the suite's cases
	files       map[string]bool              // paths of suite.Files
	defined     map[string]document.Position // where each variable is first defined
	used        map[string]bool              // variables that a prompt, an assertion, the judge or the target reads
	tools       tools                        // the tools that every case offers the model
	undefined   map[variableUse]*undefinedUse
	dialects    map[dialectKey]dialectUse
	lastJudging *Judging // how the last added case is judged
	varsInvalid bool     // some `vars` is not a map, so its variables are unknown
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

func (f *file) newCollector(s *Suite) *collector {
	t := f.loader.config.Targets[s.Target]
	request := model.Request{SuiteID: s.ID, Provider: t.Provider, Model: t.Model, Settings: t.Settings()}
	request.Parameters = model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}
	// A recorded answer names the model and settings that it was made with.
	if t.Provider == model.Recorded {
		request.Model, request.Parameters, request.Settings = "", model.Parameters{}, nil
	}
	return &collector{
		file:      f,
		loader:    f.loader,
		faults:    f.faults,
		envelope:  &suiteRequest{request, t},
		suite:     s,
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

// add adds the case k with its request and its keys, unless another case has its id. k.Body has what was read of the
// case so far. p is nil if the prompt could not be read.
func (c *collector) add(k Case, vars variables, p *prompt, content expectationContent) {
	if first := c.ids.get(k.ID); first != nil {
		c.faults.ErrorAt(k.Pos, "duplicate-id", "%s", duplicateCase(&k, first, fmt.Sprintf("at line %d", first.Pos.Line)))
		return
	}
	k.Trials = cmp.Or(k.Trials, c.suite.Trials)
	content.copyFrom(&k.Judging)
	judgingKey := content.key()
	content.caseInput = caseInput{Vars: k.Vars, Turns: p.turns()}
	k.parsed = &parsedCase{suiteRequest: c.envelope, source: p, parsedContent: &parsedContent{keys: Keys{ExpectationKey: content.key()}, judgingKey: judgingKey, vars: vars, expect: k.Expect}}
	expectation := k.Expect
	// Compare without Expect, which equal neighbors do not share.
	k.Expect = nil
	if c.lastJudging == nil || !reflect.DeepEqual(c.lastJudging, &k.Judging) {
		c.lastJudging = new(k.Judging)
	}
	k.Expect, k.parsed.judging = expectation, c.lastJudging
	if c.envelope.target.Inputs.Schema {
		k.parsed.schema = content.schema
	}
	if p != nil {
		c.setRequestKey(&k, p)
	}
	// Up to here, errors need the line number as it was read.
	k.Path, k.Pos.Line = c.faults.originalLine(c.faults.Path, k.Pos.Line)
	k.Body = nil
	c.suite.Cases.Add(k)
	c.ids.add(c.suite.Cases[len(c.suite.Cases)-1])
}

// setRequestKey records the variables that the prompt and the target of a case read, and computes the case's request
// key.
func (c *collector) setRequestKey(k *Case, p *prompt) {
	c.recordPromptUses(k, p)
	c.recordDialects(k, p)
	c.recordTargetUses(k)
	if c.loader.reserveCase(*k, p, c.envelope.request.Tools, c.faults) && !c.faults.HasErrors() {
		k.parsed.keys.RequestKey = k.parsed.prompt(k.ID, k.Vars).Sum()
	}
	if c.suite.JSONLines { // many lines have the same prompt
		k.parsed.source = c.file.prompts.get(p.messages[0].text, func() *prompt { return p })
	}
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

// recordTargetUses records the variables that the target reads besides the messages, and which of them the case lacks.
func (c *collector) recordTargetUses(k *Case) {
	for _, name := range c.envelope.target.Inputs.Vars {
		c.used[name] = true
		if c.envelope.target.Provider != model.Recorded {
			c.recordUse(k, variableUse{targetReader(c.suite.Target), name}, c.faults.Path,
				func() document.Position { return k.Pos })
		}
	}
	if c.envelope.target.Inputs.AllVars {
		c.markAllUsed(k)
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

// reportAllVars reports the undefined and unused variables of one suite's collectors, one for each target. A variable
// that one of them uses counts as used in all.
func reportAllVars(all []*collector) {
	used := map[string]bool{}
	for _, c := range all {
		maps.Copy(used, c.used)
	}
	for _, c := range all {
		c.used = used
		c.reportVars()
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
	written := suiteid.AuthorID(c.suite.ID)
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
			document.Quote(u.name), caseNames(l.ids), written, advice))
	}
	slices.SortFunc(missing, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	c.faults.Add(missing...)
	c.reportUnread(written, misspelled)
}
