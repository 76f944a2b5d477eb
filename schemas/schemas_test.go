package schemas_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/schemas"
)

// texts are the schemas by the name of their file.
func texts() map[string][]byte {
	return map[string][]byte{
		"suite.schema.json": schemas.Suite(), "config.schema.json": schemas.Config(),
		"result.schema.json": schemas.Result(), "report.schema.json": schemas.Report(),
	}
}

func TestEverySchemaHereIsServed(t *testing.T) {
	files, err := fs.Glob(os.DirFS("."), "*.schema.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	served := texts()
	for _, name := range files {
		if served[name] == nil {
			t.Errorf("%s is served by no function", name)
		}
	}
	if len(served) != len(files) {
		t.Errorf("%d schemas are served, %d are here", len(served), len(files))
	}
}

func TestEverySchemaCompiles(t *testing.T) {
	for name, text := range texts() {
		if _, err := document.CompileSchema(name, text); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryPropertyIsDescribed(t *testing.T) {
	for name, text := range texts() {
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		described(t, name+"#", root)
	}
}

// described walks a schema and wants words for each property and definition, its own or those of what it refers to.
func described(t *testing.T, at string, schema any) {
	t.Helper()
	switch v := schema.(type) {
	case []any:
		for _, item := range v {
			described(t, at, item)
		}
	case map[string]any:
		for key, part := range v {
			members, isMap := part.(map[string]any)
			if isMap && (key == "properties" || key == "$defs") {
				wantWords(t, at+"/"+key, members)
			}
			if key != "enum" && key != "const" && key != "default" && key != "examples" {
				described(t, at+"/"+key, part)
			}
		}
	}
}

func wantWords(t *testing.T, at string, members map[string]any) {
	t.Helper()
	for name, member := range members {
		m, _ := member.(map[string]any)
		text, _ := m["description"].(string)
		if strings.TrimSpace(text) == "" && m["$ref"] == nil {
			t.Errorf("%s/%s has no description", at, name)
		}
	}
}

// A category that a schema lacks would make files that failproof itself wrote wrong ones.
func TestEveryListOfCategoriesHasThemAll(t *testing.T) {
	for name, text := range texts() {
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		lists := 0
		eachEnum(root, func(enum []string) {
			if !slices.Contains(enum, string(classify.PolicyViolation)) {
				return
			}
			lists++
			for _, c := range classify.Categories {
				unanswered := c == classify.Error || c == classify.Timeout || c == classify.Crash // which nobody expects
				if !slices.Contains(enum, string(c)) && (!unanswered || name != "suite.schema.json") {
					t.Errorf("%s: %v lacks %s", name, enum, c)
				}
			}
		})
		if lists == 0 {
			t.Errorf("%s lists no categories", name)
		}
	}
}

// eachEnum calls see with each enum of a schema that holds texts alone.
func eachEnum(schema any, see func([]string)) {
	switch v := schema.(type) {
	case []any:
		for _, item := range v {
			eachEnum(item, see)
		}
	case map[string]any:
		var words []string
		list, _ := v["enum"].([]any)
		for _, item := range list {
			if word, ok := item.(string); ok {
				words = append(words, word)
			}
		}
		see(words)
		for _, part := range v {
			eachEnum(part, see)
		}
	}
}
