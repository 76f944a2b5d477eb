package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds one line of results.jsonl, in bytes.
const MaxLine = 64 << 20

// ReadResults reads results.jsonl line by line. It calls take with each result and the place of its line. An unknown or
// repeated key, an unknown category and a score that contradicts the classification are errors that name the line.
func ReadResults(r io.Reader, take func(Result, Ref) error) error {
	in, at := bufio.NewReaderSize(r, 64<<10), Ref{}
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF {
			return nil
		}
		at.Off, at.Len = at.Off+int64(at.Len), len(line)
		var result Result
		if err == nil {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			err = result.read(line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := take(result, at); err != nil {
			return err
		}
	}
}

// ReadSide reads results.jsonl into a Side that has the planned suites and the results that keep accepts. log must be
// the same file; single results are read back from it later.
func ReadSide(plans []SuitePlan, r io.Reader, log *Log, keep func(Result) bool) (*Side, error) {
	b := Builder{Log: log}
	b.Plan(plans)
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

var errLongLine = errors.New("longer than 64 MiB")

// readLine returns the next line; io.EOF after the last.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, errLongLine
		}
		switch {
		case err == nil && line == nil:
			return part, nil
		case err == bufio.ErrBufferFull:
			line = append(line, part...)
		case err == io.EOF && len(line)+len(part) == 0:
			return nil, io.EOF
		case err == nil || err == io.EOF:
			return append(line, part...), nil
		default:
			return nil, err
		}
	}
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
