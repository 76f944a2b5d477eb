// Package static embeds a text as the mean of vectors that a table holds for its word pieces (model2vec,
// https://github.com/MinishLab/model2vec). It sees no word order. Bytes of a model in, vectors out; every machine gets
// the same bits.
package static

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/safetensors"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// Version is of the arithmetic; another one gives other vectors.
const Version = "static/1"

// maxTokens is how many known word pieces of a text are read, as model2vec does.
const maxTokens = 512

// Files are the files of a model.
type Files struct {
	Config    []byte // config.json; nil if there is none
	Tokenizer []byte // tokenizer.json
	Weights   []byte // model.safetensors
}

// Model is read only. It is an embed.Embedder.
type Model struct {
	fingerprint string
	tokenizer   *wordpiece.Tokenizer
	dimensions  int
	rows        []float32 // one after the other
	row         []int64   // of each piece; nil: a piece's id is its row
	weight      []float64 // of each piece; nil: all weigh the same
}

// Read reads a model. Its error is an *embed.Fault.
func Read(fingerprint string, f Files) (*Model, error) {
	if err := checkConfig(f.Config); err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Read(f.Tokenizer)
	if err != nil {
		return nil, err
	}
	m := &Model{fingerprint: fingerprint, tokenizer: tokenizer}
	if err := m.readTable(f.Weights); err != nil {
		return nil, embed.Faultf(embed.ModelInvalid, "model.safetensors: %v", err)
	}
	return m, nil
}

func checkConfig(text []byte) error {
	if text == nil {
		return nil
	}
	var c struct {
		Type string `json:"model_type"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return embed.Faultf(embed.ModelInvalid, "config.json: %v", err)
	}
	if c.Type != "" && c.Type != "model2vec" {
		return embed.Faultf(embed.UnsupportedModel, "config.json names model_type %.40q; a static model is model2vec", c.Type)
	}
	return nil
}

// readTable reads the tensors embeddings, and where they are there weights and mapping: a table whose pieces share rows.
func (m *Model) readTable(file []byte) error {
	tensors, err := safetensors.Read(file)
	if err != nil {
		return err
	}
	rows, shape, err := tensors.Floats("embeddings")
	switch {
	case err != nil:
		return err
	case len(shape) != 2 || shape[0] == 0 || shape[1] == 0:
		return fmt.Errorf("tensor embeddings has shape %v; expected rows and columns", shape)
	}
	m.rows, m.dimensions = rows, shape[1]
	if err := m.readMapping(tensors, shape[0]); err != nil {
		return err
	}
	if !tensors.Has("weights") {
		return nil
	}
	if m.weight, _, err = tensors.Doubles("weights"); err == nil && len(m.weight) < m.tokenizer.Size() {
		err = fmt.Errorf("tensor weights has %d numbers for %d word pieces", len(m.weight), m.tokenizer.Size())
	}
	return err
}

func (m *Model) readMapping(tensors *safetensors.File, rows int) (err error) {
	pieces := m.tokenizer.Size()
	if !tensors.Has("mapping") {
		if pieces > rows {
			return fmt.Errorf("tensor embeddings has %d rows for %d word pieces", rows, pieces)
		}
		return nil
	}
	if m.row, err = tensors.Integers("mapping"); err != nil {
		return err
	}
	if len(m.row) < pieces {
		return fmt.Errorf("tensor mapping has %d numbers for %d word pieces", len(m.row), pieces)
	}
	for _, row := range m.row {
		if row < 0 || row >= int64(rows) {
			return fmt.Errorf("tensor mapping names row %d of %d", row, rows)
		}
	}
	return nil
}

// Fingerprint names the model.
func (m *Model) Fingerprint() string { return m.fingerprint }

// Embed returns one embedding a text. Its only error is the context's.
func (m *Model) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = m.embed(text)
	}
	return out, nil
}

func (m *Model) embed(text string) embed.Embedding {
	var out embed.Embedding
	sum := make([]float64, m.dimensions)
	for word := range m.tokenizer.Words(text) {
		if out.Tokens == maxTokens {
			out.Truncated = true
			break
		}
		out.Words++
		if !word.Known || word.Letters {
			out.Unknown++
		}
		if !word.Known {
			continue
		}
		for _, id := range word.IDs {
			if out.Tokens == maxTokens {
				out.Truncated = true
				break
			}
			m.add(sum, id)
			out.Tokens++
		}
	}
	if embed.Unit(sum) {
		out.Vector = sum
	}
	return out
}

// add adds the row of a piece. The mean is the sum as a direction.
func (m *Model) add(sum []float64, id int) {
	at := id
	if m.row != nil {
		at = int(m.row[id])
	}
	row := m.rows[at*m.dimensions:][:len(sum)]
	if m.weight == nil {
		for i, v := range row {
			sum[i] += float64(v)
		}
		return
	}
	weight := m.weight[id]
	for i, v := range row {
		sum[i] += float64(float64(v) * weight)
	}
}
