package sides_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// repository returns the folder with the files in now, in a repository whose branch master has the files in old.
func repository(t *testing.T, old, now runtest.Files) string {
	t.Helper()
	c := newClone(t)
	if old != nil {
		c.commit(old)
	}
	c.write(now)
	return c.dir
}

func TestAPersonIsAskedAboutTargetsThatOnlyTheHeadNames(t *testing.T) {
	calls := func(target string) runtest.Files {
		return runtest.Files{"failproof.yml": "version: 1\nsuites: [t.yaml]\ntargets: { " + target + " }\n", "p.md": shop["p.md"],
			"t.yaml": "version: 1\nid: t\nprompt: p.md\ncases:\n  - { id: c, vars: { q: C }, expected_response: \"yes\" }\n", "ask.sh": "old\n"}
	}
	const api, command = `live: { provider: openai, model: m, base_url: "https://api.example.com/v1", api_key_env: KEY }`, `run: { provider: exec, command: [sh, ask.sh] }`
	for _, c := range []struct {
		rule     string
		old, now runtest.Files
		want     []string
	}{
		{"there is no commit", nil, calls(api), []string{"this branch asks api.example.com with KEY (the default branch is unknown)"}},
		{"the branch has no configuration", runtest.Files{"p.md": "x"}, calls(api), []string{"this branch asks api.example.com with KEY (master has no configuration)"}},
		{"it is the same", calls(api), calls(api), nil},
		{"with another model", calls(api), calls(`live: { provider: openai, model: n, base_url: "https://api.example.com/v1", api_key_env: KEY }`), nil},
		{"with another key", calls(api), calls(`live: { provider: openai, model: m, base_url: "https://api.example.com/v1", api_key_env: OTHER }`), []string{"this branch asks api.example.com with OTHER (master: api.example.com with KEY)"}},
		{"at another host", calls(api), calls(`live: { provider: openai, model: m, base_url: "https://api.example.org/v1", api_key_env: KEY }`), []string{"this branch asks api.example.org with KEY (master: api.example.com with KEY)"}},
		{"at another path", calls(api), calls(`live: { provider: openai, model: m, base_url: "https://api.example.com/v2", api_key_env: KEY }`), []string{"this branch asks https://api.example.com/v2 as openai (master: otherwise, at https://api.example.com/v1)"}},
		{"of another name", calls(api), calls(`new: { provider: openai, model: m, base_url: "https://api.example.org/v1", api_key_env: KEY }`), []string{"this branch asks api.example.org with KEY (master: no target new)"}},
		{"without a key that is there", calls(api), calls(`live: { provider: openai, model: m, base_url: "https://api.example.org/v1", api_key_env: GONE }`), nil},
		{"on this machine", calls(api), calls(`live: { provider: openai, model: m, base_url: "http://127.0.0.1:1" }`), nil},
		{"the same command", calls(command), calls(command), nil},
		{"another command", calls(command), calls(`run: { provider: exec, command: [sh, p.md] }`), []string{"this branch runs \"sh p.md\" without a key (master: \"sh ask.sh\" without a key)"}},
		{"a command whose file is another", calls(command), runtest.Files{"ask.sh": "new\n"}, []string{"this branch runs \"sh ask.sh\" without a key (master: another \"ask.sh\")"}},
		{"only its line ends are", calls(command), runtest.Files{"ask.sh": "old\r\n"}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := runtest.Inputs(t, nil, nil, map[string]string{"KEY": "k", "OTHER": "o"})
			in.Dir = repository(t, c.old, c.now)
			tree, err := sides.OpenHead(in.Dir, "")
			if err != nil {
				t.Fatal(err)
			}
			in.Head = tree
			var got []string
			in.ConfirmTargets = func(all []sides.UntrustedTarget) error {
				for _, u := range all {
					got = append(got, u.Description)
				}
				return nil
			}
			s, err := sides.Read(in)
			if err == nil {
				err = s.ConfirmTargets()
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("asked about %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
