package starter

import (
	"bytes"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/text"
)

// readAgents finds skills and their evaluations. If these need a judge and there is no configuration, it sets the key
// of the judge.
func (r *Repository) readAgents(tree fs.FS) {
	r.agents = skilleval.Find(tree)
	r.agents.Skills = slices.DeleteFunc(r.agents.Skills, r.inService)
	r.agents.Evals = slices.DeleteFunc(r.agents.Evals, func(e skilleval.Evals) bool { return r.inService(e.Path) })
	if _, judged, _ := countCases(*r); judged > 0 && !r.isConfigured() {
		r.keys = []string{"OPENAI_API_KEY"} // the judge needs it
	}
}

// countCases returns the numbers of the skills' cases, of criteria that need a judge, and of those that need a run.
func countCases(r Repository) (cases, judged, run int) {
	for _, e := range r.agents.Evals {
		cases, judged, run = cases+e.Cases, judged+e.Judged, run+e.Run
	}
	return cases, judged, run
}

// skillsSummary returns a sentence about the skills and their cases, or "" if there are none.
func skillsSummary(r Repository) string {
	if len(r.agents.Skills)+len(r.agents.Evals) == 0 {
		return ""
	}
	cases, judged, run := countCases(r)
	summary, glue := text.Count(len(r.agents.Skills), "skill")+", "+text.Count(cases, "case"), "; "
	for _, needs := range []struct {
		n    int
		what string
	}{{judged, " a judge"}, {run, " a run"}} {
		if needs.n > 0 {
			summary, glue = summary+glue+text.Count(needs.n, "criterion needs", "criteria need")+needs.what, ", "
		}
	}
	return summary + "."
}

// grader is the YAML of the target that is the judge.
const grader = `  grader:
    provider: openai
    model: gpt-5-mini
    api_key_env: OPENAI_API_KEY
    max_tokens: 1000
    structured_output: true
    price: { input_per_million: 0.25, output_per_million: 2.00 } # in dollars, by your provider's list
judges: { default: { target: grader } } # of the criteria of skills
`

// withJudge adds a judge to a configuration if skills have criteria. target becomes the default target unless it is "".
func withJudge(r Repository, config []byte, target string) []byte {
	if _, judged, _ := countCases(r); judged == 0 {
		return config
	}
	if target != "" {
		config = bytes.Replace(config, []byte("max_tokens: 500\n"), []byte("max_tokens: 4000 # an agent's answers are long\n"), 1)
		config = bytes.Replace(config, []byte("targets:\n"), []byte("default_target: "+target+"\ntargets:\n"), 1)
	}
	return bytes.Replace(config, []byte("gate:"), []byte(grader+"gate:"), 1)
}
