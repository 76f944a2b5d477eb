// Package encoder embeds texts by models whose files it is given: tables of word pieces (model2vec) and BERT encoders.
// Bytes of a model in, vectors out.
package encoder

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// Kinds of a model.
const (
	Static = "static"
	BERT   = "bert"
)

// Files of a model, as Hugging Face lays them out.
const (
	Config    = "config.json" // a static model may have none
	Tokenizer = "tokenizer.json"
	Weights   = "model.safetensors"
	// of a BERT: how many word pieces are read; without it as many as there are positions
	Sentence = "sentence_bert_config.json"
	Pooling  = "1_Pooling/config.json" // of a BERT; without it the mean
)

type kind struct {
	Type string `json:"model_type"`
}

// Kind returns the model type of config.json. A model without one, or with a type of its own, may be a static one.
func Kind(files map[string][]byte) string {
	var c kind
	if json.Unmarshal(files[Config], &c) == nil && c.Type != "" && c.Type != "model2vec" {
		return BERT
	}
	return Static
}

// Read reads a model of either kind from its files; name stands for it in errors. The fingerprint includes the version
// of the arithmetic, since another arithmetic gives other vectors. The error is an *embed.Fault.
func Read(name string, files map[string][]byte) (embed.Embedder, error) {
	if Kind(files) == BERT {
		return readBERT("bert/2 "+name, files)
	}
	return readStatic("static/1 "+name, files)
}

func count(e *embed.Embedding, w wordpiece.Word) {
	e.Words++
	if !w.Known || w.Letters {
		e.Unknown++
	}
}
