package score_test

import (
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
)

// hostile are texts that a careless reader takes more than linear time for.
var hostile = map[string]string{
	"and": "it is and ", "not": "not ", "no": "no ", "commas": "refund, ", "or": "or, ", "numbers": "1 ", "points": "1.", "hundred": "one hundred ",
	"who": "who is ", "question": "is refund? ", "capitals": "MFA GDPR ", "name": "The And Of ", "claim": "refund ", "both": "refund guaranteed ",
	"letters": "a", "ys": "y", "apostrophes": "'s", "lines": "\n", "dashes": "- ", "wide": "é\u0301 ", "ideographs": "退款", "must": "vendors must x ", "dots": "...",
	"suppose": "if it would ", "list": "not these:\n- x\n", "colons": "not offered: a, ", "crosses": "❌ no: ", "compound": "re-fund ", "clock": "9:00 pm ",
	"initials": "A.", "than": "than ", "of": "at least of ", "non": "non-", "hyphens": "non-non ", "may": "vendors may refund ", "from": "up from 14 days ", "addresses": "x@acme.com ", "mistake": "refund that was a mistake. ",
	"myths": "Myths:\n- refund ", "subjects": "refund refund it not ", "except": "refund except vendors ", "dates": "3 March 2024 ", "swap": "vendors refund MFA ", "clause": "clause 5.9.3 ",
}

func TestMeasuringHostileAnswersEndsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("long answers are for the run in full")
	}
	claim, err := words().Claim("refund is guaranteed within 14 days")
	pattern, err2 := words().Claim(`/(refund|guaranteed)+/`)
	due, err3 := words().Fact("the MFA of vendors must refund 14 days from 3 March, x@acme.org says")
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	e := &score.Expected{Plan: score.StrategyMap(nil).Plan("B20", "", ""), Reference: "Vendors must refund within 14 days.",
		Forbidden: []*fact.Claim{claim, pattern}, Facts: []*fact.Fact{due}, Allowed: []string{"CII"}}
	s := score.Settings{Corpus: likeness.NewCorpus(nil), CountUnsupported: true}
	for name, unit := range hostile {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(unit, fulltest.Of(1<<16, 1<<19)/len(unit))
			start := time.Now()
			e.Measure(text, s)
			t.Logf("%s: %v", name, time.Since(start)) // no time is asserted; the test's own limit ends a hang
		})
	}
}

func TestReadingALabelInAHostileAnswerEndsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("long answers are for the run in full")
	}
	signs := map[string]string{"signs": "+ ", "tight": "+-", "grades": "A+ ", "options": "option A is not ", "is": "is ", "less": "< 10 ", "quotes": "'a 'a' \"", "says": "says \"a b c d\" ",
		"wraps": "yes it is so\n", "changed": "changed from A to ", "keys": "A: A\n", "latter": "A or B the latter ", "brackets": "((", "bold": "**A**: ", "tags": "<b>A</b>"}
	for name, unit := range hostile {
		signs[name] = unit
	}
	for _, labels := range [][]string{{"A+", "+", "C#", "<10", "-"}, {"A", "B", "Yes", "Not compliant", "Compliant"}} {
		s := label.New(labels[0], labels)
		for name, unit := range signs {
			text := strings.Repeat(unit, fulltest.Of(1<<14, 1<<17)/len(unit))
			start := time.Now()
			label.Read(s, text[:len(text)/2], text)
			t.Logf("%s: %v", name, time.Since(start)) // no time is asserted; the test's own limit ends a hang
		}
	}
}

// ordinary is what a suite of questions about a rule gets: some fifty words.
const ordinary = `The vendor must report the incident to the regulator within 14 days of becoming aware of it. A written notice is
enough, and it may be sent by post or by email. Multi-factor authentication is required for every account with access to the system,
with no exceptions. A refund is not guaranteed.`

// BenchmarkMeasure measures an ordinary answer under each strategy. Each answer is to a case of its own, whose expected answer and prompt
// nobody has read yet; facts, claims and labels are compiled, as the cases of a suite share them.
func BenchmarkMeasure(b *testing.B) {
	for _, strategy := range []string{score.StrategyAccuracy, score.StrategyClassification, score.StrategyReasoning, score.StrategySafety} {
		b.Run(strategy, func(b *testing.B) {
			question := "What does the vendor owe the regulator, and is it Compliant or Non-Compliant?"
			like := score.Expected{Plan: score.StrategyMap(nil).Plan("", strategy, ""), Question: question, Prompt: "Answer by the rules of the scheme.\n\n" + question,
				Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"})}
			if like.Plan.Accuracy == score.MethodSemantic {
				like.Reference = "Vendors report incidents to the regulator within two weeks, in writing, and use MFA for every account."
			}
			like.Facts = compiled(b, words().Fact, "14 days", "written notice", "MFA for every account", "report to the regulator")
			like.Forbidden = compiled(b, words().Claim, "refund is guaranteed", `/clause 5\.9\.\d+/`)
			s := score.Settings{Corpus: likeness.NewCorpus(nil)}
			b.ReportAllocs()
			for b.Loop() {
				e := like
				e.Measure(ordinary, s)
			}
			b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N)*1e5, "s/100k-answers")
		})
	}
}

func compiled[T any](b *testing.B, compile func(string) (*T, error), texts ...string) (out []*T) {
	for _, text := range texts {
		one, err := compile(text)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}
