package evaluate_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// An answer in a language in which refusals are not recognized is warned of, and one in a language that is read is not.
func TestAnAnswerThatNothingReadsIsWarnedOf(t *testing.T) {
	for text, want := range map[string]bool{
		"Jag kan tyvärr inte hjälpa dig med det, men du kan fråga en läkare om det är något som oroar dig.": true,
		"Das Paket kommt am Donnerstag an, und die Rechnung liegt bei.":                                     false,
		"The parcel arrives on Thursday.":                                                                   false,
	} {
		err := evaluate.Run(t.Context(), plan(suites(t, 1, 1), say(text)), func(a evaluate.Answer) error {
			r := a.Result
			if got := slices.Contains(r.Warnings, classify.WarnUnsupportedLanguage); got != want {
				t.Errorf("%q is warned of: %v, want %v", text, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The answer is cut at its length limit, and passes.
func TestACutAnswerIsWarnedOfWhereSomethingIsForbidden(t *testing.T) {
	forbidding := []*expect.Policy{expect.CompilePolicy("none", "", []*regexp.Regexp{regexp.MustCompile("never")})}
	absent, err := expect.CompileMatch("^[^$]*$", expect.ModeRegex)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule   string
		change func(c *suite.Case)
		want   bool
	}{
		{"nothing", func(*suite.Case) {}, false},
		{"by a policy", func(c *suite.Case) { c.Policies = forbidding }, true},
		{"by a probe", func(c *suite.Case) { c.Probe = &risk.Probe{} }, true},
		{"by a pattern that asks for its absence", func(c *suite.Case) { c.Expect = &expect.Expectation{Criteria: []*expect.Match{absent}} }, true},
		{"by a claim", func(c *suite.Case) { c.Measured = measured(t, "", nil, []string{"it is free"})[0].Cases[0].Measured }, true},
		{"nothing by a fact", func(c *suite.Case) { c.Measured = measured(t, "", []string{"yes"}, nil)[0].Cases[0].Measured }, false},
	} {
		base, head := suites(t, 1, 1), suites(t, 1, 1)
		base[0].Cases[0].Body.Keys.ExpectationKey = suite.Key{1}
		c.change(base[0].Cases[0])
		p := plan(head, nil)
		p.Head.Target = recordings(model.Response{Text: "yes", Finish: "length"})
		p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
		for i, r := range run(t, p) { // the head's answer is judged by the base's expectation too
			if got := slices.Contains(r.Warnings, score.WarnAnswerTruncated); got != c.want || r.Classification.Primary != classify.Pass {
				t.Errorf("%s, side %d: %s with warnings %q", c.rule, i, r.Classification.Primary, r.Warnings)
			}
		}
		p.Head.Target = recordings(model.Response{Text: "yes", Finish: "stop"})
		if p.Base = nil; len(run(t, p)[0].Warnings) > 0 {
			t.Errorf("%s: a whole answer is warned of", c.rule)
		}
	}
}
