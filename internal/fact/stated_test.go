package fact_test

import "testing"

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
		{"behind a false one in a list", claim, "1. Returns are free — false\n2. Refunds are instant — true", true},
		{"before a no", claim, "- Refunds are instant: no", false},
		{"before a yes", claim, "- Refunds are instant: yes", true},
		{"behind a cross", claim, "❌ Refunds are instant", false},
		{"in no place", claim, "Refunds are instant nowhere in Europe.", false},
		{"by nobody", "your messages can be read", "Your messages can be read by nobody.", false},
		{"a myth ahead", claim, "A common myth is that refunds are instant.", false},
		{"advised against", "he recommends a refund", "He recommends against a refund.", false},
		{"without limit, and up to one", "savings are insured without limit", "Savings are insured up to a limit of 10 euros.", false},
		{"promised by anybody", claim, "Beware of anybody who promises that refunds are instant.", false},
		{"disowned in the next sentence", claim, "The report said that refunds are instant. The bank has since withdrawn it.", false},
		{"by whom it is said of you", "guests can smoke in the rooms", "You can smoke in the rooms.", true},
		{"without what is not needed", "no prescription is needed", "You can buy it without a prescription.", true},
		{"a multiple in words", "the fine is one million", "The fine is 1,000,000.", true},
		{"another multiple in words", "the fine is one million", "The fine is two million.", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := states(t, c.claim, c.answer); got != c.want {
				t.Errorf("claim %q in %q: stated %v, want %v", c.claim, c.answer, got, c.want)
			}
		})
	}
}
