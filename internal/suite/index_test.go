package suite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/suiteid"
)

func pairsOf(both Pairing) (out []string) {
	for p := range both.Pairs() {
		one := [2]string{"-", "-"}
		for side, c := range []*Case{p.Base, p.Head} {
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
		side := func(ids string) []*Suite {
			if ids == "" {
				return nil
			}
			s := &Suite{}
			for _, id := range strings.Fields(ids) {
				s.Cases.Add(Case{ID: id})
			}
			return []*Suite{s}
		}
		if got := strings.Join(pairsOf(Pairing{Bases: side(c.base), Heads: side(c.head)}), " "); got != c.want {
			t.Errorf("cases %s: %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestCasesThatChangedTheirNamesAreOne(t *testing.T) {
	for _, c := range []struct {
		rule       string
		base, head []string
		want       string
	}{
		{"renamed", []string{"a r e", "b r f"}, []string{"z q e", "b q f"}, "a~z b~b"},
		{"swapped", []string{"a r e", "b r f"}, []string{"a q f", "b q e"}, "b~a a~b"},
		{"moved on by one that comes in", []string{"1 r e", "2 r f"}, []string{"1 q n", "2 q e", "3 q f"}, "-~1 1~2 2~3"},
		{"moved on by one that goes", []string{"1 r e", "2 r f", "3 r g"}, []string{"1 q f", "2 q g"}, "2~1 3~2 1~-"},
		{"a name is free for another case", []string{"a r e"}, []string{"z q e", "a q n"}, "a~z -~a"},
		{"equal ones of which all but one kept their names", []string{"a r e", "b r e"}, []string{"a q e", "z q e"}, "a~a b~z"},
		{"equal ones are joined in their order", []string{"a r e", "b r e"}, []string{"y q e", "z q e"}, "a~y b~z"},
		{"of equal ones those that ask the same", []string{"a r e", "b q e"}, []string{"y q e", "z r e"}, "b~y a~z"},
		{"one that became two is the first of them", []string{"a r e"}, []string{"y q e", "z q e"}, "a~y -~z"},
		{"another expectation is no other name", []string{"a r e"}, []string{"a q f"}, "a~a"},
		{"a renamed case that is judged otherwise asks the same", []string{"a r e"}, []string{"z q f"}, "a~z"},
		{"of its kind, one with an equal expectation comes first", []string{"a r e"}, []string{"y q f", "z q e"}, "-~y a~z"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := asked(made("s", c.base...)), asked(made("s", c.head...))
			if got := strings.Join(pairsOf(Join([]*Suite{base}, []*Suite{head})), " "); got != c.want {
				t.Errorf("pairs: %s, want %s", got, c.want)
			}
		})
	}
}

func TestARenamedCaseWithAnotherExpectationAndQuestionIsAnother(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"no input of its own, and the same request", "a r e", "z r f", "a~z"},
		{"another request", "a r e", "z q f", "-~z a~-"},
	} {
		base, head := made("s", c.base), made("s", c.head)
		if got := strings.Join(pairsOf(Join([]*Suite{base}, []*Suite{head})), " "); got != c.want {
			t.Errorf("%s: pairs %s, want %s", c.rule, got, c.want)
		}
	}
	base, head := asked(made("s", "a r e")), asked(made("s", "z r f"))
	head.Cases[0].Vars = map[string]string{"question": "!"}
	if got := strings.Join(pairsOf(Join([]*Suite{base}, []*Suite{head})), " "); got != "-~z a~-" {
		t.Errorf("another input: pairs %s", got)
	}
}

func TestACaseOfTheBaseHasOneNameInTheHead(t *testing.T) {
	base, head := asked(made("s", "1 r e", "2 r f")), asked(made("s", "1 q f"))
	both := Join([]*Suite{base}, []*Suite{head})
	for id, want := range map[string]string{"1": "1@base", "2": "1", "3": "3"} {
		if got := both.HeadName("s", id).Case; got != want {
			t.Errorf("case %s goes by %s in the head, want %s", id, got, want)
		}
		if own, known := both.Base(suiteid.Name{Suite: "s", Case: want}); own.Case != id || !known {
			t.Errorf("%s is case %s of the base (%v), want %s", want, own, known, id)
		}
	}
	if own, known := both.Base(suiteid.Name{Suite: "s", Case: "2"}); known {
		t.Errorf("nothing goes by 2 in the head, but case %s does", own)
	}
}

func TestPairsAreThoseOfAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(name string) *Suite {
			s := &Suite{}
			for _, id := range rapid.SliceOfDistinct(rapid.StringMatching("[a-f]{1,2}"), rapid.ID[string]).Draw(t, name) {
				s.Cases.Add(Case{ID: id})
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
		if diff := cmp.Diff(want, pairsOf(Pairing{Bases: []*Suite{base}, Heads: []*Suite{head}})); diff != "" {
			t.Errorf("pairs (-want +got):\n%s", diff)
		}
	})
}
