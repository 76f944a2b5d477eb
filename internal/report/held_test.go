package report

import (
	"testing"
	"unsafe"
)

func TestACaseOfASideHoldsCountsAndPlaces(t *testing.T) {
	if got := unsafe.Sizeof(Case{}); got > 64 {
		t.Errorf("a case holds %d bytes, want 64 at most: what few have belongs to its rarity, and what is read back to the log", got)
	}
}
