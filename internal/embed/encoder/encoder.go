// Package encoder embeds texts with two kinds of models: tables of word pieces (model2vec) and BERT encoders. It is
// given the bytes of a model's files and opens no file itself.
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

// Names of a model's files, as on Hugging Face.
const (
	ConfigFile    = "config.json" // a static model may have none
	TokenizerFile = "tokenizer.json"
	WeightsFile   = "model.safetensors"
	// BERT only: the largest number of word pieces of a text; without this file, the number of positions
	SentenceFile = "sentence_bert_config.json"
	PoolingFile  = "1_Pooling/config.json" // BERT only: how to pool; without this file, by the mean
)

type modelType struct {
	Type string `json:"model_type"`
}

// KindOf returns the kind of a model: BERT if config.json has a model type other than model2vec, else Static.
func KindOf(files map[string][]byte) string {
	var c modelType
	if json.Unmarshal(files[ConfigFile], &c) == nil && c.Type != "" && c.Type != "model2vec" {
		return BERT
	}
	return Static
}

// Read returns the model that the files contain. Its fingerprint is name together with the kind of the model and the
// version of the arithmetic, because another arithmetic gives other vectors. The error is an *embed.Fault.
func Read(name string, files map[string][]byte) (embed.Embedder, error) {
	if KindOf(files) == BERT {
		return readBERT("bert/2 "+name, files)
	}
	return readStatic("static/1 "+name, files)
}

// readJSON decodes one of the files into dst. A file that does not exist changes nothing.
func readJSON(files map[string][]byte, name string, dst any) error {
	if files[name] == nil {
		return nil
	}
	if err := json.Unmarshal(files[name], dst); err != nil {
		return embed.Faultf(embed.ReasonModelInvalid, "%s: %v", name, err)
	}
	return nil
}

func countWord(e *embed.Embedding, w wordpiece.Word) {
	e.Words++
	if !w.Known || w.SingleLetters {
		e.UnknownWords++
	}
}
