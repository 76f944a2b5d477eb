package answer_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/answer"
)

func TestShownAreTheWordsOfAPage(t *testing.T) {
	tests := []struct{ rule, text, lines, flowing string }{
		{"nothing differs", "We will refund you.", "We will refund you.", "We will refund you."},
		{"emphasis", "We **will** _re_***fund*** ~~you~~.", "We will refund you.", "We will refund you."},
		{"emphasis in emphasis", "***We** will* __refund *you*__", "We will refund you", "We will refund you"},
		{"over lines", "**We\nwill** refund", "We\nwill refund", "We will refund"},
		{"in the midst of a word", "re**fu**nd", "refund", "refund"},
		{"marks that are none", "2 * 3 * 4, a_b_c, * and **x", "2 * 3 * 4, a_b_c, * and **x", "2 * 3 * 4, a_b_c, * and **x"},
		{"a backslash takes a mark's meaning", `\*a\* \<b> C:\dir`, `*a* <b> C:\dir`, `*a* <b> C:\dir`},
		{"tags of words", "We <b>will</b> re<i class=\"x\"\n>fund</i>", "We will refund", "We will refund"},
		{"tags of blocks", "<p>We</p><p>will", "\nWe\n\nwill", "\nWe\n\nwill"},
		{"a line break", "We<br>will\\\nrefund  \nyou", "We\nwill\nrefund\nyou", "We will refund you"},
		{"no tag", "a < b <1 c>d", "a < b <1 c>d", "a < b <1 c>d"},
		{"entities", "w&#105;ll&nbsp;re&shy;fund &lt;b&gt; R&D &x;", "will refund <b> R&D &x;", "will refund <b> R&D &x;"},
		{"an entity is read once", "&amp;lt;", "&lt;", "&lt;"},
		{"a mark of a footnote", "We[^1] will[^a-note-with-a-name-that-is-very-long] [^a[b]", "We will [^a[b]", "We will [^a[b]"},
		{"code", "We `will`, ``a*b*`c`` and `x", "We will, a*b*`c and x", "We will, a*b*`c and x"},
		{"a block of code", "a\n```\n**b**\n> c\n```\n**d**", "a\n```\n**b**\n> c\n```\nd", "a\n```\n**b**\n> c\n```\nd"},
		{"white space", "We\u00a0will\u2009 \trefund", "We will refund", "We will refund"},
		{"no width", "re\u200bfu\u2060nd", "refund", "refund"},
		{"the ends of lines", "We will\r\n  refund\n\nyou", "We will\nrefund\n\nyou", "We will refund\n\nyou"},
		{"a quotation", "> We will\n>refund\n> > you", "We will\nrefund\nyou", "We will refund\nyou"},
		{"points of a list, headings and tables", "We will\n- refund\n  you\n1. a\n# We\nwill\n| a |\nb", "We will\n- refund\nyou\n1. a\n# We\nwill\n| a |\nb",
			"We will\n- refund you\n1. a\n# We\nwill\n| a |\nb"},
		{"bytes that are no character", "\xff*a*", "\xffa", "\xffa"},
	}
	for _, tt := range tests {
		if lines, flowing := answer.PlainText(tt.text); lines != tt.lines || flowing != tt.flowing {
			t.Errorf("%s:\nPlainText(%q)\n   = %q, %q\nwant %q, %q", tt.rule, tt.text, lines, flowing, tt.lines, tt.flowing)
		}
	}
}

func TestShownEndsWithEveryText(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"*", "**", "_", "~", "`", "```", "\n", "\n\n", "> ", "<b>", "<p\n", ">", "</b>", "<br>", "&#105;", "&amp", ";", "\\", " ", "\u00a0", "\u200b", "a", "- ",
		"\x00", "\x01", "\xff", "&nGt;", "#", "|"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 40).Draw(t, "pieces"), "")
		lines, flowing := answer.PlainText(text)
		if strings.ContainsAny(lines+flowing, "\x00\x01\u200b") {
			t.Fatalf("PlainText(%q) = %q, %q, which holds what is not shown", text, lines, flowing)
		}
		if same := strings.ReplaceAll(lines, "\n", " "); same != strings.ReplaceAll(flowing, "\n", " ") {
			t.Fatalf("PlainText(%q) = %q, %q, which differ in more than the ends of lines", text, lines, flowing)
		}
	})
}
