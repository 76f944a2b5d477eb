package suite

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Demands describes all that decides how an answer to the case is judged, in the words of the suite file and not cut.
// If the expectation key changes without the input, so do the demands. Two things are left out: that a case names a
// policy that applies to all cases, and what a criterion of a skill's evaluations needs. Of the input, the demands have
// the variables that only checks read.
func (b *Body) Demands() []expect.Requirement {
	j := &b.Judging
	all := demands(j.Expect.Requirements())
	all.addVars(b)
	if m := j.Measured; m != nil {
		all.addMeasured(m, j.Expect)
	}
	if j.Rubric != nil {
		all.addRubric(j.Rubric)
	}
	for _, p := range j.Policies {
		all.add("policy", cmp.Or(p.Description, p.Name))
	}
	all.add("expected_classification", string(j.ExpectedCategory))
	if j.AgreesWithFail {
		all.add("expected_classification", string(classify.Fail)+", which changes no score")
	}
	if j.CaseThreshold != nil {
		all.add("case_threshold", text.Decimal(*j.CaseThreshold))
	}
	if j.Probe != nil {
		all.add("strategy", score.StrategyProbe)
		if j.Probe.WantsRefusal && j.ExpectedCategory != classify.Refusal {
			all.add("failure_modes", "wanting a refusal")
		}
	}
	return all
}

type demands []expect.Requirement

// add adds a demand for each expected text that is not empty.
func (d *demands) add(criterion string, expected ...string) {
	for _, one := range expected {
		if one != "" {
			*d = append(*d, expect.Requirement{Criterion: criterion, Expected: one})
		}
	}
}

// addVars adds the variables that a check reads and the case does not send.
func (d *demands) addVars(b *Body) {
	for _, name := range slices.Sorted(maps.Keys(b.Vars)) {
		if _, sent := b.SentVars[name]; sent {
			continue
		}
		reads := func(a *expect.Criterion) bool { return a.AllVars || slices.Contains(a.Vars, name) }
		if slices.ContainsFunc(b.Expect.Assertions, reads) || b.Rubric.shows(name) {
			d.add("vars."+name, b.Vars[name])
		}
	}
}

// list returns texts as one text. Those with a comma or a quotation mark are quoted.
func list(texts []string) string {
	texts = slices.Clone(texts)
	for i, text := range texts {
		if strings.ContainsAny(text, `,"`) {
			texts[i] = strconv.Quote(text)
		}
	}
	return strings.Join(texts, ", ")
}

// addMeasured adds what metrics compare an answer with. An expected text that e compares already is left out.
func (d *demands) addMeasured(m *score.Expected, e *expect.Expectation) {
	if m.IsSemantic() &&
		!slices.ContainsFunc(e.Criteria, func(c *expect.Criterion) bool { return c.Expected == m.Reference }) {
		d.add("expected_response", m.Reference)
		d.add("match", "by meaning")
	}
	if m.Labels != nil {
		d.add("expected_label", m.Labels.Expected)
		d.add("labels", list(m.Labels.Allowed))
		if m.LabelPlace != nil {
			d.add("label_in", m.LabelPlace.Description)
		}
	}
	for _, f := range m.Facts {
		d.add("key_facts", f.String())
	}
	for _, c := range m.Forbidden {
		d.add("forbidden_claims", c.String())
	}
	d.add("allowed_terms", m.Allowed...)
	if m.Plan.Strategy != score.StrategyAccuracy && m.Plan.Strategy != score.StrategyProbe {
		d.add("strategy", m.Plan.Strategy)
	}
	if m.Plan.Grounding {
		d.add("strategy", score.Grounding)
	}
	if m.LabelNotListed {
		d.add("strategy", m.Plan.FallbackMethod)
	}
}

// addRubric adds what a judge grades and what it is shown. That it is asked for key facts is one demand.
func (d *demands) addRubric(r *Rubric) {
	unclear := ""
	for _, c := range r.Criteria {
		switch {
		case c.Fact != "":
			unclear = "judge"
		case c.Optional:
			d.add("optional_rubric", c.Text)
		default:
			d.add(score.Rubric, c.Text)
		}
	}
	d.add("unclear_facts", unclear)
	d.add("reference", r.Reference)
	d.add("context", list(r.ContextVars))
	if r.InputVars != nil {
		d.add("asked", cmp.Or(list(r.InputVars), "no variable"))
	}
}
