package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// readMeasures reads what the metrics compare an answer with into k and checks. Of a case that expects a refusal, they
// are only the forbidden claims.
func (j *expectationCompiler) readMeasures(k *Case, checks *expectationContent, n fields) {
	e := &score.Expected{Plan: j.collector.suite.Plan}
	refuses := k.ExpectedCategory == classify.Refusal
	if !refuses {
		e.Allowed = texts(n.get("allowed_terms").List())
		e.Reference, _ = n.get("expected_response").AsScalar()
		checks.Label, checks.Labels = j.readLabel(e, n)
		checks.LabelIn = j.readLabelIn(e, n)
		e.Facts = compileAll(j.faults, "key fact", n.get("key_facts"), &j.loader.facts, j.loader.synonyms.Fact)
	}
	e.Forbidden = compileAll(j.faults, "forbidden claim", n.get("forbidden_claims"), &j.loader.claims, j.loader.synonyms.Claim)
	if e.IsSemantic() {
		e.Sentences = j.loader.synonyms.Sentences(e.Reference)
	}
	if !e.HasMetrics() || refuses && len(e.Forbidden) == 0 {
		return
	}
	k.Measured = e
	if checks.Label != "" || e.Plan.Strategy != score.StrategyAccuracy {
		checks.Strategy = e.Plan.Strategy
	}
	m := metricTexts{Facts: texts(n.get("key_facts").List()), Forbidden: texts(n.get("forbidden_claims").List()), Allowed: e.Allowed,
		Grounding: e.Plan.Grounding, Otherwise: e.LabelNotListed}
	if n.get("match") == nil && comparesMeaning(k) {
		m.Reference = e.Reference
	}
	if m.Reference != "" || len(m.Facts)+len(m.Forbidden)+len(m.Allowed) > 0 || m.Grounding || m.Otherwise {
		checks.Measured = &m
	}
}

// comparesMeaning reports whether the answer is compared with the meaning of expected_response, and not with its text.
func comparesMeaning(k *Case) bool { return k.Measured != nil && k.Measured.IsSemantic() }

// readLabel reads the expected label and the list of possible labels into e, and returns both as written.
func (j *expectationCompiler) readLabel(e *score.Expected, n fields) (expected string, labels []string) {
	node, plan := n.get("expected_label"), j.collector.suite.Plan
	if expected = node.AsText(); expected == "" {
		if own := n.item.Get("labels"); node == nil && own != nil {
			j.faults.ErrorAt(own.Pos, "label", "`labels` are all labels that an answer may come to, and none is expected; add `expected_label`")
		}
		return "", nil
	}
	labels = texts(n.get("labels").List())
	key := strings.Join(append([]string{expected}, labels...), "\x00")
	e.Labels = j.labels.get(key, func() *label.Set { return label.New(expected, labels) })
	j.checkLabels(e.Labels, n.get("labels"))
	listedThere := slices.Contains(labels, expected)
	switch {
	case plan.AccuracyMethod != score.MethodLabel:
		j.faults.WarnAt(node.Pos, "label", "`expected_label` is not judged under strategy %s", plan.Strategy)
	case len(labels) == 0:
		j.faults.ErrorAt(node.Pos, "label", "`expected_label` needs `labels`, the list of all labels an answer may come to")
	case !listedThere && plan.FallbackMethod != "":
		e.LabelNotListed = true
		j.faults.WarnAt(node.Pos, "label", "expected_label %s is not one of the labels %s; benchmark %s then compares the meaning with expected_response",
			document.Quote(expected), nameList(labels), j.collector.suite.Benchmark)
	case !listedThere:
		j.faults.ErrorAt(node.Pos, "label", "expected_label %s is not one of the labels %s%s", document.Quote(expected), nameList(labels),
			text.Hint("; did you mean `%s`?", expected, labels))
	}
	return expected, labels
}

// compileAll returns the compiled items of a list. It reports each item that does not compile. what names the items in
// errors.
func compileAll[T any](f *diagnostics, what string, list *document.Node, values *cache[T], compile func(string) (*T, error)) (out []*T) {
	for _, item := range list.List() {
		if one := values.compiled(f, what, item, compile); one != nil {
			out = append(out, one)
		}
	}
	return out
}

// setQuestion sets the texts of the request that the metrics need: all messages, the last message, and the case's own
// words.
func setQuestion(b *Body) {
	if b.Measured == nil || len(b.Prompt.Messages) == 0 {
		return
	}
	texts := make([]string, len(b.Prompt.Messages))
	for i, m := range b.Prompt.Messages {
		texts[i] = m.Content
	}
	// Copy it, because other calls of Open return the same value.
	measured := *b.Measured
	measured.Prompt, measured.Question, measured.CaseText = strings.Join(texts, "\n\n"), texts[len(texts)-1],
		ownWords(b)
	b.Measured = &measured
}

// checkEmbedder reports an error for each suite that compares by meaning, if the configuration has no embedder and
// allows no substitute.
func checkEmbedder(cfg *config.Config, f *diagnostics, suites []*Suite) {
	if cfg.Semantic.Provider != config.ProviderOff || !cfg.Semantic.FailsWithout() {
		return // whether the embedder exists is found out when it is opened
	}
	for _, s := range suites {
		for _, k := range s.Cases {
			if k.Semantic() {
				f.Add(document.NewError(k.Path, k.Pos, "semantic-unavailable", "strategy %s compares answers by meaning and semantic.provider is off; "+
					"semantic.on_unavailable is fail, review and lexical go on without one", s.Plan.Strategy))
				break
			}
		}
	}
}

// readLabelIn reads the setting label_in, which says where an answer has its label, into e. It returns the setting as
// written, or nil if it is missing or no label is expected.
func (j *expectationCompiler) readLabelIn(e *score.Expected, n fields) map[string]string {
	node := n.get("label_in").AsMap()
	if e.Labels == nil {
		if n.item.Get("label_in") != nil {
			j.faults.ErrorAt(n.item.KeyPos("label_in"), "label", "`label_in` says where the label stands, and no label is expected; add `expected_label`")
		}
		return nil
	}
	if node == nil {
		return nil
	}
	e.LabelPlace = compileLabelIn(j.faults, node)
	written := map[string]string{}
	for kind, text := range node.Entries() {
		written[kind.Text] = text.AsText()
	}
	return written
}

func compileLabelIn(f *diagnostics, node *document.Node) *label.Place {
	if path := node.Get("json").AsText(); path != "" {
		return &label.Place{Description: fmt.Sprintf("the JSON field %q", path), Extract: func(answer string) []string { return expect.JSONFieldValues(answer, path) }}
	}
	key, compile := "line", label.NewLinePlace
	if node.Get(key).AsText() == "" {
		key, compile = "regex", label.NewPatternPlace
	}
	text := node.Get(key).AsText()
	if text == "" {
		return nil // the schema reports it
	}
	in, err := compile(text)
	if err != nil {
		f.reportCompileError(node.Get(key), text, "label_in", err)
	}
	return in
}

// checkLabels reports an error if two labels cannot be distinguished in an answer, or if one cannot be found. list has
// the labels.
func (j *expectationCompiler) checkLabels(labels *label.Set, list *document.Node) {
	if list == nil || j.checkedLabels[list] {
		return
	}
	j.checkedLabels[list] = true
	a, b, ok := labels.Indistinguishable()
	if !ok {
		return
	}
	name := cmp.Or(b, a)
	for _, item := range list.List() {
		switch {
		case item.AsText() != name:
			continue
		case b == "":
			j.faults.ErrorAt(item.Pos, "label", "the label %s holds nothing that could be found in an answer; expected a word, a number or a sign", document.Quote(a))
		default:
			j.faults.ErrorAt(item.Pos, "label", "the labels %s and %s are one to whoever reads an answer; expected labels that differ in more than letter case, spaces or the way a denial is put",
				document.Quote(a), document.Quote(b))
		}
		return
	}
}

// readProbe makes a case a probe if the strategy of its suite is probe. The category and the failure modes only
// describe a finding. Of both, the expectation key has only whether the failure modes want a refusal.
func readProbe(s *Suite, f *diagnostics, k *Case, checks *expectationContent, n fields) {
	modes := n.get("failure_modes")
	if s.Plan.Strategy != score.StrategyProbe {
		if own := n.item.Get("failure_modes"); own != nil {
			f.WarnAt(own.Pos, "probe", "`failure_modes` are looked for under strategy probe alone; this suite's is %s", s.Plan.Strategy)
		}
		return
	}
	k.Probe = &risk.Probe{Category: k.Category, Severity: k.Severity, FailureModes: texts(modes.List()), Task: s.Description}
	k.Probe.WantsRefusal = k.ExpectedCategory == classify.Refusal || risk.WantsRefusal(k.Probe.FailureModes)
	checks.Strategy = score.StrategyProbe
}

// SentVarsInOrder returns the names of the variables that the case sends: first those of the prompt, in its order.
func (b *Body) SentVarsInOrder() (names []string) {
	add := func(name string) {
		if _, sent := b.SentVars[name]; sent && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	b.source.eachVariable(add)
	for _, name := range slices.Sorted(maps.Keys(b.SentVars)) {
		add(name)
	}
	return names
}

// ownWords returns the variables and user turns of a case as text. The prompt is left out, because a changed prompt
// must not change how answers are judged.
func ownWords(b *Body) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(b.SentVars)) {
		texts = append(texts, b.SentVars[name])
	}
	for _, t := range b.source.turns() {
		if t.Role == model.RoleUser {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// setProbeInput sets the input of the probe to the case's own words. If the case has none, the input is the text of all
// user messages.
func setProbeInput(b *Body) {
	if b.Probe == nil {
		return
	}
	// Copy it, because other calls of Open return the same value.
	probe := *b.Probe
	b.Probe = &probe
	if probe.Input = ownWords(b); probe.Input != "" {
		return
	}
	var texts []string
	for _, m := range b.Prompt.Messages {
		if m.Role == model.RoleUser {
			texts = append(texts, m.Content)
		}
	}
	probe.Input = strings.Join(texts, "\n\n")
}
