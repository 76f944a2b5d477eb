package comment

import (
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestCommentOfEachState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) {
			rendertest.Golden(t, s.Name+".md", Markdown(storyOf(s.Run(), rendertest.Links())))
		})
	}
}

func TestCommentWithoutLinks(t *testing.T) {
	rendertest.Golden(t, "failed-without-links.md", Markdown(storyOf(rendertest.FailedRun(), show.Links{})))
}

func TestSummary(t *testing.T) {
	rendertest.Golden(t, "failed.summary.md", Summary(storyOf(rendertest.FailedRun(), rendertest.Links())))
}

// storyOf returns the story of a report whose changes have no kinds yet.
func storyOf(r *report.Report, l show.Links) *story.Story {
	return story.New(rendertest.SortChanges(r), l)
}
