package fact_test

import "testing"

func TestAKeyFactIsCoveredInOtherSpellings(t *testing.T) {
	for _, c := range []struct {
		rule, fact, answer string
		want               bool
	}{
		{"a count in words", "3 copies", "Keep at least three copies.", true},
		{"a count in words that is another", "3 copies", "Keep two copies.", false},
		{"a count in words on the wrong side of its bound", "no more than 5 attempts", "At least five attempts are allowed.", false},
		{"a round number in words", "100 users", "Up to one hundred users may log in.", true},
		{"a multiple in words", "3.5 million", "The fine is 3,500,000 euros.", true},
		{"a bare number with the unit that is meant", "limit of 40", "The limit is 40 percent.", true},
		{"a unit behind the bound", "at least 12 characters", "Passwords have 12 or more characters.", true},
		{"a fortnight", "14 days", "A fortnight is allowed.", true},
		{"half a year", "6 months", "It is valid for half a year.", true},
		{"grams and kilograms", "2 kg", "The parcel weighs 2000 g.", true},
		{"a unit written out", "10 MB", "Files of up to 10 megabytes are taken.", true},
		{"a time of day", "closes at 18:00", "It closes at 6 pm.", true},
		{"a time of day with points", "opens at 9:30", "It opens at 9:30 a.m.", true},
		{"another time of day", "closes at 18:00", "It closes at 8 pm.", false},
		{"noon and midnight", "closes at 12:00", "It closes at 12 am.", false},
		{"a version is no decimal number", "version 1.2", "Version 1.20 fixes it.", false},
		{"a version with its letter", "TLS 1.2", "Use TLSv1.2.", true},
		{"the number of a clause is never left out", "clause 5.2.1 asks for tests of all backups", "Clause 5.2.2 asks for tests of all backups.", false},
		{"the acronym of its words", "data protection officer", "Ask the DPO.", true},
		{"an acronym counts in capitals only", "written approval report", "That war is over.", false},
		{"an acronym of words with a hyphen", "SSO", "Single sign-on is in place.", true},
		{"two words written as one", "cyber security policy", "The cybersecurity policy is public.", true},
		{"one word written as two", "email", "Write an e-mail.", true},
		{"a particle written apart", "back up the data", "Backup the data.", true},
		{"a name with a number", "SHA-256", "SHA256 is used.", true},
		{"another name with a number", "AES-256", "AES-128 is used.", false},
		{"British and American spelling", "the organisation analyses its behaviour", "Organizations analyze their behavior.", true},
		{"a verb in -ise that is one everywhere", "revised plan", "The plan awaits its revision.", true},
		{"an accent", "naïve model", "A naive model is used.", true},
		{"a denial in one word", "non-refundable", "The ticket is nonrefundable.", true},
		{"a lack of it in one word", "restores are tested", "Restores are untested.", false},
		{"not yet is not", "data is encrypted", "We do not yet encrypt data.", false},
		{"a question that is denied", "data is encrypted", "Is data encrypted? No.", false},
		{"a question that is affirmed", "data is encrypted", "Is data encrypted? Yes.", true},
		{"a question alone", "data is encrypted", "Is data encrypted?", false},
		{"a doubt", "data is encrypted", "I doubt that data is encrypted.", false},
		{"no doubt", "data is encrypted", "There is no doubt that data is encrypted.", true},
		{"a dispute that nobody has", "data is encrypted", "Nobody disputes that data is encrypted.", true},
		{"a thing that is disputed", "billing disputes", "Billing disputes are settled within a month.", true},
		{"a list under a denial", "MFA", "The following are not in place:\n- logging\n- MFA", false},
		{"a list of reasons under a denial", "MFA is off", "It is not compliant for these reasons:\n- MFA is off", true},
		{"what follows such a list", "patching", "The following are not in place:\n- MFA\n\nPatching is.", true},
		{"a no beside it", "MFA", "- MFA: no\n- Logging: yes", false},
		{"a no in its row", "MFA", "| control | there |\n|---|---|\n| MFA | no |", false},
		{"a cross before it", "MFA", "❌ MFA\n✅ Logging", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := covers(t, c.fact, c.answer); got != c.want {
				t.Errorf("fact %q in %q: covered %v, want %v", c.fact, c.answer, got, c.want)
			}
		})
	}
}
