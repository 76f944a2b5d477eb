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
	file      *file
	loader    *loader
	faults    *faults
	envelope  *envelope
	suite     *Suite
	ids       knownIDs                     // of the suite's cases
	files     map[string]bool              // paths of suite.Files
	defined   map[string]document.Position // where each variable is first defined
	used      map[string]bool              // variables that a prompt, an assertion, the judge or the target reads
	offered   tools                        // the tools that every case offers the model
	undefined map[use]*undefinedUse
	dialects  map[dialectKey]dialectUse
	judging   *Judging // how the last added case is judged
	unread    bool     // some `vars` is not a map, so its variables are unknown
}

// use is a variable and what reads it: a *prompt, an assertion (its *document.Node), a key of the rubric (a string), or
// a target.
type use struct {
	in   any
	name string
}

// target is the value of use.in if a target reads the variable. It is the target's name.
type target string

// undefinedUse is the first place that reads an undefined variable, with the ids of the cases that lack the variable.
type undefinedUse struct {
	path string
	at   document.Position
	ids  []string
}

func (f *file) collect(s *Suite) *collector {
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
		envelope:  &envelope{request, t},
		suite:     s,
		ids:       knownIDs{},
		files:     map[string]bool{},
		defined:   map[string]document.Position{},
		used:      map[string]bool{},
		undefined: map[use]*undefinedUse{},
	}
}

// define returns the variables in vars, and records where each is first defined. It includes variables that the schema
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

// add adds the case k with its request and its keys, unless another case has its id. k.Body has what was read of the
// case so far. p is nil if the prompt could not be read.
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
	// Compare without Expect, which equal neighbors do not share.
	k.Expect = nil
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
	// Up to here, errors need the line number as it was read.
	k.Path, k.Pos.Line = c.faults.place(c.faults.Path, k.Pos.Line)
	k.Body = nil
	c.suite.Cases.Add(k)
	c.ids.add(c.suite.Cases[len(c.suite.Cases)-1])
}

// request records the variables that the prompt and the target of a case read, and computes the case's request key.
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
		k.read.source = c.file.prompts.get(p.messages[0].text, func() *prompt { return p })
	}
}

// taken reports whether the suite already has a case with the id of k. If so, it adds an error.
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

// aside returns the sorted names of the variables that the case does not send: neither the prompt nor the target uses
// them.
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

// lookBeside records the variables that the target reads besides the messages, and which of them the case lacks.
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

// look records the variables that the prompt p reads, and which of them the case lacks.
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

// use marks the variable of u as used. If case k lacks the variable, use records the case, and also the place at() in
// the file path if this is the first such case.
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

// closeAll closes the collectors of one suite, of which there is one for each target. A variable that one of them uses
// counts as used in all.
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
	if len(c.file.without) == 0 && !c.faults.Broken() { // else the entry that reads one may be missing
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
