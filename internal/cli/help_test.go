package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/cli"
)

func said(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	code = mainOf(context.Background(), args, cli.System{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Dir: t.TempDir()})
	return code, out.String(), log.String()
}

func TestEveryHelpFitsEightyColumns(t *testing.T) {
	commands := [][]string{{}}
	_, root, _ := said(t, "--help")
	_, list, _ := strings.Cut(root, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for line := range strings.Lines(list) {
		commands = append(commands, strings.Fields(line)[:1])
	}
	commands = append(commands, []string{"model", "pull"}, []string{"import", "promptfoo"}, []string{"completion", "bash"})
	if len(commands) < 13 {
		t.Fatalf("only %d commands were found in\n%s", len(commands), root)
	}
	for _, c := range commands {
		_, help, _ := said(t, append(c, "--help")...)
		if help == "" {
			t.Errorf("%v has no help", c)
		}
		for line := range strings.Lines(help) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%v: %d columns: %s", c, n, line)
			}
		}
	}
}

func TestNumbersAreNumbersInTheHelp(t *testing.T) {
	_, help, _ := said(t, "run", "--help")
	for _, want := range []string{"--trials number", "--min-run-score number"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
	if strings.Contains(help, " string ") {
		t.Errorf("a flag takes a string, which says nothing:\n%s", help)
	}
}

func TestAMistypedWordIsToldWithTheOneThatIsMeant(t *testing.T) {
	for want, args := range map[string][]string{
		"unknown command \"rnu\", did you mean `failproof run`?":     {"rnu"},
		"unknown command \"foo\"; see `failproof completion --help`": {"completion", "foo"},
		"unknown command \"frobnicate\"; see `failproof --help`":     {"frobnicate"},
		"unknown flag: --bse, did you mean --base?":                  {"run", "--bse", "main"},
		"1 argument here; expected `failproof demo":                  {"demo", "shop"},
		"an argument is missing; expected `failproof diff":           {"diff"},
		"did you mean `failproof model pull`?":                       {"model", "pul"},
	} {
		if code, _, log := said(t, args...); code != cli.ExitInput || !strings.Contains(log, want) {
			t.Errorf("%v: exit code %d, %q, want %q", args, code, log, want)
		}
	}
}
