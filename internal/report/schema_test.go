package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

func schemaText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "schemas", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(schemaText(t, name))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// node is a schema as it is written.
type node struct {
	Ref                  string           `json:"$ref"`
	Description          string           `json:"description"`
	Type                 any              `json:"type"`
	Enum                 []any            `json:"enum"`
	AnyOf                []*node          `json:"anyOf"`
	Properties           map[string]*node `json:"properties"`
	Required             []string         `json:"required"`
	AdditionalProperties json.RawMessage  `json:"additionalProperties"`
	Items                *node            `json:"items"`
	Defs                 map[string]*node `json:"$defs"`
}

// agreement walks a schema and a Go type together.
type agreement struct {
	t    *testing.T
	defs map[string]*node
	seen int
}

func TestSchemasAndTypesAgree(t *testing.T) {
	for name, typ := range map[string]reflect.Type{
		"result.schema.json": reflect.TypeFor[report.Result](),
		"report.schema.json": reflect.TypeFor[report.Report](),
	} {
		t.Run(name, func(t *testing.T) {
			var root node
			if err := json.Unmarshal(schemaText(t, name), &root); err != nil {
				t.Fatal(err)
			}
			a := &agreement{t: t, defs: root.Defs}
			a.value("", &root, typ, false)
			if a.seen < 30 {
				t.Errorf("%d properties compared, want many more", a.seen)
			}
		})
	}
}

// value compares one place; null is allowed by the schema exactly where Go can write one.
func (a *agreement) value(path string, s *node, typ reflect.Type, omitted bool) {
	if s.Description == "" {
		a.t.Errorf("%s has no description", path)
	}
	nullable := false
	if len(s.AnyOf) == 2 {
		nullable, s = true, s.AnyOf[0]
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		s = a.defs[name]
	}
	kinds, isList := s.Type.([]any)
	nullable = nullable || isList && slices.Contains(kinds, any("null"))
	writesNull := typ.Kind() == reflect.Pointer && !omitted || strings.HasSuffix(path, ".base_histogram")
	if nullable != writesNull {
		a.t.Errorf("%s: the schema allows null: %v; the type %s writes null: %v", path, nullable, typ, writesNull)
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ == reflect.TypeFor[[]report.Change]() {
		typ = reflect.TypeFor[[]report.Change]()
	}
	switch typ.Kind() {
	case reflect.Struct:
		a.object(path, s, typ)
	case reflect.Slice:
		if s.Items == nil {
			a.t.Fatalf("%s is a list; the schema says nothing of its items", path)
		}
		a.value(path+"[]", s.Items, typ.Elem(), true)
	}
}

func (a *agreement) object(path string, s *node, typ reflect.Type) {
	var names, required []string
	if typ == reflect.TypeFor[config.Gate]() { // whose settings are keys beside its fields
		for _, k := range config.Keys() {
			names, required = append(names, k.String()), append(required, k.String())
			value := reflect.TypeFor[config.Setting]()
			if k.IsLevel() {
				value = reflect.TypeFor[config.Level]()
			}
			a.value(path+"."+k.String(), s.Properties[k.String()], value, false)
		}
	}
	for _, field := range reflect.VisibleFields(typ) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || field.Anonymous { // the fields of an embedded type follow
			continue
		}
		names = append(names, name)
		if options != "omitempty" {
			required = append(required, name)
		}
		property := s.Properties[name]
		if property == nil {
			continue // the comparison of names below says so
		}
		a.seen++
		a.value(path+"."+name, property, field.Type, options == "omitempty")
	}
	var described []string
	for name := range s.Properties {
		described = append(described, name)
	}
	a.same(path+": properties", names, described)
	a.same(path+": required", required, s.Required)
	if string(s.AdditionalProperties) != "false" {
		a.t.Errorf("%s allows any other key", path)
	}
}

func (a *agreement) same(what string, got, want []string) {
	got, want = append([]string{}, got...), append([]string{}, want...)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		a.t.Errorf("%s (-schema +type):\n%s", what, diff)
	}
}

func TestEnumsAgreeBothWays(t *testing.T) {
	var root node
	if err := json.Unmarshal(schemaText(t, "report.schema.json"), &root); err != nil {
		t.Fatal(err)
	}
	categories, statuses := stringsOf(classify.Categories[:]), stringsOf(report.Statuses[:])
	for _, c := range []struct {
		rule string
		enum []string
		want []string
	}{
		{"categories", enum(root.Defs["category"]), categories},
		{"statuses", enum(root.Defs["status"]), statuses},
		{"verdicts", enum(root.Properties["verdict"]), stringsOf([]report.Verdict{report.Passed, report.Failed, report.Undecided, report.Invalid})},
		{"states of the base", enum(root.Defs["run"].Properties["base_state"]), stringsOf(report.BaseStates[:])},
		{"levels", enum(root.Defs["reason"].Properties["level"]), stringsOf([]report.Level{report.LevelError, report.LevelWarn})},
		{"levels of the gate", enum(root.Defs["level"]), stringsOf([]config.Level{config.Off, config.Warn, config.Err})},
		{"severities of faults", enum(root.Defs["diagnostic"].Properties["severity"]), stringsOf([]document.Severity{document.Error, document.Warning})},
		{"a histogram's keys", keys(root.Defs["histogram"].Properties), categories},
		{"the counts' keys", keys(root.Properties["counts"].Properties), statuses},
		{"ways to compare by meaning", enum(root.Properties["scoring"].Properties["semantic"]), []string{report.SemanticNone, score.MethodSemantic, score.MethodLexical, report.SemanticMixed}},
		{"modes", enum(root.Properties["statistics"].Properties["mode"]), []string{report.ModeStrict, report.ModeNoisy}},
		{"states of a suspect", enum(root.Defs["suspect"].Properties["state"]), []string{report.CandidateConfirmed, report.CandidateCleared, report.CandidateIncomplete, report.CandidateNotRerun,
			report.CandidateUnprovable, report.CandidateLost}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			slices.Sort(c.enum)
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, c.enum); diff != "" {
				t.Errorf("(-code +schema):\n%s", diff)
			}
		})
	}
}

func stringsOf[T ~string](values []T) []string {
	var out []string
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

func enum(s *node) []string {
	var out []string
	for _, v := range s.Enum {
		out = append(out, v.(string))
	}
	return out
}

func keys(m map[string]*node) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// valid checks a written document against its schema.
func valid(t *testing.T, s *jsonschema.Schema, text []byte) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%#v\nof\n%s", err, text)
	}
}
