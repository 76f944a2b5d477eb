package label_test

import (
	"testing"

	"github.com/failproof/failproof/internal/label"
)

var (
	compliance  = []string{"Compliant", "Non-Compliant", "Partially Compliant"}
	two         = []string{"Compliant", "Non-Compliant"}
	application = []string{"Applies", "Does not apply"}
	yesNo       = []string{"Yes", "No"}
	levels      = []string{"Low", "Medium", "High"}
	letters     = []string{"A", "B", "C", "D"}
	topics      = []string{"Billing", "Technical support", "Support"}
)

type labelCase struct {
	rule     string
	labels   []string
	expected string
	answer   string
	want     float64
}

func run(t *testing.T, cases []labelCase) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.rule] {
			t.Errorf("two cases are named %q", c.rule)
		}
		seen[c.rule] = true
		t.Run(c.rule, func(t *testing.T) {
			got := label.Read(label.New(c.expected, c.labels), "", c.answer)
			if got.Value != c.want {
				t.Errorf("Read(%q, %q, answer %q) = %v (predicted %q, status %q, found %q); want %v",
					c.expected, c.labels, c.answer, got.Value, got.Predicted, got.Status, got.Found, c.want)
			}
		})
	}
}

func TestLabelIsFound(t *testing.T) {
	run(t, []labelCase{
		{"the label alone", two, "Compliant", "Compliant", 1},
		{"the label in lower case", two, "Compliant", "compliant", 1},
		{"the label in capitals", two, "Non-Compliant", "NON-COMPLIANT", 1},
		{"with a full stop", two, "Compliant", "Compliant.", 1},
		{"in a sentence", two, "Compliant", "The vendor is compliant with clause 4.", 1},
		{"the other label is wrong", two, "Compliant", "The vendor is non-compliant.", 0},
		{"non-compliant does not hold compliant", two, "Compliant", "Non-Compliant", 0},
		{"compliant does not hold non-compliant", two, "Non-Compliant", "Compliant", 0},
		{"without its hyphen", two, "Non-Compliant", "The vendor is non compliant.", 1},
		{"in one word", two, "Non-Compliant", "The vendor is noncompliant.", 1},
		{"in camel case", two, "Non-Compliant", "NonCompliant", 1},
		{"with an underscore", two, "Non-Compliant", "non_compliant", 1},
		{"with a non-breaking hyphen", two, "Non-Compliant", "Non\u2011Compliant", 1},
		{"with an en dash for a hyphen", two, "Non-Compliant", "Non\u2013Compliant", 1},
		{"with a minus sign for a hyphen", two, "Non-Compliant", "Non\u2212Compliant", 1},
		{"with a soft hyphen inside", two, "Compliant", "Com\u00adpliant", 1},
		{"with a zero-width space inside", two, "Compliant", "Com\u200bpliant", 1},
		{"in full-width letters", two, "Compliant", "Ｃｏｍｐｌｉａｎｔ", 1},
		{"the longest label wins", compliance, "Partially Compliant", "The vendor is partially compliant.", 1},
		{"a part of a longer label is not a label", compliance, "Compliant", "The vendor is partially compliant.", 0},
		{"a longer label is not found in a shorter one", compliance, "Partially Compliant", "The vendor is compliant.", 0},
		{"of two labels with a common word the longer wins", topics, "Technical support", "Technical support", 1},
		{"the shorter of them stays findable", topics, "Support", "Route to: Support", 1},
		{"words are whole: compliance is no label", two, "Compliant", "Compliance is important.", 0},
		{"words are whole: noncompliantly is no label", two, "Non-Compliant", "noncompliantly", 0},
		{"words are whole: unsafe is not safe", []string{"Safe", "Unsafe"}, "Safe", "This is unsafe.", 0},
		{"words are whole: invalid is not valid", []string{"Valid", "Invalid"}, "Valid", "The form is invalid.", 0},
		{"a hyphenated compound is not its first word", levels, "High", "The data is high-risk.", 0},
		{"an inflection counts: complies", two, "Compliant", "The vendor complies with the rule.", 1},
		{"an inflection counts: apply", application, "Applies", "The rules apply to this bank.", 1},
		{"an inflection counts: applicable", application, "Applies", "The notice is applicable here.", 1},
		{"who denies that something is so says, unclearly, that it is not", two, "Non-Compliant", "I deny that the new design is compliant.", 0.7},
		{"an empty answer has no label", two, "Compliant", "", 0},
		{"white space has no label", two, "Compliant", " \n\t ", 0},
		{"an answer without a label has none", two, "Compliant", "I like trains.", 0},
		{"labels without spaces between words", []string{"合规", "不合规"}, "不合规", "该供应商不合规。", 1},
		{"and their positive form", []string{"合规", "不合规"}, "合规", "结论:合规。", 1},
		{"an accent is part of the word", []string{"Validé", "Rejeté"}, "Validé", "Statut : validé", 1},
		{"composed and decomposed accents are one", []string{"Valid\u00e9", "Rejet\u00e9"}, "Valid\u00e9", "valide\u0301", 1},
	})
}

func TestLabelIsNegated(t *testing.T) {
	run(t, []labelCase{
		{"not compliant", two, "Compliant", "The vendor is not compliant.", 0},
		{"not compliant is the other label", two, "Non-Compliant", "The vendor is not compliant.", 1},
		{"isn't", two, "Non-Compliant", "The vendor isn't compliant.", 1},
		{"isn't, with a typographic apostrophe", two, "Non-Compliant", "The vendor isn\u2019t compliant.", 1},
		{"isnt, without an apostrophe", two, "Non-Compliant", "the vendor isnt compliant", 1},
		{"does not apply is not applies", application, "Applies", "The rule does not apply.", 0},
		{"does not apply is its own label", application, "Does not apply", "The rule does not apply.", 1},
		{"doesn't apply", application, "Does not apply", "It doesn't apply to them.", 1},
		{"do not apply", application, "Does not apply", "These duties do not apply.", 1},
		{"not applicable", application, "Does not apply", "The notice is not applicable.", 1},
		{"inapplicable", application, "Does not apply", "The notice is inapplicable.", 1},
		{"a label of its own wins over that", []string{"Applies", "Does not apply", "Not applicable"}, "Not applicable", "Not applicable", 1},
		{"does not comply", two, "Non-Compliant", "It does not comply with section 9.", 1},
		{"fails to comply", two, "Non-Compliant", "The bank fails to comply.", 1},
		{"never compliant", two, "Non-Compliant", "They were never compliant.", 1},
		{"no longer compliant", two, "Non-Compliant", "It is no longer compliant.", 1},
		{"by no means compliant", two, "Non-Compliant", "It is by no means compliant.", 1},
		{"far from compliant", two, "Non-Compliant", "The process is far from compliant.", 1},
		{"anything but compliant", two, "Non-Compliant", "This is anything but compliant.", 1},
		{"cannot be considered compliant", two, "Non-Compliant", "The vendor cannot be considered compliant.", 1},
		{"not currently fully compliant", two, "Non-Compliant", "The vendor is not currently fully compliant.", 1},
		{"neither … nor", two, "Non-Compliant", "It is neither compliant nor certified.", 1},
		{"not the case that", two, "Non-Compliant", "It is not the case that the vendor is compliant.", 1},
		{"incorrect to say that", two, "Non-Compliant", "It would be incorrect to say that it is compliant.", 1},
		{"no vendor is", two, "Non-Compliant", "No vendor is compliant.", 1},
		{"none of them are", two, "Non-Compliant", "None of the processors are compliant.", 1},
		{"a double negation is none", two, "Compliant", "The vendor is not non-compliant.", 1},
		{"another double negation", two, "Compliant", "It isn't noncompliant.", 1},
		{"not only is no negation", two, "Compliant", "The vendor is not only compliant but certified.", 1},
		{"no doubt is no negation", two, "Compliant", "There is no doubt that the vendor is compliant.", 1},
		{"a negation in another clause does not reach", two, "Compliant", "The vendor has no gaps, so it is compliant.", 1},
		{"a negation of something else does not reach", two, "Compliant", "A bank that does not store cards is compliant.", 1},
		{"nor one before and", two, "Non-Compliant", "It does not meet clause 5 and is non-compliant.", 1},
		{"a label denied in favour of the other", two, "Non-Compliant", "It is not compliant but non-compliant.", 1},
		{"the rather than the other", two, "Compliant", "It is compliant rather than non-compliant.", 1},
		{"a list that is ruled out", levels, "High", "The impact is high; three outages rule out low and medium.", 1},
		{"what is not said of three labels names none", levels, "Low", "The risk is not high.", 0},
		{"what is denied gives way to what is said", levels, "Medium", "The risk is not high, it is medium.", 1},
		{"of two labels the other is left", []string{"Spam", "Ham"}, "Ham", "This is not spam.", 1},
		{"did not pass is fail", []string{"Pass", "Fail"}, "Fail", "The test did not pass.", 1},
		{"did not fail is pass", []string{"Pass", "Fail"}, "Pass", "The test did not fail.", 1},
		{"not safe is unsafe", []string{"Safe", "Unsafe"}, "Unsafe", "This is not safe.", 1},
		{"no violation is its own label", []string{"Violation", "No violation"}, "No violation", "I see no violation.", 1},
		{"and a violation its own", []string{"Violation", "No violation"}, "Violation", "This is a violation.", 1},
	})
}

func TestLabelVerdictWins(t *testing.T) {
	run(t, []labelCase{
		{"Answer:", two, "Non-Compliant", "It looks compliant at first. Answer: Non-Compliant", 1},
		{"Final answer:", two, "Compliant", "Some say it is non-compliant. Final answer: compliant.", 1},
		{"Verdict:", two, "Compliant", "Points against: non-compliant logging.\nVerdict: Compliant", 1},
		{"a verdict in bold", two, "Compliant", "It was non-compliant in 2020.\n\n**Verdict:** Compliant", 1},
		{"a verdict wholly in bold", two, "Compliant", "It was non-compliant in 2020.\n\n**Verdict: Compliant**", 1},
		{"a verdict on the next line", two, "Compliant", "It was non-compliant once.\nVerdict:\n\nCompliant", 1},
		{"a verdict with a dash", two, "Compliant", "It was non-compliant once.\nVerdict – compliant", 1},
		{"a verdict with an arrow", two, "Compliant", "It was non-compliant once.\nVerdict → compliant", 1},
		{"the verdict is", two, "Compliant", "It was non-compliant once. The verdict is compliant.", 1},
		{"the answer to your question is", two, "Compliant", "It was non-compliant once. The answer to your question is compliant.", 1},
		{"a verdict that negates", two, "Non-Compliant", "Conclusion: the vendor is not compliant.", 1},
		{"therefore", two, "Non-Compliant", "Clause 1 is compliant. Clause 2 fails. Therefore the vendor is non-compliant.", 1},
		{"thus", two, "Compliant", "One might say non-compliant. Thus, on the facts, it is compliant.", 1},
		{"in conclusion", two, "Compliant", "Logging was non-compliant in May. In conclusion, the vendor is compliant.", 1},
		{"overall", two, "Compliant", "Logging was non-compliant in May. Overall, the vendor is compliant.", 1},
		{"wait", two, "Non-Compliant", "The vendor is compliant. Wait, clause 5 is missing, so it is non-compliant.", 1},
		{"wait, with the verdict a sentence later", two, "Non-Compliant", "Answer: Compliant. Wait. I missed clause 5. The vendor is non-compliant.", 1},
		{"actually", two, "Non-Compliant", "Compliant. Actually, it is non-compliant.", 1},
		{"a correction wins over a verdict", two, "Non-Compliant", "Answer: Compliant\n\nActually, on review it is non-compliant.", 1},
		{"on second thought", two, "Compliant", "Non-compliant. On second thought, it is compliant.", 1},
		{"I was wrong", two, "Compliant", "Verdict: Non-Compliant. I was wrong: it is compliant.", 1},
		{"actually inside a sentence", two, "Non-Compliant", "It seems compliant. It is actually non-compliant.", 1},
		{"a verdict after a correction wins", two, "Compliant", "Compliant. Wait, is it non-compliant? No. Answer: Compliant", 1},
		{"the last of two verdicts wins", two, "Compliant", "Answer: Non-Compliant\n\nFinal answer: Compliant", 1},
		{"an earlier answer that is named so is none", two, "Compliant", "Final answer: Compliant. My previous answer: Non-Compliant.", 1},
		{"the last bold label", two, "Compliant", "It was non-compliant once.\n\nThe vendor is **compliant**.", 1},
		{"of two bold labels the last", two, "Compliant", "Was **Non-Compliant** in May.\nNow **Compliant**.", 1},
		{"a bold sentence", two, "Non-Compliant", "Much looks compliant. **The vendor is non-compliant.**", 1},
		{"bold by underscores", two, "Compliant", "It was non-compliant once. It is __compliant__ now.", 1},
		{"bold by a tag", two, "Compliant", "It was non-compliant once. It is <b>compliant</b> now.", 1},
		{"bold definitions are none", two, "Compliant", "**Compliant**: meets all.\n**Non-Compliant**: misses some.\nAnswer: Compliant", 1},
		{"a line of its own at the end", two, "Compliant", "It was non-compliant once.\n\nCompliant", 1},
		{"a heading", two, "Compliant", "## Compliant\nIt once was non-compliant, but no more.", 1},
		{"the beginning", two, "Compliant", "Compliant. A non-compliant vendor would not encrypt.", 1},
		{"the beginning, with a dash", two, "Compliant", "Compliant – no non-compliant control was found.", 1},
		{"JSON", two, "Non-Compliant", `{"label": "Non-Compliant"}`, 1},
		{"JSON with a reason before it", two, "Compliant", `{"reasoning": "Not a non-compliant case; earlier non-compliant", "label": "Compliant"}`, 1},
		{"JSON with alternatives after it", two, "Compliant", `{"label":"Compliant","alternatives":["Non-Compliant"]}`, 1},
		{"JSON in a fence", two, "Compliant", "It was non-compliant once.\n```json\n{\"verdict\": \"compliant\"}\n```", 1},
		{"JSON with a key of two words", two, "Compliant", `{"notes":"was non-compliant","final_label":"Compliant"}`, 1},
		{"JSON with a flag", two, "Non-Compliant", `{"compliant": false}`, 1},
		{"JSON with a flag that is set", two, "Compliant", `{"is_compliant": true}`, 1},
		{"a tag", two, "Compliant", "It was non-compliant once. <answer>Compliant</answer>", 1},
		{"a box", two, "Compliant", `It was non-compliant once. $\boxed{\text{Compliant}}$`, 1},
		{"a table row", two, "Compliant", "| Check | Value |\n|---|---|\n| Was | non-compliant |\n| Verdict | compliant |", 1},
		{"a key and a label", levels, "Low", "Exposure was high in May.\nRisk level: Low", 1},
		{"because does not turn a verdict round", two, "Compliant", "Answer: Compliant, because nothing non-compliant was found.", 1},
		{"not the other does not turn it round", two, "Compliant", "Answer: Compliant, not Non-Compliant.", 1},
		{"as opposed to the other", two, "Compliant", "Answer: Compliant (as opposed to Non-Compliant)", 1},
		{"although in a conclusion", two, "Non-Compliant", "Therefore, although clause 1 is compliant, the vendor is non-compliant.", 1},
		{"the choices in a verdict's own brackets", two, "Compliant", "Answer (Compliant or Non-Compliant): Compliant", 1},
		{"a wrong verdict is wrong whatever stands before", two, "Compliant", "It is compliant. It is compliant. Answer: Non-Compliant", 0},
		{"what is struck out is not said", two, "Non-Compliant", "~~Compliant~~ Non-Compliant", 1},
	})
}

func TestLabelUnclear(t *testing.T) {
	run(t, []labelCase{
		{"two labels without a verdict", two, "Compliant", "Logging is compliant. Backups are non-compliant.", 0.7},
		{"the same, with the other expected", two, "Non-Compliant", "Logging is compliant. Backups are non-compliant.", 0.7},
		{"two labels, neither expected", compliance, "Partially Compliant", "Logging is compliant. Backups are non-compliant.", 0},
		{"a correction in brackets", levels, "High", "Severity: High (corrected: Low)", 0.7},
		{"a list of choices", two, "Compliant", "Compliant or Non-Compliant", 0.7},
		{"either … or", two, "Compliant", "It is either compliant or non-compliant.", 0.7},
		{"choices with a slash", two, "Compliant", "Compliant/Non-Compliant", 0.7},
		{"choices with a bar", two, "Compliant", "Compliant | Non-Compliant", 0.7},
		{"choices one a line", two, "Compliant", "1. Compliant\n2. Non-Compliant", 0.7},
		{"all labels in a row", compliance, "Compliant", "Compliant, Non-Compliant, Partially Compliant", 0.7},
		{"a verdict that names both", two, "Compliant", "Answer: Compliant or Non-Compliant", 0.7},
		{"both in one conclusion", two, "Compliant", "Therefore it is compliant in part A and non-compliant in part B.", 0.7},
		{"probably", two, "Compliant", "The vendor is probably compliant.", 0.7},
		{"likely", two, "Compliant", "It is likely compliant.", 0.7},
		{"may be", two, "Compliant", "The vendor may be compliant.", 0.7},
		{"seems", two, "Compliant", "The vendor seems compliant.", 0.7},
		{"appears to be", two, "Compliant", "It appears to be compliant.", 0.7},
		{"I think says what the writer holds", two, "Compliant", "I think it is compliant.", 1},
		{"a line behind a verdict that is not the last is none", two, "Compliant", "Answer: Compliant\n\nAlso considered\nNon-Compliant\nand dropped.", 1},
		{"I guess", two, "Compliant", "I guess it is compliant.", 0.7},
		{"I do not think", two, "Non-Compliant", "I don't think the vendor is compliant.", 0.7},
		{"unlikely to be", two, "Non-Compliant", "It is unlikely to be compliant.", 0.7},
		{"no evidence that", two, "Non-Compliant", "There is no evidence that it is compliant.", 0.7},
		{"mostly", two, "Compliant", "The vendor is mostly compliant.", 0.7},
		{"partially, where there is no such label", two, "Compliant", "The vendor is partially compliant.", 0.7},
		{"only if", two, "Compliant", "The vendor is compliant only if it encrypts.", 0.7},
		{"it depends", two, "Compliant", "It depends. On these facts the vendor is compliant.", 0.7},
		{"a hedged verdict", two, "Compliant", "Verdict: probably compliant", 0.7},
		{"a hedge on the wrong label", two, "Compliant", "It is probably non-compliant.", 0},
		{"a hedge in another sentence is none", two, "Compliant", "Logs may be kept longer. The vendor is compliant.", 1},
		{"a permission is no hedge", two, "Compliant", "The vendor may store data and is compliant.", 1},
		{"a question says nothing", two, "Compliant", "Is it compliant?", 0},
		{"a question that is answered says it", two, "Non-Compliant", "Is the vendor compliant? No.", 1},
		{"and if yes, too", two, "Compliant", "Is the vendor compliant with PDPA? Yes, it is.", 1},
		{"a duty is no finding", two, "Compliant", "The vendor must be compliant.", 0},
		{"an aim is no finding", two, "Compliant", "To be compliant, the vendor must encrypt.", 0},
		{"a condition is no finding", two, "Compliant", "If it were compliant, logs would exist.", 0},
		{"should be classified as is a finding", two, "Compliant", "It should be classified as compliant.", 1},
		{"was found to be is a finding", two, "Compliant", "It was found to be compliant.", 1},
	})
}

func TestLabelShape(t *testing.T) {
	run(t, []labelCase{
		{"Markdown italics", two, "Compliant", "The vendor is *compliant*.", 1},
		{"a code span", two, "Non-Compliant", "`Non-Compliant`", 1},
		{"a bold half", two, "Non-Compliant", "**Non**-Compliant", 1},
		{"a block quote", two, "Compliant", "> Compliant", 1},
		{"a bullet", two, "Compliant", "- Compliant", 1},
		{"straight quotes", two, "Compliant", `"Compliant"`, 1},
		{"English quotes", two, "Compliant", "The label is “Compliant”.", 1},
		{"German quotes", two, "Compliant", "Das Label ist „Compliant“.", 1},
		{"French quotes", two, "Compliant", "Verdict : « Compliant »", 1},
		{"Japanese quotes", two, "Compliant", "「Compliant」", 1},
		{"Swedish quotes", two, "Non-Compliant", "»Non-Compliant»", 1},
		{"single typographic quotes", two, "Non-Compliant", "It is ‘Non-Compliant’.", 1},
		{"an emoji before it", two, "Compliant", "✅ Compliant", 1},
		{"a numbered option", two, "Non-Compliant", "2. Non-Compliant", 1},
		{"an option with its letter", two, "Non-Compliant", "B) Non-Compliant", 1},
		{"a Windows line end", two, "Compliant", "It was non-compliant once.\r\nCompliant\r\n", 1},
		{"HTML line breaks", two, "Compliant", "It was non-compliant once.<br>Answer: Compliant", 1},
		{"a smaller-than sign is no tag", two, "Compliant", "If x < 5 it is rare. It is compliant and y > 3.", 1},
		{"an abbreviation ends no sentence", two, "Non-Compliant", "Under Art. 5 it does not, e.g. for logs, matter; it is non-compliant.", 1},
		{"a number's point ends no sentence", two, "Non-Compliant", "Therefore under 5.9 the vendor is non-compliant.", 1},
		{"yes", yesNo, "Yes", "Yes, it is.", 1},
		{"no", yesNo, "No", "No, it does not.", 1},
		{"no is no label in front of a noun", yesNo, "Yes", "Yes. There is no exemption and no doubt.", 1},
		{"no at the end", yesNo, "No", "Is there an exemption? The answer is no.", 1},
		{"no in bold", yesNo, "No", "The exemption: **No**", 1},
		{"yes it does", yesNo, "Yes", "Yes it does.", 1},
		{"a no inside a yes", yesNo, "No", "Yes, since there is no exemption.", 0},
		{"a letter", letters, "B", "B", 1},
		{"a letter in brackets", letters, "B", "(B)", 1},
		{"a letter after a cue", letters, "B", "The answer is B.", 1},
		{"an option's letter", letters, "B", "Option B", 1},
		{"an article is no letter", letters, "B", "A bank is a company. Answer: B", 1},
		{"an article alone is no label", letters, "A", "A bank is a company.", 0},
		{"a small letter is no label", letters, "A", "this is a test", 0},
		{"true and false", []string{"True", "False"}, "False", "The statement is false.", 1},
		{"not true", []string{"True", "False"}, "False", "That is not true.", 1},
		{"a severity", levels, "High", "Severity: HIGH", 1},
		{"a label of three words", []string{"In scope", "Out of scope"}, "Out of scope", "This is out of scope.", 1},
		{"not in scope is out of scope", []string{"In scope", "Out of scope"}, "Out of scope", "This is not in scope.", 1},
	})
}
