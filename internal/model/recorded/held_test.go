package recorded

import (
	"testing"
	"unsafe"
)

func TestALineThatIsReadIsAPlace(t *testing.T) {
	if got := unsafe.Sizeof(entry{}); got > 32 {
		t.Errorf("a recorded answer holds %d bytes, want 32 at most: a run has one for each", got)
	}
}

func TestTheIdOfSeveralAnswersIsHeldOnce(t *testing.T) {
	var a answered
	var places []uint32
	for _, id := range []string{"one", "one", "", "two", "one"} {
		at, ok := a.addID(id)
		if !ok {
			t.Fatal("there is no room")
		}
		places = append(places, at)
		a.entries = append(a.entries, entry{id: at})
	}
	a.texts = string(a.reading)
	if places[0] != places[1] || len(a.texts) != 4*lengthBytes+9 {
		t.Errorf("places %v in %q", places, a.texts)
	}
	for i, want := range []string{"one", "one", "", "two", "one"} {
		if got := a.id(i); got != want {
			t.Errorf("id %d is %q, want %q", i, got, want)
		}
	}
}
