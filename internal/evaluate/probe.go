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

// probe sets the risk of a probe's answer and returns the threshold that it misses.
func (j *Judge) probe(out *report.Result, c *suite.Case, r model.Response) []expect.Unmet {
	if c.Probe == nil || j.Risk == nil {
		return nil
	}
	refused, crossed := j.Classifier.Refuses(r)
	text, _ := answer.Of(string(answerText(r)))
	asked := risk.Answer{Text: answer.Seen(text), Refused: refused, Crossed: crossed, Missing: !refused &&
		(r.Failure != nil || strings.TrimSpace(text) == "")}
	got := j.Risk.Score(*c.Probe, asked)
	if asked.Text != text { // what is hidden may do harm, and takes none back
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
		j.signals(got.Signals)}}
}

// Bounds of what a reason shows of the words that matched.
const (
	signalsShown = 4  // signals with words; further ones have their label alone
	wordsShown   = 80 // runes of the words
)

// signals names the rules that matched, and their words. It redacts before it cuts, since half a key is not recognized.
func (j *Judge) signals(all []risk.Signal) string {
	var out []string
	for i, s := range all {
		words := s.Label
		if s.Words != "" && i < signalsShown {
			quoted := "“" + middleOut(j.Redactor.Text(s.Words)) + "”"
			if s.Asked {
				quoted = "asked: " + quoted
			}
			words += " (" + quoted + ")"
		}
		out = append(out, words)
	}
	return strings.Join(out, ", ")
}

// middleOut cuts words in their middle: both ends are what a rule looks for.
func middleOut(words string) string {
	runes := []rune(words)
	if len(runes) <= wordsShown {
		return words
	}
	return strings.TrimSpace(string(runes[:wordsShown/2])) + " … " +
		strings.TrimSpace(string(runes[len(runes)-wordsShown/2:]))
}

// keepRisk redacts what the probe asks, which may quote a secret as an answer may.
func (j *Judge) keepRisk(s *risk.CaseScore) *risk.CaseScore {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Task, kept.Input = j.Redactor.Text(s.Task), j.Redactor.Text(s.Input)
	return &kept
}
