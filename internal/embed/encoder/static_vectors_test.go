package encoder_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/sharedtest"
)

// tableVectors are texts with the vectors that numpy made of them.
type tableVectors struct {
	Cases []struct {
		Text         string
		IDs          []int
		F32, F16, VQ []float64
	}
	Cosines [][]any `json:"cosine_f32"`
}

// published is a model whose vectors somebody else made.
func published(t *testing.T, folder, weights string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for name, file := range map[string]string{encoder.ConfigFile: "config.json", encoder.TokenizerFile: "tokenizer.json", encoder.WeightsFile: weights} {
		files[name] = sharedtest.Read(t, "vectors/semantic/"+folder+"/"+file)
	}
	return files
}

func TestPublishedVectorsOfATableAreReproduced(t *testing.T) {
	var want tableVectors
	if err := json.Unmarshal(sharedtest.Read(t, "vectors/semantic/static_tiny/expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule, file string
		vector     func(i int) []float64
	}{
		{"a table of F32", "model.safetensors", func(i int) []float64 { return want.Cases[i].F32 }},
		{"a table of F16", "model_f16.safetensors", func(i int) []float64 { return want.Cases[i].F16 }},
		{"a table with weights whose pieces share rows", "model_vq.safetensors", func(i int) []float64 { return want.Cases[i].VQ }},
	} {
		t.Run(c.rule, func(t *testing.T) {
			m, err := encoder.Read("tiny", published(t, "static_tiny", c.file))
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i, k := range want.Cases {
				got := one(t, m, k.Text)
				if got.Vector == nil && !slices.ContainsFunc(c.vector(i), func(v float64) bool { return v != 0 }) {
					continue // no direction: numpy keeps the zeros
				}
				if len(got.Vector) != len(c.vector(i)) {
					t.Fatalf("%q: vector of %d numbers, want %d", k.Text, len(got.Vector), len(c.vector(i)))
				}
				for j, w := range c.vector(i) {
					worst = max(worst, math.Abs(got.Vector[j]-w))
				}
			}
			if len(want.Cases) == 0 || !(worst < 1e-12) {
				t.Errorf("%d texts, largest difference %g, want less than 1e-12", len(want.Cases), worst)
			}
		})
	}
}

func one(t *testing.T, e embed.Embedder, text string) embed.Embedding {
	t.Helper()
	got, err := e.Embed(context.Background(), []string{text})
	if err != nil || len(got) != 1 {
		t.Fatalf("%d embeddings, %v", len(got), err)
	}
	return got[0]
}
