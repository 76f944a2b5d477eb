package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
)

// actionFlags are the inputs of action.yml as flags, for a step that runs `failproof action` itself. What they say stands in place of
// the runner's variables. There is none for the token: what a command line holds, other programs of the machine can read.
var actionFlags = []struct{ name, usage string }{
	{"config", "path of the configuration in the repository; else .github/failproof.yml or failproof.yml"},
	{"suites", "suite files to run, separated by white space or commas; else those that the configuration names"},
	{"scope", "changed (default) or all: which suites run"},
	{"base", "branch, tag or SHA to compare with; else what the event compares with"},
	{"phase", "baseline, finetuned or deployment: whose bars apply; else the configuration's"},
	{"min-run-score", "bar of the run score, from 0 to 1; else the configuration's"},
	{"comment", "auto (default), always, failures or never: when a pull request gets a comment"},
	{"check", "true (default) or false: whether to make the check run"},
	{"name", "tells apart several runs of one pull request; else what the run works on"},
	{"working-directory", "folder, from the root of the repository, in which all paths begin; else the current folder"},
	{"bootstrap", "true or false (default): whether live targets of a first configuration are asked"},
	{"out", "folder for the files, below the workspace; .failproof/out"},
	{"page-url", "https address under which report.html is published; the comment's cases link to it"},
	{"cache", "folder, below the workspace, that keeps live answers; .failproof/cache; off keeps none"},
	{"shard", "part of the run that this job asks, as in 1/4; merge in the job that judges them"},
	{"trials", "no more answers of live targets to each case than this; else as many as the files say"},
	{"max-cost-usd", "no more cost of live targets than this, in US dollars; else what limits.max_cost_usd says"},
}

// actionEnv is the environment in which the runner gives inputs, with those that were given as flags. Where a step is no
// `uses:`, nobody sets the variable of the input token: GITHUB_TOKEN is the name that workflows use for it then.
func actionEnv(cmd *cobra.Command, env func(string) string) func(string) string {
	given := map[string]string{}
	for _, f := range actionFlags {
		if flag := cmd.Flags().Lookup(f.name); flag.Changed {
			given["INPUT_"+strings.ToUpper(f.name)] = flag.Value.String()
		}
	}
	return func(name string) string {
		if value, ok := given[name]; ok {
			return value
		}
		if name == "INPUT_TOKEN" {
			return cmp.Or(env(name), env("GITHUB_TOKEN"))
		}
		return env(name)
	}
}
