package label_test

import "testing"

var tools = []string{"invoice", "contract", "receipt"}

// Full marks only where the answer is sure: each doubt beside the sure form that is nearest to it.
func TestLabelIsDoubted(t *testing.T) {
	run(t, []labelCase{
		{"another one is said later in the writer's own voice", levels, "High", "High\n\nThe port is closed by default. At night this makes it low.", 0.7},
		{"a verdict is contradicted", levels, "High", "Severity: High\n\nThe port is closed, I know. I go with Low.", 0.7},
		{"a verdict is not contradicted by what is said of something else", levels, "High", "Severity: High\n\nThe exposure is low.", 1},
		{"another's statement", tools, "contract", "The sender insists it is a contract.", 0.7},
		{"what a fact makes of it is none of somebody else's", levels, "Low", "The patch makes it low.", 1},
		{"two verdicts by cues of different strength", actions, "Approve", "Decision: Approve\n\nSo, in the end, deny.", 0.7},
		{"therefore is no mere so", actions, "Deny", "Decision: Approve\n\nThe receipt is forged. Therefore deny.", 1},
		{"what is taken back with nothing in its place", levels, "High", "Severity: High. Scrap that, I need the log.", 0.7},
		{"what used to be", levels, "High", "It used to be high.", 0},
		{"evidence is not another's statement", tools, "contract", "The signature page shows it is a contract.", 1},
		{"what another calls it", levels, "High", "The scanner flagged it High.", 0.7},
		{"and what it is best described as", levels, "High", "The risk is best described as high.", 1},
		{"what was", levels, "High", "Last year's report rated this High.", 0.7},
		{"what it is sold as", []string{"comedy", "tragedy"}, "comedy", "It is billed as a comedy.", 0.7},
		{"what would be", []string{"eligible", "ineligible"}, "eligible", "She'd be eligible.", 0.7},
		{"a name for those who say it", levels, "High", "I differ from those who call this high.", 0.7},
		{"a subject of which something unknown is said", tones, "Positive", "Positive is the last word for it.", 0.7},
		{"a subject that is right", tones, "Positive", "Positive is the best fit.", 1},
		{"a promise that is another's", remedies, "Refund", "A refund was promised but never approved.", 0.7},
		{"what follows from a condition", levels, "High", "If a second host is affected, raise it to high.", 0.7},
		{"what is so gives way over that", levels, "Medium", "If a second host is affected, raise it to high. For now, medium.", 1},
		{"a verdict that is left open behind it", levels, "High", "Severity: High\n\nOn second thought I leave it undecided.", 0.7},
		{"what is so if something is not", levels, "Low", "If the port is open, it is high. If not, it is low.", 0.7},
		{"one hand and the other", levels, "Low", "On the one hand, it is high. On the other hand, it is low.", 0.7},
		{"two that are equally probable", levels, "High", "High: 0.5\nLow: 0.5", 0.7},
		{"what is only named behind what is said", levels, "High", "The impact is high. The bug earns medium.", 0.7},
		{"a label alone in brackets is denied with the words before it", levels, "Low", "It is no toy (high). It is low.", 1},
		{"none of the options", []string{"Spanish", "Italian"}, "Spanish", "The spelling is Spanish, but none of the options applies.", 0.7},
		{"of three a denied one leaves none, opposites or not", []string{"Approve", "Reject", "Escalate"}, "Reject", "I can't approve this without a signature.", 0},
		{"a number on another scale", []string{"1", "2", "3", "4", "5"}, "3", "The patient reports pain 3 out of 10.", 0},
	})
}

func TestLabelInTheWritersOwnVoiceGoesFirst(t *testing.T) {
	run(t, []labelCase{
		{"before what is named in passing", []string{"C", "C++", "C#"}, "C++", "That's C++. Plain C has no templates.", 1},
		{"before what the text refers to", tools, "invoice", "It references a contract for the rates. This is an invoice.", 1},
		{"behind an introduction", levels, "Low", "Without the firewall high marks would be due. With the firewall it is low.", 1},
		{"turned round", []string{"major", "minor"}, "major", "The thread proposed a minor bump. Since callers break, major it is.", 1},
		{"as what comes through", []string{"anger", "sadness"}, "sadness", "There is some anger in it, but what comes through is sadness.", 1},
		{"before the noun that names its kind", []string{"Billing", "Technical"}, "Technical", "This belongs to the technical team. Billing has no access.", 1},
		{"not before what is said of a thing, too", levels, "High", "This is low. The severity is high.", 0.7},
		{"as I, behind what it is made of", levels, "Medium", "The impact is high, and the likelihood is low. Taken together I would rate it as medium.", 1},
		{"as all that the last clause says", levels, "High", "At first sight it is low. With three hosts infected, high.", 1},
		{"and not behind a short key", levels, "Low", "The severity is low. Second guess: high.", 0.7},
		{"as what is to be done", []string{"approve", "escalate"}, "escalate", "The age is in doubt, so this should be escalated.", 1},
		{"as what is, behind what was", []string{"open", "closed"}, "closed", "The pass was open all year. Since the landslide it is closed.", 1},
		{"as stars out of all that there are", []string{"3", "4", "5"}, "4", "I'd give it 4 out of 5 stars.", 1},
		{"a claim that is false", []string{"true", "false"}, "false", "The claim that bats are blind is false.", 1},
		{"the label would be", levels, "High", "The most fitting label would be high.", 1},
	})
}
