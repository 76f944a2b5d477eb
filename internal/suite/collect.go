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

// collector gathers the cases of one suite from a file of any form. It also checks what depends on all of them, such
// as unused variables.
type collector struct {
	*file
	envelope  *envelope
	suite     *Suite
	ids       knownIDs                     // of the suite's cases
	files     map[string]bool              // paths of suite.Files
	defined   map[string]document.Position // variable → its first definition
	used      map[string]bool              // variables that prompts, assertions and the target use
	offered   tools                        // tools of every case
	undefined map[use]*undefinedUse
	dialects  map[dialectKey]dialectUse
	judging   *Judging // of the case read last
	unread    bool     // some `vars` is no map, so its definitions are unknown
}

// use is a variable and the place that reads it: a *prompt, an assertion (its *document.Node), or a target.
type use struct {
	in   any
	name string
}

// target is the name of a target, as the place of a use: the target reads the variable.
type target string

// undefinedUse is the first use of an undefined variable, with the cases that lack it.
type undefinedUse struct {
	path string
	at   document.Position
	ids  []string
}

func (f *file) collect(s *Suite) *collector {
	t := f.loader.config.Targets[s.Target]
	request := model.Request{SuiteID: s.ID, Provider: t.Provider, Model: t.Model, Settings: t.Settings()}
	request.Parameters = model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}
	if t.Provider == model.Recorded { // each recorded answer names the request that it answers
		request.Model, request.Parameters, request.Settings = "", model.Parameters{}, nil
	}
	return &collector{
		file:      f,
		envelope:  &envelope{request, t},
		suite:     s,
		ids:       knownIDs{},
		files:     map[string]bool{},
		defined:   map[string]document.Position{},
		used:      map[string]bool{},
		undefined: map[use]*undefinedUse{},
	}
}

// define reads a map of variables and records where each is first defined. It includes variables that the schema
// rejects.
func (c *collector) define(vars *document.Node) variables {
	if vars != nil && vars.Kind != document.Map {
		c.unread = true
	}
	if vars.AsMap() == nil || len(vars.Keys) == 0 {
		return nil
	}
	out := make(variables, len(vars.Keys))
	for i, key := range vars.Keys {
		out[i] = variable{key.Text, c.variable(key.Text, vars.Values[i])}
		if _, known := c.defined[key.Text]; !known {
			c.defined[key.Text] = key.Pos
		}
	}
	return out
}

// add adds a case with its request and keys, unless its ID is taken. k's Body has what was read so far. p is nil if
// the prompt could not be read.
func (c *collector) add(k Case, vars variables, p *prompt, j judgedBy) {
	if c.ids.taken(&k, c.faults) {
		return
	}
	k.Trials = cmp.Or(k.Trials, c.suite.Trials)
	j.copy(&k.Judging)
	beside := j.key()
	j.input = input{Vars: k.Vars, Turns: p.turns()}
	k.read = &reading{envelope: c.envelope, keys: Keys{ExpectationKey: j.key()}, beside: beside, source: p, vars: vars, expect: k.Expect}
	own := k.Expect
	k.Expect = nil // compared without it: neighboring cases do not share it
	if c.judging == nil || !reflect.DeepEqual(c.judging, &k.Judging) {
		c.judging = new(k.Judging)
	}
	k.Expect, k.read.judging = own, c.judging
	if c.envelope.target.Takes.Schema {
		k.read.schema = j.schema
	}
	if p != nil {
		c.request(&k, p)
	}
	k.Path, k.Pos.Line = c.faults.place(c.faults.Path, k.Pos.Line) // until here, errors use the line number as read
	k.Body = nil
	c.suite.Cases.Add(k)
	c.ids.add(c.suite.Cases[len(c.suite.Cases)-1])
}

// request records the variables that a case's prompt and target use, and makes its request key.
func (c *collector) request(k *Case, p *prompt) {
	c.look(k, p)
	c.lookDialects(k, p)
	c.lookBeside(k)
	if c.loader.affordable(*k, p, c.envelope.request.Tools, c.faults) && !c.faults.Broken() {
		k.read.keys.RequestKey = k.read.prompt(k.ID, k.Vars).Sum()
		if own := p.shared != nil; own || c.suite.Lines {
			c.suite.ownMessages = c.suite.ownMessages || anyFixed(p.own(), own)
		}
	}
	if c.suite.Lines { // many lines have the same prompt
		k.read.source = c.prompts.get(p.messages[0].text, func() *prompt { return p })
	}
}

// taken reports whether the suite already has a case with k's id, and adds an error if it has.
func (x knownIDs) taken(k *Case, f *faults) bool {
	first := x.get(k.ID)
	switch {
	case first == nil:
		return false
	case k.unnamed && first.unnamed:
		f.ErrorAt(k.Pos, "duplicate-id", "the case at line %d has the same vars and messages, of which ids are made; give each of them an `id`", first.Pos.Line)
	case first.ID != k.ID:
		f.ErrorAt(k.Pos, "duplicate-id", "case id %s differs only by letter case from the one at line %d; ids are unique in a suite", document.Quote(k.ID), first.Pos.Line)
	default:
		f.ErrorAt(k.Pos, "duplicate-id", "case id %s is also at line %d; ids are unique in a suite", document.Quote(k.ID), first.Pos.Line)
	}
	return true
}

// aside returns, sorted, the variables of a case that neither its prompt nor its target uses.
func aside(b *Body) (out []string) {
	if len(b.Vars) == 0 {
		return nil
	}
	used := map[string]bool{}
	b.source.fills(func(name string) { used[name] = true })
	for name := range b.Vars {
		if _, sent := b.Prompt.Vars[name]; !sent && !used[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// lookBeside records the variables that the target sends in addition to the messages. It also records which of these
// variables the case lacks.
func (c *collector) lookBeside(k *Case) {
	for _, name := range c.envelope.target.Takes.Vars {
		c.used[name] = true
		if c.envelope.target.Provider != model.Recorded {
			c.use(k, use{target(c.suite.Target), name}, c.faults.Path, func() document.Position { return k.Pos })
		}
	}
	if c.envelope.target.Takes.AllVars {
		c.useAll(k)
	}
}

// useAll marks all variables of a case as used.
func (c *collector) useAll(k *Case) {
	for name := range k.Vars {
		c.used[name] = true
	}
}

// look records the variables that a prompt uses. It also records which of these variables the case lacks.
func (c *collector) look(k *Case, p *prompt) {
	if p.shared != nil {
		c.look(k, p.shared)
	}
	for i := range p.own() {
		m := &p.own()[i]
		m.template.uses(func(name string, offset int) {
			c.use(k, use{p, name}, m.path, func() document.Position { return c.faults.placeIn(m, offset) })
		})
	}
}

// use marks a variable as used, and records the case if it lacks that variable.
func (c *collector) use(k *Case, u use, path string, at func() document.Position) {
	c.used[u.name] = true
	if _, defined := k.Vars[u.name]; defined || k.ID == "" {
		return
	}
	known := c.undefined[u]
	if known == nil {
		known = &undefinedUse{path: path, at: at()}
		c.undefined[u] = known
	}
	if n := len(known.ids); n == 0 || known.ids[n-1] != k.ID {
		known.ids = append(known.ids, k.ID)
	}
}

// closeAll closes the collectors of one suite, one for each target. A variable that any of them sends counts as used.
func closeAll(all []*collector) {
	used := map[string]bool{}
	for _, c := range all {
		maps.Copy(used, c.used)
	}
	for _, c := range all {
		c.used = used
		c.close()
	}
}

// close reports undefined and unused variables.
func (c *collector) close() {
	if len(c.without) == 0 && !c.faults.Broken() { // else the entry that reads one may be missing
		c.suite.used = c.used
		for name := range c.defined {
			if !c.used[name] {
				c.suite.unused = append(c.suite.unused, name)
			}
		}
		slices.Sort(c.suite.unused)
	}
	written := suiteid.AuthorID(c.suite.ID)
	if c.unread && c.faults.Broken() {
		clear(c.undefined)
	}
	misspelled := c.warnOfDialects()
	var missing []document.Diagnostic
	for u, l := range c.undefined {
		literally := ""
		switch in := u.in.(type) {
		case *prompt:
			literally = asText
		case target:
			literally = ", which target " + document.Quote(string(in)) + " sends"
		}
		advice := "add it to vars" + literally
		if like, ok := text.Suggest(u.name, c.suite.unused); ok {
			misspelled[like] = true
			advice = fmt.Sprintf("vars has %s, which nothing reads: rename one of the two", document.Quote(like))
		}
		missing = append(missing, document.NewFault(l.path, l.at, "undefined-variable", "variable %s is not defined in %s of suite %s; %s",
			document.Quote(u.name), names(l.ids), written, advice))
	}
	slices.SortFunc(missing, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	c.faults.Add(missing...)
	c.unreadVariables(written, misspelled)
}
