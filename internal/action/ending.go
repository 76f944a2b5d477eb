package action

import (
	"errors"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Ending is where word is left of a run that ended before it had a report.
type Ending struct {
	runner *github.Runner
	hide   *redact.Redactor // knows the token
}

// NewEnding is the runner's, with the token that no word may hold.
func NewEnding(runner *github.Runner, token string) Ending {
	return Ending{runner, redact.New([]string{token}, nil)}
}

// Hidden is what an error says, without the token.
func (e Ending) Hidden(err error) string { return e.hide.Text(err.Error()) }

// Without leaves word of a run without a report, and passes the error on, without the secrets that its words held.
func (e Ending) Without(v report.Verdict, err error) error {
	heading := "## ⏸️ Prompt gate undecided: nothing was judged"
	if v == report.Invalid {
		heading = "## 🚫 Prompt gate: an input is not valid, nothing was judged"
	}
	err = hiddenError{err, e.Hidden(err)}
	return errors.Join(err, e.runner.Summary(heading+"\n\n"+show.Inline(err.Error())+"\n"), e.runner.SetOutput("verdict", string(v)))
}

// hiddenError is an error without the secrets that its words held, as when GitHub repeats a token.
type hiddenError struct {
	err  error
	text string
}

func (e hiddenError) Error() string { return e.text }
func (e hiddenError) Unwrap() error { return e.err }
