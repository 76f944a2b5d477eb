package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/schemas"
)

// parts is a JSON Schema, as far as these tests look into it.
type parts struct {
	Enum       []string          `json:"enum"`
	Properties map[string]*parts `json:"properties"`
	Defs       map[string]*parts `json:"$defs"`
}

func schema(t *testing.T) *parts {
	t.Helper()
	var s parts
	if err := json.Unmarshal(schemas.Config(), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestTheSchemaAndTheGateHaveTheSameKeys(t *testing.T) {
	known := map[string]bool{}
	for _, k := range Keys() {
		known[k.String()] = true
	}
	gate := reflect.TypeFor[Gate]()
	for i := range gate.NumField() {
		name, _, _ := strings.Cut(gate.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			known[name] = true
		}
	}
	listed := slices.Sorted(maps.Keys(schema(t).Defs["gate"].Properties))
	if want := slices.Sorted(maps.Keys(known)); !slices.Equal(listed, want) {
		t.Errorf("keys of the gate (-schemas/config.schema.json +code):\n%s", cmp.Diff(listed, want))
	}
	var entries []string
	for _, e := range (&Gate{}).entries() {
		entries = append(entries, strings.TrimPrefix(e.key, gatePrefix))
	}
	if slices.Sort(entries); !slices.Equal(entries, listed) {
		t.Errorf("keys of the gate (-schemas/config.schema.json +entries):\n%s", cmp.Diff(listed, entries))
	}
}

func TestTheSchemaAndTheCodeHaveTheSameWords(t *testing.T) {
	s := schema(t)
	levels := []string{string(Off), string(Warn), string(Err)}
	for at, pair := range map[string][2][]string{
		"phase":      {s.Properties["phase"].Enum, {string(Baseline), string(Finetuned), string(Deployment)}},
		"level":      {s.Defs["level"].Enum, levels},
		"on_removed": {s.Defs["gate"].Properties["on_removed"].Enum, levels},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: schema %v, code %v", at, pair[0], pair[1])
		}
	}
}

func TestEveryKeyOfATargetInTheCodeIsInTheSchema(t *testing.T) {
	target := schema(t).Defs["target"]
	for _, k := range (&Target{}).keys() {
		if target.Properties[k.key] == nil {
			t.Errorf("%s is not in the schema", k.key)
		}
	}
	if listed := slices.Sorted(slices.Values(target.Properties["provider"].Enum)); !slices.Equal(listed, Providers()) {
		t.Errorf("providers in schemas/config.schema.json: %v, in the code: %v", listed, Providers())
	}
}
