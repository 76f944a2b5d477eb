package cli

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/version"
)

// readInputs reads and checks the inputs. What action.yml gives a default may be missing: a bare container has none. Where in the
// repository the run was started is the folder that it works in, unless it is told another.
func readInputs(sys System, runner *github.Runner) (in action.Inputs, err error) {
	in = action.Inputs{
		Inputs: run.Inputs{Config: runner.Input("config"), Suites: strings.Fields(strings.ReplaceAll(runner.Input("suites"), ",", " ")),
			Scope: cmp.Or(runner.Input("scope"), run.ScopeChanged), Phase: runner.Input("phase"), Cache: runner.Input("cache"),
			Bootstrap: runner.Input("bootstrap") == "true", Version: version.Of(), Dir: sys.Dir, Getenv: sys.Getenv, Now: sys.Now,
			Progress: progress.New(sys.Stderr, shownOn(sys, false))},
		Compare: runner.Input("base"), Token: runner.Input("token"), Check: runner.Input("check") != "false",
		Comment: cmp.Or(github.CommentMode(runner.Input("comment")), github.CommentAuto), Out: cmp.Or(runner.Input("out"), output.DefaultFolder),
		Page: runner.Input("page-url"),
	}
	if in, err = in.At(runner.Input("working-directory"), runner.Input("name")); err != nil {
		return in, err
	}
	if err := cmp.Or(oneOf("input bootstrap", runner.Input("bootstrap"), "", "true", "false"),
		oneOf("input comment", string(in.Comment), "auto", "always", "failures", "never"),
		oneOf("input check", runner.Input("check"), "", "true", "false")); err != nil {
		return in, err
	}
	if in.Part, in.Merge, err = parseShard(runner.Input("shard")); err != nil {
		return in, err
	}
	if in.Cache != run.NoCache && filepath.IsAbs(in.Cache) {
		return in, fault.Inputf("input cache is an absolute path; expected one below the workspace, or off")
	}
	if filepath.IsAbs(in.Out) {
		return in, fault.Inputf("input out is an absolute path; expected one below the workspace")
	}
	if in.Page != "" && !show.PageForm.MatchString(in.Page) {
		return in, fault.Inputf("input page-url is %q; expected the https address that report.html is published under, without a fragment", in.Page)
	}
	if err := checkOptions(in.Phase, in.Scope); err != nil {
		return in, err
	}
	if in.MostTrials, err = parseTrials("input trials", runner.Input("trials")); err != nil {
		return in, err
	}
	if in.MostCostUSD, err = parseDollars("input max-cost-usd", runner.Input("max-cost-usd")); err != nil {
		return in, err
	}
	in.MinScore, err = parseScore("input min-run-score", runner.Input("min-run-score"))
	return in, err
}

// mergeShards is the input shard of the job that judges what the others were told.
const mergeShards = "merge"

func parseShard(text string) (part shard.Part, merge bool, err error) {
	if text == "" || text == mergeShards {
		return part, text == mergeShards, nil
	}
	if part, err = shard.ParsePart(text); err != nil {
		return part, false, fault.Inputf("input shard is %q: %w; or merge, in the job that judges them", text, err)
	}
	return part, false, nil
}
