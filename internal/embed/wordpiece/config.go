// Package wordpiece divides a text into the word pieces of a BERT vocabulary, as described by a tokenizer.json of
// Hugging Face's tokenizers. It rejects other kinds of tokenizers, because a model understands only the pieces of the
// tokenizer that it was trained with.
//
// It differs from Hugging Face's tokenizers in one point: "[SEP]" in a text stays text, so that an answer cannot insert
// control tokens.
package wordpiece

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/embed"
)

// Tokenizer divides texts into word pieces. It is immutable and safe for concurrent use.
type Tokenizer struct {
	vocabulary    map[string]int
	unknownID     int
	prefix        string // prefix of pieces that continue a word
	maxPieceRunes int    // length in runes of the longest piece
	maxWordRunes  int    // length in runes above which a word is unknown

	clean, spaceCJK, stripAccents, lower bool
}

// maxID is the largest id that a vocabulary may have. The largest vocabularies in use have some 250,000 pieces.
const maxID = 10_000_000

// file is the part of a tokenizer.json that affects the pieces.
type file struct {
	Added        []addedToken  `json:"added_tokens"`
	Normalizer   *normalizer   `json:"normalizer"`
	PreTokenizer *preTokenizer `json:"pre_tokenizer"`
	Model        struct {
		Type       string         `json:"type"`
		Unknown    string         `json:"unk_token"`
		Prefix     *string        `json:"continuing_subword_prefix"`
		WordRunes  *int           `json:"max_input_chars_per_word"`
		Vocabulary map[string]int `json:"vocab"`
	} `json:"model"`
}

type addedToken struct {
	Content string `json:"content"`
	Special bool   `json:"special"`
}

type normalizer struct {
	Type         string `json:"type"`
	CleanText    *bool  `json:"clean_text"`
	CJK          *bool  `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"` // null follows lowercase
	Lowercase    *bool  `json:"lowercase"`

	Sequence []normalizer `json:"normalizers"` // only if Type is Sequence
}

type preTokenizer struct {
	Type     string         `json:"type"`
	Sequence []preTokenizer `json:"pretokenizers"` // only if Type is Sequence
}

const (
	sequence  = "Sequence"
	wordPiece = "WordPiece"
)

// unwrap replaces a sequence that contains only one normalizer by that normalizer. It does the same for pre-tokenizers.
func (f *file) unwrap() {
	for f.Normalizer != nil && f.Normalizer.Type == sequence && len(f.Normalizer.Sequence) == 1 {
		f.Normalizer = &f.Normalizer.Sequence[0]
	}
	for f.PreTokenizer != nil && f.PreTokenizer.Type == sequence && len(f.PreTokenizer.Sequence) == 1 {
		f.PreTokenizer = &f.PreTokenizer.Sequence[0]
	}
}

// Parse returns the tokenizer that a tokenizer.json describes. Its error is an *embed.Fault.
func Parse(text []byte) (*Tokenizer, error) {
	if !utf8.Valid(text) {
		return nil, unsupportedFault("is not UTF-8")
	}
	var f file
	err := json.Unmarshal(text, &f)
	switch kind := f.Model.Type; {
	case err != nil && (kind == "" || kind == wordPiece): // the vocabulary of another type has another form
		return nil, unsupportedFault("cannot be read: %v", err)
	case kind != wordPiece:
		return nil, unsupportedFault("has a model of type %.40q; only WordPiece is supported", kind)
	}
	f.unwrap()
	if err := f.check(); err != nil {
		return nil, err
	}
	return f.tokenizer()
}

func unsupportedFault(format string, args ...any) error {
	return embed.Faultf(embed.ReasonUnsupportedTokenizer, "tokenizer.json %s", fmt.Sprintf(format, args...))
}

// check returns an error if the file has a setting that is not supported.
func (f *file) check() error {
	switch {
	case f.Normalizer == nil || f.Normalizer.Type != "BertNormalizer":
		return unsupportedFault("has no BertNormalizer; other normalizers are not supported")
	case f.PreTokenizer == nil || f.PreTokenizer.Type != "BertPreTokenizer":
		return unsupportedFault("has no BertPreTokenizer; other pre-tokenizers are not supported")
	}
	for _, t := range f.Added {
		// a control token, even if it is not marked special
		bracketed := strings.HasPrefix(t.Content, "[") && strings.HasSuffix(t.Content, "]")
		if !t.Special && !bracketed {
			return unsupportedFault("adds the token %.40q, which is not special; added words are not supported",
				t.Content)
		}
	}
	return nil
}

func (f *file) tokenizer() (*Tokenizer, error) {
	t := &Tokenizer{
		vocabulary:   f.Model.Vocabulary,
		prefix:       valueOr(f.Model.Prefix, "##"),
		maxWordRunes: valueOr(f.Model.WordRunes, 100),
		clean:        valueOr(f.Normalizer.CleanText, true),
		spaceCJK:     valueOr(f.Normalizer.CJK, true),
		lower:        valueOr(f.Normalizer.Lowercase, true),
	}
	t.stripAccents = valueOr(f.Normalizer.StripAccents, t.lower)
	for piece, id := range t.vocabulary {
		if id < 0 || id > maxID {
			return nil, unsupportedFault("has an id that is not from 0 to %d", maxID)
		}
		t.maxPieceRunes = max(t.maxPieceRunes, utf8.RuneCountInString(piece))
	}
	unknown, ok := t.vocabulary[f.Model.Unknown]
	if !ok || f.Model.Unknown == "" {
		return nil, unsupportedFault("names no unk_token that is in its vocabulary")
	}
	t.unknownID = unknown
	return t, nil
}

func valueOr[T any](value *T, fallback T) T {
	if value == nil {
		return fallback
	}
	return *value
}

// ID returns the id of the given piece, such as [CLS]. ok is false if the vocabulary does not have the piece.
func (t *Tokenizer) ID(piece string) (id int, ok bool) {
	id, ok = t.vocabulary[piece]
	return id, ok
}

// Size returns the number of rows that the embedding matrix of a model needs: the highest id plus one.
func (t *Tokenizer) Size() int {
	size := 0
	for _, id := range t.vocabulary {
		size = max(size, id+1)
	}
	return size
}
