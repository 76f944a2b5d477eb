package comment

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestFactsAreTheOnlyPlaceForWhatDiffersBetweenRuns(t *testing.T) {
	r := rendertest.FailedRun()
	comment := Markdown(storyOf(r, rendertest.Links()))
	want := "<sub>45 cases, 225 answers · 90 calls · 40,000 tokens in, 8,210 out · about 0.11 USD · 1 min 42 s · failproof `0.1.0` · " +
		"[full report](https://github.com/acme/prompts/actions/runs/123456789)</sub>\n"
	if got := Facts(storyOf(r, rendertest.Links())); got != want {
		t.Errorf("Facts = %q, want %q", got, want)
	}
	r.Run.ID, r.Run.StartedAt, r.Run.FinishedAt, r.Calls = "2", "2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z", report.Calls{Cached: 9}
	l := rendertest.Links()
	l.RunURL += "0"
	if diff := cmp.Diff(comment, Markdown(storyOf(r, l))); diff != "" {
		t.Errorf("Comment differs for another run of the same revisions (-first +second):\n%s", diff)
	}
}
