// Package schemas embeds the JSON Schemas of the files that failproof reads and writes. It holds nothing else.
package schemas

import "embed"

//go:embed *.schema.json
var files embed.FS

// Suite is the schema of a suite file.
func Suite() []byte { return read("suite") }

// Config is the schema of the configuration file.
func Config() []byte { return read("config") }

// Result is the schema of one line of results.jsonl.
func Result() []byte { return read("result") }

// Report is the schema of report.json.
func Report() []byte { return read("report") }

func read(name string) []byte {
	text, _ := files.ReadFile(name + ".schema.json") // they are part of the program, and a test reads all of them
	return text
}
