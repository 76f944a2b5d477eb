package github

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
	"github.com/sethvargo/go-githubactions"
)

// Run is the runner's description of the current job.
type Run struct {
	ID      int64 // GITHUB_RUN_ID, equal for all attempts and growing
	Attempt int   // from 1

	Workflow string // path of the workflow, or else its name
	Job      string // key of the job, equal for all jobs of a matrix

	Server     string // https://github.com, without a trailing slash
	API        string // https://api.github.com
	Repository string // owner/name of the repository
}

// ReadRun reads the runner's variables. The error names a variable that is not set or not valid.
func ReadRun(env func(string) string) (Run, error) {
	id, err := positive(env, "GITHUB_RUN_ID")
	if err != nil {
		return Run{}, err
	}
	attempt, err := positive(env, "GITHUB_RUN_ATTEMPT")
	if err != nil {
		return Run{}, err
	}
	run := Run{ID: id, Attempt: int(attempt), Workflow: workflow(env), Job: env("GITHUB_JOB"),
		Repository: env("GITHUB_REPOSITORY")}
	if run.Server, err = address(env, "GITHUB_SERVER_URL", "https://github.com"); err != nil {
		return Run{}, err
	}
	run.API, err = address(env, "GITHUB_API_URL", "https://api.github.com")
	return run, err
}

// URL returns the address of the run's page.
func (r Run) URL() string {
	return r.Server + "/" + r.Repository + "/actions/runs/" + strconv.FormatInt(r.ID, 10) + "/attempts/" +
		strconv.Itoa(r.Attempt)
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
	if path, ok := strings.CutPrefix(path, env("GITHUB_REPOSITORY")+"/"); ok && path != "" {
		return path
	}
	return env("GITHUB_WORKFLOW")
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
	env     func(string) string
	actions *githubactions.Action
}

// NewRunner returns a runner for an environment and a log, which is standard output on a real runner.
func NewRunner(env func(string) string, log io.Writer) *Runner {
	return &Runner{env, githubactions.New(githubactions.WithGetenv(env), githubactions.WithWriter(log))}
}

// Input returns an input without surrounding white space, or "" if it is not set. The runner's variable keeps
// hyphens: min-run-score is INPUT_MIN-RUN-SCORE.
func (r *Runner) Input(name string) string { return r.actions.GetInput(name) }

// SetOutput sets an output of action.yml to a value of its kind, so that no model or file can set another output.
func (r *Runner) SetOutput(name, value string) error {
	ok, known := outputs[name]
	if !known {
		return fmt.Errorf("there is no output %q", name)
	}
	if !ok(value) {
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
	return recoverWrite("log", func() {
		for line := range strings.Lines(secret) {
			if line = strings.TrimSpace(line); len(line) >= 4 {
				r.actions.AddMask(line)
			}
		}
	})
}

// Annotate prints annotations, most important first. Of more than ten of a level, the tenth says how many.
func (r *Runner) Annotate(annotations []Annotation) error {
	return recoverWrite("log", func() {
		count := map[string]int{}
		for _, a := range annotations {
			count[a.Level]++
		}
		printed := map[string]int{}
		for _, a := range annotations {
			printed[a.Level]++
			more := ""
			if n := count[a.Level] - printed[a.Level]; printed[a.Level] == annotationsOfAKind && n > 0 {
				more = " (and " + strconv.Itoa(n) + " more)"
			}
			if printed[a.Level] <= annotationsOfAKind {
				r.print(a, more)
			}
		}
	})
}

func (r *Runner) print(a Annotation, more string) {
	properties := map[string]string{}
	if a.Path != "" {
		properties["file"], properties["line"] = text.EscapeHidden(a.Path), strconv.Itoa(max(a.Line, 1))
	}
	if a.Title != "" {
		properties["title"] = a.Title
	}
	to := r.actions.WithFieldsMap(properties)
	message := text.TruncateBytes(a.Message, maxAnnotation-len(more)) + more
	switch a.Level {
	case "failure":
		to.Errorf("%s", message)
	case "warning":
		to.Warningf("%s", message)
	default:
		to.Noticef("%s", message)
	}
}

// Warn prints a warning, such as one of Publish.
func (r *Runner) Warn(message string) error {
	return recoverWrite("log", func() { r.actions.Warningf("%s", text.TruncateBytes(oneLine(message), maxAnnotation)) })
}

func (r *Runner) writeFile(variable, what string, write func()) error {
	if r.env(variable) == "" {
		return fmt.Errorf("write the %s: %s is not set", what, variable)
	}
	return recoverWrite(what, write)
}

// recoverWrite calls write, and returns as an error what githubactions panics with if it cannot write.
func recoverWrite(what string, write func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("write the %s: %w", what, v)
		default:
			panic(v)
		}
	}()
	write()
	return nil
}

// outputs are the outputs of action.yml with the checks of their values. A value is "" if a run has none.
var outputs = map[string]func(string) bool{
	"verdict": func(v string) bool {
		return slices.Contains([]string{"", "passed", "failed", "undecided", "invalid"}, v)
	},
	"run-score":      isNumber,
	"base-run-score": isNumber,
	"delta":          isNumber,
	"regressions":    count.MatchString,
	"fixed":          count.MatchString,
	"report":         isPath,
	"comment-url":    isAddress,
}

// maxNumber limits the bytes of a number in an output: a sign, nine digits, a point and 340 decimals.
const maxNumber = 1 + 9 + 1 + 340

var (
	number = regexp.MustCompile(`^([+-]?[0-9]{1,9}(\.[0-9]+)?)?$`)
	count  = regexp.MustCompile(`^([0-9]{1,9})?$`)
)

func isNumber(v string) bool { return len(v) <= maxNumber && number.MatchString(v) }

// isPath reports whether a value is a single printable line that does not begin with _GitHubActions. The library
// githubactions ends a value with a line that begins so.
func isPath(v string) bool {
	return len(v) <= 4096 && utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl) &&
		!strings.ContainsAny(v, "\u2028\u2029") && !strings.HasPrefix(v, "_GitHubActions")
}

func isAddress(v string) bool {
	u := webURL(v)
	return v == "" || u != nil && u.User == nil && u.String() == v && len(v) <= 2048
}
