package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/github/githubtest"
)

// outcome is what a run leaves behind, beside what it published.
type outcome struct {
	code     int
	log      string // both streams, as the runner reads them
	summary  string
	outputs  map[string]string
	extra    string                // what it wrote to files that change later steps
	checks   []githubtest.CheckRun // those that it made, as they are now
	requests []githubtest.Request  // to GitHub
}

// canaries are the secrets of a runner, by variable. Their values may be in no output and reach no server; the
// provider's key goes to the provider, in the header that is made for it.
var canaries = map[string]string{
	"GITHUB_TOKEN": "ghs_canaryGITHUBTOKENcanaryGITHUBTOKEN0001", "ACTIONS_RUNTIME_TOKEN": "canary-actions-runtime-token-0002",
	"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "canary-actions-id-token-0003", "ACTIONS_ID_TOKEN_REQUEST_URL": "https://canary-0004.invalid/oidc?x=1",
	"ACTIONS_RUNTIME_URL": "https://canary-0005.invalid/runtime/", "ACTIONS_CACHE_URL": "https://canary-0006.invalid/cache/",
	"ACTIONS_RESULTS_URL": "https://canary-0007.invalid/results/", "GITHUB_APP_KEY": "canary-github-app-key-0008",
	"RUNNER_REGISTRATION_TOKEN": "canary-runner-registration-0009", "INPUT_SECRET": "canary-input-secret-0010",
	"AWS_SECRET_ACCESS_KEY": "canary-aws-secret-access-key-0011", "STATE_SECRET": "canary-state-secret-0012",
	"OTHER_API_KEY": "canary-other-api-key-0013", "ANTHROPIC_API_KEY": "canary-anthropic-api-key-0014",
	"OPENAI_API_KEY": `canary-openai<&>"'/+=\key-0015`, "INPUT_TOKEN": githubtest.Token,
}

// secret tells the variables that a run without trust does not get: those that a workflow fills from secrets.
func secret(name string) bool {
	return strings.HasSuffix(name, "_API_KEY") || name == "AWS_SECRET_ACCESS_KEY" || name == "GITHUB_APP_KEY" || name == "INPUT_SECRET"
}

// run runs `failproof action` as a new run of the workflow.
func (s *scene) run() {
	s.Helper()
	s.ready()
	if s.event == "merge_group" {
		s.group()
	}
	s.runs++
	dir := s.TempDir()
	env := s.runnerEnvironment()
	commands := []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE"}
	for _, name := range commands {
		env[name] = filepath.Join(dir, name)
		s.put(env[name], "")
	}
	payload, err := json.Marshal(s.payload())
	if err != nil {
		s.Fatal(err)
	}
	env["GITHUB_EVENT_PATH"] = filepath.Join(dir, "event.json")
	s.put(env["GITHUB_EVENT_PATH"], string(payload))
	s.hub.AddToken(githubtest.Token, githubtest.Actions, !s.readOnly(), !s.readOnly())
	s.hub.TakeRequests() // forgets those of earlier runs
	known := len(s.hub.Checks())
	var log bytes.Buffer
	code, err := s.action(dir, env, &log)
	if err != nil {
		s.Fatal(err)
	}
	s.last = outcome{
		code: code, log: unmasked(log.String()), summary: s.get(env["GITHUB_STEP_SUMMARY"]), outputs: s.readOutputs(s.get(env["GITHUB_OUTPUT"])),
		extra:    s.get(env["GITHUB_ENV"]) + s.get(env["GITHUB_PATH"]) + s.get(env["GITHUB_STATE"]),
		requests: s.hub.TakeRequests(),
	}
	s.last.checks = s.written(known)
	s.invariants()
}

// action runs the action as the runner starts it: failproof, or the image that FAILPROOF_IMAGE names. dir holds the
// files that the runner hands over.
func (s *scene) action(dir string, env map[string]string, log io.Writer) (code int, err error) {
	image := os.Getenv("FAILPROOF_IMAGE")
	if image == "" {
		ctx, interrupt := context.WithCancelCause(s.Context())
		s.model.interruptWith(func() { interrupt(errors.New("interrupt signal received")) }) // as a process words it
		return start{s.workspace, list(env), log, log}.runUntil(ctx, s.T, "action")
	}
	inside := maps.Clone(env)
	delete(inside, "PATH")
	args := []string{"run", "--rm", "--network", "host", "--workdir", "/github/workspace", "-v", s.workspace + ":/github/workspace", "-v", dir + ":/github/files"}
	for name, value := range inside {
		if rest, is := strings.CutPrefix(value, dir); is {
			inside[name] = "/github/files" + rest
		}
		args = append(args, "-e", name)
	}
	inside["GITHUB_WORKSPACE"], inside["HOME"], inside["RUNNER_TEMP"] = "/github/workspace", "/github/files", "/github/files"
	outside := append(list(inside), "PATH="+os.Getenv("PATH"), "DOCKER_HOST="+os.Getenv("DOCKER_HOST"))
	return start{"", outside, log, log}.process(s.Context(), "docker", append(args, image, "action")...)
}

func list(env map[string]string) (out []string) {
	for name, value := range env {
		out = append(out, name+"="+value)
	}
	return out
}

var checkWrites = regexp.MustCompile(`/check-runs(?:/(\d+))?$`)

// written are the check runs that the last run made or changed, as they are now; known is how many there were before.
func (s *scene) written(known int) (out []githubtest.CheckRun) {
	changed := map[string]bool{}
	for _, r := range s.last.requests {
		if m := checkWrites.FindStringSubmatch(r.Path); m != nil && r.Method == "PATCH" {
			changed[m[1]] = true
		}
	}
	for i, c := range s.hub.Checks() {
		if i >= known || changed[strconv.FormatInt(c.ID, 10)] {
			out = append(out, c)
		}
	}
	return out
}

// unmasked is a log as people see it: the runner takes out the commands by which a step names its secrets.
func unmasked(log string) string {
	for _, value := range canaries {
		log = strings.ReplaceAll(log, "::add-mask::"+value+"\n", "")
	}
	return log
}

func (s *scene) put(path, content string) {
	s.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) get(path string) string {
	s.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return string(data)
}

// runnerEnvironment is the environment of a step, and nothing of the test's own.
func (s *scene) runnerEnvironment() map[string]string {
	env := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": s.TempDir(), "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": s.workspace,
		"GITHUB_REPOSITORY": "octo/prompts", "GITHUB_REPOSITORY_OWNER": "octo", "GITHUB_REPOSITORY_ID": "1000", "GITHUB_RUN_ID": strconv.Itoa(100 + s.runs),
		"GITHUB_RUN_NUMBER": strconv.Itoa(s.runs), "GITHUB_RUN_ATTEMPT": s.attempt, "GITHUB_JOB": "gate", "GITHUB_WORKFLOW": "prompts",
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_API_URL": s.api, "GITHUB_GRAPHQL_URL": s.api + "/graphql", "GITHUB_EVENT_NAME": s.event,
		"GITHUB_ACTOR": "octocat", "GITHUB_TRIGGERING_ACTOR": "octocat", "GITHUB_ACTION": "__self", "GITHUB_RETENTION_DAYS": "90", "GITHUB_REF_PROTECTED": "false",
		"GITHUB_REF_TYPE": "branch", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_NAME": "r", "RUNNER_TEMP": s.TempDir(), "RUNNER_ENVIRONMENT": "github-hosted",
	}
	for name, value := range canaries {
		if !s.readOnly() || !secret(name) {
			env[name] = value
		}
	}
	maps.Copy(env, s.where())
	for name, value := range s.inputs {
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, " ", "_"))] = value
	}
	maps.Copy(env, s.env)
	env["GITHUB_WORKFLOW_REF"] = "octo/prompts/.github/workflows/prompts.yml@" + env["GITHUB_REF"]
	return env
}

// readOutputs reads a file of outputs as the runner does.
func (s *scene) readOutputs(text string) map[string]string {
	s.Helper()
	out, action := map[string]string{}, readAction(s.T)
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		name, value, simple := strings.Cut(line, "=")
		if heredoc, end, is := strings.Cut(line, "<<"); is && (!simple || len(heredoc) < len(name)) {
			name = heredoc
			value, text, _ = strings.Cut("\n"+text, "\n"+end+"\n")
			value = strings.TrimPrefix(value, "\n")
		}
		if _, known := action.Outputs[name]; !known {
			s.fail("the run wrote the output %q, which action.yml does not have", name)
		}
		out[name] = value
	}
	return out
}
