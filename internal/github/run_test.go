package github_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
)

func TestReadRun(t *testing.T) {
	full := map[string]string{
		"GITHUB_RUN_ID": "1658821493", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_WORKFLOW": "prompts", "GITHUB_JOB": "gate", "GITHUB_REPOSITORY": "octo/prompts",
		"GITHUB_WORKFLOW_REF": "octo/prompts/.github/workflows/gate.yml@refs/pull/7/merge", "GITHUB_API_URL": "https://ghes.example/api/v3/", "GITHUB_SERVER_URL": "https://ghes.example",
	}
	got, err := failproof.ReadRun(env(full))
	want := failproof.Run{ID: 1658821493, Attempt: 2, Workflow: ".github/workflows/gate.yml", Job: "gate", Server: "https://ghes.example", API: "https://ghes.example/api/v3", Repository: "octo/prompts"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("error %v (-want +got):\n%s", err, diff)
	}
	if got, want := got.URL(), "https://ghes.example/octo/prompts/actions/runs/1658821493/attempts/2"; got != want {
		t.Errorf("URL %s, want %s", got, want)
	}
	for _, c := range []struct{ variable, value, want string }{
		{"GITHUB_RUN_ID", "", "GITHUB_RUN_ID"},
		{"GITHUB_RUN_ID", "9223372036854775808", "GITHUB_RUN_ID"},
		{"GITHUB_RUN_ATTEMPT", "0", "GITHUB_RUN_ATTEMPT"},
		{"GITHUB_API_URL", "file:///etc", "GITHUB_API_URL"},
		{"GITHUB_API_URL", "https://x:y@host", "GITHUB_API_URL"},
		{"GITHUB_SERVER_URL", "github.com", "GITHUB_SERVER_URL"},
	} {
		values := map[string]string{}
		for name, value := range full {
			values[name] = value
		}
		values[c.variable] = c.value
		if _, err := failproof.ReadRun(env(values)); !errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%q: error %v", c.variable, c.value, err)
		}
	}
}
