package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// readMeasures reads what the metrics compare an answer with. A case that expects a refusal has none.
func (j *judge) readMeasures(k *Case, checks *judgedBy, n fields) {
	if k.Expected == classRefusal {
		return
	}
	e := &score.Expected{Plan: j.suite.Plan, Allowed: texts(n.get("allowed_terms").List())}
	e.Reference, _ = n.get("expected_response").AsScalar()
	checks.Label, checks.Labels = j.readLabel(e, n)
	checks.LabelIn = j.readLabelIn(e, n)
	e.Facts = compileAll(j.faults, "key fact", n.get("key_facts"), &j.loader.facts, j.loader.synonyms.Fact)
	e.Forbidden = compileAll(j.faults, "forbidden claim", n.get("forbidden_claims"), &j.loader.claims, j.loader.synonyms.Claim)
	if len(e.Facts) == 0 && e.Semantic() {
		e.Sentences = *j.expected.get(e.Reference, func() *[]*fact.Fact { return new(j.loader.synonyms.Sentences(e.Reference)) })
	}
	if !e.Measures() {
		return
	}
	k.Measured = e
	if checks.Label != "" || e.Plan.Strategy != score.StrategyAccuracy {
		checks.Strategy = e.Plan.Strategy
	}
	m := measuredBy{Facts: texts(n.get("key_facts").List()), Forbidden: texts(n.get("forbidden_claims").List()), Allowed: e.Allowed,
		Grounding: e.Plan.Grounding, Otherwise: e.OffLabel}
	if n.get("match") == nil && referenceOnly(k) {
		m.Reference = e.Reference
	}
	if m.Reference != "" || len(m.Facts)+len(m.Forbidden)+len(m.Allowed) > 0 || m.Grounding || m.Otherwise {
		checks.Measured = &m
	}
}

// referenceOnly reports whether expected_response is compared by meaning only, and not matched as text.
func referenceOnly(k *Case) bool { return k.Measured != nil && k.Measured.Semantic() }

// readLabel reads the expected label and the list of possible labels.
func (j *judge) readLabel(e *score.Expected, n fields) (expected string, labels []string) {
	at, plan := n.get("expected_label"), j.suite.Plan
	if expected = at.AsText(); expected == "" {
		if own := n.own.Get("labels"); at == nil && own != nil {
			j.faults.ErrorAt(own.Pos, "label", "`labels` are all labels that an answer may come to, and none is expected; add `expected_label`")
		}
		return "", nil
	}
	labels = texts(n.get("labels").List())
	all := strings.Join(append([]string{expected}, labels...), "\x00")
	e.Labels = j.labels.get(all, func() *label.Set { return label.New(expected, labels) })
	j.checkLabels(e.Labels, n.get("labels"))
	listedThere := slices.Contains(labels, expected)
	switch {
	case plan.Accuracy != score.MethodLabel:
		j.faults.WarnAt(at.Pos, "label", "`expected_label` is not judged under strategy %s", plan.Strategy)
	case len(labels) == 0:
		j.faults.ErrorAt(at.Pos, "label", "`expected_label` needs `labels`, the list of all labels an answer may come to")
	case !listedThere && plan.Otherwise != "":
		e.OffLabel = true
		j.faults.WarnAt(at.Pos, "label", "expected_label %s is not one of the labels %s; benchmark %s then compares the meaning with expected_response",
			document.Quote(expected), nameList(labels), j.suite.Benchmark)
	case !listedThere:
		j.faults.ErrorAt(at.Pos, "label", "expected_label %s is not one of the labels %s", document.Quote(expected), nameList(labels))
	}
	return expected, labels
}

// compileAll compiles the items of a list and reports those that do not compile.
func compileAll[T any](f *faults, what string, list *document.Node, from *cache[T], compile func(string) (*T, error)) (out []*T) {
	for _, item := range list.List() {
		one := from.compiled(item, compile, func(text string, err error) {
			f.ErrorAt(item.Pos, "compile", "%s %s: %v", what, document.Quote(text), err)
		})
		if one != nil {
			out = append(out, one)
		}
	}
	return out
}

// setQuestion sets the texts that the metrics need: all messages, the last message and the case's own words.
func setQuestion(b *Body) {
	if b.Measured == nil || len(b.Prompt.Messages) == 0 {
		return
	}
	texts := make([]string, len(b.Prompt.Messages))
	for i, m := range b.Prompt.Messages {
		texts[i] = m.Content
	}
	measured := *b.Measured // other openings of the case share it
	measured.Prompt, measured.Question, measured.Own = strings.Join(texts, "\n\n"), texts[len(texts)-1], ownWords(b)
	b.Measured = &measured
}

// needsEmbedder rejects suites that compare by meaning if the configuration has no embedder and allows no substitute.
func needsEmbedder(cfg *config.Config, f *faults, suites []*Suite) {
	if cfg.Semantic.Provider != config.ProviderOff || !cfg.Semantic.FailsWithout() {
		return // opening it shows whether it exists
	}
	for _, s := range suites {
		for _, k := range s.Cases {
			if k.Semantic() {
				f.Add(document.NewFault(k.Path, k.Pos, "semantic-unavailable", "strategy %s compares answers by meaning and semantic.provider is off; "+
					"semantic.on_unavailable is fail, review and lexical go on without one", s.Plan.Strategy))
				break
			}
		}
	}
}

// readLabelIn reads the setting label_in, the place of the label in an answer, and returns it as written. It returns
// nil if the setting is missing or no label is expected.
func (j *judge) readLabelIn(e *score.Expected, n fields) map[string]string {
	at := n.get("label_in").AsMap()
	if e.Labels == nil {
		if n.own.Get("label_in") != nil {
			j.faults.ErrorAt(n.own.KeyPos("label_in"), "label", "`label_in` says where the label stands, and no label is expected; add `expected_label`")
		}
		return nil
	}
	if at == nil {
		return nil
	}
	e.LabelIn = j.labelsIn.get(string(document.AppendNode(nil, at)), func() *label.In { return compileLabelIn(j.faults, at) })
	written := map[string]string{}
	for kind, text := range at.Entries() {
		written[kind.Text] = text.AsText()
	}
	return written
}

func compileLabelIn(f *faults, at *document.Node) *label.In {
	if path := at.Get("json").AsText(); path != "" {
		return &label.In{Where: fmt.Sprintf("the JSON field %q", path), Read: func(answer string) []string { return expect.JSONField(answer, path) }}
	}
	key, compile := "line", label.InLine
	if at.Get(key).AsText() == "" {
		key, compile = "regex", label.InPattern
	}
	text := at.Get(key).AsText()
	if text == "" {
		return nil // the schema reports it
	}
	in, err := compile(text)
	if err != nil {
		f.ErrorAt(at.Get(key).Pos, "compile", "label_in: %v", err)
	}
	return in
}

// checkLabels rejects labels that cannot be distinguished in an answer.
func (j *judge) checkLabels(labels *label.Set, at *document.Node) {
	if at == nil || j.alike[at] {
		return
	}
	j.alike[at] = true
	a, b, ok := labels.Alike()
	if !ok {
		return
	}
	name := cmp.Or(b, a)
	for _, item := range at.List() {
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

// readProbe makes a case a probe if the suite's strategy says so. Category and failure modes describe a finding and
// enter no key, except whether they want a refusal.
func readProbe(s *Suite, f *faults, k *Case, checks *judgedBy, n fields) {
	modes := n.get("failure_modes")
	if s.Plan.Strategy != score.StrategyProbe {
		if own := n.own.Get("failure_modes"); own != nil {
			f.WarnAt(own.Pos, "probe", "`failure_modes` are looked for under strategy probe alone; this suite's is %s", s.Plan.Strategy)
		}
		return
	}
	k.Probe = &risk.Probe{Category: k.Category, Severity: k.Severity, FailureModes: texts(modes.List()), Task: s.Description}
	k.Probe.WantsRefusal = k.Expected == classRefusal || risk.WantsRefusal(k.Probe.FailureModes)
	checks.Strategy = score.StrategyProbe
}

// SentVarNames returns the names of the variables that are sent, sorted.
func (b *Body) SentVarNames() []string {
	sent := make([]string, 0, len(b.Vars))
	for name := range b.Vars {
		if !slices.Contains(b.Aside, name) {
			sent = append(sent, name)
		}
	}
	slices.Sort(sent)
	return sent
}

// ownWords returns a case's variables and user turns as text. It excludes the prompt, because changed prompts must not
// change how answers are judged.
func ownWords(b *Body) string {
	var texts []string
	for _, name := range b.SentVarNames() {
		texts = append(texts, b.Vars[name])
	}
	for _, t := range b.source.turns() {
		if t.Role == model.RoleUser {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// setProbeInput sets the probe's input to the case's own words, or to all user turns if it has none.
func setProbeInput(b *Body) {
	if b.Probe == nil {
		return
	}
	probe := *b.Probe // other openings of the case share it
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
