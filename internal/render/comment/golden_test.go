package comment

import (
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
)

func TestCommentOfEachState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) {
			rendertest.Golden(t, s.Name+".md", Markdown(rendertest.View(s.Run(), rendertest.Links())))
		})
	}
}

func TestCommentWithoutLinks(t *testing.T) {
	rendertest.Golden(t, "failed-without-links.md", Markdown(rendertest.View(rendertest.FailedRun(), show.Links{})))
}

func TestSummary(t *testing.T) {
	rendertest.Golden(t, "failed.summary.md", Summary(rendertest.View(rendertest.FailedRun(), rendertest.Links())))
}
