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

func (m *measurement) addCompleteness() {
	switch e := m.expected; {
	case len(e.Facts) > 0:
		m.add(m.completenessMetric(e.Facts, "key facts"))
	case len(e.Sentences) > 0:
		x := m.completenessMetric(e.Sentences, "sentences of the expected answer")
		x.Facts = nil // these are not the suite's facts
		m.add(x)
		m.warn(WarnNoFacts)
	}
}

// completenessMetric returns the metric completeness: the share of facts that the answer states. factsNoun names the
// facts in the description.
func (m *measurement) completenessMetric(facts []*fact.Fact, factsNoun string) Metric {
	var contradicted, missing []string // as the description quotes them
	x := Metric{Name: Completeness, Weight: CompletenessWeight}
	notSearched, judged := 0, 0
	for _, f := range facts {
		match, searched := m.answer.searchFact(f)
		result, quoted := m.factResult(f, match, searched)
		x.Facts = append(x.Facts, result)
		if result.Judged {
			judged++
		}
		switch result.Outcome {
		case FactContradicted:
			contradicted = append(contradicted, quoted)
		case FactNotFound:
			if missing = append(missing, quoted); !searched {
				notSearched++
			}
		}
	}
	said := len(facts) - len(contradicted) - len(missing)
	x.Value = float64(said) / float64(len(facts))
	x.Description = fmt.Sprintf("%d of %d %s covered", said, len(facts), factsNoun)
	if judged > 0 {
		x.Description += fmt.Sprintf(", %d decided by the judge", judged)
	}
	if notSearched > 0 {
		x.Description += fmt.Sprintf(", %d not looked for: %s", notSearched, tooLongReason)
	}
	var wrong []string // put first, because long texts are truncated at the end
	if n := len(contradicted); n > 0 {
		wrong = append(wrong, "seems to contradict "+strings.Join(contradicted[:min(n, maxFactsQuoted)], ", "))
	}
	if n := len(missing); n > 0 {
		wrong = append(wrong, "not found: "+strings.Join(missing[:min(n, maxFactsQuoted)], ", "))
	}
	if wrong != nil {
		x.Description = fmt.Sprintf("%s (%s)", strings.Join(wrong, "; "), x.Description)
	}
	return x
}

// factResult returns the result for the key fact f, and the fact as the description quotes it. match is what the rules
// found if they searched. If they did not find the fact, the verdict of a judge decides.
func (m *measurement) factResult(f *fact.Fact, match fact.MatchResult, searched bool) (r FactResult, quoted string) {
	r, quoted = FactResult{Fact: f.String(), Outcome: FactNotFound}, "“"+f.String()+"”"
	switch match.Outcome {
	case fact.Said:
		r.Outcome = FactSaid
		return r, quoted
	case fact.Contradicted:
		if r.Outcome, r.Sentence = FactContradicted, match.Sentence; r.Sentence != "" {
			quoted += " in “" + r.Sentence + "”"
		}
		return r, quoted
	}
	verdict, judged := m.settings.FactVerdicts[r.Fact]
	if r.Judged = judged; verdict.Said {
		r.Outcome = FactSaid
		return r, quoted
	}
	if verdict.Why != "" {
		quoted += ", says the judge: “" + verdict.Why + "”"
	}
	if searched {
		quoted += tooCostlyNote(f.TooCostly(m.answer.prose()))
	}
	return r, quoted
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

func (m *measurement) addGrounding() {
	switch {
	case !m.expected.measuresGrounding():
		return
	case m.answer.isBlank():
		m.add(Metric{Name: Grounding, Weight: GroundingWeight, Description: "the answer is empty"})
		return
	}
	violations := m.findStatedClaims()
	names, unsupported := m.findUnsupported()
	violations = append(violations, names...)
	if m.settings.CountUnsupported {
		violations = append(violations, unsupported...)
	}
	m.add(groundingMetric(violations))
	if len(unsupported) > 0 {
		m.warn(WarnUnsupportedObligation)
	}
}

// findStatedClaims returns a text for each forbidden claim in the answer, in any of its views. If maxWork is used up,
// all further claims count as stated.
func (m *measurement) findStatedClaims() (violations []string) {
	if len(m.expected.Forbidden) == 0 {
		return nil
	}
	texts := []*english.Text{m.answer.prose()}
	for _, view := range answer.SearchForms(m.answer.sent) {
		if view != m.answer.visible {
			texts = append(texts, english.Parse(view))
		}
	}
	for _, c := range m.expected.Forbidden {
		stated := slices.ContainsFunc(texts, func(p *english.Text) bool { return m.answer.spendWork(c.Cost(p)) && c.StatedIn(p) })
		unsearched := m.answer.work > maxWork
		if stated || unsearched {
			note := tooCostlyNote(!unsearched && c.TooCostly(texts[0]))
			if unsearched {
				note = ", which could not be searched for: " + tooLongReason
			}
			m.out.StatedClaims = append(m.out.StatedClaims, c.String())
			violations = append(violations, "states “"+c.String()+"”"+note)
		}
	}
	return violations
}

// findUnsupported returns a text for each regulatory name in the answer that the case does not allow, and one for each
// obligation or clause number that no source has. The sources are the expected answer, the key facts, the labels, the
// allowed names and the prompt.
func (m *measurement) findUnsupported() (names, obligations []string) {
	e, p := m.expected, m.answer.prose()
	if len(e.Allowed) == 0 && !fact.MayOblige(p, e.Reference != "") {
		return nil, nil
	}
	read := []*english.Text{m.referenceText()}
	for _, f := range e.Facts {
		read = append(read, f.Text())
	}
	if e.Labels != nil {
		read = append(read, e.Labels.Texts...)
	}
	sources := fact.NewSources(read, append(slices.Clip(e.Allowed), e.Prompt)...)
	if len(e.Allowed) > 0 {
		for _, name := range sources.UnsupportedNames(p) {
			names = append(names, "names "+name)
		}
	}
	return names, sources.Unsupported(p, e.Reference != "")
}

// groundingMetric returns the metric grounding for the distinct violations of an answer.
func groundingMetric(violations []string) Metric {
	x := Metric{Name: Grounding, Value: groundedScore, Weight: GroundingWeight, Description: "no unsupported claim"}
	n := len(violations)
	switch {
	case n == 0:
		return x
	case n < manyViolations:
		x.Value = fewViolations
	default:
		x.Value = ungroundedScore
	}
	x.Description = strings.Join(violations[:min(n, maxViolationsQuoted)], ", ")
	if more := n - maxViolationsQuoted; more > 0 {
		x.Description += fmt.Sprintf(", and %d more", more)
	}
	return x
}
