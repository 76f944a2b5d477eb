package show

import (
	"strings"
	"testing"
)

func TestAnswersStandAsTheyRead(t *testing.T) {
	for _, c := range []struct{ rule, before, now, want string }{
		{"prose is quoted, with the words marked that changed", "You may return it within 30 days.", "You may return it within 45 days.",
			"> **Before:** You may return it within **30** days.\n\n> **Now:** You may return it within **45** days.\n"},
		{"neighbors that changed are one run", "We answer within two days, always.", "We answer within a whole week, always.",
			"> **Before:** We answer within **two days,** always.\n\n> **Now:** We answer within **a whole week,** always.\n"},
		{"if most words changed, none is marked", "Two managers decide.", "We will refund you.",
			"> **Before:** Two managers decide.\n\n> **Now:** We will refund you.\n"},
		{"each line keeps its own", "Dear Ada,\nwe are sorry.\n\nYours", "Dear Ada,\nwe are very sorry.\n\nYours",
			"> **Before:** Dear Ada,\\\n> we are sorry.\n>\n> Yours\n\n> **Now:** Dear Ada,\\\n> we are **very** sorry.\n>\n> Yours\n"},
		{"what is written from right to left stands alone", "נענה תוך יומיים, תמיד ובכל מקרה", "נענה תוך שבוע, תמיד ובכל מקרה",
			"> **Before:**\n>\n> נענה תוך **יומיים,** תמיד ובכל מקרה\n\n> **Now:**\n>\n> נענה תוך **שבוע,** תמיד ובכל מקרה\n"},
		{"a script without spaces, by its characters", "您可以在三十天之内退货。", "您可以在十四天之内退货。",
			"> **Before:** 您可以在**三**十天之内退货。\n\n> **Now:** 您可以在十**四**天之内退货。\n"},
		{"a mark begins and ends with a letter", "返品は三十日以内です。保証書が要る。", "返品は三十日以内です。理由は聞かない。",
			"> **Before:** 返品は三十日以内です。**保証書が要る**。\n\n> **Now:** 返品は三十日以内です。**理由は聞かない**。\n"},
		{"a word that is code stays whole", "请 看 这 里 www.退货.example 谢 谢 大 家", "请 看 这 里 www.退款.example 谢 谢 大 家",
			"> **Before:** 请 看 这 里 **`www.退货.example`** 谢 谢 大 家\n\n> **Now:** 请 看 这 里 **`www.退款.example`** 谢 谢 大 家\n"},
		{"the one there is", "", "We will call you back.", "> **Now:** We will call you back.\n"},
		{"equal answers are one", "We will call you back.", "We will call you back.", "> We will call you back.\n"},
		{"no sign begins a list, a heading or a link", "Do it now: 1. call us here, please do so", "1. call us here and now, @ada and please do so, thanks",
			"> **Before:** **Do it now:** 1. call us here, please do so\n\n> **Now:** `1.` call us here **and now, `@ada` and** please do **so, thanks**\n"},
		{"code is shown as code", "```go\nf()\n```", "```go\ng()\n```", "````diff\n  ```go\n- f()\n+ g()\n  ```\n````\n"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := BeforeAndNow(c.before, c.now, 400); got != c.want {
				t.Errorf("BeforeAndNow(%q, %q) =\n%s\nwant\n%s", c.before, c.now, got, c.want)
			}
		})
	}
}

func TestJSONIsComparedByItsFields(t *testing.T) {
	for _, c := range []struct{ rule, before, now, want string }{
		{"a field that changed, beside one that did not", `{"decision":"deny","reason":"late"}`, `{ "decision": "approve", "reason": "late" }`,
			"-decision: \"deny\"\n+decision: \"approve\"\n reason: \"late\""},
		{"a field within a field", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":3}}`, " a.b: 1\n-a.c: 2\n+a.c: 3"},
		{"a field that is new, and one that is gone", `{"a":1}`, `{"b":[1, 2]}`, "+b: [1, 2]\n-a: 1"},
		{"a text is no object", `{"a":1}`, `Sure: {"a":1}`, ""},
		{"a cut object is none", `{"a":1}`, `{"a":1,"b":"…`, ""},
		{"more than an object is none", `{"a":1}`, `{"a":2} and`, ""},
		{"one answer alone has its fields, and no sign", ``, `{"a":2}`, " a: 2"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, l := range compareFields(c.before, c.now) {
				got = append(got, signOf(l)+l.Text)
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("compareFields(%s, %s) =\n%s\nwant\n%s", c.before, c.now, text, c.want)
			}
		})
	}
}
