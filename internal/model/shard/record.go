package shard

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/model"
)

// formVersion is the form of the file.
const formVersion = 2

// Head is the first line of a file: which part of which run it is.
type Head struct {
	Form    int    `json:"failproof_shard"`
	Version string `json:"version"` // of failproof
	Plan    string `json:"plan"`    // a digest of all that the run asks, the other parts' included
	Part
}

// Tail is the last line: the part was asked to its end.
type Tail struct {
	Answers int     `json:"answers"` // lines between head and tail
	Calls   int     `json:"calls"`   // what they took
	In      int     `json:"tokens_in"`
	Out     int     `json:"tokens_out"`
	CostUSD float64 `json:"cost_usd"`
}

// Place names a first answer of a run: whose it is.
type Place struct {
	Side   string `json:"side"`
	Target string `json:"target"`
	Suite  string `json:"suite"`
	Case   string `json:"case"`
	Trial  int    `json:"trial"`
	Key    string `json:"key"` // of the request
}

// record is an answer, or why none came. Asking again, where that made sense, was done.
type record struct {
	Place
	Answer model.Response `json:"answer"`
}

// line is a value in JSON on a line of its own.
func line(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("shard: " + err.Error()) // strings and finite numbers always marshal
	}
	return append(text, '\n')
}
