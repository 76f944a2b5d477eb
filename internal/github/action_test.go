package github_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	failproof "github.com/failproof/failproof/internal/github"
)

// metadata is action.yml.
type metadata struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]struct {
		Description string
		Default     *string
		Required    *bool
	}
	Outputs map[string]struct{ Description string }
	Runs    struct {
		Using, Image string
		Args         []string
	}
}

func readAction(t *testing.T) metadata {
	t.Helper()
	file, err := os.Open("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var m metadata
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func keys[V any](m map[string]V) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func TestActionMetadata(t *testing.T) {
	m := readAction(t)
	inputs := []string{"base", "bootstrap", "cache", "check", "comment", "config", "max-cost-usd", "min-run-score", "name", "out", "page-url", "phase", "results-base", "results-format", "results-head", "results-runs", "scope", "shard", "suites", "token", "trials",
		"working-directory"}
	if diff := cmp.Diff(inputs, keys(m.Inputs)); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	for name, in := range m.Inputs {
		if in.Description == "" || in.Default == nil {
			t.Errorf("input %s has no description or no default", name)
		}
	}
	if diff := cmp.Diff(failproof.OutputNames(), keys(m.Outputs)); diff != "" {
		t.Errorf("outputs (-code +action.yml):\n%s", diff)
	}
	for name, out := range m.Outputs {
		if out.Description == "" {
			t.Errorf("output %s has no description", name)
		}
	}
	if m.Name != "failproof" || m.Description == "" || len(m.Description) >= 125 || m.Branding.Icon == "" || m.Branding.Color == "" {
		t.Errorf("for the marketplace: %+v", m)
	}
	if m.Runs.Using != "docker" || !slices.Equal(m.Runs.Args, []string{"action"}) {
		t.Errorf("runs: %+v", m.Runs)
	}
	if pinned := regexp.MustCompile(`^docker://[^@]+@sha256:[0-9a-f]{64}$`); m.Runs.Image != "Dockerfile" && !pinned.MatchString(m.Runs.Image) {
		t.Errorf("image %q can be moved; want Dockerfile or a digest", m.Runs.Image)
	}
}

func TestDockerfile(t *testing.T) {
	data, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, c := range []struct {
		rule    string
		pattern string
		want    bool
	}{
		{"the last stage holds nothing", `(?m)^FROM scratch$`, true},
		{"the authorities that sign certificates come with the program", `ca-certificates`, false},
		{"what builds it cannot be moved", `(?m)^FROM golang:[0-9.]+-alpine@sha256:[0-9a-f]{64} AS build$`, true},
		{"it starts the program", `(?m)^ENTRYPOINT \["/failproof"\]$`, true},
		{"without arguments it is the action", `(?m)^CMD \["action"\]$`, true},
		{"no user who could not write the runner's files", `(?m)^USER`, false},
		{"no syntax line, which is fetched", `(?m)^# *syntax=`, false},
		{"no mount, which needs BuildKit", `--mount`, false},
	} {
		if regexp.MustCompile(c.pattern).MatchString(text) != c.want {
			t.Errorf("%s: %q, want %v", c.rule, c.pattern, c.want)
		}
	}
}

func TestOneGoBuildsEverything(t *testing.T) {
	versions := map[string]string{}
	for name, pattern := range map[string]string{
		"go.mod": `(?m)^toolchain go(.+)$`, "tools/release/go.mod": `(?m)^toolchain go(.+)$`, "Dockerfile": `(?m)^FROM golang:([0-9.]+)-alpine@`,
	} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(pattern).FindSubmatch(data)
		if m == nil {
			t.Fatalf("%s names no version of Go", name)
		}
		versions[name] = string(m[1])
	}
	for name, version := range versions {
		if version != versions["go.mod"] {
			t.Errorf("%s builds with Go %s, go.mod with %s", name, version, versions["go.mod"])
		}
	}
}
