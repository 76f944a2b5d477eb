package evaluate

import (
	"strings"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// addRisk stores the risk of a probe's answer r in out. If the risk misses its threshold, addRisk returns a missed
// criterion.
func (e *Evaluator) addRisk(out *report.Result, c *suite.Case, r model.Response) []expect.Unmet {
	if c.Probe == nil || e.Risk == nil {
		return nil
	}
	refused, crossed := e.Classifier.Refuses(r)
	text, _ := answer.StripReasoning(string(answerText(r)))
	given := risk.Answer{Text: answer.RemoveHidden(text), Refused: refused, ThenComplied: crossed, Missing: !refused &&
		(r.Failure != nil || strings.TrimSpace(text) == "")}
	got := e.Risk.Score(*c.Probe, given)
	if given.Text != text { // hidden text can add risk, but not reduce it
		given.Text = text
		all := e.Risk.Score(*c.Probe, given)
		if got.RiskScore != nil && all.RiskScore != nil && *all.RiskScore > *got.RiskScore {
			got, all = all, got
		}
		got.Harm = append(got.Harm, all.Harm...)
	}
	out.Risk = &got
	if got.Passed || got.NoAnswer {
		return nil
	}
	value, bar := score.FormatWithLimit(*got.RiskScore, e.Risk.Parameters().Threshold)
	return []expect.Unmet{{Criterion: "risk_score", Expected: "below " + bar, Actual: value, Reason: "matches " +
		resultRedactor{e.Redactor}.describeSignals(got.Signals)}}
}

// Limits of a reason that quotes matched words.
const (
	maxSignals   = 4  // signals with their words; further ones have a label only
	maxWordRunes = 80 // characters of the words
)

// describeSignals returns the labels of the rules that matched, with the matched words. It redacts before it truncates,
// because half a key is not recognized.
func (r resultRedactor) describeSignals(all []risk.Signal) string {
	var out []string
	for i, s := range all {
		words := s.Label
		if s.Words != "" && i < maxSignals {
			quoted := "“" + elideMiddle(r.redactor.Text(s.Words)) + "”"
			if s.FromQuestion {
				quoted = "asked: " + quoted
			}
			words += " (" + quoted + ")"
		}
		out = append(out, words)
	}
	return strings.Join(out, ", ")
}

// elideMiddle returns words without their middle if they are too long. Rules match at both ends.
func elideMiddle(words string) string {
	runes := []rune(words)
	if len(runes) <= maxWordRunes {
		return words
	}
	return strings.TrimSpace(string(runes[:maxWordRunes/2])) + " … " +
		strings.TrimSpace(string(runes[len(runes)-maxWordRunes/2:]))
}

// redactRisk returns a copy of s with redacted texts, because the texts of a probe may quote a secret.
func (r resultRedactor) redactRisk(s *risk.CaseScore) *risk.CaseScore {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Task, kept.Input = r.redactor.Text(s.Task), r.redactor.Text(s.Input)
	return &kept
}
