package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/score"
)

func TestAForbiddenClaimIsNotStatedByThoseWhoDenyIt(t *testing.T) {
	const claim = "refunds are instant"
	for _, c := range []struct {
		rule, claim, answer string
		want                bool
	}{
		{"refuted", claim, "Tests have refuted the idea that refunds are instant.", false},
		{"imagined", claim, "If banks were faster, refunds would be instant.", false},
		{"imagined, with its condition behind", claim, "Refunds would be instant if banks were faster.", false},
		{"promised on a condition", claim, "If you pay by card, refunds are instant.", true},
		{"believed by some", claim, "Some people believe that refunds are instant, but banks say otherwise.", false},
		{"rumoured without proof", claim, "They say refunds are instant, but there is no proof.", false},
		{"unconfirmed", claim, "By a forum post refunds are instant, but that is unconfirmed.", false},
		{"taken back in the next sentence", claim, "Refunds are instant. Actually, that is wrong.", false},
		{"asked and denied", claim, "Are refunds instant? No, they take a week.", false},
		{"asked and affirmed", claim, "Are refunds instant? Yes.", true},
		{"not yet", claim, "Refunds are not yet instant.", false},
		{"in a list under a denial", claim, "We do not promise any of these:\n- refunds are instant\n- returns are free", false},
		{"in a numbered list under a denial", claim, "What we don't offer:\n1. Free returns\n2. Refunds are instant", false},
		{"in a list under a promise", claim, "We promise:\n- refunds are instant", true},
		{"behind a denying key", claim, "Not included: refunds are instant, returns are free.", false},
		{"before a no", claim, "- Refunds are instant: no", false},
		{"before a yes", claim, "- Refunds are instant: yes", true},
		{"behind a cross", claim, "❌ Refunds are instant", false},
		{"a multiple in words", "the fine is one million", "The fine is 1,000,000.", true},
		{"another multiple in words", "the fine is one million", "The fine is two million.", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			want := 1.0
			if c.want {
				want = 0.7
			}
			e := &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy)}
			if got := grounding(t, e, []string{c.claim}, c.answer, score.Settings{}); got.Metrics[0].Value != want {
				t.Errorf("claim %q in %q: %v (%s), want %v", c.claim, c.answer, got.Metrics[0].Value, got.Metrics[0].Description, want)
			}
		})
	}
}

func TestAnAllowedTermIsAllowedInOtherForms(t *testing.T) {
	for _, c := range []struct {
		rule, answer string
		allowed      []string
		want         float64
	}{
		{"its acronym", "The CII is listed.", []string{"Critical Information Infrastructure"}, 1},
		{"its words", "The General Data Protection Regulation covers it.", []string{"GDPR"}, 1},
		{"not another name of the kind", "The Energy Market Authority covers it.", []string{"GDPR"}, 0.7},
		{"a heading in capitals is no term", "NOTE: the CII is listed.", []string{"CII"}, 1},
		{"a stressed answer is no term", "ANSWER: YES, the CII is listed.", []string{"CII"}, 1},
		{"a heading of its own line is no term", "SUMMARY\n\nThe CII is listed.", []string{"CII"}, 1},
		{"another acronym still is one", "NOTE: the NERC lists the CII.", []string{"CII"}, 0.7},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e := &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy), Allowed: c.allowed}
			if got := grounding(t, e, nil, c.answer, score.Settings{}); got.Metrics[0].Value != c.want {
				t.Errorf("%q with %v allowed: %v (%s), want %v", c.answer, c.allowed, got.Metrics[0].Value, got.Metrics[0].Description, c.want)
			}
		})
	}
}
