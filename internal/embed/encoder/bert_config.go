package encoder

import (
	"encoding/json"
	"fmt"

	"github.com/failproof/failproof/internal/embed"
)

// Bounds of what a model may claim.
const (
	maxLayers    = 64
	maxHidden    = 8192
	maxPositions = 2048
)

// config is the part of config.json that decides the arithmetic.
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

	pieces int  // of a text that are read, with [CLS] and [SEP]
	first  bool // the vector of [CLS] stands for the text, not the mean
}

// readConfig reads the three files that say how a model is built.
func readConfig(files map[string][]byte) (c config, err error) {
	if err := json.Unmarshal(files[Config], &c); err != nil {
		return c, embed.Faultf(embed.ModelInvalid, "config.json: %v", err)
	}
	if c.Epsilon == 0 {
		c.Epsilon = 1e-12
	}
	if err := c.check(); err != nil {
		return c, embed.Faultf(embed.UnsupportedModel, "config.json %v", err)
	}
	c.pieces = c.Positions
	if err := c.readSentence(files[Sentence]); err != nil {
		return c, err
	}
	return c, c.readPooling(files[Pooling])
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
		return fmt.Errorf("has hidden_size %d and intermediate_size %d, which are out of range", c.Hidden, c.Intermediate)
	case c.Heads < 1 || c.Hidden%c.Heads != 0:
		return fmt.Errorf("has %d attention heads for a hidden_size of %d, which they do not divide", c.Heads, c.Hidden)
	case c.Positions < 3 || c.Positions > maxPositions:
		return fmt.Errorf("has max_position_embeddings %d; expected 3 to %d", c.Positions, maxPositions)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("has layer_norm_eps %g, which is out of range", c.Epsilon)
	}
	return nil
}

func (c *config) readSentence(text []byte) error {
	if text == nil {
		return nil
	}
	var s struct {
		Pieces *int `json:"max_seq_length"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return embed.Faultf(embed.ModelInvalid, "sentence_bert_config.json: %v", err)
	}
	if s.Pieces == nil {
		return nil
	}
	if *s.Pieces < 3 || *s.Pieces > c.Positions {
		return embed.Faultf(embed.ModelInvalid, "sentence_bert_config.json has max_seq_length %d; expected 3 to %d", *s.Pieces, c.Positions)
	}
	c.pieces = *s.Pieces
	return nil
}

func (c *config) readPooling(text []byte) error {
	if text == nil {
		return nil
	}
	var p struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
		Max   bool `json:"pooling_mode_max_tokens"`
		Root  bool `json:"pooling_mode_mean_sqrt_len_tokens"`
		Last  bool `json:"pooling_mode_lasttoken"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return embed.Faultf(embed.ModelInvalid, "1_Pooling/config.json: %v", err)
	}
	if p.First == p.Mean || p.Max || p.Root || p.Last {
		return embed.Faultf(embed.UnsupportedModel, "1_Pooling/config.json asks for another pooling than the mean or the first token alone")
	}
	c.first = p.First
	return nil
}
