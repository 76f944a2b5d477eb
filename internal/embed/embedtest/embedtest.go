// Package embedtest makes small embedding models for tests: real files in the real formats, whose words mean what the test
// says.
package embedtest

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
)

// Tensor is one tensor of a file, of 32-bit floats.
type Tensor struct {
	Name   string
	Shape  []int
	Values []float32
}

// Safetensors writes tensors as a safetensors file.
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
	return File(header, data)
}

// File puts a header before data, as safetensors has it.
func File(header any, data []byte) []byte {
	text, err := json.Marshal(header)
	if err != nil {
		panic(err) // the test's own header
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

// Tokenizer is a tokenizer.json whose vocabulary is the four pieces that BERT needs, then pieces, with ids in that order.
func Tokenizer(pieces ...string) []byte {
	vocabulary := map[string]int{}
	for i, piece := range append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, pieces...) {
		vocabulary[piece] = i
	}
	text, err := json.Marshal(map[string]any{
		"added_tokens":  []any{map[string]any{"id": 1, "content": "[UNK]", "special": true}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary},
	})
	if err != nil {
		panic(err)
	}
	return text
}

// Meaning is a group of words that mean the same; different groups have nothing in common.
type Meaning []string

// Static are the files of a static model in which each meaning is a direction of its own.
func Static(meanings ...Meaning) map[string][]byte {
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

// Write writes the files of a model into a folder.
func Write(dir string, files map[string][]byte) error {
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
