package acceptance_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/expect"
)

// undrawn are keys that no draft has, and why.
var undrawn = map[string]string{
	"$schema":  "is for editors",
	"command":  "starts programs, which differ from machine to machine",
	"endpoint": "needs an embedding endpoint", "sha256": "needs a model on disk",
	"explain":  "decides nothing: internal/cli and a script try it",
	"required": "fails what passes without it: internal/evaluate and a script try it",
	// what a live target is sent beside the prompt, and where its answer stands: the model of a draft is of one kind
	"allow_http": "", "api": "", "api_key_file": "", "body": "", "env": "", "extra_body": "", "finish_reason": "", "headers": "", "method": "", "prefix": "",
	"reasoning_effort": "", "seed": "", "stop": "", "structured_output": "", "text": "", "url": "", "usage": "",
	"file":  "text in a file of its own, which is sent as if it stood there: internal/suite tries it",
	"tools": "", "expected_tools": "", "arguments": "", // calls of tools, which internal/suite and internal/expect try
	"skill": "folders of files, which internal/skill, internal/suite and scripts try", "references": "", "instructions": "", "for": "",
	"javascript": "runs in an engine of its own: internal/script, internal/expect and a script try it", "not_javascript": "", "script": "", "transform": "",
	"judges": "asks a judge, which is a live target", "default": "", "votes": "", "labeled": "", "min_agreement": "", "rubric": "", "criteria": "", "context": "", "criterion": "", "optional": "", "reference": "", "facts": "", "unclear": "",
	"results": "takes the place of suites: internal/results, internal/cli and a script try it", "head": "", "base": "", "runs": "", "pass_at": "", "format": "",
	"also": "", "asked": "", "asked_unless": "", "open": "", "bare": "", "min_words": "", // a rule's further conditions, which internal/risk tries
}

// A key that is new in a schema has to be drawn, so that equal verdicts are equal with it too.
func TestEveryKeyIsDrawn(t *testing.T) {
	drawn := map[string]bool{}
	for seed := range 100 {
		base, head := newAuthor(uint64(seed)).change()
		for _, d := range []*draft{base, head} {
			for name, f := range d.files() {
				var content any
				if strings.HasPrefix(name, "recordings/") || yaml.Unmarshal([]byte(f.data), &content) != nil {
					continue
				}
				note(content, drawn)
			}
		}
	}
	for _, schema := range []string{"suite", "config"} {
		text, err := os.ReadFile("../../schemas/" + schema + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var content any
		if err := json.Unmarshal(text, &content); err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Sorted(maps.Keys(properties(content))) {
			if slices.Contains(expect.Forms, strings.TrimPrefix(key, "not_")) { // internal/expect tries each form
				continue
			}
			if _, known := undrawn[key]; !known && !drawn[key] {
				t.Errorf("no draft has the key %q of the schema %s: draw it, or say in undrawn who tries it", key, schema)
			}
		}
	}
}

// note adds the keys of a file.
func note(v any, keys map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			keys[key] = true
			note(value, keys)
		}
	case []any:
		for _, value := range v {
			note(value, keys)
		}
	}
}

// properties are the keys that a schema knows.
func properties(v any) map[string]bool {
	keys := map[string]bool{}
	switch v := v.(type) {
	case map[string]any:
		if named, is := v["properties"].(map[string]any); is {
			for key := range named {
				keys[key] = true
			}
		}
		for _, value := range v {
			maps.Copy(keys, properties(value))
		}
	case []any:
		for _, value := range v {
			maps.Copy(keys, properties(value))
		}
	}
	return keys
}
