package encoder

import (
	"context"
	"fmt"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/safetensors"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// maxTokens is the largest number of known word pieces of a text that are read. model2vec has the same limit.
const maxTokens = 512

// static embeds a text as the mean of the vectors that a table has for its word pieces (model2vec,
// https://github.com/MinishLab/model2vec). It ignores word order. Every machine gets the same bits. A static is
// immutable.
type static struct {
	fingerprint  string
	tokenizer    *wordpiece.Tokenizer
	dimensions   int
	vectors      []float32 // the table
	pieceRows    []int64   // index in rows for each piece; nil: the piece's id
	pieceWeights []float64 // of each piece; nil: equal weights
}

func readStatic(fingerprint string, files map[string][]byte) (embed.Embedder, error) {
	if err := readJSON(files, ConfigFile, &modelType{}); err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Parse(files[TokenizerFile])
	if err != nil {
		return nil, err
	}
	m := &static{fingerprint: fingerprint, tokenizer: tokenizer}
	if err := m.readTable(files[WeightsFile]); err != nil {
		return nil, embed.Faultf(embed.ReasonModelInvalid, "model.safetensors: %v", err)
	}
	return m, nil
}

// readTable reads the tensor embeddings, and the tensors weights and mapping if they exist. With a mapping, several
// word pieces share a row.
func (s *static) readTable(file []byte) error {
	tensors, err := safetensors.Parse(file)
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
	s.vectors, s.dimensions = rows, shape[1]
	if err := s.readMapping(tensors, shape[0]); err != nil {
		return err
	}
	if !tensors.Has("weights") {
		return nil
	}
	if s.pieceWeights, err = tensors.Doubles("weights"); err == nil && len(s.pieceWeights) < s.tokenizer.Size() {
		err = fmt.Errorf("tensor weights has %d numbers for %d word pieces", len(s.pieceWeights), s.tokenizer.Size())
	}
	return err
}

func (s *static) readMapping(tensors *safetensors.File, rows int) (err error) {
	pieces := s.tokenizer.Size()
	if !tensors.Has("mapping") {
		if pieces > rows {
			return fmt.Errorf("tensor embeddings has %d rows for %d word pieces", rows, pieces)
		}
		return nil
	}
	if s.pieceRows, err = tensors.Integers("mapping"); err != nil {
		return err
	}
	if len(s.pieceRows) < pieces {
		return fmt.Errorf("tensor mapping has %d numbers for %d word pieces", len(s.pieceRows), pieces)
	}
	for _, row := range s.pieceRows {
		if row < 0 || row >= int64(rows) {
			return fmt.Errorf("tensor mapping names row %d of %d", row, rows)
		}
	}
	return nil
}

// Fingerprint identifies the model.
func (s *static) Fingerprint() string { return s.fingerprint }

// Embed returns the embedding of each text. It returns an error only if ctx ends.
func (s *static) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = s.embed(text)
	}
	return out, nil
}

func (s *static) embed(text string) embed.Embedding {
	var out embed.Embedding
	sum := make([]float64, s.dimensions)
	for word := range s.tokenizer.Words(text) {
		if out.Tokens == maxTokens {
			out.Truncated = true
			break
		}
		countWord(&out, word)
		if !word.Known {
			continue
		}
		for _, id := range word.IDs {
			if out.Tokens == maxTokens {
				out.Truncated = true
				break
			}
			s.add(sum, id)
			out.Tokens++
		}
	}
	if embed.Normalize(sum) {
		out.Vector = sum
	}
	return out
}

// add adds the weighted row of the word piece id to sum. It does not divide by the number of pieces, because the vector
// is scaled to unit length afterwards.
func (s *static) add(sum []float64, id int) {
	tableRow := id
	if s.pieceRows != nil {
		tableRow = int(s.pieceRows[id])
	}
	weight := 1.0
	if s.pieceWeights != nil {
		weight = s.pieceWeights[id]
	}
	for i, v := range s.vectors[tableRow*s.dimensions:][:len(sum)] {
		sum[i] += float64(float64(v) * weight)
	}
}
