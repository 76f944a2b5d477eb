package show

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/worddiff"
)

func TestInline(t *testing.T) {
	cases := []struct{ rule, text, want string }{
		{"plain prose stays", `run score 0.874 is below the bar of "support" (85%), it's final.`, `run score 0.874 is below the bar of "support" (85%), it's final.`},
		{"so do figures of every country, and times", "über 1.240,50 Euro, 2 % Skonto bis 24.12.2025, 8:15.", "über 1.240,50 Euro, 2 % Skonto bis 24.12.2025, 8:15."},
		{"what may be the name of an emoji is code", "see 1:100: and 8:1234:", "see `1:100`: and `8:1234`:"},
		{"a key is code", "run score is below min_run_score 0.900", "run score is below `min_run_score` 0.900"},
		{"neighbours share a span", `got {"a": "b"} here`, "got `{\"a\": \"b\"}` here"},
		{"a colon stays outside", "suite support/refund: low", "suite `support/refund`: low"},
		{"code of a message stays code", "did you mean `id`? Or `min score`, then", "did you mean `id`? Or `min score`, then"},
		{"a mention is code", "ask @acme/team now", "ask `@acme/team` now"},
		{"a reference is code", "fixes #1 and GH-2", "fixes `#1` and `GH-2`"},
		{"a commit is code", "see deadbeef or 1234567", "see `deadbeef` or `1234567`"},
		{"a site is code", "see www.evil.example or https://evil.example", "see `www.evil.example` or `https://evil.example`"},
		{"HTML is code", "a <b>bold</b> word", "a `<b>bold</b>` word"},
		{"an emoji's name is code", "well :tada: done", "well `:tada:` done"},
		{"what would begin a list is code", "1. one", "`1.` one"},
		{"backticks are marked by more of them", "a ```x``` b", "a ```` ```x``` ```` b"},
		{"lines become one", "a\n\n b", "a b"},
		{"what cannot be seen is shown", "a\u202eb", "`a\\u{202e}b`"},
		{"words of every language stay", "Le site est très lent ? Ça „geht“ nicht, नमस्ते दुनिया, да!", "Le site est très lent ? Ça „geht“ nicht, नमस्ते दुनिया, да!"},
		{"so do those without spaces", "第3章は、とても長い。", "第3章は、とても長い。"},
		{"an emoji stays", "lent 🐢! 👩🏽\u200d💻", "lent 🐢! 👩🏽\u200d💻"},
		{"a mark of ours is code", "well ✅ done", "well `✅` done"},
		{"what turns the line is code", "see שלום 8 of 8", "see `שלום` 8 of 8"},
		{"quotes in brackets stay", "(“ignoring previous instructions.”)", "(“ignoring previous instructions.”)"},
		{"a letter beside Markdown is code", "é*è* ñ_a_ [é](x) é@b.c", "`é*è* ñ_a_ [é](x) é@b.c`"},
		{"a list in many marks is none", "1.) one", "`1.)` one"},
		{"nothing stays nothing", " \n", ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := Inline(c.text); got != c.want {
				t.Errorf("Inline(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestCodeInACell(t *testing.T) {
	cases := []struct{ rule, text, want string }{
		{"text is code", "a b", "`a b`"},
		{"a bar is escaped", "a|b", "`a\\|b`"},
		{"a bar after a backslash is spelled out", `a\|b`, "`a\\\\u{7c}b`"},
		{"a backtick at the end is kept apart", "a`", "`` a` ``"},
		{"a space is nothing", " ", ""},
		{"long text is cut", strings.Repeat("x", 200), "`" + strings.Repeat("x", QuoteRunes-1) + "…`"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := EscapeBars(Code(Excerpt(c.text, QuoteRunes))); got != c.want {
				t.Errorf("cell of %q = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestVisible(t *testing.T) {
	cases := []struct{ rule, text, want string }{
		{"accents and emoji stay", "é 漢 🎉 ⚠\ufe0f", "é 漢 🎉 ⚠\ufe0f"},
		{"tag characters are shown", "\U000e0061", `\u{e0061}`},
		{"a Hangul filler is shown", "\u3164", `\u{3164}`},
		{"an ideographic space stays", "\u3000", "\u3000"},
		{"bytes that are no UTF-8 are shown", "\xff", `\x{ff}`},
		{"the replacement character itself stays", "\ufffd", "\ufffd"},
		{"a heap of marks is shown", "a" + strings.Repeat("\u0301", 5), "a" + strings.Repeat("\u0301", 4) + `\u{301}`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := Visible(c.text); got != c.want {
				t.Errorf("visible(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestCutMiddle(t *testing.T) {
	if got, want := cutMiddle("abcdefghijklmnop", 10), "abc…klmnop"; got != want {
		t.Errorf("cutMiddle = %q, want %q", got, want)
	}
}

func TestALongLineOfADiffIsIndentedInEveryPiece(t *testing.T) {
	text := "  Never refund what was bought long ago, whoever asks for it and however kindly, and so on"
	got := Diff([]worddiff.Line{{Text: "user:", Base: true}, {Text: text, Head: true}})
	if want := "```diff\n- user:\n+   Never refund what was bought long ago, whoever asks for it and however\n+   kindly, and so on\n```\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
