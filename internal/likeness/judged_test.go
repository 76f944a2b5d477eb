package likeness_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
)

// subject is a file of pairs that people judged.
type subject struct {
	name  string
	pairs []pair
}

// judged reads the files of a folder that hold pairs.
func judged(t *testing.T, dir string) (out []subject) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if pairs := readPairs(t, path); len(pairs) > 1 {
			out = append(out, subject{filepath.Base(path), pairs})
		}
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d files of pairs in %s, %v", len(out), dir, err)
	}
	return out
}

// rho is Spearman's rho of a measure: the mean over the files, and that of all pairs together.
func rho(t *testing.T, name string, subjects []subject, measure func([]pair) func(a, b string) float64) (mean, together float64) {
	t.Helper()
	var sum score.Mean
	var all []pair
	for _, s := range subjects {
		r := spearman(s.pairs, measure(s.pairs))
		t.Logf("%s: %d pairs, Spearman's rho of %s %.4f", s.name, len(s.pairs), name, r)
		sum.Add(r, 1)
		all = append(all, s.pairs...)
	}
	mean, _ = sum.Value()
	together = spearman(all, measure(all))
	t.Logf("%s: mean over %d files %.4f, all %d pairs together %.4f", name, len(subjects), mean, len(all), together)
	return mean, together
}

// FAILPROOF_STS names a folder of score<TAB>a<TAB>b files, one a subject; without it, those of this package are read.
// Words are held to 0.68, and what FAILPROOF_MODELS has installed to doing better than words.
func TestSimilaritiesOnPairsThatPeopleJudged(t *testing.T) {
	subjects := judged(t, cmp.Or(os.Getenv("FAILPROOF_STS"), "testdata"))
	rho(t, "Jaccard", subjects, func([]pair) func(a, b string) float64 { return likeness.Jaccard })
	words, together := rho(t, "lexical", subjects, func(pairs []pair) func(a, b string) float64 { return lexical(corpus(pairs)) })
	if words < 0.68 && together < 0.68 {
		t.Errorf("Spearman's rho of lexical is %.4f, want 0.68", words)
	}
	for _, name := range models.Names() {
		e, err := models.Open(models.Spec{Model: name, Search: []string{os.Getenv("FAILPROOF_MODELS")}})
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		if r, _ := rho(t, name, subjects, meaning(t, e)); !(r > words) {
			t.Errorf("Spearman's rho of %s is %.4f, want more than the %.4f of words", name, r, words)
		}
	}
}

// meaning measures by cosine; a pair without one has nothing in common.
func meaning(t *testing.T, e embed.Embedder) func([]pair) func(a, b string) float64 {
	e = embed.WithMemory(e)
	return func([]pair) func(a, b string) float64 {
		return func(a, b string) float64 {
			got, err := e.Embed(t.Context(), []string{a, b})
			if err != nil {
				t.Fatal(err)
			}
			cosine, _ := embed.Cosine(got[0], got[1])
			return cosine
		}
	}
}
