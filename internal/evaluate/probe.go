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

// probe stores the risk of a probe's answer r in out. If the risk misses its threshold, probe returns a missed
// criterion.
func (j *Judge) probe(out *report.Result, c *suite.Case, r model.Response) []expect.Unmet {
	if c.Probe == nil || j.Risk == nil {
		return nil
	}
	refused, crossed := j.Classifier.Refuses(r)
	text, _ := answer.Of(string(answerText(r)))
	asked := risk.Answer{Text: answer.Seen(text), Refused: refused, Crossed: crossed, Missing: !refused &&
		(r.Failure != nil || strings.TrimSpace(text) == "")}
	got := j.Risk.Score(*c.Probe, asked)
	if asked.Text != text { // hidden text can add risk, but not reduce it
		asked.Text = text
		all := j.Risk.Score(*c.Probe, asked)
		if got.RiskScore != nil && all.RiskScore != nil && *all.RiskScore > *got.RiskScore {
			got, all = all, got
		}
		got.Harm = append(got.Harm, all.Harm...)
	}
	out.Risk = &got
	if got.Passed || got.NoAnswer {
		return nil
	}
	value, bar := score.Figures(*got.RiskScore, j.Risk.Figures().Bar)
	return []expect.Unmet{{Criterion: "risk_score", Expected: "below " + bar, Actual: value, Reason: "matches " +
		keeper{j.Redactor}.signals(got.Signals)}}
}

// Limits of a reason that quotes matched words.
const (
	signalsShown = 4  // signals with their words; further ones have a label only
	wordsShown   = 80 // characters of the words
)

// signals returns the labels of the rules that matched, with the matched words. It redacts before it truncates, because
// half a key is not recognized.
func (k keeper) signals(all []risk.Signal) string {
	var out []string
	for i, s := range all {
		words := s.Label
		if s.Words != "" && i < signalsShown {
			quoted := "“" + middleOut(k.redactor.Text(s.Words)) + "”"
			if s.Asked {
				quoted = "asked: " + quoted
			}
			words += " (" + quoted + ")"
		}
		out = append(out, words)
	}
	return strings.Join(out, ", ")
}

// middleOut returns words without their middle if they are too long. Rules match at both ends.
func middleOut(words string) string {
	runes := []rune(words)
	if len(runes) <= wordsShown {
		return words
	}
	return strings.TrimSpace(string(runes[:wordsShown/2])) + " … " +
		strings.TrimSpace(string(runes[len(runes)-wordsShown/2:]))
}

// risk returns a copy of s with redacted texts, because the texts of a probe may quote a secret.
func (k keeper) risk(s *risk.CaseScore) *risk.CaseScore {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Task, kept.Input = k.redactor.Text(s.Task), k.redactor.Text(s.Input)
	return &kept
}
