package suite

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/score"
)

// cases reads the cases of a YAML or JSON suite.
func (f *file) cases(s *Suite, root *document.Node) {
	defaults, items := mapOf(root.Get("defaults")), root.Get("cases")
	s.Plan = f.plan(root, defaults)
	p := f.prompt(root)
	s.PromptKey = p.key()
	if items == nil {
		return
	}
	c := f.collect(s)
	c.askedFrom(p)
	j := &judge{collector: c}
	shared := c.define(defaults.Get("vars"))
	from := j.opener(p, defaults, shared)
	if !c.repeatable(defaults, items, p) {
		return
	}
	s.Cases = make([]Case, 0, items.Len())
	for _, item := range items.Items() {
		if mapOf(item) == nil {
			continue
		}
		k, judged := j.read(item, defaults, joined(shared, c.define(item.Get("vars"))))
		own := c.with(p, item)
		c.askedFrom(own)
		if added := c.add(k, own, judged); added != nil {
			added.keep(from, item)
		}
	}
	slices.SortStableFunc(s.Files, func(a, b Named) int { return cmp.Compare(a.Kind, b.Kind) })
	if p != nil {
		c.close()
	}
}

// opener makes the bodies of the suite's cases again, in silence: what there was to say of them was said.
func (j *judge) opener(p *prompt, defaults *document.Node, shared map[string]string) *opener {
	c := j.quiet()
	again := &judge{collector: c, again: true}
	return c.opener(func(k *Case, item *document.Node) *Body {
		read, judged := again.read(item, defaults, joined(shared, c.define(item.Get("vars"))))
		read.ID = k.ID
		c.fill(&read, c.with(p, item), judged.schema)
		return read.Body
	})
}

// plan resolves how the suite is scored: by its strategy, else its benchmark's, else by whether a case has a label.
func (f *file) plan(root, defaults *document.Node) score.Plan {
	given := root.Get("strategy")
	fallback := score.StrategyAccuracy
	if labelled(root, defaults) {
		fallback = score.StrategyClassification
	}
	return f.strategies.Plan(stringOf(root.Get("benchmark")), stringOf(given), fallback)
}

// labelled reports whether a case has an expected label.
func labelled(root, defaults *document.Node) bool {
	return defaults.Get("expected_label") != nil || anyOf(root, "expected_label")
}

// anyOf reports whether a case of a suite file has a key.
func anyOf(root *document.Node, key string) bool {
	if cases := root.Get("cases"); cases != nil {
		for _, item := range cases.Items() {
			if item.Get(key) != nil {
				return true
			}
		}
	}
	return false
}

// joined returns the variables of both, those of own winning.
func joined(shared, own map[string]string) map[string]string {
	switch {
	case len(own) == 0:
		return shared
	case len(shared) == 0:
		return own
	}
	for name, text := range shared {
		if _, ok := own[name]; !ok {
			own[name] = text
		}
	}
	return own
}

// read reads one case of a suite file: all but its prompt and keys.
func (j *judge) read(item, defaults *document.Node, vars map[string]string) (Case, judgedBy) {
	n := fields{own: item, defaults: defaults}
	k := Case{
		ID:       stringOf(item.Get("id")),
		Pos:      item.Pos,
		Severity: cmp.Or(stringOf(n.get("severity")), "medium"),
		MustPass: boolOf(n.get("must_pass")),
		Trials:   trialsOf(n.get("trials")),
		Body:     &Body{Vars: vars, Category: stringOf(n.get("category")), Tags: texts(n.list("tags"))},
	}
	if v, ok := numberOf(n.get("case_threshold")); ok {
		k.CaseThreshold = &v
	}
	by := judgedBy{CaseThreshold: k.CaseThreshold}
	j.expectation(&k, &by, n)
	j.probe(&k, &by, n)
	return k, by
}
