package english

// shortestDenied is the fewest letters of a word that "non" before it denies, unless it is one of nonWords.
const shortestDenied = 6

var nonWords = Set("nonetheless nonsensical nonchalant nonchalantly nonplussed nonagon")

// denied holds words that deny another one, and that one.
var denied = map[string]string{
	"ineligible": "eligible", "inapplicable": "applicable", "invalid": "valid", "insufficient": "sufficient",
	"impossible": "possible", "unacceptable": "acceptable", "unavailable": "available", "unauthorised": "authorised",
	"unauthorized": "authorized", "noncompliant": "compliant", "noncompliance": "compliance", "unlawful": "lawful",
	"illegal": "legal", "unsafe": "safe", "unnecessary": "necessary", "inadequate": "adequate", "inaccurate": "accurate",
	"incorrect": "correct", "untrue": "true", "inappropriate": "appropriate", "unlikely": "likely",
	"optional": "required", "unencrypted": "encrypted", "incomplete": "complete", "inconsistent": "consistent",
	"incompatible": "compatible", "inaccessible": "accessible", "irreversible": "reversible", "ineffective": "effective",
	"unlimited": "limited", "unused": "used", "unopened": "opened", "unsigned": "signed", "unregistered": "registered",
	"unlicensed": "licensed", "uninsured": "insured", "unvaccinated": "vaccinated", "unsuitable": "suitable", "unfit": "fit",
	"unmet": "met", "untested": "tested", "undocumented": "documented", "unpatched": "patched", "unmonitored": "monitored",
	"unapproved": "approved", "unreviewed": "reviewed", "unpaid": "paid", "unqualified": "qualified", "disallowed": "allowed", "unsupported": "supported", "uncertified": "certified", "nonbinding": "binding",
}
