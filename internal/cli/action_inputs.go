package cli

import (
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/github"
)

// inputs are the inputs of the action, checked.
type inputs struct {
	options  runOptions
	minScore *float64
	token    string
	comment  github.CommentMode
	check    bool
}

// readInputs reads and checks the inputs. What action.yml gives a default may be missing: a bare container has none.
func readInputs(runner *github.Runner) (inputs, error) {
	in := inputs{token: runner.Input("token"), comment: github.CommentMode(runner.Input("comment")), check: runner.Input("check") != "false"}
	in.options = runOptions{
		Config: runner.Input("config"), Suites: strings.Fields(strings.ReplaceAll(runner.Input("suites"), ",", " ")),
		Scope: runner.Input("scope"), Base: runner.Input("base"), Phase: runner.Input("phase"),
		MinScore: runner.Input("min-run-score"), Out: runner.Input("out"), Cache: runner.Input("cache"),
	}
	defaults(&in)
	if err := oneOf("input comment", string(in.comment), "auto", "always", "failures", "never"); err != nil {
		return in, err
	}
	if err := oneOf("input check", runner.Input("check"), "", "true", "false"); err != nil {
		return in, err
	}
	if runner.Input("shard") != "" {
		return in, inputErrorf("input shard: sharded runs are not built yet; remove it")
	}
	if in.options.Cache != noCache && filepath.IsAbs(in.options.Cache) {
		return in, inputErrorf("input cache is an absolute path; expected one below the workspace, or off")
	}
	if filepath.IsAbs(in.options.Out) {
		return in, inputErrorf("input out is an absolute path; expected one below the workspace")
	}
	if err := checkOptions(in.options); err != nil {
		return in, err
	}
	var err error
	in.minScore, err = parseScore("input min-run-score", in.options.MinScore)
	return in, err
}

// defaults fills in inputs that an action.yml of another age, or a bare container, leaves empty.
func defaults(in *inputs) {
	if in.comment == "" {
		in.comment = github.CommentAuto
	}
	if in.options.Scope == "" {
		in.options.Scope = scopeChanged
	}
	if in.options.Out == "" {
		in.options.Out = defaultOut
	}
}
