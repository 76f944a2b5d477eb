package github_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
)

var sha = strings.Repeat("a1", 20)

func TestACommandIsTheFirstLineOfAComment(t *testing.T) {
	accept := failproof.Command{Verb: failproof.VerbAccept, Head: sha, Names: []string{"support/refund/late", "early"}}
	for _, c := range []struct {
		rule, text string
		want       failproof.Command
	}{
		{"alone it asks for help", "/failproof", failproof.Command{Verb: failproof.VerbHelp}},
		{"help", "/failproof help\nThank you!", failproof.Command{Verb: failproof.VerbHelp}},
		{"run", "/failproof run " + sha, failproof.Command{Verb: failproof.VerbRun, Head: sha}},
		{"lines may end as on Windows", "/failproof run " + sha + "\r\nbye", failproof.Command{Verb: failproof.VerbRun, Head: sha}},
		{"accept", "/failproof accept " + sha + " support/refund/late early because the policy changed", accept},
		{"white space does not matter", "/failproof   accept\t" + sha + "  support/refund/late early  because  so ", accept},
	} {
		got, is, err := failproof.ParseCommand(c.text)
		if diff := cmp.Diff(c.want, got); !is || err != nil || diff != "" {
			t.Errorf("%s: %v, %v (-want +got):\n%s", c.rule, is, err, diff)
		}
	}
}

func TestWhatIsNoCommandIsLeftAlone(t *testing.T) {
	for _, text := range []string{"", "\n/failproof run " + sha, "    /failproof run " + sha, "\t/failproof help", " /failproof help", "\ufeff/failproof help", "> /failproof run " + sha, "`/failproof run`", "/failproofs run", "Failproof is red, /failproof run", "/FAILPROOF help"} {
		if _, is, err := failproof.ParseCommand(text); is || err != nil {
			t.Errorf("%q is a command: %v, %v", text, is, err)
		}
	}
}

func TestACommandThatIsWrongSaysWhyAndRepeatsNothing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/failproof evil-word", "no such command"},
		{"/failproof run", "names no commit"},
		{"/failproof run " + sha[:7], "40 hexadecimal digits"},
		{"/failproof run " + strings.ToUpper(sha), "40 hexadecimal digits"},
		{"/failproof run HEAD", "40 hexadecimal digits"},
		{"/failproof run " + sha + " evil-word", "only a commit"},
		{"/failproof accept " + sha, "no reason"},
		{"/failproof accept " + sha + " evil-word", "no reason"},
		{"/failproof accept " + sha + " evil-word because", "no reason"},
		{"/failproof accept " + sha + " because evil-word", "names no case"},
		{"/failproof accept " + sha + strings.Repeat(" evil-word", 201) + " because so", "more than 200"},
		{"/failproof run " + sha + " \x1b[31m", "control characters"},
		{"/failproof help " + strings.Repeat("x", 9000), "at most 8 KiB"},
	} {
		_, is, err := failproof.ParseCommand(c.text)
		if !is || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "evil-word") {
			t.Errorf("%.80q: %v, %v, want an error with %q", c.text, is, err, c.want)
		}
	}
}
