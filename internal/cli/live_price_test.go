package cli_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

func TestAModelThatNobodyHasPricedIsCountedAtAPriceThatIsSaid(t *testing.T) {
	r := newRepo(t, 3, modeltest.Texts(yes))
	r.asBase()
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "model: m,", "model: dear,", 1))
	o := r.run("--base", "./base")
	o.expect(t, "another model", cli.ExitPassed, 6, "nobody has told what dear costs: target fast is counted at the price of m")
	if o.report.Calls.CostUSD == nil || *o.report.Calls.CostUSD <= 0 {
		t.Errorf("the calls are not counted at all: %+v", o.report.Calls)
	}

	// A dearer price that the change names counts for both sides, so that the limit is held.
	r = newRepo(t, 3, modeltest.Texts(yes))
	r.asBase()
	r.write("failproof.yml", strings.NewReplacer("model: m,", "model: dear,", "input_per_million: 1000", "input_per_million: 1000000").Replace(r.read("failproof.yml")))
	r.run("--base", "./base").expect(t, "a dearer model", cli.ExitUndecided, 0, "limits.max_cost_usd")

	// The same model needs no word.
	r = newRepo(t, 3, modeltest.Texts(yes))
	r.asBase()
	r.suite("", "Is %s really right?", 3)
	if o := r.run("--base", "./base"); strings.Contains(o.stdout+o.comment, "nobody has told") {
		t.Errorf("the model is the base's, and a warning says otherwise:\n%s", o.stdout)
	}
}

func TestNoVariableOfTheRunnerIsAKey(t *testing.T) {
	for _, name := range []string{"GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "RUNNER_TEMP", "INPUT_TOKEN"} {
		r := newRepo(t, 1, modeltest.Texts(yes))
		r.env[name] = "a-secret-of-the-runner"
		r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "MODEL_KEY", name, 1))
		r.run().expect(t, name, cli.ExitInput, 0, name, "a variable of the runner")
	}
}
