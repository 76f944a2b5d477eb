package text

import "testing"

func TestWhatMakesNoEmojiIsShown(t *testing.T) {
	for written, want := range map[string]string{
		"prompts/p\ufe0f.md": `prompts/p\u{fe0f}.md`, "\u26a0\ufe0f": "\u26a0\ufe0f", "1\ufe0f\u20e3": "1\ufe0f\u20e3", "1\ufe0f": `1\u{fe0f}`, "©\ufe0f": "©\ufe0f",
		"\ufe0f": `\u{fe0f}`, "\u26a0\ufe0f\ufe0f": "\u26a0\ufe0f\\u{fe0f}", "→\ufe0f": `→\u{fe0f}`, "a\u034fb\U000e0101\u17b4\u2800": `a\u{34f}b\u{e0101}\u{17b4}\u{2800}`,
		"👩\u200d❤\ufe0f\u200d👩": "👩\u200d❤\ufe0f\u200d👩",
	} {
		if got := EscapeHidden(written); got != want {
			t.Errorf("EscapeHidden(%+q) = %+q, want %+q", written, got, want)
		}
	}
}
