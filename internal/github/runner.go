package github

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
	"github.com/sethvargo/go-githubactions"
)

// Run is the runner's description of the current job.
type Run struct {
	ID      int64 // GITHUB_RUN_ID, equal for all attempts and growing
	Attempt int   // from 1

	Workflow string // path of the workflow, or else its name
	Job      string // key of the job, equal for all jobs of a matrix
	Name     string // distinguishes several runs of one pull request, which the action's input sets; may be ""

	Server     string // https://github.com, without a trailing slash
	API        string // https://api.github.com
	Repository string // owner/name of the repository
}

// ReadRun reads the runner's variables. The error names a variable that is not set or not valid.
func ReadRun(env func(string) string) (Run, error) {
	id, wrongID := positive(env, "GITHUB_RUN_ID")
	attempt, wrongAttempt := positive(env, "GITHUB_RUN_ATTEMPT")
	server, wrongServer := address(env, "GITHUB_SERVER_URL", "https://github.com")
	api, wrongAPI := address(env, "GITHUB_API_URL", "https://api.github.com")
	run := Run{ID: id, Attempt: int(attempt), Workflow: workflow(env), Job: env("GITHUB_JOB"), Server: server, API: api,
		Repository: env("GITHUB_REPOSITORY")}
	return run, cmp.Or(wrongID, wrongAttempt, wrongServer, wrongAPI)
}

// URL returns the address of the run's page.
func (r Run) URL() string {
	return fmt.Sprintf("%s/%s/actions/runs/%d/attempts/%d", r.Server, r.Repository, r.ID, r.Attempt)
}

// positive returns the value of the variable name. It returns an error if the value is not a positive number of at most
// 2^53, the largest integer that every JSON client keeps.
func positive(env func(string) string, name string) (int64, error) {
	n, err := strconv.ParseInt(env(name), 10, 64)
	if err != nil || n <= 0 || n > 1<<53 {
		return 0, fault(name, "%q is not a positive number", text.TruncateBytes(env(name), 60))
	}
	return n, nil
}

// workflow returns the workflow's path, or its name if that is unknown, because names change and two may be equal.
// GITHUB_WORKFLOW_REF is owner/name/.github/workflows/file.yml@refs/….
func workflow(env func(string) string) string {
	path, _, _ := strings.Cut(env("GITHUB_WORKFLOW_REF"), "@")
	return cmp.Or(strings.TrimPrefix(path, env("GITHUB_REPOSITORY")+"/"), env("GITHUB_WORKFLOW"))
}

func address(env func(string) string, name, otherwise string) (string, error) {
	value := cmp.Or(env(name), otherwise)
	u := webURL(value)
	if u == nil || u.RawQuery != "" || u.User != nil {
		return "", fault(name, "%q is not an address", text.TruncateBytes(value, 100))
	}
	return strings.TrimRight(value, "/"), nil
}

// MaxStepSummary is the largest summary in bytes. The runner drops a summary of more than 1 MiB.
const MaxStepSummary = 900 << 10

// annotationsOfAKind is the runner's limit of annotations per level and step.
const annotationsOfAKind = 10

// maxAnnotation is the length in bytes at which the runner truncates an annotation's message.
const maxAnnotation = 4096

// Runner is the interface to the workflow step: its inputs, outputs, summary and log. Callers make texts safe to show.
// If a file cannot be written, the methods return an error, which changes no verdict.
type Runner struct {
	actions  *githubactions.Action
	redactor *redact.Redactor // redacts the token
}

// NewRunner returns a runner for an environment and a log, which is standard output on a real runner.
func NewRunner(env func(string) string, log io.Writer) *Runner {
	r := &Runner{actions: githubactions.New(githubactions.WithGetenv(env), githubactions.WithWriter(log))}
	r.redactor = redact.New([]string{r.Token()}, nil)
	return r
}

// Token returns the input with the token.
func (r *Runner) Token() string { return r.Input("token") }

// Redacted returns the text of an error without the token, which errors from GitHub may contain.
func (r *Runner) Redacted(err error) string { return r.redactor.Text(err.Error()) }

// Input returns an input without surrounding white space, or "" if it is not set. The runner's variable keeps
// hyphens: min-run-score is INPUT_MIN-RUN-SCORE.
func (r *Runner) Input(name string) string { return r.actions.GetInput(name) }

// outputs are the outputs of action.yml with the values that each may have, on one line, so that no model or file can
// set another output. A value is "" if a run has none.
var outputs = map[string]*regexp.Regexp{
	"verdict":        regexp.MustCompile(`^(passed|failed|undecided|invalid)?$`),
	"run-score":      numberForm,
	"base-run-score": numberForm,
	"delta":          numberForm,
	"regressions":    countForm,
	"fixed":          countForm,
	"report":         regexp.MustCompile(`^[^\x00-\x1f\x7f-\x{9f}\x{2028}\x{2029}]*$`),
	"comment-url":    regexp.MustCompile(`^(https?://[!#-;=?A-Z[\]_a-z~]+)?$`), // characters of an address, but no @
}

var (
	numberForm = regexp.MustCompile(`^([+-]?[0-9]{1,9}(\.[0-9]+)?)?$`)
	countForm  = regexp.MustCompile(`^[0-9]{0,9}$`)
)

// maxOutput is the largest value of an output in bytes.
const maxOutput = 4096

// SetOutput sets an output of action.yml. The value must not begin as the line does with which githubactions ends it.
func (r *Runner) SetOutput(name, value string) error {
	form := outputs[name]
	if form == nil || len(value) > maxOutput || !utf8.ValidString(value) || !form.MatchString(value) ||
		strings.HasPrefix(value, "_GitHubActions") {
		return fmt.Errorf("output %s: %q is not a value it can have", name, text.TruncateBytes(value, 100))
	}
	return r.writeFile("GITHUB_OUTPUT", "output "+name, func() { r.actions.SetOutput(name, value) })
}

// Summary writes the job summary. Call it once, because the runner limits the summary of the whole step.
func (r *Runner) Summary(markdown string) error {
	if len(markdown) > MaxStepSummary {
		const note = "\n\n… the rest did not fit into the job summary.\n"
		markdown = prefixLines(markdown, MaxStepSummary-len(note)) + note
	}
	return r.writeFile("GITHUB_STEP_SUMMARY", "job summary", func() { r.actions.AddStepSummary(markdown) })
}

// Mask hides a secret in the log. The runner masks line by line. Mask skips lines of fewer than four characters,
// because masking them would make the log unreadable and drop outputs that contain them.
func (r *Runner) Mask(secret string) error {
	return write("log", func() {
		for line := range strings.Lines(secret) {
			if line = strings.TrimSpace(line); len(line) >= 4 {
				r.actions.AddMask(line)
			}
		}
	})
}

// Annotate prints annotations, most important first. Of more than ten of a level, the tenth says how many.
func (r *Runner) Annotate(annotations []Annotation) error {
	left, printed := map[string]int{}, map[string]int{}
	for _, a := range annotations {
		left[a.Level]++
	}
	return write("log", func() {
		for _, a := range annotations {
			printed[a.Level]++
			left[a.Level]--
			more := ""
			if n := left[a.Level]; n > 0 && printed[a.Level] == annotationsOfAKind {
				more = " (and " + strconv.Itoa(n) + " more)"
			}
			if printed[a.Level] <= annotationsOfAKind {
				r.annotate(a, more)
			}
		}
	})
}

// annotate prints an annotation whose message ends with more.
func (r *Runner) annotate(a Annotation, more string) {
	properties := map[string]string{}
	if a.Path != "" {
		properties["file"], properties["line"] = text.EscapeHidden(a.Path), strconv.Itoa(max(a.Line, 1))
	}
	if a.Title != "" {
		properties["title"] = a.Title
	}
	to, message := r.actions.WithFieldsMap(properties), text.TruncateBytes(a.Message, maxAnnotation-len(more))+more
	switch a.Level {
	case "failure":
		to.Errorf("%s", message)
	case "warning":
		to.Warningf("%s", message)
	default:
		to.Noticef("%s", message)
	}
}

// Warn prints a warning, such as one of Publish, on one line.
func (r *Runner) Warn(message string) error {
	return write("log", func() { r.actions.Warningf("%s", oneLine(r.redactor.Text(message))) })
}

// writeFile calls f, which appends to the file that the variable names.
func (r *Runner) writeFile(variable, what string, f func()) error {
	if r.actions.Getenv(variable) == "" {
		return fmt.Errorf("write the %s: %s is not set", what, variable)
	}
	return write(what, f)
}

// write calls f, and returns as an error what githubactions panics with if it cannot write.
func write(what string, f func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("write the %s: %v", what, cause)
		}
	}()
	f()
	return nil
}
