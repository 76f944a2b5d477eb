package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/failproof/failproof/internal/suiteid"
)

// MaxLine bounds one line of results.jsonl, in bytes.
const MaxLine = 64 << 20

// ReadResults reads results.jsonl line by line. It calls take with each result and the place of its line. An unknown or
// repeated key, an unknown category and a score that contradicts the classification are errors that name the line.
func ReadResults(r io.Reader, take func(Result, Ref) error) error {
	lines, at := bufio.NewScanner(r), Ref{}
	lines.Buffer(make([]byte, 64<<10), MaxLine)
	lines.Split(splitLines)
	n := 1
	for ; lines.Scan(); n++ {
		at.Off, at.Len = at.Off+int64(at.Len), len(lines.Bytes())
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var result Result
		if err := result.read(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := take(result, at); err != nil {
			return err
		}
	}
	switch err := lines.Err(); err {
	case nil:
		return nil
	case bufio.ErrTooLong:
		return fmt.Errorf("line %d: longer than 64 MiB", n)
	default:
		return fmt.Errorf("line %d: %w", n, err)
	}
}

// splitLines splits a text into lines for a bufio.Scanner. A line includes its line feed, so that its length is that in
// the file.
func splitLines(data []byte, atEOF bool) (length int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// ReadSide reads results.jsonl into a Side that has the planned suites and the results that keep accepts. log must be
// the same file; single results are read back from it later.
func ReadSide(plans []SuitePlan, r io.Reader, log *Log, keep func(Result) bool) (*Side, error) {
	b := Builder{Log: log}
	b.Plan(plans, suiteid.Matches{})
	err := ReadResults(r, func(result Result, at Ref) error {
		if !keep(result) {
			return nil
		}
		return b.Add(result, at)
	})
	if err != nil {
		return nil, err
	}
	return b.Side(), nil
}

// read reads a line into r and checks it.
func (r *Result) read(line []byte) error {
	if err := json.Unmarshal(line, r); err != nil {
		return rewordJSONError(err)
	}
	if _, err := resultSchema().check(line); err != nil {
		return err
	}
	k := r.Classification
	switch {
	case r.CaseID == "" || r.SuiteID == "" || r.Trial == 0:
		return errors.New("a result needs suite_id, case_id and trial")
	case k.Primary == "" || r.UnderBase != nil && r.UnderBase.Primary == "":
		return errors.New("a classification needs primary")
	case r.Scores.Accuracy != k.Accuracy():
		return fmt.Errorf("accuracy is %d, but a %s scores %d", r.Scores.Accuracy, k.Primary, k.Accuracy())
	}
	return checkRisk(r.Risk)
}
