package english

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/texttest"
)

func TestWhatIsNotTheWritersOwnIsMasked(t *testing.T) {
	tests := []struct{ rule, in, want string }{
		{"between double marks", `he said "no" and left`, `he said "~~" and left`},
		{"an escaped mark does not close", `{"a": "b \"c\" d"}`, `{"~": "~~~~~~~~~"}`},
		{"an odd mark masks nothing", `a 5" pipe`, `a 5" pipe`},
		{"marks do not pair across paragraphs", "a \" b\n\nc \" d", "a \" b\n\nc \" d"},
		{"between single marks", "the reply 'I can't' is short", "the reply '~~~~~~~' is short"},
		{"an apostrophe is no mark", "I can't and won't", "I can't and won't"},
		{"between backticks", "type `go` now", "type `~~` now"},
		{"a fence and its code", "x\n```\ny\n```\nz", "x\n\x01\x01\x01\n\x01\n\x01\x01\x01\nz"},
		{"a block quotation", "> no\nyes", "~~~~\nyes"},
		{"a line of text made for the user", "Draft: no\nyes", "~~~~~~~~~\nyes"},
		{"a letter from its salutation on", "See below.\nDear Ann,\nno", "See below.\n~~~~~~~~~\n~~"},
		{"a greeting without a sign-off opens no letter", "Hello,\nno", "Hello,\nno"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			b := []byte(tt.in)
			if mask(b); strings.ReplaceAll(string(b), string(rune(Masked)), "~") != tt.want {
				t.Errorf("mask(%q) = %q, want %q", tt.in, b, tt.want)
			}
		})
	}
}

func TestSurface(t *testing.T) {
	tests := []struct{ rule, in, want string }{
		{"apostrophes are plain", "I can’t, can‘t, canʼt", "i can't, can't, can't"},
		{"a backtick between letters is one", "can`t `x`", "can't `x`"},
		{"white space is single", "  a \t b\u00a0c ", "a b c "},
		{"a paragraph keeps one blank line", "a \n\n\n\nb\r\nc", "a\n\nb\nc"},
		{"emphasis marks go, inside words too", "**can**not _now_ ~~x~~ snake_case ~/.x", "cannot now x snake_case /.x"},
		{"a heading's hashes go", "## Note", "note"},
		{"a list has hyphens", "* a\n* b", "- a\n- b"},
		{"marks of a sentence are narrow", "A、b，c。 D！ E？", "a,b,c. d! e?"},
		{"invisible marks go", "can\u200bnot\ufeff", "cannot"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := NewSurface(tt.in).Lower; strings.TrimLeft(got, " ") != tt.want {
				t.Errorf("normalised %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestEveryPlaceOfASurfaceStandsInItsText(t *testing.T) {
	for seed := range uint64(200) {
		text := texttest.Text(seed)
		s := NewOwnSpeech(text)
		for at := range len(s.Plain) {
			if from, to := s.SourceRange(at, at+1); from < 0 || from >= to || to > len(text) {
				t.Fatalf("byte %d of the surface of %q stands at %d to %d", at, text, from, to)
			}
		}
	}
}
