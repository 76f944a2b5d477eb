package suite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/script"
)

// expectationCompiler compiles the expectations of the cases of a suite file. It compiles parts with the same text only
// once.
type expectationCompiler struct {
	collector  *collector
	loader     *loader
	faults     *diagnostics
	suiteFacts *document.Node // the suite's, for cases without their own; nil for none

	formats       cache[compiledFormat]
	labels        cache[label.Set] // by the expected label and the list of labels
	forms         cache[expect.Criterion]
	checkedLabels map[*document.Node]bool // lists of labels that were already checked for labels that look alike
}

// modes are the values of `match` that the schema allows.
var modes = []string{expect.ModeAuto, expect.ModeExact, expect.ModeContains, expect.ModeRegex, expect.ModeJSON, expect.ModeNumber}

// criterionKeys are the fields that a refusal cannot meet, so they contradict an expected refusal.
var criterionKeys = []string{"expected_response", "match", "expected_format", "assert", "expected_tools", "expected_label", "key_facts", "rubric", "reference"}

// readExpectation reads the fields that decide how a case is judged. It stores the compiled checks in k, and what the
// expectation key is computed from in checks.
func (j *expectationCompiler) readExpectation(k *Case, checks *expectationContent, n fields) {
	k.ExpectedCategory = classify.Category(n.get("expected_classification").AsText())
	if k.ExpectedCategory == classify.Pass {
		k.ExpectedCategory = "" // the default of every case
	}
	if k.ExpectedCategory == classify.Refusal {
		n = withoutCriteria(j.faults, n)
	}
	k.Expect = &expect.Expectation{}
	j.readMeasures(k, checks, n)
	j.readResponse(k, checks, n)
	j.readFormat(k, checks, n)
	readTools(j.collector, k, checks, n.get("expected_tools"))
	j.readAssertions(k, n)
	j.readRubric(k, n)
	j.readPolicies(k, checks, n.list("policies"))
	checkReachable(j.faults, k, n)
	if k.Expect.Empty() {
		k.Expect = emptyExpectation
	}
}

// emptyExpectation is the expectation that all cases without a criterion share.
var emptyExpectation = &expect.Expectation{}

// withoutCriteria returns the fields of a case that expects a refusal, which no criterion can judge. If the case itself
// expects the refusal, the criteria of the defaults are hidden, and the case's own criteria are reported as errors. If
// only the defaults expect the refusal, all criteria are reported as errors.
func withoutCriteria(f *diagnostics, n fields) fields {
	ofCase := n.item.Get("expected_classification") != nil
	for _, key := range criterionKeys {
		holder := n.item
		if holder.Get(key) == nil && !ofCase {
			holder = n.defaults
		}
		if holder.Get(key) != nil {
			f.ErrorAt(holder.KeyPos(key), "contradiction", "`%s` contradicts `expected_classification: refusal`: "+
				"no refusal meets it; remove one of them, and forbid words with `policies` or `forbidden_claims`", key)
		}
	}
	if ofCase {
		n.hiddenDefaults = criterionKeys
	}
	return n
}

// readResponse reads expected_response, with its match, into k and checks.
func (j *expectationCompiler) readResponse(k *Case, checks *expectationContent, n fields) {
	node, mode := n.get("expected_response"), n.get("match")
	if node == nil {
		if n.item.Get("match") != nil && mode != nil {
			j.faults.ErrorAt(n.item.KeyPos("match"), "match", "`match` is given without `expected_response`; nothing would be compared")
		}
		return
	}
	text, ok := node.AsScalar()
	requested := cmp.Or(mode.AsText(), expect.ModeAuto)
	if !ok || text == "" || !slices.Contains(modes, requested) || mode == nil && comparesMeaning(k) {
		return
	}
	match, err := expect.CompileMatch(text, requested)
	if err != nil {
		j.faults.reportCompileError(node, text, "expected_response", err)
		return
	}
	j.faults.warnAlwaysTrue(node.Pos, match)
	if mode == nil && slices.Contains(checks.Labels, checks.Label) && match.Mode == expect.ModeExact && strings.TrimSpace(text) != checks.Label {
		j.faults.WarnAt(node.Pos, "label", "beside the label, `expected_response` has to be answered word for word; if it only explains the label, "+
			"leave it out or say `match: contains`")
	}
	k.Expect.Criteria = append(k.Expect.Criteria, match)
	checks.Criteria = append(checks.Criteria, criterion{match.EffectiveMode(), text})
}

// readAssertions adds the assertions of a case to its expectation, and records the variables that they read.
func (j *expectationCompiler) readAssertions(k *Case, n fields) {
	for _, item := range n.list("assert") {
		compiled := j.compileAssertion(item)
		if compiled == nil {
			continue
		}
		for _, name := range compiled.Vars {
			j.collector.recordUse(k, variableUse{item, name}, j.faults.Path,
				func() document.Position { return item.Pos })
		}
		if compiled.AllVars {
			j.collector.markAllUsed(k)
		}
		k.Expect.Assertions = append(k.Expect.Assertions, compiled)
	}
}

// compileAssertion returns the compiled assertion, or nil on an error. An assertion is an expression, or a map from the
// name of a form to its texts.
func (j *expectationCompiler) compileAssertion(item *document.Node) *expect.Criterion {
	if item.AsMap() == nil {
		compiled := j.loader.assertions.compiled(j.faults, "assertion", item, expect.CompileAssertion)
		if compiled != nil && compiled.AlwaysTrue {
			j.faults.WarnAt(item.Pos, "always-true", "this looks at no part of the answer: it is the same for every answer")
		}
		return compiled
	}
	compiled := j.forms.get(item.JSON(), func() *expect.Criterion { return compileForm(j.faults, item) })
	if compiled != nil && compiled.AlwaysTrue {
		j.faults.WarnAt(item.Pos, "always-true", "%s says the same of every answer", item.Keys[0].Text)
	}
	return compiled
}

// compileForm returns the compiled assertion of a map. It returns nil if the map is invalid, which the schema reports.
// It also returns nil if a text does not compile, which compileForm reports.
func compileForm(f *diagnostics, item *document.Node) *expect.Criterion {
	if len(item.Keys) != 1 {
		return nil
	}
	name, node := item.Keys[0].Text, item.Values[0]
	switch form := strings.TrimPrefix(name, "not_"); {
	case form == expect.ScriptForm:
		return compileScript(f, name, node)
	case !slices.Contains(expect.Forms, form):
		return nil
	}
	texts := scalars(node)
	if texts == nil {
		return nil
	}
	form, err := expect.CompileForm(name, texts)
	if err != nil {
		f.reportCompileError(node, texts[0], name, err)
		return nil
	}
	return form
}

// compileScript returns the compiled assertion in JavaScript, or nil on an error. The assertion is the script's text,
// or a map with the script and options.
func compileScript(f *diagnostics, name string, node *document.Node) *expect.Criterion {
	options := expect.Script{Script: script.Script{Source: node.AsText()}}
	source := node
	if node.AsMap() != nil {
		source = node.Get("script")
		options.Source, options.Transform = source.AsText(), node.Get("transform").AsText()
		options.JSON = node.Get("json").IsTrue()
		if least, ok := node.Get("threshold").AsNumber(); ok {
			options.Threshold = &least
		}
	}
	if options.Source == "" {
		return nil // the schema rejects it
	}
	compiled, err := expect.CompileScript(name != expect.ScriptForm, options)
	if err != nil {
		f.reportCompileError(source, options.Source, name, err)
		return nil
	}
	return compiled
}

// scalars returns the text of a scalar, or the texts of a list. It returns nil if the node is neither, which the schema
// reports.
func scalars(n *document.Node) (texts []string) {
	items := n.List()
	if items == nil {
		items = []*document.Node{n}
	}
	for _, item := range items {
		text, ok := item.AsScalar()
		if !ok || text == "" {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// readPolicies sets the policies of a case, sorted by name: its own and those that apply to all cases.
func (j *expectationCompiler) readPolicies(k *Case, checks *expectationContent, items []*document.Node) {
	k.Policies = j.loader.globalPolicies
	for _, item := range items {
		name := item.AsText()
		policy := j.loader.policies[name]
		switch {
		case name == "":
			continue
		case policy == nil:
			j.faults.ErrorAt(item.Pos, "policy", "policy %s is not in the configuration%s", document.Quote(name), suggestion(name, j.loader.policies))
			continue
		case !slices.Contains(k.Policies, policy):
			k.Policies = append(slices.Clone(k.Policies), policy)
		}
		checks.Policies = append(checks.Policies, name)
	}
	if len(checks.Policies) > 0 {
		slices.SortFunc(k.Policies, byName)
	}
}

// checkReachable reports an error if the case expects a classification that no answer can get.
func checkReachable(f *diagnostics, k *Case, n fields) {
	missing := ""
	switch {
	case k.ExpectedCategory == classify.WrongFormat && n.get("expected_format") == nil:
		missing = "an `expected_format`"
	case k.ExpectedCategory == classify.PolicyViolation && len(k.Policies) == 0:
		missing = "a policy"
	case k.ExpectedCategory == classify.Fail && k.Measured == nil && !slices.ContainsFunc([]string{"expected_response", "assert", "expected_tools", "expected_label"},
		func(key string) bool { return n.get(key) != nil && (key != "assert" || len(n.list(key)) > 0) }):
		missing = "an `expected_response`, `assert`, `expected_tools` or `expected_label`"
	default:
		return
	}
	f.ErrorAt(n.get("expected_classification").Pos, "contradiction",
		"no answer can be classified %s without %s; add one", k.ExpectedCategory, missing)
}

// cache has compiled values by the text that they were compiled from. To compile an expression takes as long as to
// judge fifty answers, and few texts of a tree are different.
type cache[T any] map[string]*T

// get returns the value for text. If it is not known yet, get calls make, which returns the value. If make fails, it
// reports the reason and returns nil, and get returns nil too.
func (c *cache[T]) get(text string, make func() *T) *T {
	made := (*c)[text]
	if made == nil {
		if made = make(); made != nil {
			if *c == nil {
				*c = cache[T]{}
			}
			(*c)[text] = made
		}
	}
	return made
}

// compiled returns the value compiled from the text of n. It returns nil if n has no text, or if compile fails, which
// it reports. what names the value in errors.
func (c *cache[T]) compiled(f *diagnostics, what string, n *document.Node, compile func(string) (*T, error)) *T {
	text := n.AsText()
	if text == "" {
		return nil
	}
	return c.get(text, func() *T {
		out, err := compile(text)
		if err != nil {
			f.reportCompileError(n, text, what, err)
			return nil
		}
		return out
	})
}
