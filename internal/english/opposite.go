package english

import "strings"

// shortestOpposed is the least number of letters of a word that a prefix such as "un" can deny.
const shortestOpposed = 4

// AreOpposites reports whether one of a and b is the other with a denying prefix: safe and unsafe, relevant and
// irrelevant, toxic and nontoxic. The prefixes "in" and "im" often mean something else. They count only before at least
// shortestDenied letters, or in the words that denied lists.
func AreOpposites(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	prefix, ok := strings.CutSuffix(b, a)
	switch {
	case !ok || len(a) < shortestOpposed || b == "unless":
		return denies(b, a) || denies(a, b)
	case prefix == "un" || prefix == "non" || prefix == "dis" || prefix == "ir" || prefix == "il":
		return true
	}
	return denies(b, a) || (prefix == "in" || prefix == "im") && len(a) >= shortestDenied
}

// denies reports whether the table denied says that word denies other.
func denies(word, other string) bool { return other != "" && denied[word] == other }

// shortestDenied is the least number of letters after a denying "non". In the words of nonWords, "non" denies nothing.
const shortestDenied = 6

var nonWords = Set("nonetheless nonsensical nonchalant nonchalantly nonplussed nonagon")

// denied maps words to the words that they deny.
var denied = map[string]string{
	"ineligible": "eligible", "inapplicable": "applicable", "invalid": "valid", "insufficient": "sufficient",
	"impossible": "possible", "unacceptable": "acceptable", "unavailable": "available",
	"unauthorised": "authorised", "unauthorized": "authorized", "noncompliant": "compliant",
	"noncompliance": "compliance", "unlawful": "lawful", "illegal": "legal", "unsafe": "safe",
	"unnecessary": "necessary", "inadequate": "adequate", "inaccurate": "accurate", "incorrect": "correct",
	"untrue": "true", "inappropriate": "appropriate", "unlikely": "likely", "optional": "required",
	"unencrypted": "encrypted", "incomplete": "complete", "inconsistent": "consistent",
	"incompatible": "compatible", "inaccessible": "accessible", "irreversible": "reversible",
	"ineffective": "effective", "unlimited": "limited", "unused": "used", "unopened": "opened",
	"unsigned": "signed", "unregistered": "registered", "unlicensed": "licensed", "uninsured": "insured",
	"unvaccinated": "vaccinated", "unsuitable": "suitable", "unfit": "fit", "unmet": "met",
	"untested": "tested", "undocumented": "documented", "unpatched": "patched", "unmonitored": "monitored",
	"unapproved": "approved", "unreviewed": "reviewed", "unpaid": "paid", "unqualified": "qualified",
	"disallowed": "allowed", "unsupported": "supported", "uncertified": "certified", "nonbinding": "binding",
}
