package github_test

import (
	"errors"
	"strings"
	"testing"

	failproof "github.com/failproof/failproof/internal/github"
)

func FuzzParseEvent(f *testing.F) {
	for _, name := range []string{"pull_request", "push", "merge_group", "schedule"} {
		f.Add(name, []byte(`{"number":1,"pull_request":{"number":1,"base":{"sha":"1111111111111111111111111111111111111111","repo":{"id":1}},"head":{"sha":"2222222222222222222222222222222222222222","repo":null}},"repository":{"full_name":"o/r"}}`))
		f.Add(name, []byte(`{"before":"1111111111111111111111111111111111111111","after":"2222222222222222222222222222222222222222","ref":"refs/heads/main"}`))
	}
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		got, err := failproof.ParseEvent(name, payload, env(runner))
		if err != nil {
			if !errors.Is(err, failproof.ErrEvent) || got != (failproof.Event{}) {
				t.Errorf("error %v with event %+v", err, got)
			}
			return
		}
		if len(got.HeadSHA) != 40 || got.BaseSHA != "" && len(got.BaseSHA) != 40 || got.Owner == "" || got.Repo == "" || strings.ContainsAny(got.Owner+got.Repo+got.HeadRef+got.BaseRef, "\n\r") {
			t.Errorf("event %+v", got)
		}
		if (got.Name == "pull_request") != (got.Number > 0) {
			t.Errorf("event %s with number %d", got.Name, got.Number)
		}
	})
}
