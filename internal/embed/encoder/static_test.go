package encoder_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/encoder"
)

// files are a model in which cat and feline mean one thing and dog another.
func files() map[string][]byte {
	return embedtest.StaticModel(embedtest.Synonyms{"cat", "feline"}, embedtest.Synonyms{"dog"}, embedtest.Synonyms{"q", "##q"})
}

func TestATextIsTheMeanOfItsWords(t *testing.T) {
	m, err := encoder.Read("tiny", files())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule, text string
		want       embed.Embedding
	}{
		{"a word is its row", "cat", embed.Embedding{Vector: []float64{1, 0, 0}, Tokens: 1, Words: 1}},
		{"a synonym has the same", "Feline", embed.Embedding{Vector: []float64{1, 0, 0}, Tokens: 1, Words: 1}},
		{"a word that is not known is left out, and counted", "cat zzz", embed.Embedding{Vector: []float64{1, 0, 0}, Tokens: 1, Words: 2, UnknownWords: 1}},
		{"one known letter by letter enters, and is counted", "qqq", embed.Embedding{Vector: []float64{0, 0, 1}, Tokens: 3, Words: 1, UnknownWords: 1}},
		{"nothing known is no direction", "zzz", embed.Embedding{Words: 1, UnknownWords: 1}},
		{"nothing at all is none either", "", embed.Embedding{}},
		{"512 pieces are read", strings.Repeat("cat ", 512), embed.Embedding{Vector: []float64{1, 0, 0}, Tokens: 512, Words: 512}},
		{"the 513th is not", strings.Repeat("cat ", 512) + "dog", embed.Embedding{Vector: []float64{1, 0, 0}, Tokens: 512, Words: 512, Truncated: true}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := one(t, m, c.text)
			if !slices.Equal(got.Vector, c.want.Vector) {
				t.Errorf("vector %v, want %v", got.Vector, c.want.Vector)
			}
			got.Vector, c.want.Vector = nil, nil
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestABrokenTableIsRefused(t *testing.T) {
	row := []float32{1, 0}
	tensor := func(name string, shape []int, values ...float32) embedtest.Tensor {
		return embedtest.Tensor{Name: name, Shape: shape, Values: values}
	}
	integers := func(values ...byte) []byte { // a table of one row, and a mapping of 5 pieces
		data := append(make([]byte, 8), make([]byte, 20)...)
		for i, v := range values {
			data[8+4*i] = v
		}
		return embedtest.RawSafetensors(map[string]any{
			"embeddings": map[string]any{"dtype": "F32", "shape": []int{1, 2}, "data_offsets": []int{0, 8}},
			"mapping":    map[string]any{"dtype": "I32", "shape": []int{5}, "data_offsets": []int{8, 28}},
		}, data)
	}
	for _, c := range []struct {
		rule    string
		weights []byte
		want    string
	}{
		{"no file", nil, "has 0 bytes"},
		{"no table", embedtest.Safetensors(tensor("other", []int{1, 2}, row...)), `tensor "embeddings" is missing`},
		{"a table of one dimension", embedtest.Safetensors(tensor("embeddings", []int{2}, row...)), "has shape [2]"},
		{"an empty table", embedtest.Safetensors(tensor("embeddings", []int{0, 2})), "has shape [0 2]"},
		{"fewer rows than pieces", embedtest.Safetensors(tensor("embeddings", []int{1, 2}, row...)), "1 rows for 5 word pieces"},
		{"fewer weights than pieces", embedtest.Safetensors(tensor("embeddings", []int{5, 1}, 1, 1, 1, 1, 1), tensor("weights", []int{1}, 1)), "1 numbers for 5 word pieces"},
		{"a mapping of fewer pieces", embedtest.RawSafetensors(map[string]any{
			"embeddings": map[string]any{"dtype": "F32", "shape": []int{1, 2}, "data_offsets": []int{0, 8}},
			"mapping":    map[string]any{"dtype": "I32", "shape": []int{1}, "data_offsets": []int{8, 12}},
		}, make([]byte, 12)), "mapping has 1 numbers for 5 word pieces"},
		{"a mapping to a row that is not there", integers(0, 0, 1), "names row 1 of 1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := encoder.Read("tiny", map[string][]byte{"tokenizer.json": embedtest.Tokenizer("cat"), "model.safetensors": c.weights})
			if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != embed.ReasonModelInvalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Read() = %#v, want %s with %q", err, embed.ReasonModelInvalid, c.want)
			}
		})
	}
	if _, err := encoder.Read("tiny", map[string][]byte{"tokenizer.json": embedtest.Tokenizer("cat"), "model.safetensors": integers()}); err != nil {
		t.Errorf("a good mapping: %v", err)
	}
}

func TestACancelledRunEmbedsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, f := range []map[string][]byte{files(), embedtest.BERTModel("cat")} {
		m, err := encoder.Read("tiny", f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Embed(ctx, []string{"cat"}); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("%s: Embed() = %v, %v", m.Fingerprint(), got, err)
		}
	}
}

// A sentence of 30 word pieces and a table of the shape of potion-base-8M.
func BenchmarkSentence(b *testing.B) {
	const rows, columns = 29528, 256
	pieces := make([]string, rows-4)
	values := make([]float32, rows*columns)
	for i := range pieces {
		pieces[i] = fmt.Sprintf("word%d", i)
	}
	for i := range values {
		values[i] = float32(i%7) - 3
	}
	m, err := encoder.Read("tiny", map[string][]byte{"tokenizer.json": embedtest.Tokenizer(pieces...),
		"model.safetensors": embedtest.Safetensors(embedtest.Tensor{Name: "embeddings", Shape: []int{rows, columns}, Values: values})})
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "Word%d ", i*911%len(pieces))
	}
	texts := []string{text.String()}
	b.ReportAllocs()
	for b.Loop() {
		if got, err := m.Embed(context.Background(), texts); err != nil || got[0].Tokens != 30 {
			b.Fatal(got, err)
		}
	}
}
