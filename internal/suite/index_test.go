package suite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func pairsOf(base, head *Suite) (out []string) {
	for b, h := range Pairs(base, head) {
		one := [2]string{"-", "-"}
		for side, c := range []*Case{b, h} {
			if c != nil {
				one[side] = c.ID
			}
		}
		out = append(out, one[0]+"~"+one[1])
	}
	return out
}

func TestPairsStandInTheHeadsOrderWithTheBasesOwnLast(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"in one order", "a b c", "a b c", "a~a b~b c~c"},
		{"in another order", "a b c", "c a b", "c~c a~a b~b"},
		{"with cases of one side alone", "a x b y", "n a b m", "-~n a~a b~b -~m x~- y~-"},
		{"of a new suite", "", "a b", "-~a -~b"},
		{"of a removed suite", "a b", "", "a~- b~-"},
	} {
		side := func(ids string) *Suite {
			if ids == "" {
				return nil
			}
			s := &Suite{}
			for _, id := range strings.Fields(ids) {
				s.Cases = append(s.Cases, Case{ID: id})
			}
			return s
		}
		if got := strings.Join(pairsOf(side(c.base), side(c.head)), " "); got != c.want {
			t.Errorf("cases %s: %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestPairsAreThoseOfAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(name string) *Suite {
			s := &Suite{}
			for _, id := range rapid.SliceOfDistinct(rapid.StringMatching("[a-f]{1,2}"), rapid.ID[string]).Draw(t, name) {
				s.Cases = append(s.Cases, Case{ID: id})
			}
			return s
		}
		base, head := side("base"), side("head")
		left, want := map[string]bool{}, []string(nil)
		for _, c := range base.Cases {
			left[c.ID] = true
		}
		for _, c := range head.Cases {
			if left[c.ID] {
				want = append(want, c.ID+"~"+c.ID)
			} else {
				want = append(want, "-~"+c.ID)
			}
			delete(left, c.ID)
		}
		for _, c := range base.Cases {
			if left[c.ID] {
				want = append(want, c.ID+"~-")
			}
		}
		if diff := cmp.Diff(want, pairsOf(base, head)); diff != "" {
			t.Errorf("pairs (-want +got):\n%s", diff)
		}
	})
}
