// Package schematest checks the output files of runs against the published schemas, in all tests that run the command.
// A test fails if a file has a field or a value that its schema does not allow.
package schematest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/failproof/failproof/schemas"
)

// schemaOf maps the name of an output file to its schema.
var schemaOf = map[string]*jsonschema.Schema{
	"results.jsonl": mustCompile("result", schemas.Result()),
	"base.jsonl":    mustCompile("result", schemas.Result()),
	"report.json":   mustCompile("report", schemas.Report()),
}

func mustCompile(name string, text []byte) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		panic(err)
	}
	return c.MustCompile(name)
}

// State of all runs of a test binary: the shapes of the documents that were validated, and the faults that were found.
var (
	mu         sync.Mutex
	seenShapes = map[string]bool{}
	faults     []string
)

// Run calls run, which runs the command with args in the folder dir, and returns its exit code. It then validates the
// output files below dir, and in the folder of --out, that are new or changed.
func Run(dir string, args []string, run func() int) (code int) {
	dirs := []string{dir}
	for i, arg := range args {
		if out, ok := strings.CutPrefix(arg, "--out"); ok && (out == "" || out[0] == '=') {
			if out = strings.TrimPrefix(out, "="); out == "" && i+1 < len(args) {
				out = args[i+1]
			}
			if filepath.IsAbs(out) {
				dirs = append(dirs, out)
			}
		}
	}
	before := fileStates(dirs)
	code = run()
	for name, state := range fileStates(dirs) {
		if before[name] != state {
			checkFile(name)
		}
	}
	return code
}

// ReportFaults prints the faults of all runs. code is the exit code of the tests. ReportFaults returns code or, if that
// is 0 and there is a fault, 1.
func ReportFaults(code int) int {
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(faults)
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, "--- FAIL: against the schema:", fault)
	}
	return cmp.Or(code, min(len(faults), 1))
}

// state is the modification time and size of a file. A changed file has another state.
type state struct {
	modTime time.Time
	size    int64
}

func fileStates(dirs []string) map[string]state {
	found := map[string]state{}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			switch { // in a folder that cannot be listed, there is nothing to check
			case err != nil, entry.IsDir() && entry.Name() == ".git":
				return fs.SkipDir
			case schemaOf[entry.Name()] != nil && entry.Type().IsRegular():
				if info, err := entry.Info(); err == nil {
					found[name] = state{info.ModTime(), info.Size()}
				}
			}
			return nil
		})
	}
	return found
}

// The first fullLines lines of a file are checked. Of the lines after them, one in sampleEvery is checked.
const (
	fullLines   = 2000
	sampleEvery = 100
)

func checkFile(name string) {
	file, err := os.Open(name)
	if err != nil {
		return // the test removed the file
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	for n := 1; ; n++ {
		text, err := lines.ReadBytes('\n')
		if filepath.Ext(name) == ".json" {
			rest, _ := lines.ReadString(0)
			text, err = append(text, rest...), os.ErrClosed
		}
		if len(bytes.TrimSpace(text)) > 0 && (n <= fullLines || n%sampleEvery == 0) {
			validateText(fmt.Sprintf("%s:%d", name, n), filepath.Base(name), text)
		}
		if err != nil {
			return
		}
	}
}

// validateText validates text by the schema of the file name. It skips a text whose shape was validated before. place
// names the text in a fault.
func validateText(place, name string, text []byte) {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&v)
	if err == nil {
		reduced, shape := shapeOf(v)
		mu.Lock()
		seen := seenShapes[name+shape]
		seenShapes[name+shape] = true
		mu.Unlock()
		if seen {
			return
		}
		err = schemaOf[name].Validate(reduced)
	}
	if err != nil {
		mu.Lock()
		faults = append(faults, fmt.Sprintf("%s: %#v", place, err))
		mu.Unlock()
	}
}

// word matches a string that may be one of the allowed values in a schema.
var word = regexp.MustCompile(`^[a-z_]{1,30}$`)

// shapeOf returns the shape of v: the types of its parts, and the strings in it that match word. reduced is a copy of v
// in which lists have only one item of each shape.
func shapeOf(v any) (reduced any, shape string) {
	switch v := v.(type) {
	case map[string]any:
		out, b := make(map[string]any, len(v)), strings.Builder{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			var s string
			out[key], s = shapeOf(v[key])
			fmt.Fprintf(&b, "%q:%s,", key, s)
		}
		return out, "{" + b.String() + "}"
	case []any:
		out, shapes := []any{}, map[string]bool{}
		for _, item := range v {
			if reducedItem, s := shapeOf(item); !shapes[s] {
				shapes[s], out = true, append(out, reducedItem)
			}
		}
		return out, "[" + strings.Join(slices.Sorted(maps.Keys(shapes)), " ") + "]"
	case string:
		if word.MatchString(v) {
			return v, v
		}
		return v, `""`
	case json.Number:
		return v, "0"
	}
	return v, fmt.Sprint(v)
}
