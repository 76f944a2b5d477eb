package encoder_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/encoder"
)

func tinyBERT(t *testing.T, extra map[string]string) embed.Embedder {
	t.Helper()
	f := embedtest.BERTModel("cat", "dog", "q", "##q")
	for name, text := range extra {
		f[name] = []byte(text)
	}
	m, err := encoder.Read("tiny", f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWordOrderAndCompanyCount(t *testing.T) {
	m := tinyBERT(t, nil)
	same := func(a, b string) float64 {
		cosine, ok := embed.Cosine(one(t, m, a), one(t, m, b))
		if !ok {
			t.Fatalf("no cosine of %q and %q", a, b)
		}
		return cosine
	}
	if got := same("cat dog", "Cat  DOG"); got < 1-1e-12 {
		t.Errorf("case and white space count: %v", got)
	}
	if got := same("cat dog", "dog cat"); got > 1-1e-7 {
		t.Errorf("word order does not count: %v", got)
	}
}

func TestATextDoesNotChangeItsNeighbours(t *testing.T) {
	m := tinyBERT(t, nil)
	together, err := m.Embed(context.Background(), []string{"cat", "dog cat dog", ""})
	if err != nil {
		t.Fatal(err)
	}
	if alone := one(t, m, "cat"); !slices.Equal(alone.Vector, together[0].Vector) {
		t.Errorf("alone %v, in company %v", alone.Vector, together[0].Vector)
	}
	if together[2].Vector != nil {
		t.Errorf("an empty text has the vector %v", together[2].Vector)
	}
}

func TestALongTextIsCutAndSaysSo(t *testing.T) {
	for _, c := range []struct {
		rule, text, sentence string
		tokens               int
		cut                  bool
	}{
		{"as many pieces as there are positions, with the two ends", strings.Repeat("cat ", 14), "", 14, false},
		{"one more is cut", strings.Repeat("cat ", 15), "", 14, true},
		{"a word that does not fit is cut within", strings.Repeat("cat ", 13) + "qq", "", 14, true},
		{"the model may read less", strings.Repeat("cat ", 4), `{"max_seq_length": 5}`, 3, true},
		{"the model may leave it open", "cat", `{"max_seq_length": null}`, 1, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			extra := map[string]string{}
			if c.sentence != "" {
				extra["sentence_bert_config.json"] = c.sentence
			}
			if got := one(t, tinyBERT(t, extra), c.text); got.Tokens != c.tokens || got.Truncated != c.cut || got.Vector == nil {
				t.Errorf("%d tokens, cut %v; want %d, %v", got.Tokens, got.Truncated, c.tokens, c.cut)
			}
		})
	}
}

func TestPoolingIsTheModelsOwn(t *testing.T) {
	mean := one(t, tinyBERT(t, nil), "cat dog")
	same := one(t, tinyBERT(t, map[string]string{"1_Pooling/config.json": `{"pooling_mode_mean_tokens": true}`}), "cat dog")
	first := one(t, tinyBERT(t, map[string]string{"1_Pooling/config.json": `{"pooling_mode_cls_token": true}`}), "cat dog")
	if !slices.Equal(mean.Vector, same.Vector) {
		t.Error("the mean is not what a model without a setting gets")
	}
	if slices.Equal(mean.Vector, first.Vector) {
		t.Error("the first token is the mean")
	}
}

func TestTheActivationIsTheModelsOwn(t *testing.T) {
	with := func(name string) []float64 {
		f := embedtest.BERTModel("cat", "dog")
		f["config.json"] = []byte(strings.Replace(strings.Replace(string(f["config.json"]), `"gelu"`, `"`+name+`"`, 1), `"layer_norm_eps":1e-12,`, "", 1))
		e, err := encoder.Read("tiny", f)
		if err != nil {
			t.Fatal(err)
		}
		return one(t, e, "cat dog").Vector
	}
	gelu, tanh, relu := with("gelu"), with("gelu_new"), with("relu")
	if !slices.Equal(tanh, with("gelu_pytorch_tanh")) || slices.Equal(gelu, tanh) || slices.Equal(gelu, relu) {
		t.Errorf("gelu %v, gelu_new %v, relu %v", gelu, tanh, relu)
	}
	for i := range gelu { // gelu_new approximates gelu
		if math.Abs(gelu[i]-tanh[i]) > 1e-2 {
			t.Errorf("gelu %v, gelu_new %v", gelu, tanh)
		}
	}
}

func TestAModelThatIsNotBERTIsRefused(t *testing.T) {
	for _, c := range []struct {
		rule, file, old, new, want string
		reason                     embed.Reason
	}{
		{"another architecture", "config.json", `"bert"`, `"roberta"`, `"roberta"`, embed.ReasonUnsupportedModel},
		{"another activation", "config.json", `"gelu"`, `"silu"`, `"silu"`, embed.ReasonUnsupportedModel},
		{"relative positions", "config.json", `{`, `{"position_embedding_type": "relative_key",`, "relative_key", embed.ReasonUnsupportedModel},
		{"rows without an end", "config.json", `"hidden_size":8`, `"hidden_size":80000`, "hidden_size 80000", embed.ReasonUnsupportedModel},
		{"an epsilon beyond all measure", "config.json", `"layer_norm_eps":1e-12`, `"layer_norm_eps":2`, "layer_norm_eps 2", embed.ReasonUnsupportedModel},
		{"heads that do not divide", "config.json", `"num_attention_heads":2`, `"num_attention_heads":3`, "3 attention heads", embed.ReasonUnsupportedModel},
		{"no layers", "config.json", `"num_hidden_layers":1`, `"num_hidden_layers":0`, "num_hidden_layers 0", embed.ReasonUnsupportedModel},
		{"a layer that is not there", "config.json", `"num_hidden_layers":1`, `"num_hidden_layers":2`, "encoder.layer.1", embed.ReasonModelInvalid},
		{"more positions than the file has", "config.json", `"max_position_embeddings":16`, `"max_position_embeddings":32`, "has shape [16 8]", embed.ReasonModelInvalid},
		{"positions beyond all measure", "config.json", `"max_position_embeddings":16`, `"max_position_embeddings":1000000`, "expected 3 to", embed.ReasonUnsupportedModel},
		{"another size", "config.json", `"hidden_size":8`, `"hidden_size":4`, "rows of 4", embed.ReasonModelInvalid},
		{"no JSON", "config.json", `{`, ``, "config.json", embed.ReasonModelInvalid}, // whatever it was to be
		{"no [CLS]", "tokenizer.json", `"[CLS]"`, `"[CLZ]"`, "no [CLS]", embed.ReasonUnsupportedTokenizer},
		{"a piece beyond the table", "tokenizer.json", `"cat":4`, `"cat":400`, "rows for 401 word pieces", embed.ReasonModelInvalid},
		{"another pooling", "1_Pooling/config.json", "", `{"pooling_mode_max_tokens": true}`, "another pooling", embed.ReasonUnsupportedModel},
		{"two poolings", "1_Pooling/config.json", "", `{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}`, "another pooling", embed.ReasonUnsupportedModel},
		{"more pieces than positions", "sentence_bert_config.json", "", `{"max_seq_length": 17}`, "expected 3 to 16", embed.ReasonModelInvalid},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f := embedtest.BERTModel("cat")
			text := strings.Replace(string(f[c.file]), c.old, c.new, 1)
			if text == string(f[c.file]) {
				t.Fatal("nothing was replaced")
			}
			f[c.file] = []byte(text)
			_, err := encoder.Read("tiny", f)
			if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != c.reason || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Read() = %#v, want %s with %q", err, c.reason, c.want)
			}
		})
	}
}
