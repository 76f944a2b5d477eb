// Command speed makes inputs for measuring the speed of failproof. With limit, it does the least work that a gate
// needs, for comparison.
//
//	speed assertions N DIR   a suite of N cases with two assertions each, answered by echo
//	speed recorded   N DIR   N cases in ten suites with a recorded answer each: DIR/base, and DIR/head
//	                         where some answers differ
//	speed limit HEAD [BASE]  decodes the cases and answers of recorded folders, compares them and writes one line a case
//
// Equal arguments make equal files.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) > 1 && args[0] == "limit" {
		return measureLimit(args[1:], os.Stdout)
	}
	if len(args) != 3 {
		return errors.New("expected: assertions N DIR, recorded N DIR, or limit HEAD [BASE]")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 1 {
		return fmt.Errorf("the number of cases is %q; expected a whole number above 0", args[1])
	}
	switch dir := args[2]; args[0] {
	case "assertions":
		return writeAssertions(n, dir)
	case "recorded":
		if err := writeRecorded(n, filepath.Join(dir, "base"), false); err != nil {
			return err
		}
		return writeRecorded(n, filepath.Join(dir, "head"), true)
	}
	return fmt.Errorf("%q is no kind of input", args[0])
}

// writeAssertions writes suites with n cases. The answer to each case is its prompt.
func writeAssertions(n int, dir string) error {
	return errors.Join(
		writeFile(dir, "failproof.yml", func(w *bufio.Writer) {
			fmt.Fprint(w, "version: 1\nsuites: [suites/*.yaml]\ntargets: { same: { provider: echo } "+
				"}\ndefault_target: same\n")
		}),
		writeFile(dir, "suites/p.md", func(w *bufio.Writer) {
			fmt.Fprint(w, `{"order": {{ number }}, "state": "{{ state }}"}`)
		}),
		writeAssertedSuites(n, dir),
	)
}

// casesPerYAML is the number of cases in a YAML suite, whose size is limited.
const casesPerYAML = 1000

func writeAssertedSuites(n int, dir string) (err error) {
	for from := 0; from < n; from += casesPerYAML {
		err = errors.Join(err,
			writeFile(dir, fmt.Sprintf("suites/orders-%d.yaml", from/casesPerYAML), func(w *bufio.Writer) {
				fmt.Fprint(w, "version: 1\nprompt: p.md\ndefaults: { expected_format: json }\ncases:\n")
				for i := from; i < min(n, from+casesPerYAML); i++ {
					fmt.Fprintf(w, "  - id: order-%d\n    vars: { number: %d, state: %s }\n    assert:\n", i,
						i, states[i%len(states)])
					fmt.Fprintf(w, "      - response.json.order >= 0 and response.length > 10\n      - "+
						"response.json.state == '%s'\n", states[i%len(states)])
				}
			}))
	}
	return err
}

var states = [...]string{"open", "paid", "sent"}

// suiteCount is the number of files of recordings. casesPerJSONL is the number of cases in a file of JSON lines, whose
// size is limited.
const (
	suiteCount    = 10
	casesPerJSONL = 100_000
)

// writeRecorded writes n cases in the form of the FailProof data contract, with an answer to each. If changed is set,
// every 997th answer is wrong.
func writeRecorded(n int, dir string, changed bool) error {
	errs := []error{
		writeFile(dir, "failproof.yml", func(w *bufio.Writer) {
			fmt.Fprint(w, "version: 1\nsuites: [suites/*.jsonl]\ntargets: { kept: { provider: recorded, path: "+
				"\"recordings/{suite}.jsonl\" } }\ndefault_target: kept\n")
		}),
	}
	for from := 0; from < n; from += casesPerJSONL {
		name := "suites/all.jsonl"
		if from > 0 {
			name = fmt.Sprintf("suites/all-%d.jsonl", from/casesPerJSONL)
		}
		errs = append(errs, writeFile(dir, name, func(w *bufio.Writer) {
			for i := from; i < min(n, from+casesPerJSONL); i++ {
				fmt.Fprintf(w, `{"case_id":"case-%d","suite_id":"suite-%d","prompt":"Where is order {{ number }} of customer %d, and when does it arrive?",`+
					`"prompt_vars":{"number":"A-%d"},"expected_response":%q}`+"\n", i, i%suiteCount, i%1000, i,
					answer(i))
			}
		}))
	}
	for s := range suiteCount {
		errs = append(errs, writeFile(dir, fmt.Sprintf("recordings/suite-%d.jsonl", s), func(w *bufio.Writer) {
			for i := s; i < n; i += suiteCount {
				text := answer(i)
				if changed && i%997 == 0 {
					text = "I cannot find that order; please send me its number again."
				}
				fmt.Fprintf(w, `{"suite_id":"suite-%d","case_id":"case-%d","raw_response":%q}`+"\n", s, i, text)
			}
		}))
	}
	return errors.Join(errs...)
}

func answer(i int) string {
	return fmt.Sprintf("Your order A-%d left our house on Tuesday, and arrives within three days; the carrier shows "+
		"where it is.", i)
}

// writeFile writes one file below dir.
func writeFile(dir, name string, print func(*bufio.Writer)) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	print(w)
	return errors.Join(w.Flush(), f.Close())
}

// caseState is the state of a case in limit.
type caseState struct {
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

// measureLimit does the least work on recorded folders: it decodes every line, compares each answer with the expected
// text, writes a line for each, and counts the regressions.
func measureLimit(folders []string, out io.Writer) error {
	cases := map[[2]string]*caseState{}
	regressed := 0
	for side, folder := range folders {
		if err := eachLine(filepath.Join(folder, "suites", "*.jsonl"), func(l line) error {
			if id := [2]string{l.SuiteID, l.CaseID}; cases[id] == nil {
				cases[id] = &caseState{expected: l.Expected}
			}
			return nil
		}); err != nil {
			return err
		}
		results := bufio.NewWriterSize(out, 64<<10)
		enc := json.NewEncoder(results)
		enc.SetEscapeHTML(false)
		if err := eachLine(filepath.Join(folder, "recordings", "*.jsonl"), func(l line) error {
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

// eachLine calls take with every line of the files that match a pattern.
func eachLine(pattern string, take func(line) error) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := eachLineOf(name, take); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func eachLineOf(name string, take func(line) error) error {
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
