package source_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
	"pgregory.net/rapid"
)

// graph writes commits given as "name time parent…", in order, and a branch for each.
func graph(t *testing.T, lines ...string) (*local, map[string]plumbing.Hash) {
	t.Helper()
	l := newLocal(t)
	tree := l.tree(nil)
	c := map[string]plumbing.Hash{}
	for _, line := range lines {
		f := strings.Fields(line)
		at := int64(0)
		for _, digit := range f[1] {
			at = at*10 + int64(digit-'0')
		}
		var parents []plumbing.Hash
		for _, p := range f[2:] {
			parents = append(parents, c[p])
		}
		c[f[0]] = l.commit(tree, at, parents...)
		l.ref("refs/heads/"+f[0], c[f[0]])
	}
	return l, c
}

func TestMergeBase(t *testing.T) {
	cases := []struct {
		rule  string
		graph []string
		a, b  string
		want  string
	}{
		{"of a branch and its origin", []string{"o 1", "m 2 o", "x 3 o"}, "m", "x", "o"},
		{"of a commit and itself", []string{"o 1", "m 2 o"}, "m", "m", "m"},
		{"of a commit and its ancestor is the ancestor", []string{"o 1", "p 2 o", "m 3 p"}, "m", "o", "o"},
		{"after the base was merged in is the merged commit", []string{"o 1", "m 2 o", "x 3 o", "y 4 x m", "n 5 m"}, "n", "y", "m"},
		{"is no ancestor of a better one", []string{"o 1", "p 2 o", "q 3 p", "m 4 q o", "x 5 q"}, "m", "x", "q"},
		{"is right though clocks ran backwards", []string{"o 900", "p 800 o", "m 5 p", "x 700 p", "y 1 x"}, "m", "y", "p"},
		{"is right though an ancestor claims to be younger", []string{"o 999", "p 2 o", "m 3 p o", "x 4 p o"}, "m", "x", "p"},
		{"of an octopus merge", []string{"o 1", "a 2 o", "b 3 o", "c 4 o", "m 5 a b c", "x 6 c"}, "m", "x", "c"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			l, ids := graph(t, c.graph...)
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				if got, err := source.MergeBase(l.dir, pair[0], pair[1]); err != nil || got != ids[c.want].String() {
					t.Errorf("MergeBase(%s, %s) = %s, %v, want %s (%s)", pair[0], pair[1], got, err, c.want, ids[c.want])
				}
			}
		})
	}
}

// After a criss-cross merge, a comparison with one ancestor would not show what the change took from the other.
func TestOfSeveralMergeBasesNoneIsTaken(t *testing.T) {
	for _, lines := range [][]string{
		{"o 1", "a 2 o", "b 3 o", "m 4 a b", "x 5 b a"},
		{"o 1", "a 2 o", "b 9 o", "c 4 o", "m 10 a b c", "x 11 c b a"},
	} {
		l, ids := graph(t, append(lines, "y 12 x m")...)
		if _, err := source.MergeBase(l.dir, "m", "x"); !errors.Is(err, source.ErrSeveralBases) {
			t.Errorf("%q: error %v, want %v", lines, err, source.ErrSeveralBases)
		}
		if got, err := source.MergeBase(l.dir, "m", "y"); err != nil || got != ids["m"].String() {
			t.Errorf("%q: after the base was merged in: %s, %v", lines, got, err)
		}
	}
}

func TestMergeBaseOfUnrelatedHistories(t *testing.T) {
	l, _ := graph(t, "m 1", "x 2")
	if got, err := source.MergeBase(l.dir, "m", "x"); !errors.Is(err, source.ErrNoRevision) || !strings.Contains(err.Error(), "in common") {
		t.Errorf("MergeBase = %q, %v, want ErrNoRevision that says why", got, err)
	}
}

func TestMergeBaseOfAnUnknownName(t *testing.T) {
	l, _ := graph(t, "m 1")
	for _, pair := range [][2]string{{"m", "nope"}, {"nope", "m"}} {
		if got, err := source.MergeBase(l.dir, pair[0], pair[1]); !errors.Is(err, source.ErrNoRevision) {
			t.Errorf("MergeBase(%v) = %q, %v, want ErrNoRevision", pair, got, err)
		}
	}
}

func TestMergeBaseInAShallowClone(t *testing.T) {
	cases := []struct {
		rule  string
		graph []string
		kept  string // commits whose parents were cut off
		gone  string
		want  string // "" for ErrShallow
	}{
		{"is unknown if the history ends before it", []string{"o 1", "p 2 o", "m 3 p", "x 4 p"}, "m x", "o p", ""},
		{"is unknown if one side ends before it", []string{"o 1", "p 2 o", "m 3 p", "q 3 p", "x 4 q"}, "x", "q", ""},
		{"is found if the history ends below it", []string{"o 1", "p 2 o", "m 3 p", "x 4 p"}, "p", "o", "p"},
		{"is found though the boundary says otherwise, if the commits are here", []string{"o 1", "m 3 o", "x 4 o"}, "x", "", "o"},
		{"is unknown if a merged branch could hold a better one", []string{"o 1", "p 2 o", "s 3 p", "m 4 p", "t 5 s", "x 6 m t", "n 7 m s"}, "t", "s", ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			l, ids := graph(t, c.graph...)
			var kept, gone []plumbing.Hash
			for name := range strings.FieldsSeq(c.kept) {
				kept = append(kept, ids[name])
			}
			for name := range strings.FieldsSeq(c.gone) {
				gone = append(gone, ids[name])
			}
			l.shallow(kept, gone...)
			got, err := source.MergeBase(l.dir, "m", "x")
			if c.want == "" && !errors.Is(err, source.ErrShallow) {
				t.Errorf("MergeBase = %s, %v, want ErrShallow", got, err)
			}
			if c.want != "" && (err != nil || got != ids[c.want].String()) {
				t.Errorf("MergeBase = %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

// On random histories with random clocks the answer is the only common ancestor that is an ancestor of no other.
func TestMergeBaseAgreesWithItsDefinition(t *testing.T) {
	dirs := 0
	rapid.Check(t, func(rt *rapid.T) {
		if dirs++; dirs > 40 {
			return // each history is a repository on disk
		}
		n := rapid.IntRange(2, 12).Draw(rt, "commits")
		l := newLocal(t)
		tree := l.tree(nil)
		ids, parents := make([]plumbing.Hash, n), make([][]int, n)
		times := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(rt, "clock"))).Perm(n)
		for i := range n {
			for range min(i, rapid.IntRange(0, 2).Draw(rt, "parents")) {
				if p := rapid.IntRange(0, i-1).Draw(rt, "parent"); !slices.Contains(parents[i], p) {
					parents[i] = append(parents[i], p)
				}
			}
			var of []plumbing.Hash
			for _, p := range parents[i] {
				of = append(of, ids[p])
			}
			ids[i] = l.commit(tree, int64(times[i]), of...)
		}
		a, b := rapid.IntRange(0, n-1).Draw(rt, "a"), rapid.IntRange(0, n-1).Draw(rt, "b")
		want := bestAncestors(parents, a, b)
		got, err := source.MergeBase(l.dir, ids[a].String(), ids[b].String())
		switch {
		case len(want) == 0 && !errors.Is(err, source.ErrNoRevision), len(want) > 1 && !errors.Is(err, source.ErrSeveralBases):
			rt.Fatalf("MergeBase(%d, %d) = %s, %v, want the only one of %d", a, b, got, err, want)
		case len(want) == 1 && (err != nil || got != ids[want[0]].String()):
			rt.Fatalf("MergeBase(%d, %d) = %s, %v, want %d", a, b, got, err, want)
		}
	})
}

// bestAncestors returns the common ancestors that are ancestors of no other, by comparing all with each other.
func bestAncestors(parents [][]int, a, b int) (best []int) {
	of := make([]map[int]bool, len(parents))
	for i := range parents {
		of[i] = map[int]bool{i: true}
		for _, p := range parents[i] {
			for x := range of[p] {
				of[i][x] = true
			}
		}
	}
	for c := range parents {
		if !of[a][c] || !of[b][c] {
			continue
		}
		worse := false
		for d := range parents {
			worse = worse || d != c && of[a][d] && of[b][d] && of[d][c]
		}
		if !worse {
			best = append(best, c)
		}
	}
	return best
}
