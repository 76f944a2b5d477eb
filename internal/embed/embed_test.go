package embed_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/embed"
)

func TestCosineIsThatOfDirections(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		rule string
		a, b []float64
		want float64
		ok   bool
	}{
		{"the same direction", []float64{0.6, 0.8}, []float64{0.6, 0.8}, 1, true},
		{"length does not count", []float64{3, 4}, []float64{0.6, 0.8}, 1, true},
		{"at right angles", []float64{1, 0}, []float64{0, 1}, 0, true},
		{"opposite", []float64{1, 0}, []float64{-1, 0}, -1, true},
		{"no vector, no cosine", nil, []float64{1}, 0, false},
		{"neither has a vector", nil, nil, 0, false},
		{"vectors of two models", []float64{1}, []float64{1, 0}, 0, false},
		{"zeros have no direction", []float64{0, 0}, []float64{1, 0}, 0, false},
		{"what is no number has none", []float64{nan, 0}, []float64{1, 0}, 0, false},
		{"nor has infinity", []float64{inf, 0}, []float64{1, 0}, 0, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, ok := embed.Cosine(embed.Embedding{Vector: c.a}, embed.Embedding{Vector: c.b})
			if ok != c.ok || !(math.Abs(got-c.want) < 1e-15) {
				t.Errorf("Cosine(%v, %v) = %v, %v; want %v, %v", c.a, c.b, got, ok, c.want, c.ok)
			}
		})
	}
}

// counting records what it is asked.
type counting struct {
	asked [][]string
	fail  error
}

func (c *counting) Fingerprint() string { return "counting" }

func (c *counting) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	if c.fail != nil {
		return nil, c.fail
	}
	c.asked = append(c.asked, slices.Clone(texts))
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		out[i] = embed.Embedding{Vector: []float64{1}, Tokens: len(text)}
	}
	return out, nil
}

func TestATextIsEmbeddedOnce(t *testing.T) {
	inner := &counting{}
	m := embed.WithMemory(inner)
	for _, texts := range [][]string{{"a", "bb", "a"}, {"bb", "ccc"}, {"a"}, nil} {
		got, err := m.Embed(context.Background(), texts)
		if err != nil || len(got) != len(texts) {
			t.Fatalf("Embed(%q) = %v, %v", texts, got, err)
		}
		for i, text := range texts {
			if got[i].Tokens != len(text) {
				t.Errorf("Embed(%q)[%d] is of another text: %+v", texts, i, got[i])
			}
		}
	}
	if want := [][]string{{"a", "bb"}, {"ccc"}}; !slices.EqualFunc(inner.asked, want, slices.Equal) {
		t.Errorf("asked %q, want %q", inner.asked, want)
	}
}

func TestAFailureIsNotRemembered(t *testing.T) {
	inner := &counting{fail: embed.Faultf(embed.ReasonTimeout, "too slow")}
	m := embed.WithMemory(inner)
	_, err := m.Embed(context.Background(), []string{"a"})
	if fault, ok := errors.AsType[*embed.Fault](err); !ok || fault.Reason != embed.ReasonTimeout {
		t.Fatalf("Embed() = %v, want a timeout", err)
	}
	inner.fail = nil
	if got, err := m.Embed(context.Background(), []string{"a"}); err != nil || got[0].Tokens != 1 {
		t.Errorf("Embed() = %v, %v", got, err)
	}
	if _, ok := errors.AsType[*embed.Fault](errors.New("other")); ok {
		t.Error("an error of another kind has a reason")
	}
}
