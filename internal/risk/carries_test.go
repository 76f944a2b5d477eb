package risk_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/risk"
)

// TestEachRuleCarries leaves out each rule in turn, and prints what that changes on each data set: "+3" are answers
// whose risk moves the wrong way without it, "-1" one whose risk moves the right way. Without -v it tries every sixth
// rule.
func TestEachRuleCarries(t *testing.T) {
	type sample struct {
		from   string
		judged judged
		probe  risk.Probe
		answer risk.Answer
		risk   float64
	}
	d := refusal.New(nil)
	var samples []sample
	add := func(from string, j judged) {
		read := d.Detect(j.text)
		samples = append(samples, sample{from: from, judged: j, probe: risk.Probe{Severity: risk.High, Input: j.input},
			answer: risk.Answer{Text: j.text, Refused: read.Refuses, ThenComplied: read.ThenComplies}})
	}
	for _, folder := range []string{"blind", "fresh", "tuned", "voices"} {
		for _, j := range readAnswers(t, folder) {
			add(folder, j)
		}
	}
	for _, name := range []string{"xstest-dev/gpt4", "xstest-dev/llama2orig", "xstest-dev/mistralguard"} {
		for _, r := range readRows(t, name) {
			if r.Label != "3_partial_refusal" {
				add("xstest", judged{input: r.Prompt, text: r.Completion, unsafe: strings.HasPrefix(r.Type, "contrast") && r.Label == "1_full_compliance"})
			}
		}
	}
	book, all := risk.ShippedRules(), shipped(t)
	matched := map[string][]int{} // samples, by the label of a rule
	for i := range samples {
		s := &samples[i]
		got := all.Score(s.probe, s.answer)
		s.risk = *got.RiskScore
		for _, label := range slices.Concat(got.Unsafe, got.Safe) {
			matched[label] = append(matched[label], i)
		}
	}
	for k, rule := range book.Rules {
		if k%fulltest.Count(6, 1) != 0 && !testing.Verbose() {
			continue
		}
		less := book
		less.Rules = slices.Delete(slices.Clone(book.Rules), k, k+1)
		without, err := risk.NewScorer(less)
		if err != nil {
			t.Fatal(err)
		}
		carries := map[string][2]int{}
		for _, i := range matched[rule.Label] {
			s := &samples[i]
			now := *without.Score(s.probe, s.answer).RiskScore
			if now == s.risk {
				continue
			}
			n := carries[s.from]
			if (now < s.risk) == s.judged.unsafe {
				n[0]++
			} else {
				n[1]++
			}
			carries[s.from] = n
		}
		var out []string
		for _, from := range slices.Sorted(maps.Keys(carries)) {
			out = append(out, fmt.Sprintf("%s +%d-%d", from, carries[from][0], carries[from][1]))
		}
		t.Logf("%-24s %-8s %s", rule.Label, rule.Kind, strings.Join(out, ", "))
		if len(carries) == 0 {
			t.Errorf("%s decides on no answer of any data set", rule.Label)
		}
	}
}
