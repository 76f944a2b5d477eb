package lookup_test

import (
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/lookup"
)

func TestEveryNameIsFoundAtItsPlaceAndNoOther(t *testing.T) {
	for _, n := range []int{0, 1, 6, 7, 1000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("case-%d", i)
		}
		nameAt := func(place int) string { return names[place] }
		var table lookup.Table
		for i, name := range names {
			if place, found := table.Find(name, nameAt); found {
				t.Fatalf("%s is found at %d before it is there", name, place)
			}
			table.Add(name, i, nameAt)
		}
		for i, name := range names {
			if place, found := table.Find(name, nameAt); !found || place != i {
				t.Errorf("of %d names, %s is found at %d (%t), want %d", n, name, place, found, i)
			}
		}
		if place, found := table.Find("case-1001", nameAt); found {
			t.Errorf("of %d names, one that is not there is found at %d", n, place)
		}
	}
}
