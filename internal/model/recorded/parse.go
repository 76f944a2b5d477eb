package recorded

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// parse parses the line with the given number. problem says what is wrong with the line; it is "" if nothing is.
func parse(line string, number int) (r record, problem string) {
	root, faults := document.ParseLenient("", line, document.Position{Line: number, Column: 1})
	var f fieldParser
	if len(faults) > 0 {
		f.problem = faults[0].Message
	} else {
		f.setObject("it", root, reflect.ValueOf(&r).Elem())
	}
	if f.problem != "" {
		return r, "not a recording: " + f.problem +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	return r, ""
}

// fieldParser parses the fields of objects and keeps the first error.
type fieldParser struct{ problem string }

// fieldNames holds the JSON names of the fields of each struct, in order.
var fieldNames = namesOf(record{}, Target{}, model.Tokens{}, model.ToolCall{}, model.Verdict{})

func namesOf(all ...any) map[reflect.Type][]string {
	names := map[reflect.Type][]string{}
	for _, v := range all {
		typ := reflect.TypeOf(v)
		for f := range typ.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" { // "-" is the last field
				names[typ] = append(names[typ], name)
			}
		}
	}
	return names
}

// setObject sets the fields of dst from the members of n that are not null. It ignores unknown members, but records an
// error for one that looks like a misspelled known one.
func (f *fieldParser) setObject(what string, n *document.Node, dst reflect.Value) {
	names := fieldNames[dst.Type()]
	f.checkKind(what, n, document.Map)
	for key, v := range n.Entries() {
		if i := slices.Index(names, key.Text); i >= 0 {
			if v.Kind != document.Null {
				f.setValue(key.Text, v, dst.Field(i))
			}
			continue
		}
		for _, name := range names {
			if strings.EqualFold(key.Text, name) || text.IsMisspelling(key.Text, name) && n.Get(name) == nil {
				f.setProblem("key %s is written %s", document.Quote(key.Text), name)
			}
		}
	}
}

// itemNames describes an item of a list in an error message, by the key of the list.
var itemNames = map[string]string{"tool_calls": "a call in tool_calls", "verdicts": "a verdict in verdicts"}

func (f *fieldParser) setValue(name string, v *document.Node, dst reflect.Value) {
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		f.setValue(name, v, dst.Elem())
	case reflect.Struct:
		f.setObject(name, v, dst)
	case reflect.Slice:
		f.checkKind(name, v, document.List)
		for _, item := range v.List() {
			element := reflect.New(dst.Type().Elem()).Elem()
			f.setObject(itemNames[name], item, element)
			dst.Set(reflect.Append(dst, element))
		}
	case reflect.Map:
		f.checkKind(name, v, document.Map)
		texts := make(map[string]string, len(v.Keys))
		for key, element := range v.Entries() {
			f.checkKind(name, element, document.String)
			texts[key.Text] = element.Text
		}
		dst.Set(reflect.ValueOf(texts))
	case reflect.String:
		if name == "arguments" && v.Kind != document.String { // people write the JSON itself
			dst.SetString(jsonText(v.Value()))
			return
		}
		f.checkKind(name, v, document.String)
		dst.SetString(v.Text)
	case reflect.Bool:
		f.checkKind(name, v, document.Bool)
		dst.SetBool(v.Text == "true")
	case reflect.Int:
		n, err := strconv.Atoi(v.Text)
		f.checkNumber(name, v, err, "whole number")
		dst.SetInt(int64(n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(v.Text, 64)
		f.checkNumber(name, v, err, "figure")
		dst.SetFloat(n)
	}
}

func (f *fieldParser) setProblem(format string, args ...any) {
	if f.problem == "" {
		f.problem = fmt.Sprintf(format, args...)
	}
}

// checkKind records an error for a value of the wrong kind.
func (f *fieldParser) checkKind(name string, v *document.Node, kind document.Kind) {
	if v.Kind != kind {
		kinds := [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}
		f.setProblem("%s is %s, which does not fit", name, kinds[v.Kind])
	}
}

// checkNumber records an error for a number that cannot be read.
func (f *fieldParser) checkNumber(name string, v *document.Node, err error, what string) {
	if f.checkKind(name, v, document.Number); err != nil {
		f.setProblem("%s is %s, which is no %s", name, v.Text, what)
	}
}
