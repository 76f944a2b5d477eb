package suite

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// readCases reads the cases of a YAML or JSON suite into c. It returns false if they or the prompt cannot be read.
func (f *file) readCases(c *collector, root *document.Node) bool {
	s := c.suite
	defaults, caseRows := root.Get("defaults").AsMap(), f.readRows(root)
	fallback := score.StrategyAccuracy // used if neither a strategy nor a benchmark is named
	if defaults.Get("expected_label") != nil || caseRows != nil && caseRows.has("expected_label") {
		fallback = score.StrategyClassification
	}
	s.Plan = f.loader.strategies.Plan(s.Benchmark, root.Get("strategy").AsText(), fallback)
	p := f.reader.findPrompt(root, caseRows)
	s.setSharedPrompt(p)
	if caseRows == nil {
		return false
	}
	c.addFilesOf(p)
	c.readToolFile(root.Get("tools"))
	j := &expectationCompiler{collector: c, loader: c.loader, faults: c.faults, suiteFacts: root.Get("facts"),
		checkedLabels: map[*document.Node]bool{}}
	shared := c.readVars(defaults.Get("vars"))
	if !f.loader.reserveDefaults(defaults, caseRows, p, len(c.targets), f.faults) {
		return false
	}
	for i, item := range caseRows.items {
		caseRows.items[i] = nil // frees the rows of a large file while its cases grow
		vars := shared
		if own := c.readVars(item.Get("vars")); len(own) > 0 {
			vars = slices.Concat(shared, own)
		}
		k, checks := j.read(item, defaults, vars.texts())
		own := f.reader.withOwnMessages(p, item)
		c.addFilesOf(own)
		c.add(k, vars, own, checks)
	}
	slices.SortStableFunc(s.Files, func(a, b SentFile) int { return cmp.Compare(a.Kind, b.Kind) })
	if len(caseRows.items) == 0 && !f.faults.HasErrors() && f.faults.casesPath != "" {
		f.faults.ErrorAt(root.Get("cases").Pos, "no-cases", "the file %s holds no row",
			document.Quote(f.faults.casesPath))
	}
	return p != nil
}

// read returns one case of a suite file, without its prompt and keys, and what its expectation key is computed from.
func (j *expectationCompiler) read(item, defaults *document.Node, vars map[string]string) (Case, expectationContent) {
	n := fields{item: item, defaults: defaults}
	id, unnamed := item.Get("id").AsText(), item.Get("id") == nil
	if unnamed {
		id = madeID(item)
	}
	k := Case{
		ID:          id,
		idGenerated: unnamed,
		Pos:         item.Pos,
		Severity:    cmp.Or(n.get("severity").AsText(), risk.Medium),
		MustPass:    n.get("must_pass").IsTrue(),
		Trials:      trialsOf(n.get("trials")),
		Body: &Body{Vars: vars, Judging: Judging{Description: item.Get("description").AsText(), Category: n.get("category").AsText(),
			Tags: texts(n.list("tags"))}},
	}
	if v, ok := n.get("case_threshold").AsNumber(); ok {
		k.CaseThreshold = &v
	}
	var checks expectationContent
	j.readExpectation(&k, &checks, n)
	readProbe(j.collector.suite, j.faults, &k, &checks, n)
	return k, checks
}

// fields looks up the fields of a case, first in the case and then in the suite's defaults. Either node may be nil.
type fields struct {
	item           *document.Node
	defaults       *document.Node
	hiddenDefaults []string // keys of the defaults that do not apply to this case
}

// get returns the value of a field, or nil if neither the case nor the defaults have it.
func (f fields) get(key string) *document.Node {
	if n := f.item.Get(key); n != nil {
		return n
	}
	return f.fromDefaults(key)
}

// fromDefaults returns the value that a field has in the defaults, or nil.
func (f fields) fromDefaults(key string) *document.Node {
	if slices.Contains(f.hiddenDefaults, key) {
		return nil
	}
	return f.defaults.Get(key)
}

// list returns the items of a field that is a list: those of the defaults, then the case's own items. If the case has
// `replace`, list returns only the items in it. A case therefore cannot drop a shared check silently.
func (f fields) list(key string) []*document.Node {
	own := f.item.Get(key)
	if instead := own.AsMap().Get("replace"); instead != nil {
		return instead.List()
	}
	shared := f.fromDefaults(key).List()
	switch {
	case own == nil:
		return shared
	case shared == nil:
		return own.List()
	}
	seen := map[string]bool{}
	for _, item := range shared {
		seen[item.JSON()] = true
	}
	return slices.Concat(shared, slices.DeleteFunc(slices.Clone(own.List()), func(item *document.Node) bool { return seen[item.JSON()] }))
}

// texts returns the texts of those items that are strings.
func texts(items []*document.Node) []string {
	var out []string
	for _, item := range items {
		if s := item.AsText(); s != "" {
			out = append(out, s)
		}
	}
	return out
}
