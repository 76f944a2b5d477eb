package page

import (
	"slices"
	"strconv"
	"testing"

	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestOfASuiteTooLargeToDrawThoseThatPassAreLeftOutFirst(t *testing.T) {
	kinds := []report.Kind{report.KindPassing, report.KindFailing, report.KindPassing, report.KindPassing, report.KindRegressed, report.KindFailing}
	var changes []report.Change
	for i, kind := range kinds {
		changes = append(changes, report.Change{CaseID: strconv.Itoa(i), Kind: kind})
	}
	v, all := &story.Story{Report: &report.Report{Changes: changes}}, []int{0, 1, 2, 3, 4, 5}
	for room, want := range map[int][]int{9: all, 6: all, 5: {0, 1, 2, 4, 5}, 3: {1, 4, 5}, 2: {1, 4}, 1: {1}} {
		if got := drawnCases(v, all, room); !slices.Equal(got, want) {
			t.Errorf("where there is room for %d, %v are drawn, want %v", room, got, want)
		}
	}
}
