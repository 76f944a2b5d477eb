package redact_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/redact"
)

func TestAKeyIsRedactedWhoseCharactersStandApart(t *testing.T) {
	const key = "sq9-Tok3n_Alpha7Beta"
	r := redact.New([]string{key}, nil)
	apart := func(text, between string) string { return strings.Join(strings.Split(text, ""), between) }
	wrapped := func(text string) string { return text[:9] + "\n    " + text[9:17] + "\r\n" + text[17:] }
	codes := ""
	for _, b := range []byte(key) {
		codes += fmt.Sprintf("%d, ", b)
	}
	for name, leak := range map[string]string{
		"a character of no width in it":       key[:7] + "\u200b" + key[7:],
		"soft hyphens":                        apart(key, "\u00ad"),
		"wrapped":                             wrapped(key),
		"letter by letter, quoted":            `"` + apart(key, `", "`),
		"with dots":                           apart(key, " . "),
		"as a table":                          apart(key, " | "),
		"bold letters":                        apart(key, "**"),
		"without its signs":                   "sq9Tok3nAlpha7Beta",
		"in two parts":                        key[:10] + `" + "` + key[10:],
		"in another case":                     apart(strings.ToUpper(key), "_"),
		"backwards, spaced":                   apart("ateB7ahplA_n3koT-9qs", " "),
		"base64, wrapped":                     wrapped(base64.RawStdEncoding.EncodeToString([]byte(key))),
		"hex with colons":                     strings.TrimSuffix(colons(hex.EncodeToString([]byte(key))), ":"),
		"base32":                              strings.TrimRight(base32.StdEncoding.EncodeToString([]byte(key)), "="),
		"the codes of its characters":         strings.TrimSuffix(codes, ", "),
		"each letter turned by half the rest": "fd9-Gbx3a_Nycun7Orgn",
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Text("before " + leak + " after")
			if !strings.Contains(got, redact.Mark) || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("Text(%q) = %q, want the value redacted and the text around it kept", leak, got)
			}
		})
	}
}

func colons(text string) (out string) {
	for i := 0; i < len(text); i += 2 {
		out += text[i:i+2] + ":"
	}
	return out
}

// A short value, or one of letters alone, is found without what has no width, and over line breaks.
func TestAnyKnownValueIsFoundOverLineBreaksAndWhatHasNoWidth(t *testing.T) {
	const word = "correct-horse"
	r := redact.New([]string{word, "hunt3r"}, []*regexp.Regexp{regexp.MustCompile(`CUST-\d+`)})
	for name, leak := range map[string]string{
		"a zero-width space":                       "cor\u200brect-horse",
		"one behind each letter":                   strings.Join(strings.Split(word, ""), "\u2060"),
		"a tag character, in a short value":        "hun\U000e0041t3r",
		"a zero-width space that JSON writes":      `cor\u200brect-horse`,
		"one that HTML writes":                     "cor&#8203;rect-horse",
		"a line break":                             "correct-\nhorse",
		"a line break with blanks, upper case":     "CORRECT-\r\n    HORSE",
		"a line break that JSON writes":            `correct-\nhorse`,
		"a line break and a zero-width space":      "cor\u200brect-\nhorse",
		"a common key with a zero-width space":     "sk-" + strings.Repeat("a1", 5) + "\u200b" + strings.Repeat("a1", 5),
		"a user's own pattern, with a soft hyphen": "CU\u00adST-4711",
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.Text("before " + leak + " after"); got != "before "+redact.Mark+" after" {
				t.Errorf("Text(%q) = %q, want the value redacted and the text around it kept", leak, got)
			}
		})
	}
	for _, kept := range []string{"correct\nhorses", "a\u200bb\nc", "👩\u200d💻 works\non it"} {
		if got := r.Text(kept); got != kept {
			t.Errorf("Text(%q) = %q, want it unchanged", kept, got)
		}
	}
}

func TestWordsAreNoKeyThatStandsApart(t *testing.T) {
	r := redact.New([]string{"change-me-now-please", "4711-4711-4711", "a1-b2"}, nil)
	for _, text := range []string{"Please change me now, please.", "4711, 4711 and 4711", "a1: b2"} {
		if got := r.Text(text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
}
