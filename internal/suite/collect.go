package suite

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// collector gathers the cases of one suite, whatever form its file has, and what can only be said of all of them.
type collector struct {
	*file
	suite     *Suite
	request   model.Request                // Provider, Model and Parameters of every case
	ids       knownIDs                     // of the suite's cases
	files     map[string]bool              // paths of suite.Files
	defined   map[string]document.Position // variable → where it is first defined
	used      map[string]bool              // names in prompts and assertions, and those that the target sends
	offered   tools                        // to the model, in every case
	target    config.Target
	undefined map[use]*lack
	dialects  map[dialectKey]dialectUse
	from      *opener // of its cases; nil: they keep their bodies
	shared    map[Origin]*Origin
}

// use is a variable in a *prompt, in an assertion by its *document.Node, or in what a target sends.
type use struct {
	in   any
	name string
}

// target is the name of one.
type target string

// lack is where an undefined variable is first used, and the cases that do not define it.
type lack struct {
	path string
	at   document.Position
	ids  []string
}

func (f *file) collect(s *Suite) *collector {
	t := f.config.Targets[s.Target]
	request := model.Request{SuiteID: s.ID, Provider: t.Provider, Model: t.Model, Settings: t.Settings()}
	request.Parameters = model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}
	if t.Provider == model.Recorded { // each recording says what its answer was asked by
		request.Model, request.Parameters, request.Settings = "", model.Parameters{}, nil
	}
	s.Cases = Cases{origins: f.origins}
	return &collector{
		file:      f,
		suite:     s,
		request:   request,
		files:     map[string]bool{},
		defined:   map[string]document.Position{},
		used:      map[string]bool{},
		undefined: map[use]*lack{},
		shared:    map[Origin]*Origin{},
		target:    t,
	}
}

// define turns a map of variables into their texts and remembers where each is first defined. What the schema of their file
// refuses is reported, and defined all the same.
func (c *collector) define(vars *document.Node) map[string]string {
	if vars.AsMap() == nil || len(vars.Keys) == 0 {
		return nil
	}
	out := make(map[string]string, len(vars.Keys))
	for i, key := range vars.Keys {
		out[key.Text] = c.variable(key.Text, vars.Values[i])
		if _, known := c.defined[key.Text]; !known {
			c.defined[key.Text] = key.Pos
		}
	}
	return out
}

// quiet is the collector as it reads cases again: nothing is said, and nothing of the file is held.
func (c *collector) quiet() *collector {
	f, again := *c.file, *c
	f.faults, f.text, f.without, f.again = &faults{path: f.faults.path}, nil, nil, true
	again.file, again.ids, again.shared = &f, knownIDs{}, map[Origin]*Origin{}
	own := *c.suite // which what joins its cases to another suite's lets go of
	own.Cases, own.Files = Cases{}, nil
	again.suite = &own
	return &again
}

func (c *collector) opener(read func(*Case, *document.Node) *Body) *opener {
	return &opener{mu: &c.opening, store: c.kept.Writer(), bodies: c.kept.Writer(), read: func(k *Case, n *document.Node) *Body {
		body := read(k, n)
		if c.faults.broken() {
			panic("suite: a case that was read before: " + c.faults.list[0].Message)
		}
		return body
	}}
}

// share is the one Origin of all cases that have it.
func (c *collector) share(o Origin) *Origin {
	if c.again {
		return &o // others read the list at the same time, and a body has no use for it
	}
	known := c.shared[o]
	if known == nil {
		one := o
		known = &one
		c.shared[o] = known
		c.origins.add(known)
	}
	return known
}

// fill renders what a case asks; schema is the JSON Schema of its answer, "" for none.
func (c *collector) fill(k *Case, p *prompt, schema string) {
	k.Prompt = c.request
	k.Prompt.CaseID = k.ID
	k.Prompt.Messages, k.Prompt.Tools = p.render(k.Vars), c.offered.text
	k.asks, k.OwnTurns, k.turns = p, p.of != nil, p.turns()
	if p.of != nil || c.suite.Lines {
		k.said = p.own()
	}
	c.suite.saysEach = c.suite.saysEach || anyFixed(k.said, k.OwnTurns)
	if p.of != nil {
		k.files = p.files
		c.suite.ownFiles = c.suite.ownFiles || len(p.files) > 0
	}
	c.send(k, p, schema)
	k.Aside = aside(k, p)
	k.asked()
	k.probed()
}

// add completes a case of the suite with its request and its keys, to be kept; false for one that is there already. p may be nil if the prompt
// could not be read.
func (c *collector) add(k *Case, p *prompt, j judgedBy) bool {
	if !c.unique(k) {
		return false
	}
	k.Trials = cmp.Or(k.Trials, c.suite.Trials)
	if p != nil {
		c.look(k, p)
		c.lookDialects(k, p)
		c.lookBeside(k)
	}
	if p != nil && c.affordable(*k, p) && !c.faults.broken() {
		c.fill(k, p, j.schema)
		k.Body.Keys.RequestKey = k.Prompt.Sum()
	}
	k.semantic, k.unheld, k.graded = k.Semantic(), k.Unheld(), k.Graded()
	j.input = input{Vars: k.Vars, Turns: p.turns()}
	k.Body.Keys.ExpectationKey = j.key()
	o := Origin{Severity: k.Severity, from: c.from}
	o.Path, k.Pos.Line = c.faults.place(c.faults.path, k.Pos.Line)
	k.Origin = c.share(o)
	return true
}

// unique reports a case whose id the suite has already.
func (c *collector) unique(k *Case) bool {
	i, taken := c.ids.at(k.ID)
	if !taken {
		return true
	}
	switch first := c.suite.Cases.At(i); {
	case k.unnamed && first.unnamed:
		c.faults.errorAt(k.Pos, "duplicate-id", "the case at line %d has the same vars and messages, of which ids are made; give each of them an `id`", first.Pos.Line)
	case first.ID != k.ID:
		c.faults.errorAt(k.Pos, "duplicate-id", "case id %s differs only by letter case from the one at line %d; ids are unique in a suite", document.Quote(k.ID), first.Pos.Line)
	default:
		c.faults.errorAt(k.Pos, "duplicate-id", "case id %s is also at line %d; ids are unique in a suite", document.Quote(k.ID), first.Pos.Line)
	}
	return false
}

// send has a case carry what its target is sent beside the messages: variables, and the schema of the answer. A recorded answer is
// an answer to what any live target is sent, so far as its messages do not tell it already.
func (c *collector) send(k *Case, p *prompt, schema string) {
	if c.target.Takes.Schema {
		k.Prompt.AnswerSchema = schema
	}
	k.Prompt.Vars = c.target.Takes.Sent(k.Vars)
	if c.target.Provider != model.Recorded || k.Prompt.Vars == nil {
		return
	}
	p.fills(func(name string) { delete(k.Prompt.Vars, name) })
	if len(k.Prompt.Vars) == 0 {
		k.Prompt.Vars = nil
	}
}

// aside are the variables of a case that its prompt does not use and its target is not sent beside it, in order.
func aside(k *Case, p *prompt) (out []string) {
	if len(k.Vars) == 0 {
		return nil
	}
	used := map[string]bool{}
	p.fills(func(name string) { used[name] = true })
	for name := range k.Vars {
		if _, sent := k.Prompt.Vars[name]; !sent && !used[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// lookBeside notes which variables are sent beside the messages, and which of them the case lacks.
func (c *collector) lookBeside(k *Case) {
	for _, name := range c.target.Takes.Vars {
		c.used[name] = true
		if c.target.Provider != model.Recorded {
			c.use(k, use{target(c.suite.Target), name}, c.faults.path, func() document.Position { return k.Pos })
		}
	}
	if c.target.Takes.AllVars {
		c.useAll(k)
	}
}

// useAll notes that all variables of a case are read.
func (c *collector) useAll(k *Case) {
	for name := range k.Vars {
		c.used[name] = true
	}
}

// look notes which variables a prompt uses and which of them the case lacks.
func (c *collector) look(k *Case, p *prompt) {
	if p.of != nil {
		c.look(k, p.of)
	}
	for i := range p.own() {
		m := &p.own()[i]
		m.template.uses(func(name string, offset int) {
			c.use(k, use{p, name}, m.path, func() document.Position { return c.placeIn(m, offset) })
		})
	}
}

// use notes one variable that a case needs.
func (c *collector) use(k *Case, of use, path string, at func() document.Position) {
	c.used[of.name] = true
	if _, defined := k.Vars[of.name]; defined || k.ID == "" {
		return
	}
	known := c.undefined[of]
	if known == nil {
		known = &lack{path: path, at: at()}
		c.undefined[of] = known
	}
	if n := len(known.ids); n == 0 || known.ids[n-1] != k.ID {
		known.ids = append(known.ids, k.ID)
	}
}

// closeAll closes what gathered the cases of one suite as its targets answer it; what one of these is sent is used.
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

// close notes and reports undefined and unused variables, and lets go of the room that the cases grew by.
func (c *collector) close() {
	if len(c.without) == 0 && !c.faults.broken() { // else what reads one may have been left out
		c.suite.used = c.used
		for name := range c.defined {
			if !c.used[name] {
				c.suite.unused = append(c.suite.unused, name)
			}
		}
	}
	c.suite.Cases.trim()
	written := suiteid.Written(c.suite.ID)
	var missing []document.Diagnostic
	for of, l := range c.undefined {
		literally := ""
		switch in := of.in.(type) {
		case *prompt:
			literally = asText
		case target:
			literally = ", which target " + document.Quote(string(in)) + " sends"
		}
		missing = append(missing, document.NewFault(l.path, l.at, "undefined-variable", "variable %s is not defined in %s of suite %s; add it to vars%s",
			document.Quote(of.name), names(l.ids), written, literally))
	}
	slices.SortFunc(missing, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	c.faults.add(missing...)
	c.unreadVariables(written, c.warnOfDialects())
}
