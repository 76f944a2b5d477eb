package encoder

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/safetensors"
	"github.com/failproof/failproof/internal/embed/wordpiece"
)

// Largest values that are accepted in config.json.
const (
	maxLayers    = 64
	maxHidden    = 8192
	maxPositions = 2048
)

// config is the part of config.json that affects the vectors.
type config struct {
	Type         string  `json:"model_type"`
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Positions    int     `json:"max_position_embeddings"`
	Activation   string  `json:"hidden_act"`
	Epsilon      float64 `json:"layer_norm_eps"`
	PositionType string  `json:"position_embedding_type"`

	maxPieces int  // largest number of word pieces of a text, with [CLS] and [SEP]
	poolFirst bool // the text's vector is the vector of [CLS]; false: the mean of all word pieces
}

// readConfig reads the structure of a BERT model from config.json and the two optional files Sentence and Pooling.
func readConfig(files map[string][]byte) (c config, err error) {
	if err := readJSON(files, ConfigFile, &c); err != nil {
		return c, err
	}
	c.Epsilon = cmp.Or(c.Epsilon, 1e-12)
	if err := c.check(); err != nil {
		return c, embed.Faultf(embed.ReasonUnsupportedModel, "config.json %v", err)
	}
	c.maxPieces = c.Positions
	if err := c.readSentence(files); err != nil {
		return c, err
	}
	return c, c.readPooling(files)
}

func (c *config) check() error {
	_, known := activations[c.Activation]
	switch {
	case c.Type != "bert":
		return fmt.Errorf("names model_type %.40q; only bert is supported", c.Type)
	case !known:
		return fmt.Errorf("names hidden_act %.40q; expected gelu, gelu_new, gelu_pytorch_tanh or relu", c.Activation)
	case c.PositionType != "" && c.PositionType != "absolute":
		return fmt.Errorf("names position_embedding_type %.40q; only absolute is supported", c.PositionType)
	case c.Layers < 1 || c.Layers > maxLayers:
		return fmt.Errorf("has num_hidden_layers %d; expected 1 to %d", c.Layers, maxLayers)
	case c.Hidden < 1 || c.Hidden > maxHidden || c.Intermediate < 1 || c.Intermediate > 4*maxHidden:
		return fmt.Errorf("has hidden_size %d and intermediate_size %d, which are out of range",
			c.Hidden, c.Intermediate)
	case c.Heads < 1 || c.Hidden%c.Heads != 0:
		return fmt.Errorf("has %d attention heads for a hidden_size of %d, which they do not divide", c.Heads, c.Hidden)
	case c.Positions < 3 || c.Positions > maxPositions:
		return fmt.Errorf("has max_position_embeddings %d; expected 3 to %d", c.Positions, maxPositions)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("has layer_norm_eps %g, which is out of range", c.Epsilon)
	}
	return nil
}

func (c *config) readSentence(files map[string][]byte) error {
	var s struct {
		Pieces *int `json:"max_seq_length"`
	}
	if err := readJSON(files, SentenceFile, &s); err != nil || s.Pieces == nil {
		return err
	}
	if *s.Pieces < 3 || *s.Pieces > c.Positions {
		return embed.Faultf(embed.ReasonModelInvalid,
			"sentence_bert_config.json has max_seq_length %d; expected 3 to %d",
			*s.Pieces, c.Positions)
	}
	c.maxPieces = *s.Pieces
	return nil
}

func (c *config) readPooling(files map[string][]byte) error {
	var p struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
		Max   bool `json:"pooling_mode_max_tokens"`
		Root  bool `json:"pooling_mode_mean_sqrt_len_tokens"`
		Last  bool `json:"pooling_mode_lasttoken"`
	}
	if err := readJSON(files, PoolingFile, &p); err != nil || files[PoolingFile] == nil {
		return err
	}
	if p.First == p.Mean || p.Max || p.Root || p.Last {
		return embed.Faultf(embed.ReasonUnsupportedModel,
			"1_Pooling/config.json asks for another pooling than the mean or the first token alone")
	}
	c.poolFirst = p.First
	return nil
}

// bert embeds texts with a BERT encoder, as sentence-transformers does. The vector of a text is the mean of the last
// layer over all word pieces, or the last layer of [CLS]. It is scaled to unit length. A bert is immutable.
//
// Arithmetic is float32. Numbers are added in another order than on a GPU, so vectors agree with torch's only to 1e-5.
// On one architecture, every run gives the same vector for a text, whatever other texts are embedded.
type bert struct {
	config
	fingerprint  string
	tokenizer    *wordpiece.Tokenizer
	clsID, sepID int       // ids of [CLS] and [SEP]
	words        []float32 // a row for each word piece
	positions    []float32 // a row for each position; the vector of the first token type is already added
	norm         norm
	layers       []layer
}

type layer struct {
	query, key, value, attention dense
	attentionNorm                norm
	up, down                     dense
	norm                         norm
}

// dense is a layer y = x·weightᵀ + bias.
type dense struct {
	weight  []float32 // a matrix of out rows and in columns
	bias    []float32
	in, out int
}

type norm struct{ scale, shift []float32 }

func readBERT(fingerprint string, files map[string][]byte) (embed.Embedder, error) {
	c, err := readConfig(files)
	if err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Parse(files[TokenizerFile])
	if err != nil {
		return nil, err
	}
	m := &bert{config: c, fingerprint: fingerprint, tokenizer: tokenizer}
	var hasBegin, hasEnd bool
	m.clsID, hasBegin = tokenizer.ID("[CLS]")
	m.sepID, hasEnd = tokenizer.ID("[SEP]")
	if !hasBegin || !hasEnd {
		return nil, embed.Faultf(embed.ReasonUnsupportedTokenizer, "tokenizer.json has no [CLS] or no [SEP]")
	}
	tensors, err := safetensors.Parse(files[WeightsFile])
	if err == nil {
		err = m.readWeights(&tensorReader{file: tensors})
	}
	if err != nil {
		return nil, embed.Faultf(embed.ReasonModelInvalid, "model.safetensors: %v", err)
	}
	return m, nil
}

// tensorReader reads tensors from file and checks their shapes. It keeps the first error in err and reads nothing after
// it.
type tensorReader struct {
	file   *safetensors.File
	prefix string
	err    error
}

func (b *bert) readWeights(r *tensorReader) error {
	if !r.file.Has("embeddings.word_embeddings.weight") {
		r.prefix = "bert." // models with a task head have this prefix in all names
	}
	b.words = r.rows("embeddings.word_embeddings.weight", b.Hidden)
	b.positions = r.tensor("embeddings.position_embeddings.weight", b.Positions, b.Hidden)
	types := r.rows("embeddings.token_type_embeddings.weight", b.Hidden)
	b.norm = r.norm("embeddings.LayerNorm", b.Hidden)
	for i := range b.Layers {
		b.layers = append(b.layers, b.readLayer(r, fmt.Sprintf("encoder.layer.%d.", i)))
	}
	switch {
	case r.err != nil:
		return r.err
	case len(b.words)/b.Hidden < b.tokenizer.Size():
		return fmt.Errorf("it has %d rows for %d word pieces", len(b.words)/b.Hidden, b.tokenizer.Size())
	case len(types) == 0:
		return fmt.Errorf("it has no token type")
	}
	for i := range b.positions {
		b.positions[i] += types[i%b.Hidden]
	}
	return nil
}

func (b *bert) readLayer(r *tensorReader, name string) layer {
	h := b.Hidden
	return layer{
		query:         r.dense(name+"attention.self.query", h, h),
		key:           r.dense(name+"attention.self.key", h, h),
		value:         r.dense(name+"attention.self.value", h, h),
		attention:     r.dense(name+"attention.output.dense", h, h),
		attentionNorm: r.norm(name+"attention.output.LayerNorm", h),
		up:            r.dense(name+"intermediate.dense", h, b.Intermediate),
		down:          r.dense(name+"output.dense", b.Intermediate, h),
		norm:          r.norm(name+"output.LayerNorm", h),
	}
}

func (r *tensorReader) dense(name string, in, out int) dense {
	return dense{weight: r.tensor(name+".weight", out, in), bias: r.tensor(name+".bias", out), in: in, out: out}
}

func (r *tensorReader) norm(name string, size int) norm {
	return norm{scale: r.tensor(name+".weight", size), shift: r.tensor(name+".bias", size)}
}

func (r *tensorReader) tensor(name string, want ...int) []float32 {
	values, shape := r.floats(name)
	if r.err == nil && !slices.Equal(shape, want) {
		r.err = fmt.Errorf("tensor %s has shape %v; config.json says %v", r.prefix+name, shape, want)
	}
	return values
}

// rows returns a tensor that has any number of rows and the given number of columns.
func (r *tensorReader) rows(name string, columns int) []float32 {
	values, shape := r.floats(name)
	if r.err == nil && (len(shape) != 2 || shape[1] != columns) {
		r.err = fmt.Errorf("tensor %s has shape %v; config.json says rows of %d", r.prefix+name, shape, columns)
	}
	return values
}

func (r *tensorReader) floats(name string) ([]float32, []int) {
	if r.err != nil {
		return nil, nil
	}
	values, shape, err := r.file.Floats(r.prefix + name)
	r.err = err
	return values, shape
}
