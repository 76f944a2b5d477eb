package redact_test

import (
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/redact"
)

func TestASecretThatComesToBeKnownLaterIsRemovedFromThenOn(t *testing.T) {
	var later redact.Learned
	r := redact.New([]string{"first-secret"}, nil).WithLearned(&later)
	const said = "first-secret and later-secret"
	if got := r.Text(said); got != "[redacted] and later-secret" {
		t.Errorf("before: %q", got)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			later.Add("later-secret")
			r.Text(said)
		})
	}
	all.Wait()
	for _, text := range []string{said, "first-secret and bGF0ZXItc2VjcmV0", `first-secret and \u006cater-secret`} {
		if got := r.Text(text); got != "[redacted] and [redacted]" {
			t.Errorf("after: %q becomes %q", text, got)
		}
	}
}
