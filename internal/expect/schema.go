package expect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schemaURL is the library's name for the schema. The library would add the current folder to a relative name.
const schemaURL = "mem:///schema.json"

// Limits of values that are checked against a schema. The library writes numbers out in full, and compares unique items
// pairwise.
const (
	maxExponent    = 400
	maxUniqueItems = 5000
)

// schema is a JSON Schema, draft 2020-12 unless it names another. A nil schema allows everything.
type schema struct {
	compiled       *jsonschema.Schema
	hasUniqueItems bool // it has uniqueItems

	mu    sync.Mutex // guards meter while a value is validated
	meter *costMeter
}

var errNotLocal = errors.New("a schema may only refer to itself; no other file or address is read")

func compileSchema(text []byte) (*schema, error) {
	parsed := strictJSON(string(text))
	if parsed.fault != "" {
		return nil, faultf(0, "the schema is not JSON: %s", parsed.fault)
	}
	if place := findPlace(parsed.value, isHuge); place != nil {
		return nil, faultf(0, "number out of range in the schema at %s", place)
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errNotLocal }
	s := &schema{hasUniqueItems: bytes.Contains(text, []byte(`"uniqueItems"`)), meter: &costMeter{}}
	c.RegisterExtension("work", nil, s.meter)
	err := c.AddResource(schemaURL, bytes.NewReader(text))
	if err == nil {
		s.compiled, err = c.Compile(schemaURL)
	}
	if err != nil {
		return nil, faultf(0, "not a JSON Schema: %s", schemaErrorMessage(err))
	}
	return s, nil
}

func schemaErrorMessage(err error) string {
	if errors.Is(err, errNotLocal) {
		return errNotLocal.Error()
	}
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return firstFaultMessage(invalid)
	}
	return oneLine(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "jsonschema "), schemaURL, "schema"))
}

// fault returns where and how value breaks the schema, or "".
func (s *schema) fault(value any) string {
	if s == nil {
		return ""
	}
	if place, why := s.unfit(value); why != "" {
		return fmt.Sprintf("%s: %s", place, why)
	}
	if nestedDeeper(value, maxNesting) {
		return fmt.Sprintf("could not be checked: nested more than %d levels deep", maxNesting)
	}
	err, completed := s.validate(value)
	switch {
	case !completed:
		return "could not be checked: the schema asks for too many steps, as one does whose parts refer to each " +
			"other in more than one way"
	case err == nil:
		return ""
	}
	return schemaErrorMessage(err)
}

type schemaFault struct{ place, message string }

// firstFaultMessage returns the message of the first error by place, with the number of other errors.
func firstFaultMessage(err *jsonschema.ValidationError) string {
	faults := leafFaults(err)
	slices.SortFunc(faults, func(a, b schemaFault) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.message, b.message))
	})
	first := faults[0]
	text := truncate(cmp.Or(first.place, "the answer")+": "+first.message, maxQuotedRunes-20)
	if others := slices.IndexFunc(faults, func(f schemaFault) bool { return f != first }); others > 0 {
		text += fmt.Sprintf(" (and %d more)", len(faults)-others)
	}
	return text
}

func leafFaults(err *jsonschema.ValidationError) (out []schemaFault) {
	if len(err.Causes) == 0 {
		place := err.InstanceLocation
		// The library escapes percent-wise on top of the pointer's own ~0 and ~1.
		if plain, err := url.PathUnescape(place); err == nil {
			place = plain
		}
		return []schemaFault{{place, sortPropertyNames(err.Message)}}
	}
	for _, cause := range err.Causes {
		out = append(out, leafFaults(cause)...)
	}
	return out
}

// sortPropertyNames sorts the names of additional properties in the library's message, which takes them from a map.
func sortPropertyNames(message string) string {
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

// isHuge reports whether a value is a number that cannot be written out.
func isHuge(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	d, ok := parseDecimal(string(n))
	return !ok || d.exponent > maxExponent || d.exponent < -maxExponent || len(d.digits) > maxExponent
}

// unfit returns the place of the first part of a value that the library cannot check in time, and the reason; "" if it
// can check all.
func (s *schema) unfit(value any) (place jsonPointer, why string) {
	place = findPlace(value, func(v any) bool {
		switch {
		case isHuge(v):
			why = "number out of range"
		case s.hasUniqueItems && itemCount(v) > maxUniqueItems:
			why = fmt.Sprintf("more than %d items, too many to compare with each other", maxUniqueItems)
		case s.meter.cost.of(v) > maxSchemaWork:
			why = "could not be checked: too large for a schema of such patterns or so many parts"
		}
		return why != ""
	})
	return place, why
}

// findPlace returns the place of the first value, in key order, that meets the condition; nil if no value does.
func findPlace(value any, match func(any) bool) jsonPointer {
	if match(value) {
		return jsonPointer{}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if p := findPlace(v[key], match); p != nil {
				return append(p, key)
			}
		}
	case []any:
		for i, item := range v {
			if p := findPlace(item, match); p != nil {
				return append(p, fmt.Sprint(i))
			}
		}
	}
	return nil
}

// Limits of one check of a value against a schema. The library follows every path through anyOf and $ref, so the number
// of steps can be exponential in the length of the schema.
const (
	// the most cost units of one check, which take a second or two; a visit costs at least visitCost
	maxSchemaWork = 1 << 25
	visitCost     = 64
	numberCost    = 32   // of comparing numbers, which the library does with fractions of any length
	maxNesting    = 1000 // an error has its full path at each level, which is quadratic in the depth
)

// schemaCost has the costs of one visit of a schema or a subschema.
type schemaCost struct {
	subschemas int // subschemas that may see the same value
	pattern    int // instructions of the largest pattern
	names      int // instructions of all patternProperties
}

// of returns the cost of one visit of a value.
func (c schemaCost) of(v any) int {
	units := visitCost + c.subschemas*recordCount(v)
	switch v := v.(type) {
	case string:
		units += c.pattern * len(v)
	case map[string]any:
		for name := range v {
			units += c.names * len(name)
		}
	}
	return units
}

// costMeter counts the costs of one check. The library calls it as an extension of every subschema.
type costMeter struct {
	cost  schemaCost
	spent int
}

// costLimitPanic is the panic that ends a check that costs too much. The library has no other way to stop.
type costLimitPanic struct{}

// subschemaCost has the costs of visiting one subschema.
type subschemaCost struct {
	schemaCost
	meter      *costMeter
	enumValues int // number of values in enum and const
}

// Compile returns the costs of a subschema. The library calls it for every subschema, after validating the schema.
func (c *costMeter) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	// 8 counts the keywords not, if, then, else, $ref, items and contains, and the schema itself
	s := &subschemaCost{schemaCost{subschemas: 8}, c, comparisonCost(m["enum"]) + comparisonCost(m["const"])}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"} {
		s.subschemas += itemCount(m[keyword])
	}
	if source, ok := m["pattern"].(string); ok {
		p, err := compilePattern(source)
		if err != nil {
			return nil, err
		}
		s.pattern = p.size
	}
	names, _ := m["patternProperties"].(map[string]any)
	for source := range names {
		p, err := compilePattern(source)
		if err != nil {
			return nil, err
		}
		s.names += p.size
	}
	c.cost.subschemas += s.subschemas
	c.cost.pattern = max(c.cost.pattern, s.pattern)
	c.cost.names += s.names
	return s, nil
}

// Validate pays for a visit, mostly after it. schema.unfit therefore limits a single visit in advance.
func (s *subschemaCost) Validate(ctx jsonschema.ValidationContext, v any) error {
	units := s.of(v) + s.enumValues
	// The library copies the path of keywords, which grows with recursion. ctx.Error is slow, so only costly checks
	// call it.
	if s.meter.spent > maxSchemaWork/256 {
		units += 16 * len(ctx.Error("", "").KeywordLocation)
	}
	if s.meter.spent += units; s.meter.spent > maxSchemaWork {
		panic(costLimitPanic{})
	}
	return nil
}

// recordCount returns the number of records that the library makes for a value and its children.
func recordCount(v any) int {
	n := 1 + 2*itemCount(v)
	for part := range children(v) {
		n += itemCount(part)
	}
	return n
}

// children yields the values of an object or a list.
func children(v any) iter.Seq[any] {
	switch v := v.(type) {
	case map[string]any:
		return maps.Values(v)
	case []any:
		return slices.Values(v)
	}
	return func(func(any) bool) {}
}

// itemCount returns the number of values of an object or a list.
func itemCount(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// comparisonCost returns the cost of comparing with v and its parts.
func comparisonCost(v any) int {
	if v == nil {
		return 0
	}
	n := 1
	if _, ok := v.(json.Number); ok {
		n = numberCost
	}
	for part := range children(v) {
		n += comparisonCost(part)
	}
	return n
}

// nestedDeeper reports whether lists and objects are nested more deeply than depth.
func nestedDeeper(value any, depth int) bool {
	for part := range children(value) {
		if depth == 0 || nestedDeeper(part, depth-1) {
			return true
		}
	}
	return false
}

// validate validates a value. completed is false if it came to the cost limit, which is the same on every machine.
func (s *schema) validate(value any) (err error, completed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(costLimitPanic); !ok {
				panic(r)
			}
			err, completed = nil, false
		}
	}()
	s.meter.spent = 0
	return s.compiled.Validate(value), true
}
