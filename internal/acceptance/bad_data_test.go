//go:build linux

package acceptance_test

import (
	"fmt"
	"strings"
	"testing"
)

// dataSuite is a suite whose cases stand in a file.
const dataSuite = "version: 1\ntarget: echo\nmessages: [{role: user, content: \"{{ q }}\"}]\ncases: { file: %s }\n"

// fromFile returns an entry of a suite that takes its cases from a file.
func fromFile(name, rule string, exit int, file string, text func() string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: exit, says: says, args: [][]string{{"validate"}}, make: func(t *testing.T, dir string) {
		put(t, dir, badSuite, fmt.Sprintf(dataSuite, file))
		put(t, dir, "suites/"+file, text())
	}}
}

// dataBad holds files of cases, of variables and of tools that ask for much or are not what they are taken for.
func dataBad() []badInput {
	repeated := func(begin, part string, times int) func() string {
		return func() string { return begin + strings.Repeat(part, times) }
	}
	return []badInput{
		fromFile("data-columns", "A table of 10,000,000 columns is refused at the first that is too many.", 2, "d.csv", repeated("q", ",", 10_000_000), "suites/d.csv:1:1002: the row has more than 1000 cells"),
		fromFile("data-quote", "A quote that never ends is refused where it begins.", 2, "d.csv", repeated("q\n\"", "x\n", 20_000_000), "suites/d.csv:2:1: the cell begins with a quote and never ends"),
		fromFile("data-quotes", "A cell of 20,000,000 quotes is one cell, and too much to send.", 2, "d.csv", repeated("q\n", "\"\"", 20_000_000), "suites/d.csv:2:1: … at most 8 MiB are sent"),
		fromFile("data-ragged", "200,000 rows that are too short are counted and not all listed.", 2, "d.csv", repeated("q,r\n", "x\n", 200_000), "suites/d.csv:2:1: the row has 1 cells and the header 2", "more faults are not listed"),
		fromFile("data-alike", "20,000 rows that ask the same are counted and not all listed.", 2, "d.csv", repeated("q\n", "x\n", 20_000), "suites/d.csv:3:1: the case at line 2 has the same", "more faults are not listed"),
		fromFile("data-lines", "200,000 lines that are no JSON are counted and not all listed.", 2, "d.jsonl", repeated("", "{\n", 200_000), "suites/d.jsonl:1:", "more faults are not listed"),
		fromFile("data-deep", "A line of 1,000,000 lists inside each other is refused.", 2, "d.jsonl", repeated("{\"q\":", "[", 1_000_000), "suites/d.jsonl:1:", "more than 32 maps and lists inside each other"),
		fromFile("data-cell", "A cell that is JSON of 1,000,000 lists inside each other is refused.", 2, "d.csv", repeated("q,tags\nx,", "[", 1_000_000), "suites/d.csv:2:3: the cell begins with a bracket and is not JSON"),
		fromFile("data-list", "A list in YAML is held to what YAML may be.", 2, "d.yaml", repeated("", "- {q: x}\n", 200_000), "suites/d.yaml: the file is larger than 1 MiB"),
		fromFile("data-commands", "What stands in a cell cannot write a command of the runner.", 2, "d.csv", repeated("q,severity\n\"::error::x\n##[error]y\",\"::error::x\n##[error]y\"\n", "", 0), "suites/d.csv:3:13: `severity` is"),
		{name: "data-large", rule: "A file of cases of 100 MB is refused after 64 MiB.", exit: 2, args: [][]string{{"validate"}}, says: []string{"suites/d.csv: the file is larger than 64 MiB"},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, fmt.Sprintf(dataSuite, "d.csv"))
				sparse(t, dir, "suites/d.csv", 100_000_000)
			}},
		{name: "data-self", rule: "A suite is no file of its own cases, and hides no fault by that.", exit: 2, args: [][]string{{"validate"}}, says: []string{"suites/bad.yaml:1:1: a file of cases is a list of rows"},
			make: func(t *testing.T, dir string) { put(t, dir, badSuite, fmt.Sprintf(dataSuite, "bad.yaml")) }},
		{name: "data-other", rule: "A suite that another names as its cases is read all the same.", exit: 2, args: [][]string{{"validate"}}, says: []string{"suites/other.yaml:5:3: unknown key", "suites/other.yaml:1:1: a file of cases is a list of rows"},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, fmt.Sprintf(dataSuite, "other.yaml"))
				put(t, dir, "suites/other.yaml", badHead+"cases:\n- x: 1\n")
			}},
		{name: "var-large", rule: "A variable's file of 100 MB is refused after 1 MiB.", exit: 2, args: [][]string{{"validate"}}, says: []string{"big.txt: the file is larger than 1 MiB"},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, badHead+"cases:\n- vars: { x: { file: ../big.txt } }\n")
				sparse(t, dir, "big.txt", 100_000_000)
			}},
	}
}
