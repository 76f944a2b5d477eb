package starter

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/validate"
)

// nextSteps returns lines about the repository, whose files are in dir, and the next commands. hadWorkflow is true if
// the workflow existed before; it may then judge another folder.
func nextSteps(r Repository, dir string, live, hadWorkflow bool) (out []string) {
	out = append(out, "")
	if r.misnamedConfig != "" {
		out = append(out, r.misnamedConfig+" is not read: call it "+strings.TrimSuffix(r.misnamedConfig, ".yaml")+
			".yml")
	}
	if len(r.unread) > 0 {
		out = append(out, "Not read: "+firstNames(r.unread)+"; the workflow may lack steps or keys for what is there.")
	}
	out = append(out, promptfooSteps(r)...)
	if n := len(r.services); n > 0 {
		line := text.Count(n, "folder below has its own configuration", "folders below have their own configurations")
		if !hadWorkflow {
			line += "; the workflow has a step for each"
		}
		out = append(out, line+".")
	}
	if r.subfolder != "" && hadWorkflow && !r.servicesAlone {
		step := fmt.Sprintf("uses: failproof/failproof@%s, if: ${{ !cancelled() }}, with: { %s }", r.toolRef,
			strings.Join(newInputs().of(r.subfolder, true), ", "))
		if keys := r.liveKeys(live); len(keys) > 0 {
			step += ", env: { " + secrets(keys, ", ") + " }"
		}
		out = append(out, "The workflow at the root of the repository was there already. If none of its steps judges this folder, add one: "+step)
	} else if r.subfolder != "" && !r.servicesAlone {
		out = append(out, "The workflow is written at the root of the repository, and judges "+r.subfolder+".")
	}
	if summary := skillsSummary(r); summary != "" {
		out = append(out, summary)
	}
	if r.promptFileSuite != "" {
		out = append(out, r.promptFileSuite+
			" holds a suite already, as every prompt file of GitHub Models with a row of `testData` does.")
	}
	out = append(out, suiteSteps(r)...)
	last := "Then commit it all: from the next pull request on, the gate comments."
	if hadWorkflow {
		last = "Then commit it all. The workflow was there already: `failproof doctor --offline` says what it lacks, such as a step or a key."
	}
	return append(append(out, nextCommands(r, dir, live)...), last)
}

// promptfooSteps returns the steps for configurations of promptfoo.
func promptfooSteps(r Repository) []string {
	if len(r.promptfoo) == 0 {
		return nil
	}
	first := r.promptfoo[0]
	switch next := text.Command("failproof import promptfoo", first); {
	case isProgram(first):
		return []string{first + " is a configuration of promptfoo in code, which is not run: write what it gives as YAML, then: failproof import promptfoo promptfooconfig.yaml"}
	case len(r.promptfoo) > 1:
		return []string{firstNames(r.promptfoo) + " are configurations of promptfoo.",
			"In the folder of each that is not converted: failproof import promptfoo FILE, then: failproof init"}
	case r.shouldImport():
		return []string{first + " is a configuration of promptfoo; `import` converts it.", "Next: " + next,
			"It writes suites, a configuration and a list of what is left to do; with --results the answers that promptfoo stored become recordings.",
			"Then: failproof init, which writes the workflow with the keys of the models, and suites for skills."}
	case !(r.hasSuites && r.isConfigured()): // otherwise it is converted or not needed
		return []string{first + " is a configuration of promptfoo. To take it over into a folder of its own, where copies of its prompts are judged: " + next + " --out promptfoo"}
	}
	return nil
}

// suiteSteps returns lines about the prompts with and without a suite.
func suiteSteps(r Repository) (out []string) {
	const write = ": write there what users say and what must be true of the answer."
	if r.hasSuites {
		line := "There are suites already"
		if r.suiteErrors > 0 {
			line += ", with " + text.Count(r.suiteErrors, "error") + ": failproof validate"
		} else if n := len(r.untested); n > 0 {
			line += ", and " + text.Count(n, "prompt has none", "prompts have none") + ": " + firstNames(r.untested)
		}
		out = append(out, line+".")
	}
	switch suites := r.suiteFiles; {
	case len(suites) == 1:
		out = append(out, suites[0]+" tests "+r.prompts[0]+write)
	case len(suites) > 1:
		out = append(out, fmt.Sprintf("%d prompts have a suite each, first %s", len(suites), suites[0])+write)
	}
	return append(out, skippedFiles(r)...)
}

// nextCommands returns the next commands and their explanations.
func nextCommands(r Repository, dir string, live bool) []string {
	switch {
	case r.servicesAlone:
		return []string{"Next: failproof validate"}
	case live:
		return []string{"Next: failproof run --dry-run",
			"It says what would be asked and what that costs; then set OPENAI_API_KEY and leave --dry-run out.",
			"On GitHub, the key is a secret of the repository: Settings, Secrets and variables, Actions, OPENAI_API_KEY.",
			"The pull request that adds all this calls no model: merge it, or give the step of the workflow `bootstrap: true`."}
	case r.isEmpty():
		return []string{"Next: failproof run",
			"When you change a prompt, write its answers in recordings/ again, then: failproof record --stamp",
			"For the answers of a model in place of recorded ones: failproof init --live, in a folder without a configuration"}
	}
	checked, err := validate.Folder(dir, "", nil)
	file, suiteID, caseID, known := checked.FirstRecorded()
	switch {
	case err == nil && checked.Config != nil && len(checked.Config.Results) > 0:
		return []string{"Next: failproof gate",
			"Let a job of the workflow run your runner before the gate: " + resultsPage + " has such workflows."}
	case err != nil || !known:
		file, suiteID, caseID = "recordings/SUITE.jsonl", "SUITE", "CASE"
	case file == "":
		return []string{"Next: failproof validate", "Then: failproof run --dry-run",
			"It says what would be asked of a model and what that costs; leave --dry-run out to ask."}
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file))); known && err == nil {
		return []string{"Next: failproof run"}
	}
	return []string{"Next: failproof validate",
		"Then write answers, a line each, and bind them with `failproof record --stamp`. In " + file +
			fmt.Sprintf(`: {"suite_id": %q, "case_id": %q, "raw_response": "…"}`, suiteID, caseID),
		"`failproof validate --json` names all cases.",
		"Or let a model give them: add a live target to " + cmp.Or(r.configPath, configFile) +
			" and run `failproof record`."}
}
