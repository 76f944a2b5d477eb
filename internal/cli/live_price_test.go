package cli_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

func TestAModelThatNobodyHasPricedIsCountedAtAPriceThatIsSaid(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.asBase()
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "model: m,", "model: dear,", 1))
	o := r.run("--base", "./base")
	o.expect(t, "another model", cli.ExitPassed, 6, "no price is set for dear (target fast): limits.max_cost_usd uses the price")
	if o.report.Calls.CostUSD == nil || *o.report.Calls.CostUSD <= 0 {
		t.Errorf("the calls are not counted at all: %+v", o.report.Calls)
	}

	// A dearer price that the change names counts for both sides, so that the limit is held.
	r = newRepo(t, 3, modeltest.TextStep(yes))
	r.asBase()
	r.write("failproof.yml", strings.NewReplacer("model: m,", "model: dear,", "input_per_million: 1000", "input_per_million: 1000000").Replace(r.read("failproof.yml")))
	r.run("--base", "./base").expect(t, "a dearer model", cli.ExitUndecided, 0, "limits.max_cost_usd")

	// The same model needs no word.
	r = newRepo(t, 3, modeltest.TextStep(yes))
	r.asBase()
	r.suite("", "Is %s really right?", 3)
	if o := r.run("--base", "./base"); strings.Contains(o.stdout+o.comment, "nobody has told") {
		t.Errorf("the model is the base's, and a warning says otherwise:\n%s", o.stdout)
	}
}

func TestNoVariableOfTheRunnerIsAKey(t *testing.T) {
	for _, name := range []string{"GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "RUNNER_TEMP", "INPUT_TOKEN"} {
		r := newRepo(t, 1, modeltest.TextStep(yes))
		r.env[name] = "a-secret-of-the-runner"
		r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "MODEL_KEY", name, 1))
		r.run().expect(t, name, cli.ExitInput, 0, name, "a variable of the runner")
	}
}

// Who answers by another model than before answers for it: what the base's model said is compared with what another one
// says.
func TestAModelThatAChangeChoosesIsNamed(t *testing.T) {
	b := newBench(t, say("Within thirty days."), modeltest.JudgeStep(modeltest.ContainsVerdict))
	b.lay("head", map[string]string{"failproof.yml": strings.Replace(b.config("{ target: grader }"), "model: m,", "model: other,", 1)})
	exit, said := b.gate()
	comment, rep := b.file("comment.md"), b.report()
	if exit != 0 || !strings.HasPrefix(comment, "## ⚠️ Passed with warnings: the model or its settings changed") ||
		!strings.Contains(comment, "`targets.live.model` `m` → `other`: in effect now") {
		t.Errorf("exit code %d, want 0 and a comment that names the model:\n%s\n%s", exit, said, comment)
	}
	if len(rep.PolicyChanges) != 1 || !rep.PolicyChanges[0].Effective {
		t.Errorf("changed settings: %+v, want the model, in force", rep.PolicyChanges)
	}
}
