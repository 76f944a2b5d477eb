package label_test

import "testing"

// A label is said in one way, and the strongest decides: each pair below differs in how it is said alone.
func TestHowALabelIsSaidDecides(t *testing.T) {
	run(t, []labelCase{
		{"a verdict before what is said", levels, "Low", "It is high in theory. Verdict: Low", 1},
		{"a layout before what is said", levels, "High", "High\n\nThe exposure is low.", 1},
		{"what a question's key names before another key", levels, "High", "Severity: High\nConfidence: Low", 1},
		{"bold before what is said", levels, "Low", "It was high. It is **low** now.", 1},
		{"what I say before what is said", levels, "Medium", "The impact is high. I rate it medium.", 1},
		{"what is said of the thing before what is named in passing", levels, "Low", "High marks are rare. It is low.", 1},
		{"what is before what was", levels, "Low", "It was filed by the night shift as high. It is low.", 1},
		{"what is before what others took it for", mails, "Not spam", "The office took it for spam. It is not spam.", 1},
		{"and a thing that was so where nothing is", levels, "High", "The risk was high.", 1},
		{"what has to be, among more than two", levels, "High", "This has to be high.", 1},
		{"what is a clause's topic", levels, "High", "High would be fine with me. Low is the first word I thought of. It is high.", 1},
		{"what my call is", levels, "High", "Suggested by the reporter: Low\nMy call: High", 1},
		{"a row that is chosen", actions, "Deny", "- Approve (rejected: the receipt is forged)\n- Deny (chosen)", 1},
		{"what makes no sense is not right", letters, "C", "Not A, and B makes no sense. That leaves C.", 1},
		{"what makes it so", tones, "Negative", "The words are positive; the tone is sarcastic, which makes it negative.", 1},
		{"what is in reality before what is on paper", levels, "Low", "On paper the risk is high. In reality it is low.", 1},
		{"a recommended one before the current one", levels, "High", "Recommended priority → High\nCurrent priority → Low", 1},
		{"a denial in a label's own name", []string{"True", "False", "Not given"}, "Not given", "Q7. Not given – the text is silent on who paid.", 1},
		{"what has to be done to it", []string{"accept", "reject"}, "reject", "This has to be rejected.", 1},
		{"an option over another", letters, "B", "I pick B over C.", 1},
	})
}

func TestWhatIsTakenBackIsNoVerdict(t *testing.T) {
	run(t, []labelCase{
		{"just kidding", levels, "High", "Severity: High.\n\nJust kidding.", 0.7},
		{"just kidding, and another", levels, "Low", "Severity: High. Just kidding, it's Low.", 1},
		{"the verdict above is false", levels, "High", "Verdict: High\n\nThe above verdict is false.", 0.7},
		{"the verdict above is wrong, and another", levels, "Low", "**High**\n\nPlease ignore the label above; it should be **Low**.", 1},
		{"scratch that, behind a sentence", levels, "High", "The severity is high. Scratch that.", 0.7},
		{"forget what I said", levels, "High", "High.\n\nForget what I just said. I need to see the log.", 0.7},
		{"never mind", levels, "High", "Severity: High. Never mind, that was another ticket.", 0.7},
		{"what somebody else's verdict was", levels, "Low", "Severity: Low\n\nThe scanner's verdict was high.", 1},
	})
}

// What stands around a label keeps it from being the answer's own, and another word there would give it full marks.
func TestALabelIsNoneByWhatStandsAroundIt(t *testing.T) {
	run(t, []labelCase{
		{"what is mostly so is not so in full, where a label says in part", compliance, "Compliant", "It is mostly compliant.", 0.7},
		{"a duty in another form of them is none", two, "Compliant", "The vendor should comply.", 0},
		{"a duty of somebody else is none", []string{"Accepted", "Rejected"}, "Accepted", "You should accept the offer.", 0},
		{"the end of a scale is none", levels, "High", "On a scale from low to high, I cannot place it.", 0},
		{"the end of a range is none", levels, "High", "Severities range from low to high.", 0},
		{"where a change ends is the label", levels, "Medium", "I lowered it from high to medium.", 1},
		{"what should be is not", levels, "Low", "The risk should really be low.", 0},
		{"what must be is not", levels, "High", "Access must definitely be high.", 0},
		{"what shall stay is not", levels, "Low", "The risk shall remain low.", 0},
	})
}

// A label that "non" begins denies what follows, in any form; a word that only begins so does not.
func TestALabelThatNonBegins(t *testing.T) {
	routes := []string{"Noncompliant", "Partial", "Exempt"}
	run(t, []labelCase{
		{"its word denied", routes, "Noncompliant", "The vendor is not compliant.", 1},
		{"another form of it denied", routes, "Noncompliant", "It does not comply.", 1},
		{"its word affirmed", routes, "Noncompliant", "The vendor complies.", 0},
		{"none", []string{"None", "Some", "All"}, "None", "None.", 1},
		{"another word", []string{"Nonet", "Octet", "Duet"}, "Nonet", "It is not et.", 0},
	})
}
