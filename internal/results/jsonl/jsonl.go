// Package jsonl reads results in JSON lines, as docs/reference/results.md describes them. Each line is a run of a case.
package jsonl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/results/rows"
)

// line is a run of a case.
type line struct {
	Case        rows.Text `json:"case"`
	CaseID      rows.Text `json:"case_id"`
	TestID      rows.Text `json:"test_id"`
	TestIDCamel rows.Text `json:"testId"`
	ID          rows.Text `json:"id"`

	Suite  rows.Text `json:"suite"`
	Run    rows.Text `json:"run"`
	Passed *bool     `json:"passed"`
	Score  *float64  `json:"score"`
	Error  rows.Text `json:"error"`
	Input  rows.Text `json:"input"`
	Output rows.Text `json:"output"`
	Reason rows.Text `json:"reason"`
}

// noErrorValues are the values of the key `error` that mean no error.
var noErrorValues = []rows.Text{"", "false", "0", "{}", "[]", "None"}

// Fits reports whether a file of the given shape has this format.
func Fits(s rows.Shape) bool {
	if s.Keys["case"] {
		return true
	}
	if s.Keys["promptIdx"] { // promptfoo's lines have an id too
		return false
	}
	named := s.Keys["case_id"] || s.Keys["test_id"] || s.Keys["testId"] || s.Keys["id"]
	return named && (s.Keys["passed"] || s.Keys["score"] || s.Keys["error"])
}

// Read calls take with each run in data, which is the content of a file. It stops at the first error.
func Read(data []byte, take func(rows.Row) error) error {
	return rows.EachLine(data, func(n int, text []byte) error {
		row, err := read(text)
		if row.At = fmt.Sprintf("line %d", n); err != nil {
			return fmt.Errorf("%s: %w", row.At, err)
		}
		return take(row)
	})
}

func read(text []byte) (row rows.Row, err error) {
	var l line
	if err := rows.Decode(text, &l); err != nil {
		return row, err
	}
	name := cmp.Or(l.Case, l.CaseID, l.TestID, l.TestIDCamel, l.ID)
	noAnswer := !slices.Contains(noErrorValues, l.Error)
	switch err := rows.CheckScore(l.Score); {
	case err != nil:
		return row, err
	case name == "":
		return row, errors.New("no `case` names what was run; expected a text there, or in `case_id`, `test_id`, `testId` or `id`")
	case l.Passed == nil && l.Score == nil && !noAnswer:
		return row, errors.New("neither `passed` nor `score` nor `error` says how it went; expected one of them")
	}
	row = rows.Row{Suite: string(l.Suite), Case: string(name), Title: string(l.Input), Run: string(l.Run), Passed: l.Passed, Score: l.Score, NoAnswer: noAnswer,
		Input: string(l.Input), Output: string(l.Output), Reason: string(l.Reason)}
	if noAnswer {
		row.Reason = string(l.Error)
	}
	return row, nil
}
