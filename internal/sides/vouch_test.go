package sides_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// calls is a tree whose only case is answered by a target, which is written as in a configuration.
func calls(target string) runtest.Files {
	return runtest.Files{"failproof.yml": "version: 1\nsuites: [t.yaml]\ntargets: { " + target + " }\n", "p.md": shop["p.md"],
		"t.yaml": "version: 1\nid: t\nprompt: p.md\ncases:\n  - { id: c, vars: { q: C }, expected_response: \"yes\" }\n", "ask.sh": "old\n"}
}

// askedAbout reads both sides and returns the targets that a person is asked about.
func askedAbout(t *testing.T, in sides.Inputs) (asked []sides.UntrustedTarget, s *sides.Sides) {
	t.Helper()
	in.Getenv = func(name string) string { return map[string]string{"KEY": "k", "OTHER": "o"}[name] }
	in.ConfirmTargets = func(all []sides.UntrustedTarget) error { asked = all; return nil }
	s = mustRead(t, in)
	if err := s.ConfirmTargets(); err != nil {
		t.Fatal(err)
	}
	return asked, s
}

func descriptions(all []sides.UntrustedTarget) (out []string) {
	for _, u := range all {
		out = append(out, u.Description)
	}
	return out
}

func TestAPersonIsAskedAboutTargetsThatOnlyTheHeadNames(t *testing.T) {
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
		{"that was recorded", calls(`live: { provider: recorded, path: r.jsonl }`), calls(api), []string{"this branch asks api.example.com with KEY (master: provider recorded)"}},
		{"and master cannot be read", broken, calls(api), []string{"this branch asks api.example.com with KEY (master has no configuration)"}},
		{"of another name", calls(api), calls(`new: { provider: openai, model: m, base_url: "https://api.example.org/v1", api_key_env: KEY }`), []string{"this branch asks api.example.org with KEY (master: no target new)"}},
		{"without a key that is there", calls(api), calls(`live: { provider: openai, model: m, base_url: "https://api.example.org/v1", api_key_env: GONE }`), nil},
		{"on this machine", calls(api), calls(`live: { provider: openai, model: m, base_url: "http://127.0.0.1:1" }`), nil},
		{"the same command", calls(command), calls(command), nil},
		{"another command", calls(command), calls(`run: { provider: exec, command: [sh, p.md] }`), []string{"this branch runs \"sh p.md\" without a key (master: \"sh ask.sh\" without a key)"}},
		{"a command whose file is another", calls(command), runtest.Files{"ask.sh": "new\n"}, []string{"this branch runs \"sh ask.sh\" without a key (master: another \"ask.sh\")"}},
		{"only its line ends are", calls(command), runtest.Files{"ask.sh": "old\r\n"}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			repo := newClone(t)
			if c.old != nil {
				repo.commit(c.old)
			}
			repo.write(c.now)
			all, _ := askedAbout(t, repo.inputs(""))
			if got := descriptions(all); !slices.Equal(got, c.want) {
				t.Errorf("asked about %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatAPersonIsAskedAboutHasItsHostAndKeys(t *testing.T) {
	repo := newClone(t)
	repo.commit(runtest.Files{"p.md": "x"})
	repo.write(calls(`own: { provider: openai, model: m, base_url: "https://API.example.com:8443/v1", api_key_file: "/", ` + // it is there on every system, and is not read
		`headers: { X-Tenant: { env: OTHER } } }`))
	all, _ := askedAbout(t, repo.inputs(""))
	want := sides.UntrustedTarget{Host: "https://api.example.com:8443", Keys: []string{"OTHER", `"/"`},
		NothingToCompare: true,
		Description:      `this branch asks api.example.com:8443 with OTHER, "/" (master has no configuration)`}
	if len(all) != 1 || !reflect.DeepEqual(all[0], want) {
		t.Errorf("asked about %+v, want %+v", all, want)
	}
	repo.write(calls(`run: { provider: exec, command: [sh, ask.sh, ` + strings.Repeat("x", 600) + `] }`))
	all, _ = askedAbout(t, repo.inputs(""))
	if len(all) != 1 || all[0].Host != "" || all[0].Keys != nil || len(all[0].Description) > 600 {
		t.Errorf("asked about %+v", all)
	}
}

func TestTargetsOfTheRulesAreTrustedAndTheFilesOfTheirCommandsAreNot(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "tool.sh") // of no repository
	if err := os.WriteFile(tool, []byte("tool"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := calls(`run: { provider: exec, command: [sh, ask.sh, ` + strconv.Quote(tool) + `] }`)
	for _, c := range []struct {
		rule      string
		old, head runtest.Files
		want      []string
	}{
		{"the same command", run, runtest.Files{"p.md": "Other {{ q }}\n"}, nil},
		{"another file of it", run, runtest.Files{"ask.sh": "new\n"}, []string{`this branch runs "sh ask.sh ` + tool + `" without a key (master: another "ask.sh")`}},
		{"another command, which applies later", run, calls(`run: { provider: exec, command: [sh, p.md] }`), nil},
		{"another address, which applies later", calls(`live: { provider: openai, model: m, base_url: "https://a.example.com", api_key_env: KEY }`),
			calls(`live: { provider: openai, model: m, base_url: "https://b.example.com", api_key_env: KEY }`), nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			repo := newClone(t)
			repo.commit(c.old)
			repo.checkout("topic")
			repo.write(c.head)
			in, err := repo.inputs("").WithBase("master")
			if err != nil {
				t.Fatal(err)
			}
			all, s := askedAbout(t, in)
			if got := descriptions(all); !slices.Equal(got, c.want) {
				t.Errorf("asked about %q, want %q", got, c.want)
			}
			if s.Inputs.ConfirmTargets = nil; s.ConfirmTargets() != nil {
				t.Error("without a person an answer is awaited")
			}
		})
	}
}

func TestAPersonIsAskedAboutTheEndpointOfEmbeddingsIfACaseNeedsIt(t *testing.T) {
	embeds := func(key string) runtest.Files {
		files := calls(`kept: { provider: recorded, path: r.jsonl }`)
		files["failproof.yml"] += "semantic: { provider: http, model: e, endpoint: \"https://embed.example.com/v1\", api_key_env: " + key + " }\n"
		return files
	}
	meant := func(files runtest.Files) runtest.Files {
		return with(files, "t.yaml", "cases:", "strategy: reasoning\ncases:")
	}
	const asked = "this branch asks embed.example.com with KEY (master has no configuration)"
	for _, c := range []struct {
		rule     string
		old, now runtest.Files
		want     []string
	}{
		{"a case is compared by meaning", runtest.Files{"p.md": "x"}, meant(embeds("KEY")), []string{asked}},
		{"none is", runtest.Files{"p.md": "x"}, embeds("KEY"), nil},
		{"its key is not there", runtest.Files{"p.md": "x"}, meant(embeds("GONE")), nil},
		{"the default branch has it", meant(embeds("KEY")), runtest.Files{"p.md": "Other {{ q }}\n"}, nil},
		{"the default branch has it with another key", meant(embeds("OTHER")), meant(embeds("KEY")), []string{"this branch asks embed.example.com with KEY (master: embed.example.com with OTHER)"}},
	} {
		repo := newClone(t)
		repo.commit(c.old)
		repo.write(c.now)
		all, _ := askedAbout(t, repo.inputs(""))
		if got := descriptions(all); !slices.Equal(got, c.want) {
			t.Errorf("%s: asked about %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestTwoTargetsThatReadAlikeAreAskedAboutOnceAndANoEndsTheRun(t *testing.T) {
	repo := newClone(t)
	repo.commit(runtest.Files{"p.md": "x"})
	files := calls(`a: { provider: openai, model: m, base_url: "https://a.example.com", api_key_env: KEY }, b: { provider: openai, model: n, base_url: "https://a.example.com", api_key_env: KEY }, ` +
		`c: { provider: openai, model: n, base_url: "https://c.example.com", api_key_env: KEY }`)
	files["t.yaml"] = strings.Replace(files["t.yaml"], "prompt:", "targets: [a, b, c]\nprompt:", 1)
	repo.write(files)
	all, s := askedAbout(t, repo.inputs(""))
	got := descriptions(all)
	slices.Sort(got)
	want := []string{"this branch asks a.example.com with KEY (master has no configuration)",
		"this branch asks c.example.com with KEY (master has no configuration)"}
	if !slices.Equal(got, want) {
		t.Errorf("asked about %q, want %q", got, want)
	}
	no := errors.New("no")
	if s.Inputs.ConfirmTargets = func([]sides.UntrustedTarget) error { return no }; !errors.Is(s.ConfirmTargets(), no) {
		t.Error("a no is not heard")
	}
}
