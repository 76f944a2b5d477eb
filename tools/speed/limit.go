package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// kept is what the least gate knows of a case.
type kept struct {
	expected string
	passed   [2]bool // on the head and the base
}

type line struct {
	SuiteID  string `json:"suite_id"`
	CaseID   string `json:"case_id"`
	Expected string `json:"expected_response,omitempty"`
	Response string `json:"raw_response,omitempty"`
	Passed   bool   `json:"passed,omitempty"`
}

// limit does the least with recorded folders: it decodes every line, holds each answer to its text, writes a line for each, and
// counts what regressed.
func limit(folders []string, out io.Writer) error {
	cases := map[[2]string]*kept{}
	regressed := 0
	for side, folder := range folders {
		if err := lines(filepath.Join(folder, "suites", "*.jsonl"), func(l line) error {
			if id := [2]string{l.SuiteID, l.CaseID}; cases[id] == nil {
				cases[id] = &kept{expected: l.Expected}
			}
			return nil
		}); err != nil {
			return err
		}
		results := bufio.NewWriterSize(out, 64<<10)
		enc := json.NewEncoder(results)
		enc.SetEscapeHTML(false)
		if err := lines(filepath.Join(folder, "recordings", "*.jsonl"), func(l line) error {
			c := cases[[2]string{l.SuiteID, l.CaseID}]
			if c == nil {
				return fmt.Errorf("there is no case %s/%s", l.SuiteID, l.CaseID)
			}
			l.Passed = l.Response == c.expected
			c.passed[min(side, 1)] = l.Passed
			return enc.Encode(l)
		}); err != nil {
			return err
		}
		if err := results.Flush(); err != nil {
			return err
		}
	}
	for _, c := range cases {
		if len(folders) > 1 && c.passed[1] && !c.passed[0] {
			regressed++
		}
	}
	_, err := fmt.Fprintf(out, "%d cases, %d regressed\n", len(cases), regressed)
	return err
}

// lines hands on every line of the files.
func lines(pattern string, take func(line) error) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := linesOf(name, take); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func linesOf(name string, take func(line) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 64<<10), 16<<20)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return err
		}
		if err := take(l); err != nil {
			return err
		}
	}
	return in.Err()
}
