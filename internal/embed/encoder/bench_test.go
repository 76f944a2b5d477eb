package encoder

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// BenchmarkBERT embeds a text of 64 word pieces by a model of the size of all-MiniLM-L6-v2.
func BenchmarkBERT(b *testing.B) {
	tokenizer, err := wordpiece.Parse(embedtest.BERTModel("cat")[TokenizerFile])
	if err != nil {
		b.Fatal(err)
	}
	m := &bert{tokenizer: tokenizer, config: config{
		Hidden: 384, Heads: 12, Intermediate: 1536, Activation: "gelu", Epsilon: 1e-12, maxPieces: 512,
	}}
	r := rand.New(rand.NewPCG(1, 2))
	floats := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(r.NormFloat64() / 16)
		}
		return out
	}
	linear := func(in, out int) dense { return dense{weight: floats(in * out), bias: floats(out), in: in, out: out} }
	h := m.Hidden
	scale := func() norm { return norm{scale: floats(h), shift: floats(h)} }
	m.words, m.positions, m.norm = floats(h*tokenizer.Size()), floats(h*m.maxPieces), scale()
	for range 6 {
		m.layers = append(m.layers, layer{
			query: linear(h, h), key: linear(h, h), value: linear(h, h), attention: linear(h, h), attentionNorm: scale(),
			up: linear(h, m.Intermediate), down: linear(m.Intermediate, h), norm: scale(),
		})
	}
	text := []string{strings.Repeat("cat ", 62)}
	for b.Loop() {
		if _, err := m.Embed(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}
