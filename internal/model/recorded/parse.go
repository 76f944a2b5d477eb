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

// parse parses the line with the given number. wrong says what is wrong with the line; it is "" if nothing is.
func parse(line string, number int) (r record, wrong string) {
	root, faults := document.ParseLenient("", line, document.Position{Line: number, Column: 1})
	var f fields
	if len(faults) > 0 {
		f.wrong = faults[0].Message
	} else {
		f.object("it", root, reflect.ValueOf(&r).Elem())
	}
	if f.wrong != "" {
		return r, "not a recording: " + f.wrong +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	return r, ""
}

// fields parses the fields of objects and keeps the first error.
type fields struct{ wrong string }

// fieldNames holds the JSON names of the fields of each struct, in order.
var fieldNames = namesOf(record{}, Target{}, tokens{}, model.ToolCall{}, model.Verdict{})

func namesOf(all ...any) map[reflect.Type][]string {
	names := map[reflect.Type][]string{}
	for _, one := range all {
		typ := reflect.TypeOf(one)
		for f := range typ.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" { // "-" is the last field
				names[typ] = append(names[typ], name)
			}
		}
	}
	return names
}

// object sets the fields of to from the members of n that are not null. It ignores unknown members, but records an
// error for one that looks like a misspelled known one.
func (f *fields) object(what string, n *document.Node, to reflect.Value) {
	names := fieldNames[to.Type()]
	f.fit(what, n, document.Map)
	for key, v := range n.Entries() {
		if i := slices.Index(names, key.Text); i >= 0 {
			if v.Kind != document.Null {
				f.value(key.Text, v, to.Field(i))
			}
			continue
		}
		for _, name := range names {
			if strings.EqualFold(key.Text, name) || text.Slip(key.Text, name) && n.Get(name) == nil {
				f.fault("key %s is written %s", document.Quote(key.Text), name)
			}
		}
	}
}

// items describes an item of a list in an error message, by the key of the list.
var items = map[string]string{"tool_calls": "a call in tool_calls", "verdicts": "a verdict in verdicts"}

func (f *fields) value(name string, v *document.Node, to reflect.Value) {
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		f.value(name, v, to.Elem())
	case reflect.Struct:
		f.object(name, v, to)
	case reflect.Slice:
		f.fit(name, v, document.List)
		for _, item := range v.List() {
			one := reflect.New(to.Type().Elem()).Elem()
			f.object(items[name], item, one)
			to.Set(reflect.Append(to, one))
		}
	case reflect.Map:
		f.fit(name, v, document.Map)
		texts := make(map[string]string, len(v.Keys))
		for key, one := range v.Entries() {
			f.fit(name, one, document.String)
			texts[key.Text] = one.Text
		}
		to.Set(reflect.ValueOf(texts))
	case reflect.String:
		if name == "arguments" && v.Kind != document.String { // people write the JSON itself
			to.SetString(jsonText(v.Value()))
			return
		}
		f.fit(name, v, document.String)
		to.SetString(v.Text)
	case reflect.Bool:
		f.fit(name, v, document.Bool)
		to.SetBool(v.Text == "true")
	case reflect.Int:
		n, err := strconv.Atoi(v.Text)
		f.figure(name, v, err, "whole number")
		to.SetInt(int64(n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(v.Text, 64)
		f.figure(name, v, err, "figure")
		to.SetFloat(n)
	}
}

func (f *fields) fault(format string, args ...any) {
	if f.wrong == "" {
		f.wrong = fmt.Sprintf(format, args...)
	}
}

// fit records an error for a value of the wrong kind.
func (f *fields) fit(name string, v *document.Node, kind document.Kind) {
	if v.Kind != kind {
		kinds := [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}
		f.fault("%s is %s, which does not fit", name, kinds[v.Kind])
	}
}

// figure records an error for a number that cannot be read.
func (f *fields) figure(name string, v *document.Node, err error, what string) {
	if f.fit(name, v, document.Number); err != nil {
		f.fault("%s is %s, which is no %s", name, v.Text, what)
	}
}
