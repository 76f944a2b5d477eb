package compare

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestADecisionIsLessThanAWord(t *testing.T) {
	if got := unsafe.Sizeof(decision{}); got > 6 {
		t.Errorf("what is known of a case by both sides takes %d bytes, want 6 at most: a run has that of each case", got)
	}
}

// What is allocated, and not what is held: that hangs on no collector.
func TestNoChangeIsMadeBeforeItIsLookedAt(t *testing.T) {
	const cases = 20_000
	side := func() *report.Side {
		var b report.Builder
		for i := range cases {
			if err := b.Add(report.Result{SuiteID: "s", CaseID: fmt.Sprint("c", i), Trial: 1, Path: "s.yaml", Severity: "medium",
				Classification: classify.Classification{Primary: classify.Pass}, Scores: report.Scores{Accuracy: 1}}, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
		return b.Side()
	}
	base, head := side(), side()
	c := pair(base, head, config.Gate{Mode: config.ModeStrict})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	changes, err := describe(c.pairs, base, head)
	runtime.ReadMemStats(&after)
	if err != nil || changes.Len() != cases {
		t.Fatalf("%d changes, %v", changes.Len(), err)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) / cases; got > 8 {
		t.Errorf("%d bytes are allocated for each case that passes as before, want none", got)
	}
	if one := changes.At(cases - 1); one.CaseID != fmt.Sprint("c", cases-1) || one.Change != report.StillPassing || !one.Head.Right() || changes.At(0).Head != one.Head {
		t.Errorf("the last change is %+v", one)
	}
}
