package expect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schemaURL is what the library calls the schema. It is absolute, or the folder that failproof runs in would be part of it.
const schemaURL = "mem:///schema.json"

// Bounds of what is checked against a schema: the library writes numbers out in full and compares unique items pairwise.
const (
	maxExponent    = 400
	maxUniqueItems = 5000
)

// schema is a JSON Schema, draft 2020-12 unless it names another. A nil schema allows everything.
type schema struct {
	text   []byte
	unique bool // it says uniqueItems somewhere
	size   schemaSize

	idle sync.Pool // of *checker: one for each goroutine that checked something
}

// checker is a schema compiled for one goroutine, and what it counts.
type checker struct {
	compiled *jsonschema.Schema
	work     *work
}

var errNotLocal = errors.New("a schema may only refer to itself; no other file or address is read")

func compileSchema(text []byte) (*schema, error) {
	read := strictJSON(string(text))
	if read.fault != "" {
		return nil, faultf(0, "the schema is not JSON: %s", read.fault)
	}
	if place := hugeNumber(read.value); place != nil {
		return nil, faultf(0, "number out of range in the schema at %s", place)
	}
	c, err := newChecker(text)
	if err != nil {
		return nil, faultf(0, "not a JSON Schema: %s", plainSchemaError(err))
	}
	s := &schema{text: text, unique: bytes.Contains(text, []byte(`"uniqueItems"`)), size: c.work.size}
	s.idle.Put(c)
	return s, nil
}

func newChecker(text []byte) (*checker, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errNotLocal }
	if err := c.AddResource(schemaURL, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	w := &work{}
	c.RegisterExtension("work", nil, w)
	compiled, err := c.Compile(schemaURL)
	return &checker{compiled, w}, err
}

// check validates with a checker that nobody else uses.
func (s *schema) check(value any) (err error, ended bool) {
	c, is := s.idle.Get().(*checker)
	if !is {
		if c, err = newChecker(s.text); err != nil {
			return err, true // it was compiled before
		}
	}
	defer s.idle.Put(c)
	return c.checked(value)
}

func plainSchemaError(err error) string {
	if errors.Is(err, errNotLocal) {
		return errNotLocal.Error()
	}
	if invalid, is := errors.AsType[*jsonschema.ValidationError](err); is {
		return worstFault(invalid)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "jsonschema "), schemaURL, "schema")
	return cut(strings.Join(strings.Fields(text), " "), 200)
}

// fault returns where and how value breaks the schema, or "".
func (s *schema) fault(value any) string {
	if s == nil {
		return ""
	}
	if place := hugeNumber(value); place != nil {
		return fmt.Sprintf("%s: number out of range", place)
	}
	tooMany := func(v any) bool {
		items, _ := v.([]any)
		return len(items) > maxUniqueItems
	}
	if place := findPlace(value, tooMany); s.unique && place != nil {
		return fmt.Sprintf("%s: more than %d items, too many to compare with each other", place, maxUniqueItems)
	}
	if place, why := s.size.tooLarge(value); why != "" {
		return fmt.Sprintf("%s: could not be checked: %s", place, why)
	}
	if nested(value, maxNesting) {
		return fmt.Sprintf("could not be checked: nested more than %d levels deep", maxNesting)
	}
	err, ended := s.check(value)
	switch {
	case !ended:
		return "could not be checked: the schema asks for too many steps, as one does whose parts refer to each other in more than one way"
	case err == nil:
		return ""
	}
	if invalid, is := errors.AsType[*jsonschema.ValidationError](err); is {
		return worstFault(invalid)
	}
	return "The schema could not be checked: " + cut(err.Error(), 200)
}

type schemaFault struct{ place, message string }

// worstFault words the first fault in the order of its places, and counts the others.
func worstFault(err *jsonschema.ValidationError) string {
	faults := leaves(err)
	slices.SortFunc(faults, func(a, b schemaFault) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.message, b.message))
	})
	first := faults[0]
	text := cut(cmp.Or(first.place, "the answer")+": "+first.message, shownRunes-20)
	if others := slices.IndexFunc(faults, func(f schemaFault) bool { return f != first }); others > 0 {
		text += fmt.Sprintf(" (and %d more)", len(faults)-others)
	}
	return text
}

func leaves(err *jsonschema.ValidationError) (out []schemaFault) {
	if len(err.Causes) == 0 {
		place := err.InstanceLocation
		// The library escapes percent-wise on top of the pointer's own ~0 and ~1.
		if plain, err := url.PathUnescape(place); err == nil {
			place = plain
		}
		return []schemaFault{{place, steady(err.Message)}}
	}
	for _, cause := range err.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

// steady puts the names of a list in order: the library takes them from a map.
func steady(message string) string {
	const head, tail = "additionalProperties ", " not allowed"
	list, ok := strings.CutPrefix(message, head)
	list, ok2 := strings.CutSuffix(list, tail)
	if !ok || !ok2 {
		return message
	}
	names := strings.Split(list, ", ")
	slices.Sort(names)
	return head + strings.Join(names, ", ") + tail
}

// hugeNumber returns the place of a number that cannot be written out, or nil.
func hugeNumber(value any) pointer {
	return findPlace(value, func(v any) bool {
		n, ok := v.(json.Number)
		if !ok {
			return false
		}
		d, ok := parseDecimal(string(n))
		return !ok || d.exponent > maxExponent || d.exponent < -maxExponent || len(d.digits) > maxExponent
	})
}

// findPlace returns the place of the first value, in key order, that is as asked, or nil.
func findPlace(value any, is func(any) bool) pointer {
	if is(value) {
		return pointer{}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if p := findPlace(v[key], is); p != nil {
				return append(p, key)
			}
		}
	case []any:
		for i, item := range v {
			if p := findPlace(item, is); p != nil {
				return append(p, fmt.Sprint(i))
			}
		}
	}
	return nil
}
