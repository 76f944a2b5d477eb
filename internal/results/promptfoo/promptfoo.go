// Package promptfoo reads the results that `promptfoo eval -o` writes, which are one JSON value or JSON lines.
package promptfoo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/results/rows"
	"github.com/failproof/failproof/internal/text"
)

// Row is one run of a test, with one prompt and one provider.
type Row struct {
	Provider json.RawMessage `json:"provider"` // the id of the provider, or an object with id and label
	Prompt   struct{ Raw, Label string }
	Response *struct {
		Output       json.RawMessage `json:"output"`
		Error        rows.Text       `json:"error"`
		FinishReason string          `json:"finishReason"`
		Cost         *float64        `json:"cost"`
		TokenUsage   struct{ Prompt, Completion float64 }
	} `json:"response"`
	LatencyMS     float64  `json:"latencyMs"`
	Success       *bool    `json:"success"`
	Score         *float64 `json:"score"`
	Cost          *float64 `json:"cost"`
	Error         rows.Text
	FailureReason int
	Vars          json.RawMessage
	TestCase      struct {
		Description rows.Text
		Vars        json.RawMessage
		Metadata    struct{ ID rows.Text }
		judging
	}
	GradingResult *struct{ Reason rows.Text }
}

// judging is what a test says about how its answers are judged. Options may have a transform and a grader.
type judging struct {
	Assert                json.RawMessage            `json:"assert,omitempty"`
	AssertScoringFunction json.RawMessage            `json:"assertScoringFunction,omitempty"`
	Threshold             json.RawMessage            `json:"threshold,omitempty"`
	Options               map[string]json.RawMessage `json:"options,omitempty"` // {} is as good as none
}

// canFail reports whether an answer can fail the test.
func (j judging) canFail() bool {
	var all []assertion
	_ = json.Unmarshal(j.Assert, &all) // an invalid assertion stays empty
	return slices.ContainsFunc(all, assertion.canFail)
}

// assertion is an assertion of a test, or a set of assertions.
type assertion struct {
	Type   string
	Weight any // a number; nil for 1
	Assert []assertion
}

// canFail reports whether an answer can fail the assertion.
func (a assertion) canFail() bool {
	switch {
	case a.Weight == 0.0: // every answer passes
		return false
	case a.Type == "assert-set":
		return slices.ContainsFunc(a.Assert, assertion.canFail)
	}
	return a.Type != ""
}

// noAnswer is the failureReason of a row with an error instead of an answer.
const noAnswer = 2

// Fits reports whether a file with the shape s has this format.
func Fits(s rows.Shape) bool {
	return s.Keys["results.results"] || s.Keys["promptIdx"] && s.Keys["vars"]
}

// Read calls take for each run in a file, until take returns an error.
func Read(data []byte, take func(rows.Row) error) error {
	return EachRow(data, func(at string, r Row) error {
		row, err := r.row()
		if err != nil {
			return err
		}
		row.At = at
		return take(row)
	})
}

// EachRow calls take for each row of a file, until take returns an error. at is the place of the row. The file may have
// any form of the format.
func EachRow(data []byte, take func(at string, r Row) error) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !rows.ShapeOf(data).Keys["results"] {
		return rows.EachLine(data,
			func(n int, line []byte) error { return decodeRow(fmt.Sprintf("line %d", n), line, take) })
	}
	list, err := member(data, "results")
	wrong := errors.New("`results` is no list and no object")
	if err == nil && list[0] == '{' {
		wrong = errors.New("`results.results` is no list")
		if list, err = member(list, "results"); err == nil && list == nil {
			return errors.New("`results` holds no `results`")
		}
	}
	if err != nil {
		return err
	}
	var all []json.RawMessage
	if err := json.Unmarshal(list, &all); err != nil || all == nil {
		return wrong
	}
	for i, raw := range all {
		if err := decodeRow(fmt.Sprintf("row %d", i+1), raw, take); err != nil {
			return err
		}
	}
	return nil
}

// member returns the value of a key of the JSON object in data, or nil if the object lacks the key.
func member(data []byte, name string) (value json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token() // the opening brace
	err = text.Members(dec, func(key string) error {
		if key == name {
			return dec.Decode(&value)
		}
		return dec.Decode(new(json.RawMessage))
	})
	if err == nil && dec.More() {
		err = errors.New("something follows the JSON value; expected nothing more")
	}
	return value, err
}

// decodeRow decodes the row raw and calls take with it. at is the place of the row, which errors name.
func decodeRow(at string, raw []byte, take func(at string, r Row) error) error {
	var r Row
	err := rows.Decode(raw, &r)
	if err == nil {
		err = take(at, r)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}

// row returns r in the form that all runners share.
func (r Row) row() (rows.Row, error) {
	if r.Success == nil {
		return rows.Row{}, errors.New("`success` is missing, which says whether the test passed")
	}
	vars := cmp.Or(rows.Canonical(r.Vars), rows.Canonical(r.TestCase.Vars))
	id := string(r.TestCase.Metadata.ID)
	out := rows.Row{Key: vars + "\n" + id, Title: "description " + string(r.TestCase.Description), Input: varsText(vars),
		Provider: r.provider(), Prompt: promptName(r.Prompt.Label, r.Prompt.Raw),
		Passed: r.Success, Score: r.Score, NoAnswer: r.FailureReason == noAnswer, Reason: string(r.Error),
		Expected: rows.Canonical(text.MustJSON(r.TestCase.judging)), Unjudged: !r.TestCase.canFail()}
	out.Case = cmp.Or(id, string(r.TestCase.Description), out.Input, "test")
	if r.Response != nil {
		out.NoAnswer = out.NoAnswer || r.Response.Error != ""
		var output rows.Text
		_ = output.UnmarshalJSON(r.Response.Output) // any value is a text
		out.Output = string(output)
	}
	if out.Reason == "" && r.GradingResult != nil {
		out.Reason = string(r.GradingResult.Reason)
	}
	if r.Score != nil && *r.Score > 1 { // the assertions' weights may add up to more
		out.Score = nil
	}
	return out, rows.CheckScore(out.Score)
}

func (r Row) provider() rows.Name {
	var one struct{ ID, Label string }
	if json.Unmarshal(r.Provider, &one.ID) != nil {
		_ = json.Unmarshal(r.Provider, &one) // another form names none
	}
	return rows.Name{Long: cmp.Or(one.Label, one.ID)}
}

// promptName returns the name of a prompt. The long name is the label, or the text raw if there is no label. The short
// name is the part of the long name before the first ": ", which may be the name of a file.
func promptName(label, raw string) rows.Name {
	label = cmp.Or(label, raw)
	short, _, _ := strings.Cut(label, ": ")
	return rows.Name{Long: label, Short: short}
}

// varsText returns the variables of a test, each on a line of its own. If there is only one variable, it returns its
// value.
func varsText(vars string) string {
	var all map[string]rows.Text
	if json.Unmarshal([]byte(vars), &all) != nil {
		return vars
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(all) == 1 {
			return string(all[name])
		}
		lines = append(lines, name+": "+string(all[name]))
	}
	return strings.Join(lines, "\n")
}
