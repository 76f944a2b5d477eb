package label_test

import "testing"

var (
	severities = []string{"Low", "Medium", "High", "Critical"}
	systems    = []string{"IT", "OT"}
	decisions  = []string{"Approved", "Rejected", "Needs review"}
	tones      = []string{"Positive", "Negative", "Neutral"}
	tickets    = []string{"Bug", "Feature request", "Question"}
	mails      = []string{"Spam", "Not spam"}
	actions    = []string{"Approve", "Deny"}
	remedies   = []string{"Refund", "Exchange", "Escalate"}
	french     = []string{"Conforme", "Non conforme", "Partiellement conforme"}
)

// More whole answers, of a set that was written down with its values before the rules that they led to. The answer is
// the name of its case.
func TestLabelOfAnswersWrittenDownBefore(t *testing.T) {
	var cases []labelCase
	for _, c := range []struct {
		labels           []string
		expected, answer string
		want             float64
	}{
		{compliance, "Non-Compliant", "Non–Compliant: no restore test was ever done.", 1},
		{systems, "OT", "It is OT.", 1},
		{letters, "D", "I would choose option D because A, B and C are all cheaper but weaker.", 1},
		{compliance, "Partially Compliant", "The control is only partially compliant: it is neither fully compliant nor entirely non-compliant.", 1},
		{application, "Does not apply", "I don't think the code applies here; it does not apply to undesignated systems.", 1},
		{severities, "Medium", "Although the exposure is high, the overall severity is medium.", 1},
		{systems, "OT", "It drives pumps and valves, so it belongs to OT.", 1},
		{systems, "OT", "Even though it runs Windows, it is OT rather than IT.", 1},
		{systems, "OT", "it controls a physical process. OT.", 1},
		{tones, "Positive", "Overall positive, with one negative remark about the breakfast.", 1},
		{tickets, "Bug", "It's not a feature request or a question; it's a bug.", 1},
		{mails, "Not spam", "This message is not spam. Spam would ask for a click or money.", 1},
		{actions, "Deny", "I would not approve the refund. The right decision is to deny it.", 1},
		{remedies, "Refund", "Since it broke within 14 days, the customer gets a refund; an exchange is not needed.", 1},
		{severities, "Medium", "I initially rated it High. Having looked at the mitigations, I change my rating to Medium.", 1},
		{systems, "OT", "IT. Sorry, I meant OT.", 1},
		{application, "Applies", "It could be argued that the code applies.", 0.7},
		{yesNo, "Yes", "Maybe yes.", 0.7},
		{systems, "IT", "It is hard to say.", 0},
		{systems, "IT", "Not enough facts. It needs more context; ask what it controls.", 0},
		{compliance, "Non-Compliant", "A compliant vendor would restore its backups each quarter; this one is non-compliant.", 1},
		{systems, "OT", "If you ask me, it's OT: it moves water.", 1},
		{french, "Conforme", "Le contrôle n'est pas conforme.", 0},
		{[]string{"MET", "NOT MET", "N/A"}, "N/A", "N/A", 1},
		{[]string{"Supported", "Not supported", "Contradicted"}, "Not supported", "The claim isn't supported by the source.", 1},
		{[]string{"1", "2", "3", "4", "5"}, "4", "4/5", 1},
		{[]string{"1", "2", "3", "4", "5"}, "3", "I give it a 3 out of 5.", 1},
		{[]string{"billing", "technical support", "sales"}, "billing", "This goes to Billing, not to sales or technical support.", 1},
		{compliance, "Non-Compliant", "It is entirely non-compliant.", 1},
		{compliance, "Non-Compliant", "The control is wholly non-compliant with section 5.", 1},
		{compliance, "Compliant", "[x] Compliant\n[ ] Non-Compliant\n[ ] Partially Compliant", 1},
		{compliance, "Non-Compliant", "- [ ] Compliant\n- [x] Non-Compliant\n- [ ] Partially Compliant", 1},
		{compliance, "Partially Compliant", "☐ Compliant ☐ Non-Compliant ☑ Partially Compliant", 1},
		{compliance, "Non-Compliant", "The short answer: not compliant. The long answer: it might be compliant in a year.", 1},
		{compliance, "Non-Compliant", "While the schedule is compliant, the control as a whole is non-compliant.", 1},
		{compliance, "Non-Compliant", "Were restores tested, it would be compliant. As it stands, it is non-compliant.", 1},
		{compliance, "Compliant", "Some auditors would say non-compliant. I say compliant.", 1},
		{compliance, "Non-Compliant", "Is it compliant? Unfortunately not.", 1},
		{compliance, "Compliant", "<result label=\"Compliant\"/>", 1},
		{compliance, "Compliant", "The control is compliant if you ask the vendor, but it is non-compliant by the text.", 0},
		{compliance, "Compliant", "It looks like it is compliant, but I can't be sure.", 0.7},
		{compliance, "Compliant", "My best guess is compliant.", 0.7},
		{compliance, "Compliant", "I lean towards compliant.", 0.7},
		{yesNo, "Yes", "The answer to this is a clear yes.", 1},
		{yesNo, "No", "The answer is a definite no.", 1},
		{yesNo, "No", "Short answer: No.\nLong answer: Yes, in some states, but not here.", 1},
		{yesNo, "Yes", "I would say yes.", 1},
		{yesNo, "Yes", "Yes and no.", 0.7},
		{severities, "High", "Risk rating: **HIGH** (was: Medium)", 1},
		{severities, "High", "I rate the severity as High. Reasons:\n- low effort\n- medium skill\n- critical asset", 1},
		{systems, "IT", "I think it is hard, but it is IT.", 1},
		{systems, "OT", "Classify it as OT.", 1},
		{[]string{"IT", "OT", "Both"}, "Both", "It is both: IT for the logs and OT for the pumps.", 1},
		{[]string{"US", "EU"}, "EU", "It concerns us all, but the rule is from the EU.", 1},
		{tickets, "Bug", "I'd tag it as a bug. If the user wanted a new export format, it would be a feature request.", 1},
		{tickets, "Feature request", "It reads like a question, but it is a feature request.", 1},
		{actions, "Deny", "My recommendation is to deny the claim.", 1},
		{actions, "Approve", "I would approve it.", 1},
		{letters, "C", "c", 1},
		{letters, "C", "c)", 1},
		{[]string{"1", "2", "3", "4", "5"}, "5", "5 stars", 1},
		{[]string{"1", "2", "3", "4", "5"}, "2", "I would rate it 2.", 1},
		{[]string{"1", "2", "3", "4", "5"}, "2", "Rating: 2/5\n\nThere are 3 flaws and 4 remarks.", 1},
		{decisions, "Rejected", "The claim is rejected; it would be approved with a receipt.", 1},
		{french, "Non conforme", "Conclusion : le contrôle n’est pas conforme, donc « Non conforme ».", 1},
		{[]string{"Met", "Not met", "Partially met"}, "Not met", "Criterion 4 is unmet.", 1},
		{[]string{"Supported", "Refuted", "Not enough information"}, "Not enough information", "There's not enough information to decide.", 1},
		{[]string{"Supported", "Refuted", "Not enough information"}, "Not enough information", "NOT ENOUGH INFORMATION", 1},
		{[]string{"Supported", "Refuted", "Not enough information"}, "Refuted", "The claim is refuted by line 3.", 1},
		{[]string{"Vulnerable", "Not vulnerable"}, "Not vulnerable", "The code is not vulnerable, as the input is escaped. Without it, it would be vulnerable.", 1},
		{[]string{"Vulnerable", "Not vulnerable"}, "Not vulnerable", "I found nothing that makes it vulnerable. Not vulnerable.", 1},
		{[]string{"Agree", "Disagree"}, "Agree", "I agree with the statement, though others disagree.", 1},
		{[]string{"Eligible", "Not eligible"}, "Not eligible", "She is ineligible.", 1},
		{[]string{"allow", "block", "review"}, "allow", "I would allow this message; there is no need to block it.", 1},
		{[]string{"allow", "block", "review"}, "review", "I can't decide whether to allow or block it, so send it to review.", 1},
		{[]string{"Pass", "Fail"}, "Pass", "All 12 tests passed, 0 failed.", 1},
		{compliance, "Compliant", "I first wrote Non-Compliant. That was a mistake. It is Compliant.", 1},
		{compliance, "Non-Compliant", "It's compliant. Hmm, but no restores... I retract that; it's non-compliant.", 1},
		{compliance, "Non-Compliant", "No, I would not say it's compliant.", 1},
		{compliance, "Compliant", "There's nothing non-compliant about it: compliant.", 1},
		{severities, "High", "The severity is higher than medium but lower than critical: high.", 1},
		{severities, "Low", "Severity is set to low.", 1},
	} {
		cases = append(cases, labelCase{c.answer, c.labels, c.expected, c.answer, c.want})
	}
	run(t, cases)
}
