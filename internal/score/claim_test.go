package score_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/score"
)

// grounding measures an answer against claims and terms alone.
func grounding(t *testing.T, e *score.Expected, claims []string, answer string, s score.Settings) score.Measured {
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

func TestAForbiddenClaimIsStated(t *testing.T) {
	const claim = "refund is guaranteed"
	for _, c := range []struct {
		rule, claim, answer string
		want                bool
	}{
		{"word for word", claim, "A refund is guaranteed.", true},
		{"in another form", claim, "Refunds are guaranteed.", true},
		{"with words in between", claim, "Your refund of the full purchase price is guaranteed.", true},
		{"with something put in", claim, "The refund, in any case, is guaranteed.", true},
		{"the other way round", claim, "We guarantee a refund.", true},
		{"by a synonym", claim, "Your money back is guaranteed.", true},
		{"in a list", claim, "- A refund is guaranteed\n- Delivery is free", true},
		{"in bold and typographic marks", claim, "A **refund** is “guaranteed”!", true},
		{"with another in the same sentence denied", claim, "Delivery is not free, but a refund is guaranteed.", true},
		{"on a condition", claim, "A refund is guaranteed if you keep the receipt.", true},
		{"despite a denial that is denied", claim, "It is not false that a refund is guaranteed.", true},
		{"despite a no that is denied", claim, "It is not true that no refund is guaranteed.", true},
		{"not where it is crossed out", claim, "~~A refund is guaranteed.~~", false},
		{"not where it is quoted, however short", claim, "The flyer says: “refunds are guaranteed”.", false},
		{"not by one of its words", claim, "You can ask for a refund.", false},
		{"not by words of two sentences", claim, "A refund takes time. Delivery is guaranteed.", false},
		{"not by words of two statements", claim, "Refunds are slow, delivery is guaranteed.", false},
		{"not by words that belong to others", claim, "We guarantee delivery and offer a refund.", false},

		{"not where it is denied", claim, "A refund is not guaranteed.", false},
		{"not where it is denied by a contraction", claim, "A refund isn't guaranteed.", false},
		{"not where it is denied by no", claim, "No refund is guaranteed.", false},
		{"not where it is denied by never", claim, "Refunds are never guaranteed.", false},
		{"not where saying it is denied", claim, "I cannot say that a refund is guaranteed.", false},
		{"not where it is called false", claim, "It is false that a refund is guaranteed.", false},
		{"not where it is called a myth", claim, "It is a myth that a refund is guaranteed.", false},
		{"not where there is no evidence", claim, "There is no evidence that a refund is guaranteed.", false},
		{"not where it is taken back", claim, "Some hold that a refund is guaranteed, but that is not true.", false},
		{"not where the next sentence takes it back", claim, "A refund is guaranteed. This is wrong.", false},
		{"not where it is asked", claim, "Is a refund guaranteed?", false},
		{"not where it is supposed", claim, "Whether a refund is guaranteed is open.", false},
		{"not where it is reported", claim, "The customer claims that a refund is guaranteed.", false},
		{"not where it is forbidden to say", claim, "Never write that a refund is guaranteed.", false},
		{"not where it is hedged", claim, "A refund may be guaranteed.", false},
		{"not where it depends", claim, "A refund is guaranteed, depending on the case.", false},
		{"not where perhaps goes before", claim, "Perhaps, a refund is guaranteed.", false},

		{"a claim that denies", "MFA is not required", "MFA is not required here.", true},
		{"a claim that denies, by a contraction", "MFA is not required", "MFA isn't required.", true},
		{"a claim that denies, by a prefix", "MFA is not required", "MFA is optional.", true},
		{"a claim that denies is not stated by what affirms", "MFA is not required", "MFA is required.", false},
		{"a claim that hedges is stated by a hedge", "vendors may skip logging", "Vendors may skip logging.", true},
		{"a claim with an amount", "refund within 60 days", "You get a refund within 60 days.", true},
		{"a claim with another amount", "refund within 60 days", "You get a refund within 30 days.", false},
		{"a claim of function words", "so be it", "And so be it.", true},

		{"a pattern", `/clause 5\.9\.\d+/`, "See Clause 5.9.3.", true},
		{"a pattern with other marks", `/non-compliant/`, "It is non‑compliant.", true},
		{"a pattern that is denied", `/clause 5\.9\.\d+/`, "There is no clause 5.9.3.", false},
		{"a pattern that is hedged", `/clause 5\.9\.\d+/`, "It may be clause 5.9.3.", false},
		{"a pattern that is asked", `/clause 5\.9\.\d+/`, "Is it clause 5.9.3?", false},
		{"a pattern that denies", `/not refundable/`, "It is not refundable.", true},
		{"a pattern, denied once and stated once", `/clause 5\.\d/`, "It is not clause 5.1. It is clause 5.2.", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := grounding(t, &score.Expected{}, []string{c.claim}, c.answer, score.Settings{}).Metrics[0]
			if want := map[bool]float64{true: 0.7, false: 1}[c.want]; got.Value != want {
				t.Errorf("claim %q in %q: %v, want stated: %v", c.claim, c.answer, got.Value, c.want)
			}
		})
	}
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
			e := &score.Expected{Allowed: []string{"CII", "CIIO"}, Reference: "The Cybersecurity Act applies.", Prompt: "What does the CSA say?"}
			got := grounding(t, e, nil, c.answer, score.Settings{}).Metrics[0]
			if want := map[int]float64{0: 1, 1: 0.7, 2: 0.7}[c.want]; got.Value != want || c.want > 0 && !strings.HasPrefix(got.Description, string(rune('0'+c.want))) {
				t.Errorf("%q: %+v, want %d violations", c.answer, got, c.want)
			}
		})
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
		c, err := score.NewSynonyms(nil).Claim(claim)
		if err != nil {
			return
		}
		e := &score.Expected{Forbidden: []*score.Claim{c}, Allowed: []string{"CII"}, Reference: claim}
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
