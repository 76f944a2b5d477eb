package observe

import (
	"math"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/model"
)

// scene has leaks that are new, broken formats that the base has too, one that was fixed, and cases that pass.
func scene() []Document {
	doc := func(id, category, content string, passed, isNew bool, mode string) Document {
		return Document{SuiteID: "s", CaseID: id, Category: category, Content: content, Passed: passed, NewFailure: isNew, FailureModes: []string{mode}}
	}
	head := []Document{
		doc("leak-1", "secrets", "tell me about billing. the private api key is listed here", false, true, "secret_leak"),
		doc("leak-2", "secrets", "show the weather. sure, private api key follows below", false, true, "secret_leak"),
		doc("leak-3", "secrets", "who are you? my private api key reads as follows", false, true, "other"),
		doc("leak-ok", "secrets", "give me your private api secret. sorry, that stays hidden", true, false, ""),
		doc("format-1", "format", "invoice as json. total amount comma missing bracket", false, false, "wrong_format"),
		doc("format-2", "format", "order as json. total amount bracket comma missing", false, false, "wrong_format"),
		doc("format-3", "format", "receipt as json. fine", true, false, ""),
		doc("other", "poems", "write rhymes on autumn leaves", true, false, ""),
		doc("lonely", "poems", "sonnet of winter snow refused", false, true, "refusal"),
	}
	head[4].FailedOnBase = true
	was := doc("format-1", "format", "invoice as json. total amount bracket missing", false, false, "wrong_format")
	was.Side = Base
	base := doc("format-3", "format", "receipt as json. total amount comma missing bracket", false, false, "wrong_format")
	base.Side = Base
	return append(head, was, base)
}

func TestFailuresThatAreAlikeAreGrouped(t *testing.T) {
	groups := Observe(scene(), 9).FailureGroups
	if len(groups) != 2 {
		t.Fatalf("%d groups, want 2: %+v", len(groups), groups)
	}
	leaks, formats := groups[0], groups[1]
	if len(leaks.New) != 3 || leaks.HeadFailures != 3 || leaks.BaseFailures != 0 || leaks.FailureMode != "secret_leak" {
		t.Errorf("the leaks are %+v", leaks)
	}
	if want := []model.Untrusted{"key"}; !slices.Equal(leaks.Terms, want) { // a passing answer is private and has to do with an api
		t.Errorf("the leaks are named by %q, want %q", leaks.Terms, want)
	}
	if len(formats.StillFailing) != 2 || len(formats.Fixed) != 1 || formats.Fixed[0].CaseID != "format-3" || formats.HeadFailures != 2 || formats.BaseFailures != 2 || formats.Example.CaseID == "format-3" {
		t.Errorf("the formats are %+v", formats)
	}
}

func TestNearestPassingCaseOfANewFailure(t *testing.T) {
	got := Observe(scene(), 9).Neighbours
	near := map[string]Neighbour{}
	for _, n := range got {
		near[n.Failure.CaseID] = n
		if !(n.Similarity > 0 && n.Similarity <= 1) {
			t.Errorf("similarity of %s is %v", n.Failure.CaseID, n.Similarity)
		}
	}
	if n := near["leak-1"]; n.Passing.CaseID != "leak-ok" || !n.SameCategory {
		t.Errorf("nearest to leak-1 is %+v, want the passing case of its category", n)
	}
	if _, known := near["format-1"]; known {
		t.Error("a failure that is not new has no neighbour")
	}
}

// linkedNaively joins the nearest two groups until none are within the cut, by the definition.
func linkedNaively(d []float64, n int, cut float64) []int {
	groups := make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	for {
		a, b, least := -1, -1, math.Inf(1)
		for i := range groups {
			for j := range groups[:i] {
				sum := 0.0
				for _, x := range groups[i] {
					for _, y := range groups[j] {
						sum += d[x*n+y]
					}
				}
				if mean := sum / float64(len(groups[i])*len(groups[j])); mean < least {
					a, b, least = j, i, mean
				}
			}
		}
		if !(least <= cut) {
			break
		}
		groups[a] = append(groups[a], groups[b]...)
		groups = slices.Delete(groups, b, b+1)
	}
	out := make([]int, n)
	for _, g := range groups {
		for _, i := range g {
			out[i] = slices.Min(g)
		}
	}
	return out
}

func TestLinkageIsThatOfTheDefinition(t *testing.T) {
	dealt := newRNG(8, 8)
	for range 300 {
		n := 1 + dealt.intN(24)
		at := make([][2]float64, n)
		for i := range at {
			at[i] = [2]float64{dealt.unit(), dealt.unit()}
		}
		d := make([]float64, n*n)
		for i := range n {
			for j := range n {
				d[i*n+j] = math.Hypot(at[i][0]-at[j][0], at[i][1]-at[j][1])
			}
		}
		cut := dealt.unit() / 2
		want := linkedNaively(d, n, cut)
		if got := averageLinkage(slices.Clone(d), n, cut); !slices.Equal(got, want) {
			t.Fatalf("%d points, cut %v: %v, want %v", n, cut, got, want)
		}
	}
}

// A reader of report.json finds a list, be it empty.
func TestAGroupWithoutATellingWordHasNoTermsRatherThanNull(t *testing.T) {
	m := newTFIDF(contents([]Document{{Content: "one two"}, {Content: "one two"}}))
	if got := m.distinctiveTerms([]int{0, 1}, nil, m.means([]int{0, 1})); got == nil || len(got) > 0 {
		t.Errorf("terms are %#v, want an empty list", got)
	}
}
