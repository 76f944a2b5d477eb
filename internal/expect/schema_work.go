package expect

import (
	"iter"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Bounds of one check of a value against a schema. The library follows every way through anyOf and $ref, so that a schema of a few lines
// can ask for more steps than anybody waits for.
const (
	maxSchemaWork = 1 << 25 // units, of which a visit costs visitCost at least, and more for what it compares; a second or two
	visitCost     = 64
	maxNesting    = 1000 // what is wrong deep inside is named with all of its place, once for each level
)

// schemaSize says how much a schema may make of each part of a value.
type schemaSize struct {
	objects int // of the schema
	pattern int // instructions of the largest pattern of texts
	names   int // instructions of all patterns of names
}

// work counts the steps of one check; it is an extension that every part of the schema has. Its methods are called by one goroutine.
type work struct {
	size  schemaSize
	spent int
}

// tooCostly ends a check that costs too much: the library knows no other way to end one.
type tooCostly struct{}

// step is one part of a schema, and what a visit of it costs.
type step struct {
	work    *work
	inPlace int // how many other parts may see the same value
	values  int // values of enum and const that it may be compared with
	pattern int // instructions
	names   int
}

// Compile is called by the library for every part of a schema that can have keywords. The schema was found sound before.
func (w *work) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	s := &step{work: w, inPlace: 8, values: countValues(m["enum"]) + countValues(m["const"])} // not, if, then, else, $ref, items, contains, itself
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"} {
		switch parts := m[keyword].(type) {
		case []any:
			s.inPlace += len(parts)
		case map[string]any:
			s.inPlace += len(parts)
		}
	}
	if source, is := m["pattern"].(string); is {
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
	w.size.objects += s.inPlace
	w.size.pattern = max(w.size.pattern, s.pattern)
	w.size.names += s.names
	return s, nil
}

// Validate pays for a visit, of which the library has done most by then: what one visit alone may cost is bounded by schemaSize.
func (s *step) Validate(ctx jsonschema.ValidationContext, v any) error {
	units := visitCost + s.inPlace*extent(v) + s.values
	switch v := v.(type) {
	case string:
		units += s.pattern * len(v)
	case map[string]any:
		if s.names > 0 {
			units += s.names * nameBytes(v)
		}
	}
	if s.work.spent > maxSchemaWork/256 { // of a check that costs more than most it is asked how deep it is, which costs the library most
		units += 16 * len(ctx.Error("", "").KeywordLocation)
	}
	if s.work.spent += units; s.work.spent > maxSchemaWork {
		panic(tooCostly{})
	}
	return nil
}

// extent is how much the library notes of a value when it looks at it, and at each of its parts.
func extent(v any) int {
	n := 1 + 2*size(v)
	for part := range parts(v) {
		n += size(part)
	}
	return n
}

// parts are the values that an object or a list holds.
func parts(v any) iter.Seq[any] {
	switch v := v.(type) {
	case map[string]any:
		return maps.Values(v)
	case []any:
		return slices.Values(v)
	}
	return func(func(any) bool) {}
}

// size is how many parts those are.
func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

func nameBytes(object map[string]any) (n int) {
	for name := range object {
		n += len(name)
	}
	return n
}

func countValues(v any) int {
	if v == nil {
		return 0
	}
	n := 1
	for part := range parts(v) {
		n += countValues(part)
	}
	return n
}

// tooLarge returns the place of the first part of a value that one visit of the schema would take too long for, and why; nil for none.
func (s schemaSize) tooLarge(value any) (place pointer, why string) {
	place = findPlace(value, func(v any) bool {
		text, _ := v.(string)
		object, _ := v.(map[string]any)
		switch {
		case len(text) > maxRegexWork/max(1, s.pattern):
			why = "a pattern of the schema is too costly for a text so long"
		case extent(v) > maxSchemaWork/max(1, s.objects):
			why = "too large for a schema of so many parts"
		case s.names > 0 && nameBytes(object) > maxRegexWork/s.names:
			why = "the patternProperties of the schema are too costly for names so long"
		}
		return why != ""
	})
	return place, why
}

// nested reports a value with lists and objects in each other more deeply than that.
func nested(value any, depth int) bool {
	for part := range parts(value) {
		if depth == 0 || nested(part, depth-1) {
			return true
		}
	}
	return false
}

// checked validates and says whether that ended. What is too costly is the same everywhere: no clock is asked.
func (c *checker) checked(value any) (err error, ended bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(tooCostly); !is {
				panic(r)
			}
			err, ended = nil, false
		}
	}()
	c.work.spent = 0
	return c.compiled.Validate(value), true
}
