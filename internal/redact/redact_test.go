package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/redact"
)

const canary = `c4n&ry+Val"ue/9127`

func TestAKnownValueIsRedactedInEveryEncoding(t *testing.T) {
	r := redact.New([]string{canary}, nil)
	b := []byte(canary)
	for name, leak := range map[string]string{
		"as it is":   canary,
		"upper case": strings.ToUpper(canary),
		"lower case": strings.ToLower(canary),
		"base64":     base64.StdEncoding.EncodeToString(b),
		"base64 in a longer text, shifted by one": base64.StdEncoding.EncodeToString(append([]byte("x"), b...)),
		"base64 in a longer text, shifted by two": base64.StdEncoding.EncodeToString(append([]byte("xy"), b...)),
		"base64 for URLs":                         base64.URLEncoding.EncodeToString(b),
		"hex":                                     hex.EncodeToString(b),
		"hex, upper case":                         strings.ToUpper(hex.EncodeToString(b)),
		"a URL's query":                           url.QueryEscape(canary),
		"a JSON string":                           `c4n\u0026ry+Val\"ue/9127`,
		"spaced":                                  strings.Join(strings.Split(canary, ""), " "),
		"one character a line":                    strings.Join(strings.Split(canary, ""), "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Text("before " + leak + " after")
			if !strings.Contains(got, redact.Mark) {
				t.Errorf("Text(%q) = %q, want the value redacted", leak, got)
			}
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("Text(%q) = %q, want the text around it kept", leak, got)
			}
		})
	}
}

func TestTheShapesOfCommonKeysAreRedacted(t *testing.T) {
	r := redact.New(nil, nil)
	for _, leak := range []string{
		"sk-" + strings.Repeat("a1", 20), "ghp_" + strings.Repeat("b2", 18), "github_pat_" + strings.Repeat("c3", 20),
		"AKIA" + strings.Repeat("Q7", 8), "xoxb-" + strings.Repeat("4", 12),
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\nMIIE, cut off",
	} {
		if got := r.Text("key: " + leak); got != "key: "+redact.Mark {
			t.Errorf("Text(%q) = %q", leak, got)
		}
	}
}

func TestAKeyIsRedactedBehindEscapes(t *testing.T) {
	r := redact.New([]string{canary}, []*regexp.Regexp{regexp.MustCompile(`CUST-\d+`)})
	all := func(format string) string {
		out := ""
		for i := range len(canary) {
			out += fmt.Sprintf(format, canary[i])
		}
		return out
	}
	some := func(format string) string {
		out := ""
		for i := range len(canary) {
			if i%3 == 1 {
				out += fmt.Sprintf(format, canary[i])
			} else {
				out += canary[i : i+1]
			}
		}
		return out
	}
	for name, leak := range map[string]string{
		"JSON, every letter":             all(`\u%04x`),
		"JSON, every letter, upper case": all(`\u%04X`),
		"JSON, some letters":             some(`\u%04x`),
		"JSON in JSON":                   some(`\\u%04x`),
		"JSON in JSON in JSON":           some(`\\\\u%04x`),
		"JSON with its slash":            strings.ReplaceAll(strings.ReplaceAll(canary, `"`, `\"`), "/", `\/`),
		"HTML in tens":                   all("&#%d;"),
		"HTML in sixteens":               some("&#x%x;"),
		"HTML by names":                  html.EscapeString(canary),
		"HTML of HTML":                   html.EscapeString(some("&#%d;")),
		"HTML in JSON":                   strings.ReplaceAll(some("&#%d;"), "&", `\u0026`),
		"a URL, every letter":            all("%%%02x"),
		"a URL, some letters":            some("%%%02X"),
		"a program's text":               some(`\x%02x`),
		"a common key":                   `sk\u002d` + strings.Repeat("a1", 20),
		"a common key in HTML":           "&#103;hp&#95;" + strings.Repeat("b2", 18),
		"a user's own pattern":           `CUST\u002d4711`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.Text("before " + leak + " after"); got != "before "+redact.Mark+" after" {
				t.Errorf("Text(%q) = %q, want the value redacted and the text around it kept", leak, got)
			}
		})
	}
}

func TestEscapesWithoutASecretAreKept(t *testing.T) {
	r := redact.New([]string{canary}, nil)
	for _, text := range []string{`a\nb\u00e9 \u \x1 \`, "100% of R&D; &amp; &#0; &unknown; &#xffffffff;", `\\server\share`, "%zz%", strings.Repeat(`\`, 10_000), `\ud83d\ude00`} {
		if got := r.Text(text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
}

// No time is asserted; what takes the square of 4 MiB ends with the test's own limit.
func TestUnescapingTakesLinearTime(t *testing.T) {
	r := redact.New([]string{canary}, nil)
	for _, unit := range []string{`\`, "&", "%", `\u006`, "&#6", "&amp;", `\\u0061`} {
		if text := strings.Repeat(unit, (1<<20)/len(unit)); r.Text(text) != text {
			t.Errorf("a text of %q is changed", unit)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{canary, `\u0063` + canary[1:], "&#99;" + canary[1:], "%63" + canary[1:], `\`, "&", "%", "\xff&#x110000;"} {
		f.Add("before "+seed, " after")
	}
	r := redact.New([]string{canary}, nil)
	f.Fuzz(func(t *testing.T, before, after string) {
		got := r.Text(before + canary + after)
		if strings.Contains(got, canary) {
			t.Errorf("Text(%q) = %q, which holds the value", before+canary+after, got)
		}
	})
}

func TestOrdinaryTextIsKept(t *testing.T) {
	r := redact.New([]string{"short"}, nil)
	for _, text := range []string{"", "risk-averse and short", "the task-list", "ghost writer", "AKIA is a company"} {
		if got := r.Text(text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
}

func TestAUsersOwnPatternsAreRedacted(t *testing.T) {
	r := redact.New(nil, []*regexp.Regexp{regexp.MustCompile(`CUST-\d+`)})
	if got, want := r.Text("for CUST-4711."), "for [redacted]."; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

func BenchmarkText(b *testing.B) {
	r := redact.New([]string{canary}, nil)
	text := strings.Repeat("An ordinary answer of a model, without any secret. ", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}
