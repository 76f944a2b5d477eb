package show

import (
	"strings"
	"testing"
)

func TestWordsOfOtherLanguagesStandAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{
		"می\u200cخواهم کتاب\u200cها را ببینم", // Persian: no joiner, other words
		"क्\u200dष और क्\u200cष",              // Hindi: half forms
		"مرحبا، كيف حالك؟", "ภาษาไทย", "日本語のテキスト",
		"👩\u200d🚀 👩🏽\u200d💻 ❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧",
	} {
		var log strings.Builder
		_, err := LogWriter(&log).Write([]byte(text + "\n"))
		if got := Visible(text); got != text || err != nil || log.String() != text+"\n" || LogLine(text) != text || OneLine(text) != text {
			t.Errorf("%q is shown as %q, in a log as %q", text, got, log.String())
		}
	}
}

func TestAJoinerElsewhereIsSeen(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"between Latin letters, where it only hides", "ad\u200dmin", `ad\u{200d}min`},
		{"at an end", "می\u200c", `می\u{200c}`},
		{"before a space", "می\u200c x", `می\u{200c} x`},
		{"two in a row", "می\u200c\u200dخ", `می\u{200c}\u{200d}خ`},
		{"between two scripts", "م\u200da", `م\u{200d}a`},
		{"a non-joiner between emoji", "👩\u200c🚀", `👩\u{200c}🚀`},
		{"beside a number sign", "#\u200d[", `#\u{200d}[`},
		{"bidirectional controls are always seen", "م\u202eخ", `م\u{202e}خ`},
		{"it gives a character no further marks", "क" + strings.Repeat("\u0902", 4) + "\u200d\u0902", "क" + strings.Repeat("\u0902", 4) + "\u200d\\u{902}"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var log strings.Builder
			_, err := LogWriter(&log).Write([]byte(c.text + "\n"))
			if got := Visible(c.text); got != c.want || err != nil || c.rule[0] != 'i' && log.String() != c.want+"\n" {
				t.Errorf("Visible(%q) = %q, in a log %q, want %q", c.text, got, log.String(), c.want)
			}
		})
	}
}

func TestNoCutLeavesAJoinerAtAnEnd(t *testing.T) {
	text := strings.Repeat("می\u200cخ", 40)
	for n := range 40 {
		shown := append(WrapLine(text, n+2, n+2), CutEnd(text, n+2), cutMiddle(text, n+3))
		for _, s := range shown {
			if s != Visible(s) {
				t.Fatalf("%d runes leave %q", n, s)
			}
		}
	}
}
