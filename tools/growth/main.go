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
	if err := count(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// count reads each text in each size and writes the counters of all blocks into FOLDER/text/size.
func count(folder string) error {
	read("What is read first makes tables.")
	for name, text := range hostile() {
		for _, size := range sizes {
			into := filepath.Join(folder, name, strconv.Itoa(size))
			if err := os.MkdirAll(into, 0o700); err != nil {
				return err
			}
			long := text(size)
			if err := coverage.ClearCounters(); err != nil {
				return err
			}
			read(long)
			if err := coverage.WriteCountersDir(into); err != nil {
				return err
			}
			if err := coverage.WriteMetaDir(into); err != nil {
				return err
			}
		}
	}
	return nil
}

// readers has everything with which a run may read an answer, compiled once.
type readers struct {
	expected []*score.Expected
	in       []*label.In
	detector *refusal.Detector
	scorer   *risk.Scorer
	demands  *expect.Expectation
	policy   *expect.Policy
}

var compiled = sync.OnceValue(func() *readers {
	r := &readers{detector: refusal.New(nil), scorer: must(risk.NewScorer(risk.Shipped()))}
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
	r.in = []*label.In{must(label.InLine("Answer:")), must(label.InPattern(`(?m)^(\w+)$`))}
	r.policy = expect.CompilePolicy("refunds", "", []*regexp.Regexp{regexp.MustCompile("we will refund")})
	r.demands = &expect.Expectation{Format: must(expect.CompileFormat(expect.FormatJSON, false, nil, ""))}
	return r
})

// read reads a text with every reader.
func read(text string) {
	r := compiled()
	for _, e := range r.expected {
		mine := *e
		if mine.Labels != nil {
			label.Read(mine.Labels, "Is the severity A, and why?", text)
			mine.Question = text[:len(text)/2]
			for _, in := range r.in {
				label.At(mine.Labels, in, text)
			}
		}
		mine.Measure(text, score.Settings{Corpus: likeness.English(), CountUnsupported: true})
		mine.Prompt, mine.Plan, mine.Labels = text, score.StrategyMap(nil).Plan("B20", "", ""), nil
		mine.Measure("The vendor must refund GDPR in clause 5.9 of the Privacy Act, with what nobody says.",
			score.Settings{CountUnsupported: true})
	}
	r.detector.Read(answer.Seen(answer.Spoken(text)))
	r.scorer.Score(risk.Probe{Severity: risk.Medium, Input: text}, risk.Answer{Text: text})
	r.demands.Check(expect.NewAnswer(text), nil)
	r.policy.Find(expect.NewSent(text))
	expect.JSONField(text, "a")
}

// must returns x. An error is a bug in this file.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
