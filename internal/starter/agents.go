package starter

import (
	"bytes"
	"io/fs"
	"path"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// agentFolders are the hidden folders that are looked into.
var agentFolders = []string{".github", ".claude", ".agents"}

// evalsFile holds cases of a skill.
const evalsFile = "evals.json"

// evals are the cases of skills that stand there.
type evals struct {
	files           []string
	cases, criteria int
	skills          []string // names of those that have some
}

// readEvals counts the cases of skills and their criteria, and drops files of that name that hold none.
func (r *Repository) readEvals(tree fs.FS) {
	found := evals{}
	for _, name := range r.evals.files {
		data, ds := document.ReadText(tree, name, document.MaxYAML)
		root, more := document.Parse(name, data)
		cases := root.Get("evals").List()
		if r.inService(name) || document.HasErrors(append(ds, more...)) || len(cases) == 0 ||
			slices.ContainsFunc(cases, func(c *document.Node) bool { return c.Get("prompt").AsText() == "" }) {
			continue
		}
		found.files = append(found.files, name)
		found.cases += len(cases)
		for _, c := range cases {
			n := len(c.Get("expectations").List()) + len(c.Get("assertions").List())
			if n == 0 && c.Get("expected_output").AsText() != "" {
				n = 1
			}
			found.criteria += n
		}
		found.skills = append(found.skills, root.Get("skill_name").AsText(), path.Base(path.Dir(path.Dir(name))))
	}
	if r.evals = found; found.criteria > 0 && !r.isConfigured() {
		r.keys = []string{"OPENAI_API_KEY"} // of the judge
	}
	r.skills = slices.DeleteFunc(r.skills, r.inService)
}

// withoutEvals are the skills that have no cases.
func (r *Repository) withoutEvals() []string {
	return slices.DeleteFunc(slices.Clone(r.skills), func(name string) bool {
		return slices.Contains(r.evals.skills, path.Base(path.Dir(name))) || slices.Contains(r.evals.files, path.Join(path.Dir(name), "evals", evalsFile))
	})
}

// forAgents says what was found of skills; "" for none.
func (r *Repository) forAgents() string {
	if len(r.skills)+len(r.evals.files) == 0 {
		return ""
	}
	found := text.Count(len(r.skills), "skill") + ", " + text.Count(r.evals.cases, "case")
	if r.evals.criteria > 0 {
		found += "; " + text.Count(r.evals.criteria, "criterion needs", "criteria need") + " a judge"
	}
	return found + "."
}

// grader is a target that judges, and that it does.
const grader = `  grader: { provider: openai, model: gpt-5-mini, api_key_env: OPENAI_API_KEY, max_tokens: 1000, structured_output: true }
judges: { default: { target: grader } } # of the criteria of skills
`

// withJudge has a configuration judge the criteria of skills, where there are some. target is to answer, if the
// configuration does not say who does.
func (r Repository) withJudge(config []byte, target string) []byte {
	if r.evals.criteria == 0 {
		return config
	}
	if target != "" {
		config = bytes.Replace(config, []byte("targets:\n"), []byte("default_target: "+target+"\ntargets:\n"), 1)
	}
	return bytes.Replace(config, []byte("gate:"), []byte(grader+"gate:"), 1)
}
