// Package embedtest makes small embedding models for tests, as files in the real formats. The test sets the vectors of
// the words.
package embedtest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/text"
)

// Tensor is one tensor of 32-bit floats in a file of weights.
type Tensor struct {
	Name   string
	Shape  []int
	Values []float32
}

// Safetensors returns a file in the safetensors format with the given tensors.
func Safetensors(tensors ...Tensor) []byte {
	header := map[string]any{}
	var data []byte
	for _, t := range tensors {
		begin := len(data)
		for _, v := range t.Values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[t.Name] = map[string]any{"dtype": "F32", "shape": t.Shape, "data_offsets": []int{begin, len(data)}}
	}
	return RawSafetensors(header, data)
}

// RawSafetensors returns a file in the safetensors format. The header is any value that JSON can encode.
func RawSafetensors(header any, data []byte) []byte {
	raw := text.MustJSON(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(raw))), raw...), data...)
}

// Tokenizer returns a tokenizer.json. Its vocabulary has BERTModel's four special pieces and then the given pieces,
// numbered in that order.
func Tokenizer(pieces ...string) []byte {
	vocabulary := map[string]int{}
	for i, piece := range append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, pieces...) {
		vocabulary[piece] = i
	}
	return text.MustJSON(map[string]any{
		"added_tokens":  []any{map[string]any{"id": 1, "content": "[UNK]", "special": true}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary},
	})
}

// Synonyms is a group of words with the same meaning.
type Synonyms []string

// StaticModel returns the files of a static model. The words of one group have equal vectors, and the vectors of
// different groups are orthogonal.
func StaticModel(meanings ...Synonyms) map[string][]byte {
	var pieces []string
	size := len(meanings)
	rows := make([]float32, 4*size)
	for i, words := range meanings {
		for _, word := range words {
			pieces = append(pieces, word)
			row := make([]float32, size)
			row[i] = 1
			rows = append(rows, row...)
		}
	}
	return map[string][]byte{
		"config.json":       []byte(`{"model_type": "model2vec"}`),
		"tokenizer.json":    Tokenizer(pieces...),
		"model.safetensors": Safetensors(Tensor{"embeddings", []int{len(rows) / size, size}, rows}),
	}
}

// WriteFiles writes the files of a model into the folder dir. files maps each path below dir to its content.
func WriteFiles(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// BERTModel returns the files of an encoder with one layer. Its weights are a fixed series of small numbers, so its
// vectors are repeatable and mean nothing.
func BERTModel(pieces ...string) map[string][]byte {
	const hidden, intermediate, positions = 8, 16, 16
	config := text.MustJSON(map[string]any{
		"model_type": "bert", "hidden_size": hidden, "num_hidden_layers": 1, "num_attention_heads": 2,
		"intermediate_size": intermediate, "max_position_embeddings": positions, "hidden_act": "gelu",
		"layer_norm_eps": 1e-12,
	})
	var s generator
	tensors := []Tensor{
		s.tensor("embeddings.word_embeddings.weight", 4+len(pieces), hidden),
		s.tensor("embeddings.position_embeddings.weight", positions, hidden),
		s.tensor("embeddings.token_type_embeddings.weight", 2, hidden),
	}
	tensors = append(tensors, s.weightAndBias("embeddings.LayerNorm", hidden)...)
	for _, d := range []struct {
		name  string
		shape []int
	}{
		{"attention.self.query", []int{hidden, hidden}}, {"attention.self.key", []int{hidden, hidden}},
		{"attention.self.value", []int{hidden, hidden}}, {"attention.output.dense", []int{hidden, hidden}},
		{"attention.output.LayerNorm", []int{hidden}}, {"intermediate.dense", []int{intermediate, hidden}},
		{"output.dense", []int{hidden, intermediate}}, {"output.LayerNorm", []int{hidden}},
	} {
		tensors = append(tensors, s.weightAndBias("encoder.layer.0."+d.name, d.shape...)...)
	}
	return map[string][]byte{"config.json": config, "tokenizer.json": Tokenizer(pieces...), "model.safetensors": Safetensors(tensors...)}
}

// generator generates pseudorandom numbers in [-1, 1) with the multiplier and the increment of Numerical Recipes.
type generator struct{ state uint32 }

func (g *generator) tensor(name string, shape ...int) Tensor {
	size := 1
	for _, n := range shape {
		size *= n
	}
	t := Tensor{Name: name, Shape: shape}
	for range size {
		g.state = g.state*1664525 + 1013904223
		t.Values = append(t.Values, float32(g.state>>16)/32768-1)
	}
	return t
}

// weightAndBias returns the weight and the bias of the layer with the given name. shape is the weight's, and the bias
// is as long as its first dimension.
func (g *generator) weightAndBias(name string, shape ...int) []Tensor {
	return []Tensor{g.tensor(name+".weight", shape...), g.tensor(name+".bias", shape[0])}
}
