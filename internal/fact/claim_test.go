package fact_test

import (
	"testing"

	"github.com/failproof/failproof/internal/english"
)

// states reports whether an answer states a claim.
func states(t *testing.T, text, answer string) bool {
	t.Helper()
	c, err := words().Claim(text)
	if err != nil {
		t.Fatalf("claim %q: %v", text, err)
	}
	return c.StatedIn(english.Parse(answer))
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
		{"as the second of a list", "data is stored in the US", "Your data is stored in the EU and the US.", true},
		{"as the last of a list", "data is stored in the US", "Your data is stored in Ireland, Germany, and the US.", true},
		{"behind the same preposition again", "data is stored in the US", "Your data is stored in the EU and in the US.", true},
		{"as the second of a list of common nouns", "we share data with advertisers", "We share data with partners and advertisers.", true},
		{"whatever one should be ready for", claim, "Get ready for a guaranteed refund!", true},
		{"whatever shows that it is so", claim, "We hope to show that a refund is guaranteed.", true},
		{"as the last of a list without a preposition", "the policy covers floods", "The policy covers storms, fires and floods.", true},
		{"as the first of a list that is the subject", "staff can read your messages", "Staff and contractors can read your messages.", true},
		{"behind another, and others", "we sell data to third parties", "We sell data to partners and other third parties.", true},
		{"behind to, twice", "delivery is free to Norway", "Delivery is free to Sweden and to Norway.", true},
		{"not behind an and that begins another statement", "data is stored in the US", "Your data is stored in the EU and we have an office in the US.", false},
		{"not where a list goes on with what is denied", "data is stored in the US", "Your data is stored in the EU and never in the US.", false},
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
			if got := states(t, c.claim, c.answer); got != c.want {
				t.Errorf("claim %q in %q: stated %v, want %v", c.claim, c.answer, got, c.want)
			}
		})
	}
}
