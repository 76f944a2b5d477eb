package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// billing answers yes with a usage in the place of the usual one.
func billing(usage string) modeltest.Step {
	whole := modeltest.Completion("yes")
	at := strings.Index(whole, `"usage":`)
	return modeltest.JSON(whole[:at] + `"usage":` + usage + "}")
}

// costs returns what each result says that it cost, "null" included, and a + where it is estimated.
func (r *repo) costs() (out []string) {
	for line := range strings.Lines(r.read(".failproof/out/results.jsonl")) {
		var result map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			r.t.Fatal(err)
		}
		cost := string(result["cost_usd"])
		if string(result["estimated"]) == "true" {
			cost += "+"
		}
		out = append(out, cost)
	}
	return out
}

func TestWhatAnAnswerTookIsReadAsFarAsItCanBe(t *testing.T) {
	for _, c := range []struct{ rule, usage, cost string }{
		{"whole numbers", `{"prompt_tokens":11,"completion_tokens":7}`, "0.018"},
		{"numbers with a fraction", `{"prompt_tokens":11.0,"completion_tokens":6.5}`, "0.018"},
		{"strings", `{"prompt_tokens":"11","completion_tokens":"7"}`, "0.018"},
		{"a word: as much as it may be", `{"prompt_tokens":"some","completion_tokens":7}`, "0.096+"},
		{"less than nothing", `{"prompt_tokens":-1,"completion_tokens":-1}`, "0.096+"},
		{"nothing", `{"prompt_tokens":0,"completion_tokens":0}`, "0.096+"},
		{"null", `null`, "0.096+"},
		{"a text", `"eleven"`, "0.096+"},
		{"a list", `[11, 7]`, "0.096+"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 2, billing(c.usage))
			o := r.run()
			o.expect(t, "the run", cli.ExitPassed, 2)
			if got := strings.Join(r.costs(), " "); got != c.cost+" "+c.cost {
				t.Errorf("costs %s, want %s each", got, c.cost)
			}
			estimated := map[bool]int{true: 2}[strings.HasSuffix(c.cost, "+")]
			if o.report.Calls.Estimated != estimated || o.report.Calls.CostUSD == nil {
				t.Errorf("calls %+v, want %d estimated", o.report.Calls, estimated)
			}
		})
	}
}

func TestWithoutAPriceNoCostIsKnown(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(yes))
	config := r.read("failproof.yml")
	r.write("failproof.yml", config[:strings.Index(config, ",\n          price")]+" }\nlimits: { max_cost_usd: 0.000001 }\n")
	o := r.run()
	o.expect(t, "the run", cli.ExitPassed, 2, "this run needs 2 calls, at a cost that is not known (no target has a `price`)")
	if got := strings.Join(r.costs(), " "); got != "null null" {
		t.Errorf("costs %s, want null null", got)
	}
	if c := o.report.Calls; c.CostUSD != nil || c.Unpriced != 2 || o.report.Plan.CostUSD != nil || o.report.Plan.MostUSD != nil {
		t.Errorf("calls %+v, plan %+v", c, o.report.Plan)
	}
	if text := r.read(".failproof/out/report.json"); !strings.Contains(text, `"cost_usd": null`) {
		t.Errorf("report.json has no cost of null: %s", text)
	}
}

func TestTheProvidersBillStaysWithinTheLimit(t *testing.T) {
	for _, c := range []struct {
		rule, maxTokens string
		out             int // tokens of an answer
		limit           float64
		calls           [2]int
	}{
		{"with max_tokens", ", max_tokens: 50", 50, 0.96, [2]int{14, 15}},
		{"without it, after one answer", "", 1500, 5, [2]int{3, 3}},
		{"without it, the first may be beyond it", "", 6000, 5, [2]int{1, 1}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var mu sync.Mutex
			billed := 0.0
			r := newRepo(t, 16, func(w http.ResponseWriter, q *http.Request) {
				mu.Lock()
				billed += float64(11+c.out) / 1000
				mu.Unlock()
				billing(fmt.Sprintf(`{"prompt_tokens":11,"completion_tokens":%d}`, c.out))(w, q)
			})
			r.config(fmt.Sprintf("limits: { max_cost_usd: %g }", c.limit)) // which the plan is below
			r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), ", max_tokens: 50", c.maxTokens, 1))
			o := r.run()
			if o.calls < c.calls[0] || o.calls > c.calls[1] {
				t.Errorf("%d calls, want %v", o.calls, c.calls)
			}
			mu.Lock()
			defer mu.Unlock()
			first := float64(11+c.out) / 1000
			if billed > max(c.limit, first) {
				t.Errorf("billed $%.3f, the limit is $%g", billed, c.limit)
			}
			if cost := o.report.Calls.CostUSD; cost == nil || math.Abs(*cost-billed) > 1e-9 {
				t.Errorf("the report says %v, billed $%.3f", cost, billed)
			}
		})
	}
}
