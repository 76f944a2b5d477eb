package encoder

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/safetensors"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// bert embeds a text with a BERT encoder, as sentence-transformers does: the mean of the last layer over all
// word pieces, or the first one, scaled to unit length. It is read only.
//
// Arithmetic is float32 with sums of another order than a GPU's: vectors agree with torch's to 1e-5. They are the same on
// every run of one architecture, whatever else is embedded beside.
type bert struct {
	config
	fingerprint string
	tokenizer   *wordpiece.Tokenizer
	begin, end  int       // [CLS] and [SEP]
	words       []float32 // a row a word piece
	positions   []float32 // a row a position, with the vector of the first token type added
	norm        norm
	layers      []layer
}

type layer struct {
	query, key, value, attention dense
	attentionNorm                norm
	up, down                     dense
	norm                         norm
}

// dense is a layer y = x·weightᵀ + bias.
type dense struct {
	weight  []float32 // out rows of in numbers
	bias    []float32
	in, out int
}

type norm struct{ scale, shift []float32 }

func readBERT(fingerprint string, files map[string][]byte) (embed.Embedder, error) {
	c, err := readConfig(files)
	if err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Read(files[Tokenizer])
	if err != nil {
		return nil, err
	}
	m := &bert{config: c, fingerprint: fingerprint, tokenizer: tokenizer}
	var hasBegin, hasEnd bool
	m.begin, hasBegin = tokenizer.ID("[CLS]")
	m.end, hasEnd = tokenizer.ID("[SEP]")
	if !hasBegin || !hasEnd {
		return nil, embed.Faultf(embed.UnsupportedTokenizer, "tokenizer.json has no [CLS] or no [SEP]")
	}
	tensors, err := safetensors.Read(files[Weights])
	if err == nil {
		err = m.readWeights(&reader{file: tensors})
	}
	if err != nil {
		return nil, embed.Faultf(embed.ModelInvalid, "model.safetensors: %v", err)
	}
	return m, nil
}

// reader reads tensors of known shape and keeps the first error.
type reader struct {
	file   *safetensors.File
	prefix string
	err    error
}

func (m *bert) readWeights(r *reader) error {
	if !r.file.Has("embeddings.word_embeddings.weight") {
		r.prefix = "bert." // as a model with a head on top is saved
	}
	m.words = r.rows("embeddings.word_embeddings.weight", m.Hidden)
	m.positions = r.tensor("embeddings.position_embeddings.weight", m.Positions, m.Hidden)
	types := r.rows("embeddings.token_type_embeddings.weight", m.Hidden)
	m.norm = r.norm("embeddings.LayerNorm", m.Hidden)
	for i := range m.Layers {
		m.layers = append(m.layers, m.readLayer(r, fmt.Sprintf("encoder.layer.%d.", i)))
	}
	switch {
	case r.err != nil:
		return r.err
	case len(m.words)/m.Hidden < m.tokenizer.Size():
		return fmt.Errorf("it has %d rows for %d word pieces", len(m.words)/m.Hidden, m.tokenizer.Size())
	case len(types) == 0:
		return fmt.Errorf("it has no token type")
	}
	for i := range m.positions {
		m.positions[i] += types[i%m.Hidden]
	}
	return nil
}

func (m *bert) readLayer(r *reader, name string) layer {
	h := m.Hidden
	return layer{
		query:         r.dense(name+"attention.self.query", h, h),
		key:           r.dense(name+"attention.self.key", h, h),
		value:         r.dense(name+"attention.self.value", h, h),
		attention:     r.dense(name+"attention.output.dense", h, h),
		attentionNorm: r.norm(name+"attention.output.LayerNorm", h),
		up:            r.dense(name+"intermediate.dense", h, m.Intermediate),
		down:          r.dense(name+"output.dense", m.Intermediate, h),
		norm:          r.norm(name+"output.LayerNorm", h),
	}
}

func (r *reader) dense(name string, in, out int) dense {
	return dense{weight: r.tensor(name+".weight", out, in), bias: r.tensor(name+".bias", out), in: in, out: out}
}

func (r *reader) norm(name string, size int) norm {
	return norm{scale: r.tensor(name+".weight", size), shift: r.tensor(name+".bias", size)}
}

func (r *reader) tensor(name string, want ...int) []float32 {
	values, shape := r.floats(name)
	if r.err == nil && !slices.Equal(shape, want) {
		r.err = fmt.Errorf("tensor %s has shape %v; config.json makes it %v", r.prefix+name, shape, want)
	}
	return values
}

// rows is a tensor of as many rows as it has.
func (r *reader) rows(name string, columns int) []float32 {
	values, shape := r.floats(name)
	if r.err == nil && (len(shape) != 2 || shape[1] != columns) {
		r.err = fmt.Errorf("tensor %s has shape %v; config.json makes it rows of %d", r.prefix+name, shape, columns)
	}
	return values
}

func (r *reader) floats(name string) ([]float32, []int) {
	if r.err != nil {
		return nil, nil
	}
	values, shape, err := r.file.Floats(r.prefix + name)
	r.err = err
	return values, shape
}
