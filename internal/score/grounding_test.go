package score_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
)

// grounding measures an answer against claims and terms alone.
func grounding(t *testing.T, e *score.Expected, claims []string, answer string, s score.Settings) score.AnswerMetrics {
	t.Helper()
	for _, text := range claims {
		c, err := words().Claim(text)
		if err != nil {
			t.Fatalf("claim %q: %v", text, err)
		}
		e.Forbidden = append(e.Forbidden, c)
	}
	got := e.Measure(answer, s)
	if len(got.Metrics) != 1 || got.Metrics[0].Name != score.Grounding {
		t.Fatalf("metrics %+v, want grounding alone", got.Metrics)
	}
	return got
}

func TestGroundingCountsDistinctViolations(t *testing.T) {
	claims := []string{"refund is guaranteed", "delivery is free", `/clause 5\.9/`, "cash is paid"}
	for _, c := range []struct {
		rule, answer string
		want         float64
	}{
		{"none", "You can ask for a refund.", 1},
		{"one", "A refund is guaranteed.", 0.7},
		{"one, twice", "A refund is guaranteed. I repeat: the refund is guaranteed. Clause 4 says so.", 0.7},
		{"two", "A refund is guaranteed and delivery is free.", 0.7},
		{"three", "A refund is guaranteed. Delivery is free. See clause 5.9.", 0},
		{"hedging is never penalised", "It depends. A refund may be guaranteed, delivery might be free, perhaps cash is paid.", 1},
		{"an empty answer", "", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := grounding(t, &score.Expected{}, claims, c.answer, score.Settings{}).Metrics[0]
			if got.Value != c.want || got.Weight != 1 {
				t.Errorf("grounding of %q is %+v, want %v", c.answer, got, c.want)
			}
		})
	}
}

func TestTermsOutsideTheAllowedOnesAreViolations(t *testing.T) {
	for _, c := range []struct {
		rule, answer string
		want         int
	}{
		{"allowed terms", "A CII is run by a CIIO.", 0},
		{"a term of the expected answer", "See the Cybersecurity Act.", 0},
		{"a term of the question", "The CSA decides.", 0},
		{"a term of a label", "The HITRUST applies.", 0},
		{"an acronym of another rule", "The GDPR applies.", 1},
		{"the same one twice", "The GDPR applies, as the GDPR says.", 1},
		{"a rule by its name", "The Data Protection Directive applies.", 1},
		{"two", "GDPR and HIPAA apply.", 2},
		{"an everyday acronym", "Send a PDF to the URL, OK?", 0},
		{"a stressed word", "It is NOT allowed; you MUST ask, and ALWAYS ask. Always.", 0},
		{"a heading in capitals", "ALLOWED TERMS OF USE FOR VENDORS\nA CII.", 0},
		{"a denied term", "The GDPR does not apply.", 0},
		{"a hedged term", "The GDPR might apply.", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e := &score.Expected{Allowed: []string{"CII", "CIIO"}, Reference: "The Cybersecurity Act applies.", Prompt: "What does the CSA say?", Labels: label.New("HITRUST", []string{"HITRUST", "None"})}
			got := grounding(t, e, nil, c.answer, score.Settings{}).Metrics[0]
			if want := map[int]float64{0: 1, 1: 0.7, 2: 0.7}[c.want]; got.Value != want || c.want > 0 && strings.Count(got.Description, "names ") != c.want {
				t.Errorf("%q: %+v, want %d violations", c.answer, got, c.want)
			}
		})
	}
}

func TestMoreViolationsThanAreNamedAreCounted(t *testing.T) {
	claims := []string{"refunds are guaranteed", "shipping is free", "returns are unlimited", "support never sleeps"}
	got := grounding(t, &score.Expected{}, claims, "Refunds are guaranteed. Shipping is free. Returns are unlimited. Support never sleeps.", score.Settings{}).Metrics[0]
	if want := "states “refunds are guaranteed”, states “shipping is free”, states “returns are unlimited”, and 1 more"; got.Description != want {
		t.Errorf("%s, want %s", got.Description, want)
	}
}

func TestUnsupportedObligations(t *testing.T) {
	for _, c := range []struct {
		rule, answer string
		want         int
	}{
		{"an obligation of the expected answer", "Vendors must notify the regulator.", 0},
		{"an obligation of the question", "Vendors must keep logs.", 0},
		{"an obligation that no source has", "Vendors must encrypt every backup abroad.", 1},
		{"a clause of the expected answer", "Clause 5.2 says so.", 0},
		{"a clause that no source has", "Clause 7.4 says so.", 1},
		{"both", "Under section 9, staff shall wear green badges.", 2},
		{"a hedged obligation", "Vendors might be required to encrypt backups abroad.", 0},
		{"a denied obligation", "Vendors must not encrypt backups abroad.", 0},
		{"no obligation", "Vendors encrypt backups abroad.", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e := &score.Expected{Reference: "Vendors must notify the regulator under clause 5.2.", Prompt: "Do vendors keep logs?"}
			e.Plan.Grounding = true
			warned := grounding(t, e, nil, c.answer, score.Settings{})
			if got := len(warned.Warnings); got != min(c.want, 1) || warned.Metrics[0].Value != 1 {
				t.Errorf("%q warns %v and scores %v, want %d violations as a warning", c.answer, warned.Warnings, warned.Metrics[0].Value, c.want)
			}
			counted := grounding(t, e, nil, c.answer, score.Settings{CountUnsupported: true})
			if want := map[int]float64{0: 1, 1: 0.7, 2: 0.7}[c.want]; counted.Metrics[0].Value != want {
				t.Errorf("%q, counted: %+v, want %v", c.answer, counted.Metrics[0], want)
			}
		})
	}
}

func FuzzGrounding(f *testing.F) {
	f.Add("refund is guaranteed", "It is false that a refund is guaranteed, but GDPR Act clause 7.1 must apply?")
	f.Add("/a|b/", "…¿ A.B. \xff must “not”")
	f.Fuzz(func(t *testing.T, claim, answer string) {
		c, err := fact.NewSynonyms(nil).Claim(claim)
		if err != nil {
			return
		}
		e := &score.Expected{Forbidden: []*fact.Claim{c}, Allowed: []string{"CII"}, Reference: claim}
		got := e.Measure(answer, score.Settings{CountUnsupported: true})
		switch v := got.Metrics[0].Value; v {
		case 0, 0.7, 1:
		default:
			t.Errorf("grounding of %q is %v", answer, v)
		}
		hedged := e.Measure("Perhaps "+claim+"?", score.Settings{})
		if v := hedged.Metrics[0].Value; v < 0.7 && len(answer) > 0 {
			t.Errorf("one claim, asked, scores %v", v)
		}
	})
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
