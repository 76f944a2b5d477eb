package encoder_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/sharedtest"
)

func TestPublishedVectorsOfABERTAreReproduced(t *testing.T) {
	var want struct {
		Cases []struct {
			Text      string
			Embedding []float64
		}
	}
	if err := json.Unmarshal(sharedtest.Read(t, "vectors/semantic/bert_tiny/expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	m, err := encoder.Read("tiny", published(t, "bert_tiny", "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for _, c := range want.Cases {
		got := one(t, m, c.Text)
		if got.Vector == nil && strings.TrimSpace(c.Text) == "" {
			continue // nothing to compare is no direction, though the model would give [CLS][SEP] one
		}
		if len(got.Vector) != len(c.Embedding) {
			t.Fatalf("%q: vector of %d numbers, want %d", c.Text, len(got.Vector), len(c.Embedding))
		}
		for i, w := range c.Embedding {
			worst = max(worst, math.Abs(got.Vector[i]-w))
		}
	}
	if len(want.Cases) == 0 || !(worst < 1e-6) {
		t.Errorf("%d texts, largest difference %g, want less than 1e-6", len(want.Cases), worst)
	}
}
