package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// orders are texts that a runner would obey if they reached a log, a file of outputs or a summary as they are.
var orders = []string{
	"::error::PWNED", "x\n::add-mask::PWNED", "x\r::add-mask::PWNED", "x\u2028::warning::PWNED", "x\u0085 \t::notice::PWNED",
	"##[error]PWNED", "x ##[set-output name=verdict]PWNED", "x %0A::error::PWNED", "x #\u200b#[error]PWNED", "＃＃［error］PWNED", "：：error：：PWNED",
	"\nverdict=PWNED\n", "\nverdict<<END\nPWNED\nEND\n", "_GitHubActionsFileCommandDelimeter_\nverdict=PWNED", "::stop-commands::PWNED", "\x1b[2K::error::PWNED",
}

// allowed are the commands that a run prints of its own accord.
var allowed = []string{"add-mask", "error", "warning", "notice"}

// inert reports commands that are not ours, and outputs that action.yml does not have.
func inert(t *testing.T, o outcome) {
	t.Helper()
	for _, c := range commands(o.log) {
		switch {
		case !slices.Contains(allowed, c.name):
			t.Errorf("the log holds the command %q: %+v", c.name, c)
		case c.name == "add-mask" && c.data != githubtest.Token:
			t.Errorf("the log masks %q", c.data)
		case strings.HasPrefix(c.data, "PWNED"):
			t.Errorf("the log holds somebody's command: %+v", c)
		}
	}
	var action struct{ Outputs map[string]any }
	if err := yaml.Unmarshal([]byte(read("../../action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	for name, value := range o.outputs {
		if _, known := action.Outputs[name]; !known || strings.Contains(value, "PWNED") && name != "report" { // the report lies where the workflow wants it
			t.Errorf("output %q is %q; expected one of action.yml, without PWNED", name, value)
		}
	}
}

// keepToLog has a run write annotations into the log and nothing to GitHub, whose client leaves a second between
// writes.
func (h *hub) keepToLog() { h.env["INPUT_COMMENT"], h.env["INPUT_CHECK"] = "never", "false" }

const hostileConfig = `version: 1
suites: ["suites/**/*.yaml"]
default_target: replay
targets:
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
`

// hostileFiles is a repository with a suite whose answers and rules try to give orders, under a file's name that does.
// good makes the answers pass.
func hostileFiles(t *testing.T, name string, good bool) map[string]string {
	t.Helper()
	suite := "version: 1\nid: a\nmessages: [{ role: user, content: \"{{ q }}\" }]\ncases:\n"
	var answers strings.Builder
	for i, order := range orders {
		suite += fmt.Sprintf("  - { id: c%d, vars: { q: %s }, expected_response: %s, match: exact }\n", i, quoted(t, order), quoted(t, "right "+order))
		answer := order
		if good {
			answer = "right " + order
		}
		fmt.Fprintf(&answers, "{\"suite_id\": \"a\", \"case_id\": \"c%d\", \"raw_response\": %s}\n", i, quoted(t, answer))
	}
	return map[string]string{"failproof.yml": hostileConfig, name: suite, "recordings/a.jsonl": answers.String()}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\u0085", `\u0085`)
}

func TestActionObeysNoAnswer(t *testing.T) {
	for _, c := range []struct {
		rule string
		fork bool
	}{{"where a check run carries the annotations", false}, {"where the log carries them", true}} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, hostileFiles(t, "suites/a.yaml", true), hostileFiles(t, "suites/a.yaml", false))
			if c.fork {
				h.fork(repository(2000))
			}
			o := h.run()
			h.expect(o, cli.ExitFailed, "failed")
			inert(t, o)
			if n := len(named(commands(o.log), "error")); c.fork != (n > 0) {
				t.Errorf("%d annotations in the log", n)
			}
		})
	}
}

// hostileNames are names of suite files, as a change could bring them.
var hostileNames = []string{
	"suites/::error::PWNED.yaml", "suites/##[error]PWNED.yaml", "suites/\n::error::PWNED.yaml", "suites/\r::add-mask::PWNED.yaml",
	"suites/a,line=1::PWNED.yaml", "suites/\u202e::error::PWNED.yaml", "suites/%0A::error::PWNED.yaml", "suites/\nverdict=PWNED.yaml",
}

func TestActionObeysNoFileName(t *testing.T) {
	for _, name := range hostileNames {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			h := hubOf(t, hostileFiles(t, "suites/b.yaml", true), hostileFiles(t, name, false))
			h.keepToLog()
			o := h.run()
			if o.code != cli.ExitFailed && o.code != cli.ExitInput {
				t.Errorf("exit code %d, want %d, or %d if the name is refused; log:\n%s", o.code, cli.ExitFailed, cli.ExitInput, o.log)
			}
			inert(t, o)
			if len(named(commands(o.log), "error")) == 0 {
				t.Error("the log has no annotation")
			}
		})
	}
}

// A file that cannot be read as a suite is quoted by its fault.
func TestActionObeysNoFault(t *testing.T) {
	t.Parallel()
	for i, order := range orders {
		for _, name := range []string{"suites/a.yaml", hostileNames[i%len(hostileNames)]} {
			t.Run(fmt.Sprintf("%q in %q", order, name), func(t *testing.T) {
				files := hostileFiles(t, "suites/a.yaml", true)
				broken := maps.Clone(files)
				broken[name] = fmt.Sprintf("version: 1\nid: %s\n%s: 1\nprompt: %s\ncases: [{ id: %s }]\n", quoted(t, order), quoted(t, order), quoted(t, order), quoted(t, order))
				h := hubOf(t, files, broken)
				h.keepToLog()
				o := h.run()
				h.expect(o, cli.ExitInput, "invalid")
				inert(t, o)
			})
		}
	}
}

func TestActionObeysNoInput(t *testing.T) {
	t.Parallel()
	for _, order := range orders {
		for _, name := range []string{"CONFIG", "SUITES", "SCOPE", "BASE", "PHASE", "MIN-RUN-SCORE", "COMMENT", "CHECK", "OUT", "SHARD"} {
			h := newHub(t)
			h.keepToLog()
			h.env["INPUT_"+name] = order
			o := h.run()
			if o.code == cli.ExitPassed || o.code == cli.ExitBug {
				t.Errorf("%s=%q: exit code %d; log:\n%s", name, order, o.code, o.log)
			}
			inert(t, o)
		}
	}
}

// tokenForms are how the token could get out: as it is, and pulled apart so that a runner's mask does not find it.
var tokenForms = regexp.MustCompile(regexp.QuoteMeta(githubtest.Token) + "|" + regexp.QuoteMeta(githubtest.Token[4:]))

func TestActionKeepsItsToken(t *testing.T) {
	leaky := hostileFiles(t, "suites/a.yaml", true)
	leaky["recordings/a.jsonl"] = strings.ReplaceAll(leaky["recordings/a.jsonl"], "right ", "wrong "+githubtest.Token+" ")
	for _, c := range []struct {
		rule string
		set  func(h *hub)
		code int
	}{
		{"in a run that fails", func(*hub) {}, cli.ExitFailed},
		{"on a fork", func(h *hub) { h.fork(repository(2000)) }, cli.ExitFailed},
		{"when GitHub repeats it in an error", func(h *hub) {
			h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`comments|check-runs`), Status: 403, Body: `{"message": "no rights for ` + githubtest.Token + `"}`})
		}, cli.ExitFailed},
		{"when GitHub repeats it where a tree is read", func(h *hub) {
			h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/git/`), Status: 403, Body: `{"message": "no rights for ` + githubtest.Token + `"}`})
		}, cli.ExitUndecided},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, hostileFiles(t, "suites/a.yaml", true), leaky)
			c.set(h)
			o := h.run()
			if o.code != c.code {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.code, o.log)
			}
			log := strings.Replace(o.log, "::add-mask::"+githubtest.Token, "", 1)
			if log == o.log {
				t.Error("the log does not have the runner mask the token")
			}
			for what, text := range h.everything(o, log) {
				if at := tokenForms.FindStringIndex(text); at != nil {
					t.Errorf("%s holds the token: …%s", what, text[max(at[0]-80, 0):at[1]])
				}
			}
		})
	}
}

// everything is all that a run has said, by where.
func (h *hub) everything(o outcome, log string) map[string]string {
	all := map[string]string{"the log": log, "the summary": o.summary, "the outputs": fmt.Sprint(o.outputs)}
	for i, r := range h.TakeRequests() {
		all[fmt.Sprintf("request %d, %s %s,", i, r.Method, r.Path)] = r.Path + r.Body
	}
	err := fs.WalkDir(os.DirFS(h.workspace), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS(h.workspace), name)
		all[name] = string(data)
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
	return all
}
