package embedtest

import (
	"encoding/json"
	"fmt"
)

// BERT are the files of an encoder of one layer whose weights are a fixed series of small numbers. Its vectors mean
// nothing; they are always the same.
func BERT(pieces ...string) map[string][]byte {
	const hidden, wide, positions = 8, 16, 16
	config, err := json.Marshal(map[string]any{
		"model_type": "bert", "hidden_size": hidden, "num_hidden_layers": 1, "num_attention_heads": 2,
		"intermediate_size": wide, "max_position_embeddings": positions, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
	})
	if err != nil {
		panic(err)
	}
	var s series
	tensors := []Tensor{
		s.tensor("embeddings.word_embeddings.weight", 4+len(pieces), hidden),
		s.tensor("embeddings.position_embeddings.weight", positions, hidden),
		s.tensor("embeddings.token_type_embeddings.weight", 2, hidden),
	}
	tensors = append(tensors, s.pair("embeddings.LayerNorm", hidden)...)
	for _, d := range []struct {
		name  string
		shape []int
	}{
		{"attention.self.query", []int{hidden, hidden}}, {"attention.self.key", []int{hidden, hidden}},
		{"attention.self.value", []int{hidden, hidden}}, {"attention.output.dense", []int{hidden, hidden}},
		{"attention.output.LayerNorm", []int{hidden}}, {"intermediate.dense", []int{wide, hidden}},
		{"output.dense", []int{hidden, wide}}, {"output.LayerNorm", []int{hidden}},
	} {
		tensors = append(tensors, s.pair("encoder.layer.0."+d.name, d.shape...)...)
	}
	return map[string][]byte{"config.json": config, "tokenizer.json": Tokenizer(pieces...), "model.safetensors": Safetensors(tensors...)}
}

// series is a generator of numbers in [-1, 1), with the multiplier and increment of Numerical Recipes.
type series struct{ state uint32 }

func (s *series) tensor(name string, shape ...int) Tensor {
	size := 1
	for _, n := range shape {
		size *= n
	}
	t := Tensor{Name: name, Shape: shape}
	for range size {
		s.state = s.state*1664525 + 1013904223
		t.Values = append(t.Values, float32(s.state>>16)/32768-1)
	}
	return t
}

// pair are weight and bias of a layer; a norm's are of one shape.
func (s *series) pair(name string, shape ...int) []Tensor {
	if len(shape) == 0 {
		panic(fmt.Sprintf("tensor %s without a shape", name))
	}
	return []Tensor{s.tensor(name+".weight", shape...), s.tensor(name+".bias", shape[0])}
}
