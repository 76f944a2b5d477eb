package redact_test

import (
	"encoding/base64"
	"encoding/hex"
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
