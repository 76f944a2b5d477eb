package encoder

import (
	"context"
	"math"

	"github.com/failproof/failproof/internal/embed"
)

// Fingerprint identifies the model.
func (b *bert) Fingerprint() string { return b.fingerprint }

// Embed returns the embedding of each text. It computes each vector separately, so that the bits of a vector do not
// depend on the other texts. It returns an error only if ctx ends.
func (b *bert) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		e, ids := b.tokenize(text)
		if e.Words == 0 {
			continue
		}
		hidden, err := b.encode(ctx, ids)
		if err != nil {
			return nil, err
		}
		if v := b.pool(hidden); embed.Normalize(v) {
			e.Vector = embed.RoundToFloat32(v)
		}
		out[i] = e
	}
	return out, nil
}

// tokenize returns the ids of the word pieces of text, as the model takes them. The first id is that of [CLS], the last
// that of [SEP], and pieces beyond the model's limit are left out. e has the counts of words and pieces, and no vector.
func (b *bert) tokenize(text string) (e embed.Embedding, ids []int) {
	ids = append(ids, b.clsID)
	for word := range b.tokenizer.Words(text) {
		if len(ids) == b.maxPieces-1 {
			e.Truncated = true
			break
		}
		countWord(&e, word)
		room := b.maxPieces - 1 - len(ids)
		e.Truncated = len(word.IDs) > room
		ids = append(ids, word.IDs[:min(room, len(word.IDs))]...)
	}
	e.Tokens = len(ids) - 1
	return e, append(ids, b.sepID)
}

// encode returns the output of the model's last layer, with one row for each word piece in ids.
func (b *bert) encode(ctx context.Context, ids []int) ([]float32, error) {
	x := make([]float32, len(ids)*b.Hidden)
	for i, id := range ids {
		word, position := b.words[id*b.Hidden:], b.positions[i*b.Hidden:]
		row := x[i*b.Hidden:][:b.Hidden]
		for k := range row {
			row[k] = word[k] + position[k]
		}
	}
	b.norm.apply(x, b.Epsilon)
	for _, l := range b.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		attended := l.attention.apply(b.attend(&l, x))
		addTo(attended, x)
		l.attentionNorm.apply(attended, b.Epsilon)
		expanded := l.up.apply(attended)
		for i, v := range expanded {
			expanded[i] = float32(activations[b.Activation](float64(v)))
		}
		x = l.down.apply(expanded)
		addTo(x, attended)
		l.norm.apply(x, b.Epsilon)
	}
	return x, nil
}

// attend returns the self-attention over the rows of x, computed for each attention head: softmax(q·kᵀ/√d)·v.
func (b *bert) attend(l *layer, x []float32) []float32 {
	rows, size := len(x)/b.Hidden, b.Hidden/b.Heads
	query, key, value := l.query.apply(x), l.key.apply(x), l.value.apply(x)
	out := make([]float32, len(x))
	scores := matrix{data: make([]float32, rows*rows), n: rows, size: rows, stride: rows}
	scale := float32(1 / math.Sqrt(float64(size)))
	for h := range b.Heads {
		head := func(data []float32) matrix {
			return matrix{data: data[h*size:], n: rows, size: size, stride: b.Hidden}
		}
		clear(scores.data)
		addProduct(scores, scale, head(query), head(key))
		for i := range rows {
			softmax(scores.row(i))
		}
		addProduct(head(out), 1, scores, transpose(head(value)))
	}
	return out
}

// pool returns the vector of a text that is not yet scaled to unit length. It is the first row of hidden if b.first is
// set, and otherwise the sum of the rows.
func (b *bert) pool(hidden []float32) []float64 {
	out := make([]float64, b.Hidden)
	if b.poolFirst {
		hidden = hidden[:b.Hidden]
	}
	for i, v := range hidden {
		out[i%b.Hidden] += float64(v)
	}
	return out
}

func (d dense) apply(x []float32) []float32 {
	rows := len(x) / d.in
	out := make([]float32, 0, rows*d.out)
	for range rows {
		out = append(out, d.bias...)
	}
	addProduct(
		matrix{data: out, n: rows, size: d.out, stride: d.out}, 1,
		matrix{data: x, n: rows, size: d.in, stride: d.in},
		matrix{data: d.weight, n: d.out, size: d.in, stride: d.in})
	return out
}

func addTo(dst, x []float32) {
	for i, v := range x {
		dst[i] += v
	}
}

// apply normalizes each row of x, in place, to mean 0 and variance 1, then scales and shifts the row. Sums are float64.
func (n norm) apply(x []float32, epsilon float64) {
	size := len(n.scale)
	for at := 0; at < len(x); at += size {
		row := x[at : at+size]
		sum, squares := 0.0, 0.0
		for _, v := range row {
			sum += float64(v)
		}
		mean := sum / float64(size)
		for _, v := range row {
			d := float64(v) - mean
			squares += float64(d * d)
		}
		scale := 1 / math.Sqrt(squares/float64(size)+epsilon)
		for i, v := range row {
			row[i] = float32((float64(v)-mean)*scale)*n.scale[i] + n.shift[i]
		}
	}
}

// softmax replaces the numbers of a row by their softmax. It first subtracts the largest number, so that no exponential
// overflows.
func softmax(row []float32) {
	highest, sum := row[0], 0.0
	for _, v := range row {
		highest = max(highest, v)
	}
	for i, v := range row {
		e := math.Exp(float64(v - highest))
		row[i] = float32(e)
		sum += e
	}
	for i := range row {
		row[i] = float32(float64(row[i]) / sum)
	}
}

// activations maps each supported value of hidden_act in config.json to the activation function.
var activations = map[string]func(float64) float64{
	"gelu":              func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }, // x·Φ(x)
	"gelu_new":          geluTanh,
	"gelu_pytorch_tanh": geluTanh,
	"relu":              func(x float64) float64 { return max(0, x) },
}

// geluTanh is the approximation of gelu that some models were trained with.
func geluTanh(x float64) float64 {
	return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}
