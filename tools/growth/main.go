// Growth counts the work of the packages that read answers, for texts made to be slow. The author of an answer must
// not choose how long a run takes. It is built with coverage counters, which count how often each block runs, and
// writes the counters of each text in three sizes. Its test checks that they grow linearly with the text.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/coverage"
	"strconv"
	"sync"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// sizes are the sizes of each text in bytes. Each is twice the size before.
var sizes = [...]int{1 << 10, 2 << 10, 4 << 10}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: growth FOLDER, built with -cover -covermode=atomic")
		os.Exit(2)
	}
	if err := writeCounters(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// writeCounters reads each text in each size and writes the counters of all blocks into FOLDER/text/size.
func writeCounters(folder string) error {
	readAll("What is read first makes tables.")
	for name, text := range hostile() {
		for _, size := range sizes {
			dir := filepath.Join(folder, name, strconv.Itoa(size))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			long := text(size)
			if err := coverage.ClearCounters(); err != nil {
				return err
			}
			readAll(long)
			if err := coverage.WriteCountersDir(dir); err != nil {
				return err
			}
			if err := coverage.WriteMetaDir(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// readers has everything with which a run may read an answer, compiled once.
type readers struct {
	expected    []*score.Expected
	places      []*label.Place
	detector    *refusal.Detector
	scorer      *risk.Scorer
	expectation *expect.Expectation
	policy      *expect.Policy
}

var compiled = sync.OnceValue(func() *readers {
	r := &readers{detector: refusal.New(nil), scorer: must(risk.NewScorer(risk.ShippedRules()))}
	for _, labels := range [][]string{nil, {"A", "A+", "<10", "Yes", "Not compliant", "Compliant"}} {
		e := &score.Expected{Plan: score.StrategyMap(nil).Plan("B20", "", ""),
			Reference: "Vendors must refund within 14 days.", Allowed: []string{"CII"}}
		words := fact.NewSynonyms(map[string][]string{"refund": {"money back", "reimbursement"}})
		for _, claim := range []string{"refund is guaranteed within 14 days", "vendors must not refund",
			`/(refund|guaranteed)+/`} {
			e.Forbidden = append(e.Forbidden, must(words.Claim(claim)))
		}
		for _, one := range []string{"the MFA of vendors must refund 14 days from 3 March, x@acme.org says",
			"vendors refund MFA", "vendors refund all EU orders", "revenue of Acme increased",
			"vendors must report", "all refunds of a vendor are open below 25 days",
			"get back two free refunds", `/refund(s)?/`} {
			e.Facts = append(e.Facts, must(words.Fact(one)))
		}
		if labels != nil {
			e.Labels, e.Plan = label.New(labels[0], labels), score.StrategyMap(nil).Plan("",
				score.StrategyClassification, "")
		}
		r.expected = append(r.expected, e)
	}
	r.places = []*label.Place{must(label.NewLinePlace("Answer:")), must(label.NewPatternPlace(`(?m)^(\w+)$`))}
	r.policy = expect.CompilePolicy("refunds", "", []*regexp.Regexp{regexp.MustCompile("we will refund")})
	r.expectation = &expect.Expectation{Format: must(expect.CompileFormat(expect.FormatJSON, false, nil, ""))}
	return r
})

// readAll reads a text with every reader.
func readAll(text string) {
	r := compiled()
	for _, e := range r.expected {
		expected := *e
		if expected.Labels != nil {
			label.Read(expected.Labels, "Is the severity A, and why?", text)
			expected.Question = text[:len(text)/2]
			for _, in := range r.places {
				label.FindAt(expected.Labels, in, text)
			}
		}
		expected.Measure(text, score.Settings{Corpus: likeness.EnglishCorpus(), CountUnsupported: true})
		expected.Prompt, expected.Plan, expected.Labels = text, score.StrategyMap(nil).Plan("B20", "", ""), nil
		expected.Measure("The vendor must refund GDPR in clause 5.9 of the Privacy Act, with what nobody says.",
			score.Settings{CountUnsupported: true})
	}
	r.detector.Detect(answer.RemoveHidden(answer.UnwrapJSON(text)))
	r.scorer.Score(risk.Probe{Severity: risk.Medium, Input: text}, risk.Answer{Text: text})
	a := expect.NewAnswer(model.Response{Text: model.Untrusted(text)})
	r.expectation.Check(a, nil)
	r.policy.FindViolation(a)
	expect.JSONFieldValues(text, "a")
}

// must returns x. An error is a bug in this file.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
