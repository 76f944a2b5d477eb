package expect

import (
	"regexp"
	"strings"
	"testing"
)

func TestThoughtsAreNoPartOfWhatIsCompared(t *testing.T) {
	for _, c := range []struct{ mode, expected, sent string }{
		{ModeExact, "approve", "<think>\n12 days, fine.\n</think>\n\napprove"},
		{ModeEquals, "approve", "<think>No?</think>approve"},
		{ModeJSON, `{"total":12.5}`, "<think>The schema is {\"total\": number}.</think>\n{\"total\": 12.5}"},
		{ModeNumber, "30", "<thinking>31?</thinking>30"},
		{ModePrefixFold, "yes", "<reasoning>No?</reasoning>\nYes."},
	} {
		m, err := CompileMatch(c.expected, c.mode)
		if err != nil {
			t.Fatal(err)
		}
		as, err := CompileAssertion(`not (response.text contains "think") and response.lines < 2`)
		if err != nil {
			t.Fatal(err)
		}
		if _, unmet, _ := (&Expectation{Criteria: []*Criterion{m}, Assertions: []*Criterion{as}}).Check(answerOf(c.sent), nil); len(unmet) > 0 {
			t.Errorf("%s %q of %q: %+v, want it met", c.mode, c.expected, c.sent, unmet)
		}
	}
	for _, sent := range []string{"<think>approve</think>deny", "<think>approve"} {
		m, _ := CompileMatch("approve", ModeContains)
		if m.check(answerOf(sent)) == nil {
			t.Errorf("%q contains what was only thought", sent)
		}
	}
	strict, err := CompileFormat(FormatJSON, true, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if why := strict.fault(answerOf("<think>{</think>\n{}")); why != "" {
		t.Errorf("JSON behind thoughts is none: %s", why)
	}
}

func TestWhatMustNotBeContainedIsLookedForInAllThatWasSent(t *testing.T) {
	for _, sent := range []string{
		"It is a guarantee.", "<think>A guarantee?</think>Hello.", "<!-- a guarantee -->Hello.", "It is a guar<!-- -->antee.", "It is a [guar](http://a.b)antee.",
		`{"answer":"It is a \u0067uarantee."}`, `{"answer":"It is a \u0067uar\u003c!-- --\u003eantee."}`,
		"It is a guar\ufe0fantee.", "It is a guar\U000e0141antee.", "It is a guar\u034fantee.", "It is a guar\u17b4antee.", "It is a\u3164guarantee.",
		"It is \u202eeetnaraug a\u202c.", `It is <bdo dir="rtl">eetnaraug a</bdo>.`, "It is \u202eeetn<b>ara</b>ug a", "<input value=\"It is a gu&#97;rantee\">", "It is a[^1] guarantee.", "It is ａ ｇｕａｒantee.",
		"It is a **guar**antee.", "It is a <b>guar</b>antee.", "It is a gu&#97;rantee.", "It is a guar\u200bantee.", "It is a\u00a0`guarantee`.",
	} {
		for name, text := range map[string]string{"not_contains": "guarantee", "not_icontains": "GUARANTEE", "not_contains_any": "guarantee", "not_regex": `\bguaran`} {
			as, err := CompileForm(name, []string{text})
			if err != nil {
				t.Fatal(err)
			}
			if as.check(answerOf(sent)) == nil {
				t.Errorf("%s %s is met by %q", name, text, sent)
			}
		}
		p := CompilePolicy("none", "", []*regexp.Regexp{regexp.MustCompile("(?i)a guarantee")})
		if _, found := p.FindViolation(answerOf(sent)); !found {
			t.Errorf("%q breaks no policy", sent)
		}
	}
	as, err := CompileForm("not_starts_with", []string{"Sorry"})
	if err != nil {
		t.Fatal(err)
	}
	for sent, met := range map[string]bool{"<think>Hm.</think><!-- a -->Sorry.": false, "<!-- a -->Sorry.": false, "Well. <!-- Sorry -->": true} {
		if got := as.check(answerOf(sent)) == nil; got != met {
			t.Errorf("not_starts_with Sorry of %q: met is %v, want %v", sent, got, met)
		}
	}
}

func TestAccentsAreTheSameHoweverTheyAreWritten(t *testing.T) {
	const composed, apart = "Rückerstattung", "Ru\u0308ckerstattung"
	for _, sent := range []string{composed, apart, "Ru&#776;ckerstattung", "Ru\u034f\u0308ckerstattung"} {
		for _, text := range []string{composed, apart} {
			as, err := CompileForm("not_contains", []string{text})
			if err != nil {
				t.Fatal(err)
			}
			if as.check(answerOf("Eine "+sent+".")) == nil {
				t.Errorf("not_contains %+q is met by %+q", text, sent)
			}
			p := CompilePolicy("none", "", []*regexp.Regexp{regexp.MustCompile("eine? " + text + "|" + text)})
			if _, found := p.FindViolation(answerOf("Eine " + sent + ".")); !found {
				t.Errorf("%+q does not break the policy %+q", sent, text)
			}
		}
	}
}

func TestTheNumberIsOneThatIsShown(t *testing.T) {
	m, err := CompileMatch("30", ModeNumber)
	if err != nil {
		t.Fatal(err)
	}
	for sent, met := range map[string]bool{
		"It costs 90. <!-- 30 -->": false, `It costs 90. <span title="30"></span>`: false, "It costs <b>90</b>.\n\n[30]: http://x\n": false, "It costs 90. [more](http://a.b/30)": false,
		"It costs <b>30</b>. <!-- 90 -->": true, "It costs 30.\n\n[90]: http://x\n": true, "The answer is `30`.": true, "<answer>30</answer>": true, "$30$": true, "{\"total\": 30}": true,
	} {
		if got := m.check(answerOf(sent)) == nil; got != met {
			t.Errorf("the number 30 of %q: met is %v, want %v", sent, got, met)
		}
	}
}

func TestAPhraseThatMustNotBeSaidIsLookedForBeyondTheEndsOfLines(t *testing.T) {
	for _, sent := range []string{"Sure. We will\nrefund it.", "> We will\n> refund it.", "We will  \nrefund it.", "We **will\nrefund** it.", "- We will\n  refund it.",
		"<p>We will<br>refund it.</p>", "We\u00a0<i>will</i> re&#102;und it.", `{"answer":"We **will\nrefund** it."}`} {
		for name, text := range map[string]string{"not_contains": "We will refund", "not_icontains": "we will refund", "not_contains_any": "will refund", "not_regex": `We will refu?nd`} {
			as, err := CompileForm(name, []string{text})
			if err != nil {
				t.Fatal(err)
			}
			if as.check(answerOf(sent)) == nil {
				t.Errorf("%s %s is met by %q", name, text, sent)
			}
			positive, err := CompileForm(strings.TrimPrefix(name, "not_"), []string{text})
			if err != nil {
				t.Fatal(err)
			}
			if positive.check(answerOf(sent)) == nil {
				t.Errorf("%s %s is met by %q, which is not so as it was sent", positive.Expected, text, sent)
			}
		}
		p := CompilePolicy("none", "", []*regexp.Regexp{regexp.MustCompile("(?i)we will (fully )?refund")})
		if _, found := p.FindViolation(answerOf(sent)); !found {
			t.Errorf("%q breaks no policy", sent)
		}
	}
}

func TestTheLengthOfALineIsNotThatOfAParagraph(t *testing.T) {
	as, err := CompileForm("not_regex", []string{`.{20,}`})
	if err != nil {
		t.Fatal(err)
	}
	if unmet := as.check(answerOf("We answer in lines\nthat are short.")); unmet != nil {
		t.Errorf("short lines are one that is long: %+v", unmet)
	}
	p := CompilePolicy("short", "", []*regexp.Regexp{regexp.MustCompile(`.{20,}`), regexp.MustCompile("we will")})
	if evidence, found := p.FindViolation(answerOf("We answer in lines\nthat are short.")); found {
		t.Errorf("a policy takes short lines for one: %q", evidence)
	}
	and, err := CompileForm("not_contains", []string{"will refund"})
	if err != nil {
		t.Fatal(err)
	}
	if unmet := and.check(answerOf("Who will\n\nrefund it?\n- will\n- refund")); unmet != nil {
		t.Errorf("two paragraphs are one: %+v", unmet)
	}
}

func TestAFieldOfHiddenJSONIsNotRead(t *testing.T) {
	if got := JSONFieldValues("It fails.\n<!-- {\"severity\": \"Low\"} -->", "severity"); got != nil {
		t.Errorf("a field in a comment is %q", got)
	}
	if got := JSONFieldValues(`{"severity": "Low", "html": "<div hidden>"}`, "severity"); len(got) != 1 || got[0] != "Low" {
		t.Errorf("a field beside HTML is %q, want Low", got)
	}
}
