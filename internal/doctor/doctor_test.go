package doctor

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/github"
)

const sound = `name: prompts
on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  merge_group:
permissions: {}
jobs:
  gate:
    name: prompt gate${{ github.base_ref != 'main' && ' (into another)' || '' }}
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
      checks: write
    steps:
      - uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0
`

// afterwards judges the results of a fork's run once that ended.
const afterwards = `on: { workflow_run: { workflows: [evals], types: [completed] } }
permissions: { contents: read, actions: read, pull-requests: write, checks: write }
jobs:
  prompt gate:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0
        with: { results-head: "artifact:evals", results-base: "artifact:evals@main" }
`

// soundSetup has nothing to find.
func soundSetup() Setup {
	c := config.Default()
	c.Path = ".github/failproof.yml"
	return Setup{
		Files:  fstest.MapFS{workflowFolder + "/gate.yml": {Data: []byte(sound)}, ".github/CODEOWNERS": {Data: []byte("* @acme/all\n/.github/ @acme/owners\n")}},
		Folder: ".", Config: c,
		Inputs: []string{"scope", "suites", "base", "name", "working-directory", "bootstrap", "shard", "min-run-score", "results-head",
			"results-base", "out", "cache"},
		InputFault: func(inputs map[string]string) string {
			if inputs["scope"] == "some" {
				return "input scope is wrong"
			}
			return ""
		},
		Guard: &github.Guard{Branch: "main", Required: []github.RequiredCheck{{Name: "prompt gate", App: actionsApp}}, CodeOwners: true},
	}
}

// useless are the open findings that no stranger can use: the gate does not work.
var useless = []string{"fault", "key-missing", "no-merge-group", "event", "shallow-checkout", "permission-missing", "runner", "input"}

func TestAnswer(t *testing.T) {
	for want, findings := range map[string][]Finding{
		"Nothing is open: every change is judged, and merged only if the gate passes.":                            nil,
		"This opens no way past the gate, but the gate does not work as configured.":                              {{Open: true, Rule: "fault"}},
		"A stranger could skip the gate.":                                                                         {{Open: true, Rule: "paths"}, {Open: true, Rule: "types"}},
		"A stranger could get a change merged that fails the gate and remove the gate without an owner's review.": {{Open: true, Rule: "no-owners"}, {Open: true, Rule: "exit-code"}},
		"Nothing is open in what could be read. The default branch's rules could not be read.":                    {{Rule: "branch-unseen"}},
		"A stranger could use a disabled rule.":                                                                   {{Open: true, Rule: "level-off"}, {Rule: "unpinned"}},
	} {
		if got := Summary(findings); got != want {
			t.Errorf("%v: %q, want %q", findings, got, want)
		}
	}
}

func TestWhatIsFound(t *testing.T) {
	workflow := func(pairs ...string) func(*Setup) {
		return func(s *Setup) {
			for i := 0; i < len(pairs); i += 2 {
				if !strings.Contains(sound, pairs[i]) {
					t.Fatalf("the workflow does not hold %q", pairs[i])
				}
			}
			text := []byte(strings.NewReplacer(pairs...).Replace(sound))
			s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"] = &fstest.MapFile{Data: text}
		}
	}
	suites := func(edit func(*Setup)) func(*Setup) {
		return func(s *Setup) {
			s.SuitePaths = []string{"suites/a.yaml", "suites/b.yaml"}
			edit(s)
		}
	}
	file := func(name, text string) func(*Setup) {
		return func(s *Setup) { s.Files.(fstest.MapFS)[name] = &fstest.MapFile{Data: []byte(text)} }
	}
	guard := func(edit func(*github.Guard)) func(*Setup) { return func(s *Setup) { edit(s.Guard) } }
	gate := func(edit func(*config.Gate)) func(*Setup) { return func(s *Setup) { edit(&s.Config.Gate) } }
	const at = workflowFolder + "/gate.yml:"
	live := func(edit func(*Setup)) func(*Setup) {
		return func(s *Setup) {
			s.Config.Targets = map[string]config.Target{"fast": {Name: "fast", Provider: "openai", APIKeyEnv: "OPENAI_API_KEY"}}
			s.LiveTargets = []string{"fast"}
			edit(s)
		}
	}
	job := "    runs-on: ubuntu-latest\n"
	step := "      - uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0\n"
	runs := func(with, script string) string {
		return "      - uses: actions/checkout@v5\n" + strings.Replace(with, " with", "        with", 1) + "\n      - run: " + script + "\n"
	}
	gateJob := "jobs:\n" + strings.Split(sound, "jobs:\n")[1]
	called := func(text string) func(*Setup) {
		return func(s *Setup) {
			files := s.Files.(fstest.MapFS)
			files[workflowFolder+"/gate.yml"] = &fstest.MapFile{Data: []byte(strings.Split(sound, "jobs:\n")[0] + "jobs:\n  prompts:\n    uses: ./.github/workflows/called.yml\n")}
			files[workflowFolder+"/called.yml"] = &fstest.MapFile{Data: []byte(text)}
			s.Guard.Required[0].Name = "prompts / prompt gate"
		}
	}
	for _, c := range []struct {
		rule string
		edit func(*Setup)
		want []string
	}{
		{"nothing in a sound set-up", func(*Setup) {}, nil},
		{"no workflow", func(s *Setup) { delete(s.Files.(fstest.MapFS), workflowFolder+"/gate.yml") }, []string{"open no-workflow"}},
		{"a nightly run gates nothing", workflow("on:\n  pull_request:\n    types: [opened, synchronize, reopened, edited]\n  merge_group:\n", "on: [schedule]\n"), []string{"open no-workflow"}},
		{"and beside a gate it is not asked to", file(workflowFolder+"/nightly.yaml", "on: schedule\njobs:\n  night:\n    if: always()\n    steps:\n      - run: failproof run --base main\n"), nil},
		{"the program in a step is a gate", workflow("uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0", "run: failproof action --comment failures"), nil},
		{"one commit is not compared with another", workflow(step, runs("", "failproof run --base origin/main")), []string{"open shallow-checkout " + at + "16:15"}},
		{"nor with the default branch", workflow(step, runs(" with: { fetch-depth: 1 }", "failproof run --base")), []string{"open shallow-checkout " + at + "16:15"}},
		{"another branch is not among the last commits", workflow(step, runs(" with: { fetch-depth: 2 }", "failproof run --base origin/main")), []string{"open shallow-checkout " + at + "16:15"}},
		{"nor is the default branch", workflow(step, runs(" with: { fetch-depth: 50 }", "failproof run --base")), []string{"open shallow-checkout " + at + "16:15"}},
		{"the commit before is", workflow(step, runs(" with: { fetch-depth: 2 }", "failproof run --base HEAD^")), nil},
		{"what a variable names may be", workflow(step, runs(" with: { fetch-depth: 2 }", "failproof run --base ${{ github.event.pull_request.base.sha }}")), nil},
		{"all commits are", workflow(step, runs(" with: { fetch-depth: 0 }", "failproof run --base origin/main")), nil},
		{"a folder needs no commit", workflow(step, runs("", "failproof run --base=../main")), nil},
		{"a script may fetch more", workflow(step, runs("", "git fetch --unshallow && failproof run --base origin/main")), nil},
		{"a run writes no comment", workflow("      pull-requests: write\n      checks: write\n    steps:\n"+step, "    steps:\n"+runs("", "failproof run")), nil},
		{"and needs no more than it had", workflow("contents: read\n      pull-requests: write\n      checks: write\n    steps:\n"+step, "contents: write\n    steps:\n"+runs("", "failproof run")), []string{"open permissions " + at + "12:7"}},
		{"an image is a gate", workflow("failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0", "docker://ghcr.io/failproof/failproof:0.1.0"), []string{"note unpinned " + at + "16:15"}},
		{"a workflow that cannot be read", file(workflowFolder+"/b.yml", "a: [\n"), []string{"note workflow-unread " + workflowFolder + "/b.yml:1:5"}},
		{"the event with secrets", workflow("pull_request:", "pull_request_target:"), []string{"open event " + at + "3:3"}},
		{"a workflow that judges what another one left", file(workflowFolder+"/gate.yml", afterwards), nil},
		{"results of another runner need no configuration", func(s *Setup) {
			s.Files = fstest.MapFS{workflowFolder + "/gate.yml": {Data: []byte(afterwards)}, ".github/CODEOWNERS": {Data: []byte("* @acme/all\n/.github/ @acme/owners\n")}}
			s.Config, s.Faults = nil, []document.Diagnostic{document.NewError(".github/failproof.yml", noPosition, "no-configuration", "none")}
		}, nil},
		{"but suites do", func(s *Setup) {
			s.Config, s.Faults = nil, []document.Diagnostic{document.NewError(".github/failproof.yml", noPosition, "no-configuration", "none")}
		}, []string{"open fault .github/failproof.yml"}},
		{"but not one that runs suites then", file(workflowFolder+"/gate.yml", strings.Replace(afterwards, "results-head", "shard", 1)),
			[]string{"open no-pull-request " + at + "1:1", "open event " + at + "1:7", "open job-if " + at + "5:5"}},
		{"another event beside", workflow("  merge_group:\n", "  merge_group:\n  push:\n"), []string{"open other-events " + at + "6:3"}},
		{"a list of events", workflow("  pull_request:\n    types: [opened, synchronize, reopened, edited]\n  merge_group:\n", "  [pull_request, merge_group]\n"), []string{"open types " + at + "3:4"}},
		{"commits that are not judged", workflow("synchronize, ", ""), []string{"open types " + at + "4:12"}},
		{"another base", workflow(", edited", ""), []string{"open types " + at + "4:12"}},
		{"a filter", workflow("  merge_group:\n", "    paths: ['prompts/**']\n  merge_group:\n"), []string{"open paths " + at + "5:5"}},
		{"no group, no queue", workflow("  merge_group:\n", ""), nil},
		{"no group with a queue", func(s *Setup) { workflow("  merge_group:\n", "")(s); s.Guard.MergeQueue = true }, []string{"open no-merge-group " + at + "2:1"}},
		{"a job that may be skipped", workflow(job, job+"    if: github.actor != 'bot'\n"), []string{"open job-if " + at + "11:5"}},
		{"or is, after another", workflow(job, job+"    needs: build\n"), []string{"open job-needs " + at + "11:5"}},
		{"or never is, after those that ask its shards", workflow(job, job+"    needs: ask\n    if: ${{ always() }}\n"), nil},
		{"a step that asks a shard, and judges nothing", workflow("jobs:\n", "jobs:\n  ask:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: failproof/failproof@v1\n        with: { shard: '${{ matrix.n }}/8' }\n"), nil},
		{"a job that passes anyway", workflow(job, job+"    continue-on-error: true\n"), []string{"open continue-on-error " + at + "11:5"}},
		{"a step that passes anyway", workflow(step, step+"        continue-on-error: true\n"), []string{"open continue-on-error " + at + "17:9"}},
		{"a step that runs where another one failed", workflow(step, step+"        if: ${{ !cancelled() }}\n"), nil},
		{"a folder that no step judges", func(s *Setup) { s.Folder = "services/desk" }, []string{"open folder-unjudged " + workflowFolder + "/gate.yml"}},
		{"a root that no step judges", workflow(step, step+"        with: { working-directory: services/desk }\n"), []string{"open folder-unjudged " + workflowFolder + "/gate.yml"}},
		{"a folder that a step judges", func(s *Setup) {
			s.Folder = "services/desk"
			workflow(step, step+"        with: { working-directory: services/desk/ }\n")(s)
		}, nil},
		{"a folder that may be one of several", func(s *Setup) {
			s.Folder = "services/desk"
			workflow(step, step+"        with: { working-directory: \"${{ matrix.service }}\" }\n")(s)
		}, nil},
		{"services, of which one is not judged", func(s *Setup) {
			s.Config, s.Services = nil, []string{"services/desk", "services/shop"}
			workflow(step, step+"        with: { working-directory: services/desk }\n")(s)
		}, []string{"open folder-unjudged " + workflowFolder + "/gate.yml", "note services"}},
		{"a service that is not judged beside the root", func(s *Setup) { s.Services = []string{"services/desk"} }, []string{"open folder-unjudged " + workflowFolder + "/gate.yml", "note services"}},
		{"a step that may be skipped", workflow(step, step+"        if: false\n"), []string{"open step-if " + at + "17:9"}},
		{"a step that hides the exit code", workflow(step, "      - run: failproof action || true\n"), []string{"open exit-code " + at + "16:9"}},
		{"a pipe in the default shell", workflow(step, "      - run: failproof action | tee log\n"), []string{"open exit-code " + at + "16:9"}},
		{"and in bash", workflow(step, "      - run: failproof action | tee log\n        shell: bash\n"), nil},
		{"in bash for all steps of the job", workflow("    steps:\n"+step, "    defaults: { run: { shell: bash } }\n    steps:\n      - run: failproof action | tee log\n"), nil},
		{"in a shell without -e", workflow(step, "      - run: |\n          failproof action\n          ls\n        shell: bash {0}\n"), []string{"open exit-code " + at + "16:9"}},
		{"in a shell with all flags", workflow(step, "      - run: |\n          failproof action | tee log\n          ls\n        shell: /bin/bash -euo pipefail {0}\n"), nil},
		{"in a shell with long flags", workflow(step, "      - run: |\n          failproof action | tee log\n          ls\n        shell: bash --noprofile --norc -eo pipefail {0}\n"), nil},
		{"in a shell without a name", workflow(step, "      - run: failproof action || true\n        shell: ' '\n"), []string{"open exit-code " + at + "16:9"}},
		{"in a shell that is not read", workflow(step, "      - run: failproof action; exit 0\n        shell: pwsh\n"), []string{"open exit-code " + at + "16:9"}},
		{"a plain command in one", workflow(step, "      - run: failproof action --comment failures\n        shell: pwsh\n"), nil},
		{"in a container, whose shell is sh", func(s *Setup) {
			workflow(step, "      - run: failproof action &> log\n")(s)
			workflowText := s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"]
			workflowText.Data = []byte(strings.Replace(string(workflowText.Data), job, job+"    container: alpine\n", 1))
		}, []string{"open exit-code " + at + "17:9"}},
		{"a good command, and one that hides its exit code", workflow(step, "      - run: |\n          failproof run a\n          failproof run b || true\n"), []string{"open exit-code " + at + "16:9"}},
		{"a good step, and one that hides its exit code", workflow(step, step+"      - run: failproof action --name b || true\n"), []string{"open exit-code " + at + "17:9"}},
		{"a shell that runs nothing", workflow(step, "      - run: failproof action\n        shell: bash -n {0}\n"), []string{"open exit-code " + at + "16:9"}},
		{"a program in place of a shell", workflow(step, "      - run: failproof action\n        shell: cat {0}\n"), []string{"open exit-code " + at + "16:9"}},
		{"a shell that is computed", workflow(step, "      - run: failproof action\n        shell: ${{ matrix.shell }}\n"), []string{"open exit-code " + at + "16:9"}},
		{"a file that bash runs first", workflow(job, job+"    env: { BASH_ENV: ci/env }\n", step, "      - run: failproof action\n"), []string{"open exit-code " + at + "17:9"}},
		{"a system that is computed, and with it the shell", workflow("ubuntu-latest", "${{ matrix.ubuntu }}", step, "      - run: |\n          failproof action\n          ls\n"), []string{"open exit-code " + at + "16:9"}},
		{"a plain command in any system", workflow("ubuntu-latest", "${{ matrix.ubuntu }}", step, "      - run: failproof action\n"), nil},
		{"a system among labels", workflow("ubuntu-latest", "[self-hosted, linux]", step, "      - run: |\n          failproof action\n          ls\n"), nil},
		{"a command that a matrix may change", workflow(step, "      - run: failproof action ${{ matrix.flags }}\n"), []string{"open exit-code " + at + "16:9"}},
		{"a step that passes by an expression", workflow(step, step+"        continue-on-error: ${{ matrix.experimental }}\n"), []string{"open continue-on-error " + at + "17:9"}},
		{"a step that runs always, or not", workflow(step, step+"        if: ${{ always() && github.actor != 'bot' }}\n"), []string{"open step-if " + at + "17:9"}},
		{"a job that runs always, or not", workflow(job, job+"    if: always() && github.actor != 'bot'\n"), []string{"open job-if " + at + "11:5"}},
		{"an image with another program", workflow(step, step+"        with: { entryPoint: /bin/true }\n"), []string{"open exit-code " + at + "17:9"}},
		{"an image with another command", workflow("failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0\n", "docker://ghcr.io/failproof/failproof:0.1.0\n        with: { args: validate }\n"), []string{"open exit-code " + at + "17:9", "note unpinned " + at + "16:15"}},
		{"an image with the command itself", workflow("failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0\n", "docker://ghcr.io/failproof/failproof:0.1.0\n        with: { args: run --base main }\n"), []string{"note unpinned " + at + "16:15"}},
		{"the command in parts, of which none judges", workflow("jobs:\n", "jobs:\n  ask:\n    runs-on: ubuntu-latest\n    steps:\n      - run: failproof run --shard ${{ matrix.n }}/8\n"), nil},
		{"code of the checkout before", workflow(step, "      - uses: actions/checkout@v6\n      - run: npm ci\n"+step), []string{"open head-code " + at + "17:9"}},
		{"and in the gate's own step", workflow(step, "      - uses: actions/checkout@v6\n      - run: |\n          pip install -r requirements.txt\n          failproof action\n"), []string{"open head-code " + at + "17:9"}},
		{"and behind the gate", workflow(step, "      - uses: actions/checkout@v6\n"+step+"      - run: npm ci\n"), nil},
		{"and the base's", workflow(step, "      - uses: actions/checkout@v6\n        with: { ref: \"${{ github.base_ref }}\" }\n      - run: npm ci\n"+step), nil},
		{"and without a checkout", workflow(step, "      - run: npm install -g something\n"+step), nil},
		{"and another repository's", workflow(step, "      - uses: actions/checkout@v6\n        with: { repository: acme/tools }\n      - run: npm ci\n"+step), nil},
		{"another file beside the workflows", file(workflowFolder+"/README.md", "on: ["), nil},
		{"the action of the repository itself", func(s *Setup) {
			file("action.yml", "name: failproof\n")(s)
			workflow("uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0", "uses: ./")(s)
		}, nil},
		{"a local action before", workflow(step, "      - uses: actions/checkout@v6\n      - uses: ./.github/actions/prepare\n"+step), []string{"open head-code " + at + "17:15"}},
		{"a cache before", workflow(step, "      - uses: actions/cache@v4\n        with: { path: .failproof/cache, key: k }\n"+step), []string{"open shared-cache " + at + "16:15"}},
		{"a branch's name in the script", workflow(step, "      - run: failproof action --name ${{ github.head_ref }}\n"), []string{"open exit-code " + at + "16:9", "open injection " + at + "16:9"}},
		{"the head on a comment", file(workflowFolder+"/bot.yml", "on: issue_comment\njobs:\n  b:\n    steps:\n      - uses: actions/checkout@v6\n        with: { ref: \"refs/pull/${{ github.event.issue.number }}/merge\" }\n"), []string{"open head-checkout " + workflowFolder + "/bot.yml:5:9"}},
		{"and by the command of GitHub", file(workflowFolder+"/bot.yml", "on: issue_comment\njobs:\n  b:\n    steps:\n      - run: gh pr checkout 5\n"), []string{"open head-checkout " + workflowFolder + "/bot.yml:5:9"}},
		{"and the default branch alone", file(workflowFolder+"/bot.yml", "on: issue_comment\njobs:\n  b:\n    steps:\n      - uses: actions/checkout@v6\n"), nil},
		{"and the commit of the event, which is the default branch's", file(workflowFolder+"/bot.yml", "on: issue_comment\njobs:\n  b:\n    steps:\n      - uses: actions/checkout@v6\n        with: { ref: \"${{ github.sha }}\" }\n"), nil},
		{"and a branch by its name", file(workflowFolder+"/bot.yml", "on: issue_comment\njobs:\n  b:\n    steps:\n      - uses: actions/checkout@v6\n        with: { ref: gh-pages }\n"), nil},
		{"the repository of the head", file(workflowFolder+"/bot.yml", "on: pull_request_target\njobs:\n  b:\n    steps:\n      - uses: actions/checkout@v6\n        with: { repository: \"${{ github.event.pull_request.head.repo.full_name }}\" }\n"), []string{"open head-checkout " + workflowFolder + "/bot.yml:5:9"}},
		{"a bar of nothing", workflow(step, step+"        with: { min-run-score: \"0.0\" }\n"), []string{"note no-bar " + at + "17:32"}},
		{"branches that are left out", workflow("  merge_group:\n", "    branches-ignore: [next]\n  merge_group:\n"), []string{"note branches-ignore " + at + "5:5"}},
		{"a local workflow that is called", called("on: workflow_call\n" + gateJob), nil},
		{"and the step that it spoils", called("on: workflow_call\n" + strings.Replace(gateJob, step, "      - run: failproof action || true\n", 1)), []string{"open exit-code " + workflowFolder + "/called.yml:11:9"}},
		{"and its job that may be skipped", called("on: workflow_call\n" + strings.Replace(gateJob, job, job+"    if: false\n", 1)), []string{"open job-if " + workflowFolder + "/called.yml:6:5"}},
		{"and the job that may call it or not", func(s *Setup) {
			called("on: workflow_call\n" + gateJob)(s)
			s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"].Data = append(s.Files.(fstest.MapFS)[workflowFolder+"/gate.yml"].Data, "    if: false\n"...)
		}, []string{"open job-if " + at + "10:5"}},
		{"a workflow that calls itself", workflow("    runs-on: ubuntu-latest\n", "    uses: ./.github/workflows/gate.yml\n"), []string{"open no-workflow"}},
		{"a workflow that is not there", called(""), []string{"open no-workflow", "note workflow-unread " + workflowFolder + "/called.yml:1:1"}},
		{"workflows that call each other without end", func(s *Setup) {
			for _, name := range []string{"gate.yml", "b.yml", "c.yml"} {
				text := "on: [pull_request, merge_group]\njobs:\n"
				for i := range 30 {
					text += fmt.Sprintf("  j%d: { uses: ./.github/workflows/%s }\n", i, []string{"b.yml", "c.yml", "gate.yml"}[i%3])
				}
				s.Files.(fstest.MapFS)[workflowFolder+"/"+name] = &fstest.MapFile{Data: []byte(text)}
			}
		}, []string{"open no-workflow"}},
		{"a foreign workflow", workflow("    runs-on: ubuntu-latest\n", "    uses: acme/ci/.github/workflows/gate.yml@v1\n"), []string{"open no-workflow", "note out-of-sight " + at + "10:11"}},
		{"a name that can be moved", workflow("@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0", "@v0"), []string{"note unpinned " + at + "16:15"}},
		{"bootstrap that is over", workflow(step, step+"        with: { bootstrap: true }\n"), []string{"note bootstrap " + at + "17:28"}},
		{"permissions that nobody named", workflow("    permissions:\n      contents: read\n      pull-requests: write\n      checks: write\n", ""),
			[]string{"open permission-missing " + at + "6:1", "note permissions " + at + "6:1", "note permissions " + at + "6:1"}},
		{"all permissions", workflow("    permissions:\n      contents: read\n      pull-requests: write\n      checks: write\n", "    permissions: write-all\n"), []string{"open permissions " + at + "11:5"}},
		{"one too many", workflow("contents: read", "contents: write"), []string{"open permissions " + at + "12:7"}},
		{"a token for clouds", workflow("contents: read", "contents: read\n      id-token: write"), []string{"open permissions " + at + "13:7"}},
		{"rights to read alone", workflow("    permissions:\n      contents: read\n      pull-requests: write\n      checks: write\n", "    permissions: read-all\n"), []string{"note permissions " + at + "11:5"}},
		{"one too few", workflow("      checks: write\n", ""), []string{"note permissions " + at + "11:5"}},
		{"no right to read", workflow("      contents: read\n", ""), []string{"open permission-missing " + at + "11:5"}},
		{"no rights at all", workflow("    permissions:\n      contents: read\n      pull-requests: write\n      checks: write\n", "    permissions: {}\n"),
			[]string{"open permission-missing " + at + "11:5", "note permissions " + at + "11:5", "note permissions " + at + "11:5"}},
		{"a system without containers", workflow("ubuntu-latest", "windows-latest"), []string{"open runner " + at + "10:14"}},
		{"a list of labels", workflow("ubuntu-latest", "[self-hosted, macOS]"), []string{"open runner " + at + "10:28"}},
		{"a system for the program alone", workflow("    runs-on: ubuntu-latest", "    runs-on: windows-latest", "uses: failproof/failproof@1a2b3c4d5e6f708192a3b4c5d6e7f80910111213 # v0.1.0", "run: failproof action"), nil},
		{"an input that is none", workflow(step, step+"        with: { suite: a.yaml, scope: all }\n"), []string{"open input " + at + "17:17"}},
		{"an input that is wrong", workflow(step, step+"        with: { scope: some }\n"), []string{"open input " + at + "17:9"}},
		{"an input that is computed", workflow(step, step+"        with: { Scope: \"${{ inputs.scope }}\" }\n"), nil},
		{"a base that is the head", workflow(step, step+"        with: { base: \"${{ github.event.pull_request.head.sha }}\" }\n"), []string{"open base-is-head " + at + "17:23"}},
		{"a base that may be the head", workflow(step, step+"        with: { base: \"${{ github.base_ref || github.sha }}\" }\n"), []string{"open base-is-head " + at + "17:23"}},
		{"a base that is the base", workflow(step, step+"        with: { base: \"${{ github.event.pull_request.base.sha }}\" }\n"), nil},
		{"suites that no step judges", suites(workflow(step, step+"        with: { suites: \"suites/a.yaml\" }\n")), []string{"open suite-unjudged " + at + "17:17"}},
		{"suites of two steps", suites(workflow(step, step+"        with: { suites: \"suites/a.yaml\" }\n"+step+"        with: { suites: \"suites/{b,c}.yaml\" }\n")), nil},
		{"suites that are computed", suites(workflow(step, step+"        with: { suites: \"${{ matrix.suites }}\" }\n")), nil},
		{"all suites", suites(func(*Setup) {}), nil},
		{"a key that does not arrive", live(func(*Setup) {}), []string{"open key-missing " + at + "16:9"}},
		{"nor the value of a header", live(func(s *Setup) {
			s.Config.Targets["fast"] = config.Target{Provider: "http", Headers: []config.Header{{Name: "X-Session", Env: "SESSION"}}}
		}), []string{"open key-missing " + at + "16:9"}},
		{"a key that does", live(workflow(step, step+"        env: { OPENAI_API_KEY: x }\n")), nil},
		{"a key for all steps", live(workflow(job, job+"    env: { OPENAI_API_KEY: x }\n")), []string{"note key-shared " + at + "11:28"}},
		{"another job of the name", file(workflowFolder+"/z.yml", "on: push\njobs:\n  x:\n    name: prompt gate\n"), []string{"open job-name " + workflowFolder + "/z.yml:3:3"}},
		{"of a name that may come out as the same", file(workflowFolder+"/z.yml", "on: push\njobs:\n  x:\n    name: prompt ${{ matrix.what }}\n"), []string{"open job-name " + workflowFolder + "/z.yml:3:3"}},
		{"two runs of one name", workflow(step, step+step), []string{"open run-name " + at + "17:9"}},
		{"two runs of two names", workflow(step, step+step+"        with: { name: other }\n"), nil},
		{"no owners", func(s *Setup) { delete(s.Files.(fstest.MapFS), ".github/CODEOWNERS") }, []string{"open no-owners"}},
		{"owners that cannot be read", func(s *Setup) {
			s.Files.(fstest.MapFS)[".github/CODEOWNERS"] = &fstest.MapFile{Mode: fs.ModeDir}
		}, []string{"note owners-unread"}},
		{"owners of other things", file(".github/CODEOWNERS", "/docs/ @acme/docs\n"), []string{"open unowned .github/CODEOWNERS", "open unowned .github/CODEOWNERS", "note unowned .github/CODEOWNERS"}},
		{"owners that a later line takes away", file(".github/CODEOWNERS", "* @a\n/.github/workflows/\n"), []string{"open unowned .github/CODEOWNERS"}},
		{"GitHub was not asked", func(s *Setup) { s.Guard, s.GuardProblem = nil, "--offline was given" }, []string{"note branch-unseen"}},
		{"nothing is required", guard(func(g *github.Guard) { g.Required, g.CodeOwners = nil, false }), []string{"open not-required", "open owners-not-required"}},
		{"the check run alone is", guard(func(g *github.Guard) { g.Required = []github.RequiredCheck{{Name: "failproof"}} }), []string{"open check-run-required"}},
		{"the check run beside", guard(func(g *github.Guard) { g.Required = append(g.Required, github.RequiredCheck{Name: "failproof (docs)"}) }), []string{"note check-run-required"}},
		{"from any source", guard(func(g *github.Guard) { g.Required[0].App = 0 }), []string{"note any-source"}},
		{"from another app", guard(func(g *github.Guard) { g.Required[0].App = 1 }), []string{"note other-source"}},
		{"reviews that are not seen", guard(func(g *github.Guard) { g.CodeOwners, g.Partial = false, "for administrators" }), []string{"note branch-unseen"}},
		{"a fault", func(s *Setup) {
			s.Faults = []document.Diagnostic{{Severity: document.Warning, Path: "a"}, {Severity: document.Error, Path: "suites/s.yaml", Line: 3, Column: 4, Message: "m"}}
		}, []string{"open fault suites/s.yaml:3:4"}},
		{"a report alone", gate(func(g *config.Gate) { g.FailOn = config.FailOnNever }), []string{"open report-only .github/failproof.yml"}},
		{"regressions that pass", gate(func(g *config.Gate) { g.Settings[config.MaxRegressions].Level = config.Warn }), []string{"open regressions-pass .github/failproof.yml"}},
		{"levels that are off", gate(func(g *config.Gate) {
			g.Settings[config.OnRemoved].Level, g.Settings[config.OnExpectationRemoved].Level, g.Settings[config.OnPolicyChange].Level = config.Off, config.Off, config.Off
		}),
			[]string{"open level-off .github/failproof.yml", "open level-off .github/failproof.yml", "open level-off .github/failproof.yml"}},
		{"recordings without keys, below a folder", func(s *Setup) {
			s.Folder, s.Config.Path, s.UnboundAnswers = "apps/a", "failproof.yml", map[string]int{"recordings/r.jsonl": 2}
			workflow(step, step+"        with: { working-directory: apps/a }\n")(s)
		}, []string{"open recording-unbound apps/a/recordings/r.jsonl"}},
		{"what agents are told and nobody asks", func(s *Setup) {
			s.Agents = Agents{Skills: []string{"s/SKILL.md"}, Instructions: []string{"AGENTS.md"}, Evals: []string{"evals/evals.json"}}
		}, []string{"note instructions-unasked AGENTS.md", "note evals-without-skill evals/evals.json", "note skill-unasked s/SKILL.md"}},
		{"a model that is missing", func(s *Setup) { s.NoEmbedderReason = "it is not here" }, []string{"note words-alone .github/failproof.yml"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := soundSetup()
			c.edit(&s)
			var got []string
			for _, f := range Examine(s) {
				level := "note"
				if f.Open {
					level = "open"
				}
				got = append(got, strings.TrimSpace(fmt.Sprint(level, " ", f.Rule, " ", f.Place())))
				for _, text := range []string{f.What, f.Why} {
					if !strings.HasSuffix(text, ".") || strings.HasSuffix(text, "..") {
						t.Errorf("%q is no sentence", text)
					}
				}
				nothing := strings.HasPrefix(Summary([]Finding{f}), "This opens no way")
				if f.Open && nothing != slices.Contains(useless, f.Rule) {
					t.Errorf("%s: what it lets a stranger do is not said", f.Rule)
				}
				if f.Advice == "" || strings.HasSuffix(f.Advice, ".") {
					t.Errorf("%q is not what to do", f.Advice)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// The patterns are those of GitHub's page about code owners.
func TestOwners(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "a/b/c.go", true},
		{"*.js", "a/b/c.js", true},
		{"*.js", "a/b/c.go", false},
		{"/build/logs/", "build/logs/a/b", true},
		{"/build/logs/", "a/build/logs/b", false},
		{"docs/*", "docs/a.md", true},
		{"docs/*", "docs/build/a.md", false},
		{"apps/", "x/apps/a", true},
		{"/docs/", "docs/a/b", true},
		{"**/logs", "build/logs/a", true},
		{".github/workflows/", ".github/workflows/gate.yml", true},
		{".github", ".github/workflows/gate.yml", true},
		{"/.github/workflows/gate.yml", ".github/workflows/gate.yml", true},
		{"[", "a", false},
	} {
		o, err := readOwners(fstest.MapFS{"CODEOWNERS": {Data: []byte("# all\n" + c.pattern + " @owner # but not this\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(o.ownersOf(c.name)) == 1; got != c.want {
			t.Errorf("%s owns %s: %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

func TestAMatrixStandsForEachOfItsJobs(t *testing.T) {
	root, _ := document.Parse("w.yml", []byte("strategy: {matrix: {m: [a, b]}}"))
	j := &job{name: "gate (all)", node: root}
	for name, want := range map[string]bool{"gate (all)": true, "gate (all) (a)": true, "gate": false, "gate (all) b": false} {
		if got := j.canReportAs(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestWhatRunsTheCheckout(t *testing.T) {
	for script, want := range map[string]string{
		"python3 -m build": "python3 -m", "npm ci": "npm ci", "npm install": "npm install", "npm install -g x": "", "pnpm i": "pnpm i", "npm --version": "",
		"pip install -r requirements.txt": "pip install", "pip install .": "pip install", "pip install requests==2.1": "", "python -m pip install -e .": "python -m",
		"python -m pip install requests": "", "python tools/ask.py": "python tools/ask.py", "python -c 'print(1)'": "", "make": "make",
		"./script": "./script", "scripts/build.sh --fast": "scripts/build.sh --fast", "/usr/bin/jq .": "", "\"$RUNNER_TEMP/x\"": "", "bash build.sh": "bash build.sh",
		"bash /opt/x.sh": "", "source ./env": "source ./env", "sudo -E make install": "sudo -E", "$GITHUB_WORKSPACE/x": "./x", "go test ./...": "go test", "go install x@v1": "",
		"go run x.com/y@v1": "", "go version": "", "docker build .": "docker build", "docker run image": "", "echo $(make version)": "make version",
		"f() { yarn; }": "yarn", "cat <<X\nnpm ci\nX": "", "# make": "", "curl -fsS https://x.example | tar xz": "", "git fetch origin": "", "if": "",
	} {
		if got := checkoutCommand(script); got != want {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}
