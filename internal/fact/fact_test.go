package fact_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
)

// words are the built-in synonyms and some of a user's own.
var words = sync.OnceValue(func() *fact.Synonyms {
	return fact.NewSynonyms(map[string][]string{"refund": {"money back", "reimbursement"}, "CISO": {"chief information security officer"}})
})

// covers reports whether an answer covers a fact.
func covers(t *testing.T, text, answer string) bool {
	t.Helper()
	f, err := words().Fact(text)
	if err != nil {
		t.Fatalf("fact %q: %v", text, err)
	}
	return f.Match(english.Parse(answer)).Outcome == fact.Said
}

func TestAKeyFactIsCovered(t *testing.T) {
	for _, c := range []struct {
		rule, fact, answer string
		want               bool
	}{
		{"its words stand in the answer", "written notice", "You must give notice that is written.", true},
		{"in another form", "notify the regulator", "The regulator was notified at once.", true},
		{"in capitals or not", "Written Notice", "WRITTEN NOTICE IS DUE", true},
		{"as words, not as parts of words", "art", "The party starts.", false},
		{"seven of ten words are enough", "board approves the annual cyber budget and plan", "The board approves an annual budget and plan.", true},
		{"half of them are not", "board approves annual budget", "The board meets on the budget.", false},
		{"nothing covers it in an empty answer", "14 days", "", false},

		{"a numeral behind a kind has to be that numeral", "SOC 2 Type II", "Acme has a SOC 2 Type I report.", false},
		{"an I behind a name is that numeral", "World War I ended in 1918", "World War I ended in 1918.", true},
		{"an I behind another word is the writer", "the plan I chose covers dental treatment", "The plan covers dental treatment.", true},
		{"a letter behind a kind has to be that letter", "hepatitis B vaccination is required", "A hepatitis A vaccination is required.", false},
		{"a letter in a list of its kind", "Plan B covers dental treatment", "Plans A and B cover dental treatment.", true},
		{"a letter joined to a word is no name of a kind", "we use A/B testing for pages", "Testing our pages is what we use A/B for.", true},
		{"figures in a word have to be those figures", "vitamin B12 is recommended in winter", "Vitamin B6 is recommended in winter.", false},
		{"what is worked towards is not done", "Acme is SOC 2 certified", "Acme is working towards SOC 2 certification.", false},
		{"what is planned is not done", "Acme is ISO 27001 certified", "Acme plans to be ISO 27001 certified by 2027.", false},
		{"what is prepared for is not done", "the order was shipped", "The order is being prepared for shipping.", false},
		{"what is pending is not done", "the refund was approved", "The refund is pending approval.", false},
		{"what is due to be done is not done", "the invoice is paid", "The invoice is due to be paid next week.", false},
		{"whose somebody is has to be that name", "Acme's CEO signed the contract", "Globex's CEO signed the contract.", false},
		{"whose somebody is, by the other apostrophe", "Acme's CEO signed the contract", "Globex’s CEO signed the contract.", false},
		{"whose somebody is behind other words", "the contract was signed by Acme's CEO", "The contract was signed by Globex's CEO.", false},
		{"whose somebody is by that name", "Acme's CEO signed the contract", "Acme's CEO signed the contract.", true},
		{"what is in progress is not done", "Acme is SOC 2 certified", "Acme's SOC 2 certification is in progress.", false},
		{"what is done is, whatever else is planned", "Acme is SOC 2 certified", "Acme is SOC 2 certified and is preparing for ISO 27001.", true},
		{"what somebody may expect is done", "refunds are paid within 14 days", "You can expect to be paid your refund within 14 days.", true},
		{"what the fact says is planned may be", "the meeting is scheduled for Monday", "The meeting is scheduled for Monday.", true},
		{"what is denied of something else stands", "MFA is required", "MFA is required. MFA is not required for guests.", true},
		{"what is denied on a condition stands", "MFA is required", "MFA is required. If you work on site, MFA is not required.", true},
		{"what is denied under another heading stands", "MFA is required", "## Staff\nMFA is required.\n\n## Guests\nMFA is not required.", true},
		{"what a correction gives this figure for is said", "the limit is 10 GB", "The limit is 5 GB.\n\nCorrection: the limit is 10 GB.", true},
		{"what is denied of another by a pronoun stands", "MFA is required", "MFA is required. A key is recommended; it is not required.", true},
		{"what was denied before it was said is said", "MFA is required", "MFA is not required. Correction: MFA is required.", true},
		{"what has already been done is done", "the order was shipped", "Your order has already been shipped and is on its way to you.", true},
		{"what is scheduled for a day is then", "the meeting is on Monday", "The meeting is scheduled for Monday.", true},
		{"what is planned for a version is not done", "the bug was fixed in version 3.2", "A fix for the bug is planned for version 3.2.", false},
		{"a plan for somebody is a thing", "the team plan has 10 seats", "Our plan for teams includes 10 seats.", true},
		{"those who seek something get it", "refunds are paid within 14 days", "Customers seeking a refund are paid within 14 days.", true},
		{"what is on its way is not so", "the site is PCI DSS compliant", "The site is on its way to PCI DSS compliance.", false},
		{"what is in process is not done", "the data centre was migrated to Azure", "We are in the process of migrating the data centre to Azure.", false},
		{"a number has to be that number", "14 days", "You have 30 days.", false},
		{"a rate by an article", "30 days of vacation per year", "You have 30 days of vacation a year.", true},
		{"a number at another rate", "30 days of vacation per year", "You get 30 vacation days a month.", false},
		{"a number has to be that number, however many words match", "written notice within 14 days", "Give written notice within 30 days.", false},
		{"a number with its unit", "14 days", "There are 14 steps, and 3 days in between.", false},
		{"a number in another unit", "2 weeks", "You have 14 days.", true},
		{"a number in words", "2 weeks", "You have two weeks.", true},
		{"a number in words in the fact", "fourteen days", "within 14 calendar days", true},
		{"a number joined to its unit", "14 days", "a 14-day period", true},
		{"an hour and its minutes", "1 hour", "within 60 minutes", true},
		{"a year and its months", "12 months", "every year, for 1 year", true},
		{"a year is 12 months", "12 months", "Keep a year of logs, within a month.", true},
		{"a time of the day is no span", "1 day", "Some day we do it twice a day.", false},
		{"an amount of money with its sign behind", "900 EUR", "It costs €900.", true},
		{"an amount of another currency", "$900", "It costs €900.", false},
		{"thousands with a comma", "1000 users", "up to 1,000 users", true},
		{"a percentage", "80 percent", "at least 80% of them", true},
		{"a decimal", "0.5 %", "half of that is 0.5%", true},
		{"a decimal is not its digits", "1.5 days", "1 day, or 5 days", false},
		{"at least is not at most", "at least 14 days", "at most 14 days", false},
		{"no later than is a bound, not a denial", "within 14 days", "no later than 14 days after the purchase", true},
		{"must not exceed is a bound, not a denial", "at most 14 days", "It must not exceed 14 days.", true},
		{"not exceed against at least", "at least 14 days", "It must not exceed 14 days.", false},
		{"a discount is no price, in any currency", "the case costs ¥1000", "The case costs 1000 ¥ less.", false},
		{"what somebody guesses", "refunds are free", "The reviewer guesses that refunds are free.", false},
		{"a clause by its number", "clause 5.9.3", "See clause 5.9.3 for that.", true},
		{"another clause", "clause 5.9.3", "See clause 5.9.2 for that.", false},

		{"a short acronym", "MFA", "Use MFA.", true},
		{"a short acronym is a word", "AI", "They said it again.", false},
		{"an acronym written out", "CII", "It is critical information infrastructure.", true},
		{"an acronym of the user's, written out", "the CISO signs", "The chief information security officer signs.", true},
		{"the written-out form by its acronym", "multi-factor authentication", "Switch on MFA.", true},
		{"IT is not it", "IT team", "It is the team.", false},
		{"IT is IT", "IT team", "Ask the IT team.", true},

		{"a synonym of the user's", "refund is paid", "Your money back will be paid.", true},
		{"a synonym that is built in", "MFA is mandatory", "MFA must be used.", true},
		{"a pattern", `/\b14\s+days\b/`, "Within 14  days.", true},
		{"a pattern in any letter case", `/clause 5\.9\.\d+/`, "CLAUSE 5.9.1 says so.", true},
		{"a pattern that is denied", `/14\s+days/`, "It is not 14 days.", false},
		{"a pattern that itself denies", `/not\s+compliant/`, "The vendor is not compliant.", true},

		{"not where it is denied", "MFA is required", "MFA is not required.", false},
		{"not where it is denied by a contraction", "MFA is required", "MFA isn't required.", false},
		{"not where it is denied by never", "passwords are shared", "Passwords are never shared.", false},
		{"not where it is denied by no", "a refund is possible", "There is no refund; nothing is possible.", false},
		{"not where it is denied by without", "receipt", "You can return it without a receipt.", false},
		{"not where it is denied by a prefix", "compliant", "The vendor is non-compliant.", false},
		{"not where it is denied through a list", "encryption", "The rule does not require logging, encryption or backups.", false},
		{"not where it is denied over an insertion", "passwords shared", "Passwords must not, in any case, be shared.", false},
		{"a denial of something else does not touch it", "14 days", "It is not refundable in cash, but you have 14 days.", true},
		{"a denial in another statement does not touch it", "MFA is required", "MFA is required and encryption is not.", true},
		{"a contrast does not touch it", "authenticator app", "Use an authenticator app, not SMS.", true},
		{"a contrast without a comma does not touch it", "authenticator app", "Use an authenticator app not SMS codes.", true},
		{"a relative clause does not touch it", "notify within 14 days", "A vendor that does not comply must notify within 14 days.", true},
		{"no exceptions do not touch it", "MFA", "MFA is required with no exceptions.", true},
		{"do not forget is no denial", "enable MFA", "Do not forget to enable MFA.", true},
		{"not only is no denial", "MFA", "Not only MFA is required, encryption is too.", true},
		{"said in one place and denied in another, it is said", "a refund is possible", "Cash is not possible. A refund is possible.", true},

		{"a fact that denies", "must not share passwords", "You must never share passwords.", true},
		{"a fact that denies, in two sentences", "never share passwords", "About passwords: never share them.", true},
		{"a fact that denies, by prohibition", "sharing passwords is prohibited", "You must not share passwords.", true},
		{"a fact that denies is not covered by what affirms", "must not share passwords", "You must share passwords.", false},
		{"a fact that denies by a prefix", "non-compliant", "The vendor is not compliant.", true},
		{"a double denial affirms", "receipt", "A return is not valid without a receipt.", true},
		{"a fact of function words alone", "of its own", "It is of its own making.", true},
		{"typographic marks are plain ones", "don’t share", "Don't share it", true},

		{"a count in words", "3 copies", "Keep at least three copies.", true},
		{"a count in words that is another", "3 copies", "Keep two copies.", false},
		{"a count in words on the wrong side of its bound", "no more than 5 attempts", "At least five attempts are allowed.", false},
		{"a round number in words", "100 users", "Up to one hundred users may log in.", true},
		{"a multiple in words", "3.5 million", "The fine is 3,500,000 euros.", true},
		{"a bare number with the unit that is meant", "limit of 40", "The limit is 40 percent.", true},
		{"half a year", "6 months", "It is valid for half a year.", true},
		{"grams and kilograms", "2 kg", "The parcel weighs 2000 g.", true},
		{"a unit written out", "10 MB", "Files of up to 10 megabytes are taken.", true},
		{"a time of day", "closes at 18:00", "It closes at 6 pm.", true},
		{"a time of day with points", "opens at 9:30", "It opens at 9:30 a.m.", true},
		{"another time of day", "closes at 18:00", "It closes at 8 pm.", false},
		{"noon and midnight", "closes at 12:00", "It closes at 12 am.", false},
		{"an hour and its half", "90 minutes", "It takes an hour and a half.", true},
		{"hours and minutes", "100 minutes", "It takes 1 hour and 40 minutes.", true},
		{"an hour with more minutes", "1 hour", "It takes an hour and ten minutes.", false},
		{"years and a half", "18 months", "The lease runs for one and a half years.", true},
		{"quarters of an hour", "45 minutes", "It takes three quarters of an hour.", true},
		{"hundreds in words", "1,500 people", "Some fifteen hundred people came.", true},
		{"hundreds and more in words", "250 seats", "It has two hundred and fifty seats.", true},
		{"a hundred", "100 seats", "It has a hundred seats.", true},
		{"dozens", "24 eggs", "Two dozen eggs will do.", true},
		{"a fraction in percent", "50 % of the fee", "You get half of the fee.", true},
		{"a fraction that figures round", "a third of the fee", "You get 33 % of the fee.", true},
		{"another fraction", "two thirds of the fee", "You get 33 % of the fee.", false},
		{"a third that is none", "a third of the fee", "A third party gets the fee.", false},
		{"how much lower it is, is not what it is", "the fee is 5 %", "The fee is 5 % lower.", false},
		{"a time in words", "opens at 9:00", "It opens at nine in the morning.", true},
		{"noon", "closes at 12:00", "It closes at noon.", true},
		{"a date in figures", "ends on 31 December 2025", "It ends on 12/31/2025.", true},
		{"a date with points", "ends on 4 December 2025", "It ends on 04.12.2025.", true},
		{"a date that may be another", "ends on 4 December 2025", "It ends on 12/04/2025.", false},
		{"by a date and no later", "apply by 30 June", "Apply no later than June 30.", true},
		{"a span that is not passed and one that is", "paid within 14 days", "It is paid after 14 days.", false},
		{"a bound behind", "at least 12 characters", "A password has 12 characters at most.", false},
		{"the number of a clause is never left out", "clause 5.2.1 asks for tests of all backups", "Clause 5.2.2 asks for tests of all backups.", false},
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
		{"no charge is free", "returns are free", "There's no charge for returns.", true},
		{"free of charge is free", "returns are free", "Returns are free of charge.", true},
		{"nothing to pay is free", "returns are free", "You don't pay anything for returns.", true},
		{"a charge is not free", "customers can cancel at any time without a fee", "Customers can cancel at any time for a fee.", false},
		{"hidden charges alone are not all", "there are no fees", "There are no hidden fees; the fee is 4 euros.", false},
		{"what is free of it has none", "the drug has no side effects", "The drug is free of side effects.", true},
		{"a suffix that denies", "the version has no ads", "The version is ad-free.", true},
		{"none is free of it", "the drug has no side effects", "No drug is free of side effects.", false},
		{"its other word denied", "the gym is closed on Sundays", "The gym isn't open on Sundays.", true},
		{"its other word where the fact denies", "the gym is not open on Sundays", "The gym is closed on Sundays.", true},
		{"its other word said", "the gym is closed on Sundays", "The gym is open on Sundays.", false},
		{"not allowed is forbidden", "tenants are not permitted to sublet", "Subletting is forbidden for tenants.", true},
		{"a bound from its other side", "store it below 25 degrees", "Store it above 25 degrees.", false},
		{"what names a bound", "the maximum file size is 25 MB", "Files may not be larger than 25 MB.", true},
		{"not more than", "members may bring two guests", "Members may not bring more than two guests.", true},
		{"once a month, however it is said", "20 euros per month", "It costs €20 monthly.", true},
		{"another span", "20 euros per month", "It costs 20 euros a year.", false},
		{"per what number", "100 requests per minute", "100 requests per second are allowed.", false},
		{"by and to", "fees rose by 10 percent", "Fees rose to 10 percent.", false},
		{"another day of the month", "due by the 5th of each month", "It is due by the 15th of each month.", false},
		{"a day of the month in words", "due by the 5th of each month", "It is due by the fifth of each month.", true},
		{"how many of how many", "two out of three patients", "67 % of the patients recovered.", true},
		{"degrees of another scale", "bake it at 180 degrees Celsius", "Bake it at 180 degrees Fahrenheit.", false},
		{"a noun made of a verb", "the invoice has to be paid within 30 days", "Payment of the invoice is due within 30 days.", true},
		{"a verb with its particle apart", "the deposit is returned within ten days", "You get the whole deposit back within ten days.", true},
		{"whom an answer calls you", "customers can park for free", "You can park for free.", true},
		{"all of them, and some of them", "all plans include phone support", "The premium plan includes phone support.", false},
		{"all of them, and some plans", "all plans include phone support", "Some plans include phone support.", false},
		{"all of them, and all of a kind", "all plans include phone support", "Phone support is included in all our paid plans.", true},
		{"almost all of them", "all plans include phone support", "Almost all plans include phone support.", false},
		{"all our plans, and the premium plan", "all our plans include phone support", "The premium plan includes phone support.", false},
		{"almost all of them, side by side", "all plans are free", "Almost all plans are free.", false},
		{"one of them, and then both", "the form must be signed by both parents", "One parent fills in the form. Then both parents must sign it.", true},
		{"almost all, where the fact says so", "almost all plans are free", "Almost all plans are free.", true},
		{"all of them but some", "the gym is open every day", "The gym is open every day except Sunday.", false},
		{"an exception of a fact that is not about all", "refunds take 14 days", "Refunds take 14 days, except for opened items.", true},
		{"only some of them", "employees have to complete the training", "Only new employees have to complete the training.", false},
		{"for a time only", "refunds are instant", "Refunds are instant for the first month only.", false},
		{"an only of the fact's own words", "employees have to complete the training", "Employees have to complete the training only once.", true},
		{"an only of the amount", "refunds take 14 days", "Refunds take 14 days only.", true},
		{"only if something else is", "all calls are recorded", "Calls are only recorded if you agree.", false},
		{"an exception from a denial", "smoking is prohibited on the balcony", "Smoking is prohibited everywhere except on the balcony.", false},
		{"a condition about something else", "the limit is 5 GB", "If the reform is passed, the limit is 5 GB.", false},
		{"a condition about the reader", "the limit is 5 GB", "If you are a member, the limit is 5 GB.", true},
		{"all of them, and every one", "all plans include phone support", "Every plan includes phone support.", true},
		{"nobody except is only", "only admins can delete projects", "Nobody except admins can delete projects.", true},
		{"what is set against it", "the warranty covers parts and labour", "The warranty covers parts, but labour is billed.", false},
		{"what only is to happen", "the parcel was delivered on 3 March", "The parcel is supposed to be delivered on 3 March.", false},
		{"to whom it is done", "the doctor referred the patient to a surgeon", "The surgeon referred the patient to a doctor.", false},
		{"what another one denies", "the vote is in June", "A paper said that the vote is in June, but the ministry denied it.", false},
		{"a term that follows with something else said of it", "Students get a 20 % discount.", "Seniors get 20 %, students 10 %.", false},
		{"a term that follows with another way of it", "Invoices are sent by email.", "Reminders are sent by email, invoices by post.", false},
		{"a term that follows in its own list", "Invoices are sent by email.", "Reminders are sent by email, and so are invoices.", true},
		{"a list under a denial", "MFA", "The following are not in place:\n- logging\n- MFA", false},
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

func TestAPartIsNotTheWhole(t *testing.T) {
	const plans, trains, everyone, daily, seats = "every plan includes support", "dogs are allowed on all trains",
		"everyone may enter", "backups run daily", "all seats are taken"
	for _, c := range []struct {
		rule, fact, answer string
		want               bool
	}{
		{"but behind it", plans, "Every plan but Basic includes support.", false},
		{"but before a number", plans, "Every plan but one includes support.", false},
		{"bar", trains, "Dogs are allowed on all trains bar the express.", false},
		{"save", trains, "Dogs are allowed on all trains save the express.", false},
		{"save for", plans, "Every plan, save for Basic, includes support.", false},
		{"save of another meaning", seats, "All seats are taken, so save your tickets.", true},
		{"bar of another meaning", seats, "All seats are taken, and the bar is full.", true},
		{"but that begins another statement", plans, "Every plan includes support, but chat costs extra.", true},
		{"apart from", plans, "Apart from Basic, every plan includes support.", false},
		{"apart from that", plans, "Apart from that, every plan includes support.", true},
		{"except that", seats, "All seats are taken, except that you may stand.", true},
		{"aside from", plans, "Every plan aside from Basic includes support.", false},
		{"other than", seats, "All seats other than those in the back row are taken.", false},
		{"with the exception", everyone, "Everyone, with the exception of children, may enter.", false},
		{"with one exception", trains, "Dogs are allowed on all trains, with one exception.", false},
		{"with two exceptions", trains, "Dogs are allowed on all trains, with two exceptions.", false},
		{"with some exceptions", daily, "Backups run daily, with some exceptions.", false},
		{"with few exceptions", plans, "With few exceptions, every plan includes support.", false},
		{"with very few exceptions", plans, "With very few exceptions, every plan includes support.", false},
		{"with a few exceptions", plans, "Every plan includes support, with a few exceptions.", false},
		{"with a handful of exceptions", plans, "Every plan includes support, with a handful of exceptions.", false},
		{"as the only exception", plans, "Every plan includes support, with Basic as the only exception.", false},
		{"without exception", seats, "All seats are taken, without exception.", true},
		{"no exceptions", plans, "Every plan includes support, with no exceptions.", true},
		{"the exception of another statement", plans, "Every plan includes support; the one exception is chat.", true},
		{"although not on", trains, "Dogs are allowed on all trains, although not on the express.", false},
		{"although not in", trains, "Dogs are allowed on all trains, although not in summer.", false},
		{"although not for", plans, "Every plan includes support, although not for guests.", false},
		{"though not on", trains, "Dogs are allowed on all trains, though not on the express.", false},
		{"though not in", trains, "Dogs are allowed on all trains, though not in summer.", false},
		{"though not for", plans, "Every plan includes support, though not for guests.", false},
		{"no fee of another name", "no fee for students", "There is no additional fee for students.", true},
		{"but not in", daily, "Backups run daily, but not in August.", false},
		{"but not on", daily, "Backups run daily, but not on Sundays.", false},
		{"but not at", daily, "Backups run daily, but not at weekends.", false},
		{"but not for", plans, "Every plan includes support, but not for guests.", false},
		{"but not of another thing", plans, "Every plan includes support, but not chat.", true},
		{"except behind a comma", daily, "Backups run daily, except on Sundays.", false},
		{"except without a comma", daily, "Backups run daily except on Sundays.", false},
		{"except of another statement", daily, "Backups run daily; tests run daily except on Sundays.", true},
		{"excluding", daily, "Backups run daily, excluding Sundays.", false},
		{"excluded", "the price is 5 euros", "The price is 5 euros, with tips excluded.", true},
		{"except where the fact is not about all", "employees get 25 days", "Employees get 25 days, except in their first year.", true},
		{"unless of what you are", "you need a passport", "You need a passport, unless you are an EU citizen.", true},
		{"unless before it", "you need a passport", "Unless you are an EU citizen, you need a passport.", true},
		{"unless of what you do", "subscriptions renew monthly", "Subscriptions renew monthly unless you cancel.", true},
		{"but not, where the fact is not about all", "MFA is required for staff", "MFA is required for staff but not for guests.", true},
		{"only behind a comma", "refunds take 5 days", "Refunds take 5 days, for card payments only.", false},
		{"only before it", "delivery is free", "For the first month only, delivery is free.", false},
		{"but only", daily, "Backups run daily, but only on weekdays.", false},
		{"only of another statement", plans, "Every plan includes support, and only chat costs extra.", true},
		{"half of all", "the warranty covers all parts", "The warranty covers half of all parts.", false},
		{"a percentage of all", seats, "99% of all seats are taken.", false},
		{"all percent of them", seats, "100% of the seats are taken.", true},
		{"so many out of so many", trains, "Dogs are allowed on nine out of ten trains.", false},
		{"two thirds of all", seats, "Two thirds of all seats are taken.", false},
		{"three quarters of all", seats, "Three quarters of all seats are taken.", false},
		{"the majority", seats, "The vast majority of seats are taken.", false},
		{"the bulk", seats, "The bulk of the seats are taken.", false},
		{"a minority", seats, "A minority of the seats are taken.", false},
		{"one of the two", "both keys are required", "Only one of the two keys is required.", false},
		{"every one of them", plans, "Every one of our plans includes support.", true},
		{"every single one", "every room has a bath", "Every single room has a bath.", true},
		{"what comes with all of them", plans, "Support comes with every plan, and most plans also offer chat.", true},
		{"almost everyone", everyone, "Almost everyone may enter.", false},
		{"everybody", everyone, "Everybody may enter.", true},
		{"every one of a kind", plans, "Every paid plan includes support.", true},
		{"what is over an amount", "all orders ship free", "All orders over 50 euros ship free.", false},
		{"who is under an age", "students pay half price", "Students under 18 pay half price.", false},
		{"an amount of the fact's own", "orders over 50 euros ship free", "All orders over 50 euros ship free.", true},
		{"another exception besides the fact's own", "open every day except Sunday", "Open every day except Sunday and Monday.", false},
		{"the original of a thing", "the receipt is required", "The original receipt is required.", true},
		{"a thing beforehand", "a reservation is necessary", "Prior reservation is necessary.", true},
		{"the first of several", "the deposit is 200 euros", "The initial deposit is 200 euros.", true},
		{"the original value", "the warranty is 2 years", "The original warranty is 2 years.", false},
		{"a former thing", "the contract is in French", "The former contract is in French.", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := covers(t, c.fact, c.answer); got != c.want {
				t.Errorf("fact %q in %q: covered %v, want %v", c.fact, c.answer, got, c.want)
			}
		})
	}
}

func TestAFactThatCannotBeCompiledIsAFault(t *testing.T) {
	for _, c := range []struct{ rule, fact, want string }{
		{"a broken pattern", "/14 (days/", "invalid regular expression: missing closing )"},
		{"a pattern that matches everywhere", "/x*/", "matches the empty text"},
		{"no word", "–––", "no word"},
		{"a pattern that is too long", "/" + strings.Repeat("a", 2000) + "/", "at most 1024"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for name, compile := range map[string]func(string) error{
				"fact":  func(s string) error { _, err := words().Fact(s); return err },
				"claim": func(s string) error { _, err := words().Claim(s); return err },
			} {
				if err := compile(c.fact); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s %.20q: %v, want %q", name, c.fact, err, c.want)
				}
			}
		})
	}
}

func FuzzFacts(f *testing.F) {
	f.Add("written notice within 14 days", "Give written notice, no later than two weeks after.")
	f.Add("non-compliant", "It isn't 5.9.3% – non-non-compliant… (M.F.A.)")
	f.Add("/a+/", "²½ aaa \u0301 \xff")
	f.Add("/./", " \n") // white space is text for a pattern
	f.Fuzz(func(t *testing.T, text, answer string) {
		x, err := fact.NewSynonyms(nil).Fact(text)
		if err != nil {
			return
		}
		p := english.Parse(answer)
		if first := x.Match(p); x.Match(p) != first {
			t.Errorf("%q covers %q once, and not the second time", answer, text)
		}
		if x.Match(english.Parse("")).Outcome == fact.Said {
			t.Errorf("an empty answer covers %q", text)
		}
	})
}
