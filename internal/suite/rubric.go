package suite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skilleval"
)

// Rubric has what a judge needs to grade the answers to a case. It is hashed as JSON.
type Rubric struct {
	Criteria []Criterion `json:"criteria"` // at least one; no two have the same text
	// an example of a good answer; "": none
	Reference string `json:"reference,omitempty"`
	// variables that the judge sees as input; nil: all that are not in ContextVars
	InputVars   []string `json:"asked,omitzero"`
	ContextVars []string `json:"context,omitempty"` // variables that the judge sees as documents
}

// SplitVars returns the variables of vars that the judge sees: asked are those that it sees as input, and context are
// those that it sees as documents.
func (r *Rubric) SplitVars(vars map[string]string) (asked, context map[string]string) {
	asked, context = map[string]string{}, map[string]string{}
	for name, value := range vars {
		switch {
		case slices.Contains(r.ContextVars, name):
			context[name] = value
		case r.InputVars == nil || slices.Contains(r.InputVars, name):
			asked[name] = value
		}
	}
	return asked, context
}

// shows reports whether the judge sees the variable with the given name. r may be nil.
func (r *Rubric) shows(name string) bool {
	return r != nil &&
		(r.InputVars == nil || slices.Contains(r.InputVars, name) || slices.Contains(r.ContextVars, name))
}

// faithfulness is the name of a built-in criterion, and faithfulnessText is the criterion's text.
const (
	faithfulness     = "faithfulness"
	faithfulnessText = "States no fact that does not follow from CONTEXT"
)

// Criterion is a question that a judge answers by met or not met.
type Criterion struct {
	Text     string `json:"text"`
	Severity string `json:"-"`                  // the criterion's own, or else that of the case
	Optional bool   `json:"optional,omitempty"` // an unmet criterion is reported but fails nothing
	// a key fact; the criterion is judged only if the text match does not find the fact
	Fact string `json:"fact,omitempty"`

	Needs       skilleval.Needs `json:"needs,omitempty"` // what judging it requires
	IsReference bool            `json:"-"`               // the criterion compares the answer with Reference
}

// readRubric reads the criteria of a case, joined with those of the defaults, into k.
func (j *expectationCompiler) readRubric(k *Case, n fields) {
	reference := n.get("reference")
	items, facts := criteriaOf(j.faults, n), j.factCriteria(k, n)
	if len(items)+len(facts) == 0 {
		if n.item.Get("reference") != nil && reference != nil {
			j.faults.ErrorAt(n.item.KeyPos("reference"), "rubric", "`reference` is given without `rubric`; no judge would see it")
		}
		if own := n.item.Get("rubric"); own.AsMap() != nil && own.Get("replace") == nil {
			j.faults.ErrorAt(own.Pos, "rubric", "the rubric has no criterion; there is nothing to judge")
		}
		return
	}
	if len(items) > 0 {
		checkGradable(j.loader.config, j.faults, k, "`rubric`", items[0].Pos)
	}
	r := &Rubric{Reference: reference.AsText()}
	for _, item := range items {
		c, evalCriteria := readCriterion(j.faults, item, k.Severity), j.collector.file.evalCriteria
		if criterion, ok := evalCriteria[item]; ok {
			c.Needs, c.IsReference = criterion.Needs, criterion.IsReference
		} else if strings.Contains(c.Text, "{{") {
			j.faults.ErrorAt(item.Pos, "rubric", "a criterion is not filled in; write it without {{ }}: the judge is shown the case's vars")
		}
		if c.Text != "" {
			r.Criteria = append(r.Criteria, c)
		}
	}
	r.Criteria = append(r.Criteria, facts...)
	readShownVars(j.collector, k, r, n)
	isFaithfulness := func(item *document.Node) bool { return criterionText(item) == faithfulnessText }
	if at := slices.IndexFunc(items, isFaithfulness); at >= 0 && len(r.ContextVars) == 0 {
		j.faults.ErrorAt(items[at].Pos, "rubric", "`faithfulness` is held to documents; "+
			"name the variables that hold them: rubric: { context: […], criteria: […] }")
	}
	k.Rubric = r
	checkJudge(j.loader.config, j.faults, k, n)
}

// readShownVars reads into r which variables the judge sees, and which of them are documents.
func readShownVars(c *collector, k *Case, r *Rubric, n fields) {
	r.ContextVars = shownVars(c, k, "context", n)
	if r.InputVars = shownVars(c, k, "asked", n); r.InputVars == nil {
		c.markAllUsed(k)
	}
	if asked, context := r.SplitVars(k.Vars); len(asked)+len(context) == len(k.Vars) {
		r.InputVars = nil // the default
	}
}

// shownVars returns the sorted names of the variables that the rubric lists under key. It returns nil if the rubric
// does not have the key.
func shownVars(c *collector, k *Case, key string, n fields) (names []string) {
	list := cmp.Or(n.item.Get("rubric").AsMap().Get(key), n.fromDefaults("rubric").AsMap().Get(key))
	if list == nil {
		return nil
	}
	names = []string{}
	for _, item := range list.List() {
		at := item.Pos
		path, line := c.faults.originalLine(c.faults.Path, at.Line)
		at.Line = line
		c.recordUse(k, variableUse{key, item.AsText()}, path, func() document.Position { return at })
		names = append(names, item.AsText())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// factCriteria returns criteria for the key facts of a case, if the judge decides on facts that the text match does not
// find. Facts that are patterns need no judge and are left out.
func (j *expectationCompiler) factCriteria(k *Case, n fields) (all []Criterion) {
	node := cmp.Or(n.get("facts"), j.suiteFacts).Get("unclear")
	ofCase := n.item.Get("facts") != nil
	if node.AsText() != "judge" || k.Measured == nil || k.ExpectedCategory != "" && !ofCase {
		return nil
	}
	if len(k.Measured.Facts) > 0 {
		checkGradable(j.loader.config, j.faults, k, "`facts: { unclear: judge }`", node.Pos)
	}
	for _, f := range k.Measured.Facts {
		same := func(c Criterion) bool { return c.Fact == f.String() }
		if !f.IsPattern() && !slices.ContainsFunc(all, same) {
			text := `Says, in whatever words: "` + f.String() + `"`
			all = append(all, Criterion{Text: text, Severity: k.Severity, Fact: f.String()})
		}
	}
	return all
}

// checkJudge reports an error if a must-pass case depends on a judge that was never checked against labels.
func checkJudge(cfg *config.Config, f *diagnostics, k *Case, n fields) {
	decides := slices.ContainsFunc(k.Rubric.Criteria, func(c Criterion) bool { return !c.Optional })
	if judged := cfg.Judge; judged != nil && judged.LabelsPath == "" && k.MustPass && decides {
		at := n.item
		if at.Get("must_pass") == nil {
			at = n.defaults
		}
		f.ErrorAt(at.KeyPos("must_pass"), "judge", "a case that must pass cannot rest on an unchecked judge; name `labeled` answers in judges.default, make its criteria optional, or leave `must_pass` out")
	}
}

// criteriaOf returns the criteria of the defaults and of the case. If the case has `replace`, it returns only the
// criteria in it.
func criteriaOf(f *diagnostics, n fields) (items []*document.Node) {
	own := n.item.Get("rubric")
	lists := [][]*document.Node{criteriaNodes(own)}
	if instead := own.AsMap().Get("replace"); instead != nil {
		lists = [][]*document.Node{instead.List()}
		if own.Get("criteria") != nil {
			f.ErrorAt(own.KeyPos("criteria"), "rubric", "`replace` has all criteria of the case; write `criteria` or `replace`")
		}
	} else if shared := n.fromDefaults("rubric"); shared != nil {
		lists = [][]*document.Node{criteriaNodes(shared), criteriaNodes(own)}
	}
	for at, list := range lists {
		for _, item := range list {
			text := criterionText(item)
			first := slices.IndexFunc(items, func(o *document.Node) bool { return text != "" && criterionText(o) == text })
			switch {
			case first < 0:
				items = append(items, item)
			case at == 0 || len(lists) == 1:
				f.ErrorAt(item.Pos, "duplicate-criterion", "the criterion is at line %d already; keep one of them", items[first].Pos.Line)
			default: // the case's own form replaces the default
				items[first] = item
			}
		}
	}
	return items
}

// criteriaNodes returns the criteria of a rubric. A rubric is a list of criteria, or a map with the key criteria and
// others.
func criteriaNodes(rubric *document.Node) []*document.Node {
	return cmp.Or(rubric.AsMap().Get("criteria"), rubric).List()
}

func criterionText(item *document.Node) string {
	if m := item.AsMap(); m != nil {
		item = m.Get("criterion")
	}
	if text := strings.TrimSpace(item.AsText()); text != faithfulness {
		return text
	}
	return faithfulnessText
}

func readCriterion(f *diagnostics, item *document.Node, severity string) Criterion {
	c := Criterion{Text: criterionText(item), Severity: severity}
	if m := item.AsMap(); m != nil {
		c.Optional = m.Get("optional").IsTrue()
		c.Severity = cmp.Or(m.Get("severity").AsText(), severity)
	}
	if c.Text == "" && (item.Kind == document.String || item.AsMap() != nil) { // the schema reports other kinds
		f.ErrorAt(item.Pos, "rubric", "the criterion is empty; no answer could be held to it")
	}
	return c
}

// checkGradable reports an error if there is no judge for criteria, or if the case expects something other than a
// passing answer. what names the criteria in the error.
func checkGradable(cfg *config.Config, f *diagnostics, k *Case, what string, at document.Position) {
	switch {
	case k.ExpectedCategory == classify.Refusal: // reported already
	case k.ExpectedCategory != "":
		f.ErrorAt(at, "contradiction", "%s goes with `expected_classification: pass` alone; this case expects %s", what, k.ExpectedCategory)
	case cfg.Judge != nil:
	case cfg.NoJudgeReason != "":
		f.ErrorAt(at, cfg.WithheldRule("judge"), "the judge %s", cfg.NoJudgeReason)
	default:
		f.ErrorAt(at, "judge", "%s needs a judge; name its target in the configuration: `judges: { default: { target: … } }`", what)
	}
}
