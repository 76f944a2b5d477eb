package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
)

// WarnNoFacts warns that a case has no key facts, so that completeness was measured by the sentences of the expected
// answer.
const WarnNoFacts = "key_facts_missing"

// Outcomes of looking for a key fact in an answer.
const (
	FactSaid         = "said"
	FactContradicted = "contradicted"
	FactNotFound     = "not_found"
)

// maxFactsQuoted is the largest number of contradicted facts, and of missing facts, in a description.
const maxFactsQuoted = 3

// completenessMetric returns the metric completeness: the share of facts that the answer states. factsNoun names the
// facts in the description.
func (m *measurement) completenessMetric(facts []*fact.Fact, factsNoun string) Metric {
	var contradicted, missing []string
	var results []FactResult
	notSearched, judgedCount := 0, 0
	for _, f := range facts {
		result, quoted := FactResult{Fact: f.String(), Outcome: FactNotFound}, "“"+f.String()+"”"
		r, looked := m.searchFact(f)
		verdict, judged := m.settings.FactVerdicts[f.String()]
		if result.Judged = judged && (!looked || r.Outcome == fact.NotFound); result.Judged {
			judgedCount++
			if verdict.Why != "" {
				quoted += ", says the judge: “" + verdict.Why + "”"
			}
		}
		switch {
		case result.Judged && verdict.Said:
			result.Outcome = FactSaid
		case !looked:
			notSearched++
			missing = append(missing, quoted)
		case r.Outcome == fact.Said:
			result.Outcome = FactSaid
		case r.Outcome == fact.Contradicted:
			result.Outcome, result.Sentence = FactContradicted, r.Sentence
			if r.Sentence != "" {
				quoted += " in “" + r.Sentence + "”"
			}
			contradicted = append(contradicted, quoted)
		default:
			missing = append(missing, quoted+tooCostlyNote(f.TooCostly(m.prose())))
		}
		results = append(results, result)
	}
	n := len(facts)
	said := n - len(contradicted) - len(missing)
	x := Metric{Name: Completeness, Value: float64(said) / float64(n), Weight: CompletenessWeight, Facts: results}
	x.Description = fmt.Sprintf("%d of %d %s covered", said, n, factsNoun)
	if judgedCount > 0 {
		x.Description += fmt.Sprintf(", %d decided by the judge", judgedCount)
	}
	if notSearched > 0 {
		x.Description += fmt.Sprintf(", %d not looked for: %s", notSearched, tooLongReason)
	}
	var wrong []string // put first, because long texts are truncated at the end
	if len(contradicted) > 0 {
		wrong = append(wrong, "seems to contradict "+strings.Join(contradicted[:min(len(contradicted), maxFactsQuoted)], ", "))
	}
	if len(missing) > 0 {
		wrong = append(wrong, "not found: "+strings.Join(missing[:min(len(missing), maxFactsQuoted)], ", "))
	}
	if wrong != nil {
		x.Description = fmt.Sprintf("%s (%s)", strings.Join(wrong, "; "), x.Description)
	}
	return x
}

// searchFact looks for fact f in the answer, once. It also looks in the answer's link targets if f has an address.
// searched is false if maxWork was used up.
func (m *measurement) searchFact(f *fact.Fact) (r fact.MatchResult, searched bool) {
	if r, known := m.matches[f]; known {
		return r, true
	}
	if r, searched = m.matchFact(f); searched {
		if m.matches == nil {
			m.matches = map[*fact.Fact]fact.MatchResult{}
		}
		m.matches[f] = r
	}
	return r, searched
}

func (m *measurement) matchFact(f *fact.Fact) (r fact.MatchResult, searched bool) {
	if !m.spendWork(f.Cost(m.prose())) {
		return r, false
	}
	r = f.Match(m.prose())
	if !f.HasAddress() {
		return r, true
	}
	if !m.spendWork(f.Cost(m.linkedProse())) {
		return r, false
	}
	if also := f.Match(m.linkedProse()); r.Outcome != fact.Said && also.Outcome != fact.NotFound {
		r = also
	}
	return r, true
}

// maxWork is the largest amount of work for all facts and claims of one answer. It takes a few seconds.
const maxWork = 1 << 26

// spendWork adds work to the work of this measurement, and reports whether the total stays within maxWork.
func (m *measurement) spendWork(work int) bool {
	m.work += work
	return m.work <= maxWork
}

// tooLongReason is the reason why maxWork was used up, for a description.
const tooLongReason = "the answer and its expectation are too long together"

// tooCostlyNote returns a text that says that a pattern was too costly to evaluate. It returns "" if fails is false.
func tooCostlyNote(fails bool) string {
	return map[bool]string{true: ", which could not be evaluated: the pattern is too costly for an answer so long"}[fails]
}

// Scores of grounding by the number of violations.
const (
	manyViolations      = 3
	groundedScore       = 1.0
	fewViolations       = 0.7
	ungroundedScore     = 0.0
	maxViolationsQuoted = 3 // largest number of violations in a description
)

// groundingFindings lists the distinct violations of one answer as texts.
type groundingFindings struct {
	violations  []string
	unsupported []string // obligations and clause numbers that no source contains
}

// checkGrounding returns what the answer says and should not say. Unsupported obligations are violations if the
// settings count them.
func (m *measurement) checkGrounding() groundingFindings {
	var f groundingFindings
	p := m.prose()
	m.addStatedClaims(&f)
	if len(m.Allowed) == 0 && !fact.MayOblige(p, m.Reference != "") {
		return f
	}
	sources := m.sources()
	if len(m.Allowed) > 0 {
		for _, name := range sources.UnsupportedNames(p) {
			f.violations = append(f.violations, "names "+name)
		}
	}
	f.unsupported = sources.Unsupported(p, m.Reference != "")
	if m.settings.CountUnsupported {
		f.violations = append(f.violations, f.unsupported...)
	}
	return f
}

// addStatedClaims adds the forbidden claims in the answer, in any of its views. If maxWork is used up, all further
// claims count as stated.
func (m *measurement) addStatedClaims(f *groundingFindings) {
	if len(m.Forbidden) == 0 {
		return
	}
	texts := []*english.Text{m.prose()}
	for _, view := range answer.SearchForms(m.sent) {
		if view != m.visible {
			texts = append(texts, english.Parse(view))
		}
	}
	for _, c := range m.Forbidden {
		stated := slices.ContainsFunc(texts, func(p *english.Text) bool { return m.spendWork(c.Cost(p)) && c.StatedIn(p) })
		unsearched := m.work > maxWork
		if stated || unsearched {
			note := tooCostlyNote(!unsearched && c.TooCostly(texts[0]))
			if unsearched {
				note = ", which could not be searched for: " + tooLongReason
			}
			m.StatedClaims = append(m.StatedClaims, c.String())
			f.violations = append(f.violations, "states “"+c.String()+"”"+note)
		}
	}
}

// metric returns the metric grounding. Its value is 1 without violations, 0.7 for one or two, and 0 for more.
func (f groundingFindings) metric() Metric {
	m := Metric{Name: Grounding, Value: groundedScore, Weight: GroundingWeight, Description: "no unsupported claim"}
	n := len(f.violations)
	switch {
	case n >= manyViolations:
		m.Value = ungroundedScore
	case n > 0:
		m.Value = fewViolations
	default:
		return m
	}
	m.Description = strings.Join(f.violations[:min(n, maxViolationsQuoted)], ", ")
	if more := n - maxViolationsQuoted; more > 0 {
		m.Description += fmt.Sprintf(", and %d more", more)
	}
	return m
}

// sources returns the texts that may support the answer. These are the expected answer, the key facts, the labels, the
// allowed names and the prompt.
func (m *measurement) sources() *fact.Sources {
	read := []*english.Text{m.referenceText()}
	for _, f := range m.Facts {
		read = append(read, f.Text())
	}
	if m.Labels != nil {
		read = append(read, m.Labels.Texts...)
	}
	return fact.NewSources(read, append(m.Allowed[:len(m.Allowed):len(m.Allowed)], m.Prompt)...)
}
