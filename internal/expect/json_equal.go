package expect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func jsonJudge(text string) (judge, error) {
	want := strictJSON(strings.TrimSpace(text))
	if want.fault != "" {
		return nil, faultf(0, "the expected text is not JSON: %s", want.fault)
	}
	return func(a *Answer) string {
		got := a.json()
		if got.fault != "" {
			return "not JSON: " + got.fault
		}
		if d := differ(want.value, got.value); d != nil {
			return d.String()
		}
		return ""
	}, nil
}

// pointer is a JSON pointer, its steps from the inside out.
type pointer []string

func (p pointer) String() string {
	if len(p) == 0 {
		return "the answer"
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for i := len(p) - 1; i >= 0; i-- {
		b.WriteString("/" + escape.Replace(p[i]))
	}
	return b.String()
}

// jsonDifference is the first place, in key order, where two values differ.
type jsonDifference struct {
	path pointer
	why  string
}

func (d *jsonDifference) String() string {
	if len(d.path) == 0 {
		return d.why
	}
	return cut(d.path.String(), 100) + ": " + d.why
}

func (d *jsonDifference) inside(step string) *jsonDifference {
	d.path = append(d.path, step)
	return d
}

// differ returns nil for equal values. Numbers are equal by value, exactly: 1, 1.0 and 1e0; keys have no order.
func differ(want, got any) *jsonDifference {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return differObjects(w, g)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return differArrays(w, g)
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(string(w), string(g)) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return &jsonDifference{why: fmt.Sprintf("expected %s, got %s", showJSON(want), showJSON(got))}
}

func differObjects(want, got map[string]any) *jsonDifference {
	for _, key := range sortedKeys(want) {
		g, ok := got[key]
		if !ok {
			return (&jsonDifference{why: "missing"}).inside(key)
		}
		if d := differ(want[key], g); d != nil {
			return d.inside(key)
		}
	}
	for _, key := range sortedKeys(got) {
		if _, ok := want[key]; !ok {
			return (&jsonDifference{why: "not expected"}).inside(key)
		}
	}
	return nil
}

func differArrays(want, got []any) *jsonDifference {
	for i := range min(len(want), len(got)) {
		if d := differ(want[i], got[i]); d != nil {
			return d.inside(fmt.Sprint(i))
		}
	}
	if len(want) != len(got) {
		return &jsonDifference{why: fmt.Sprintf("expected %d items, got %d", len(want), len(got))}
	}
	return nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// showJSON quotes a scalar and names anything else.
func showJSON(v any) string {
	switch v := v.(type) {
	case string:
		return quoteCut(v)
	case json.Number:
		return cut(string(v), 60)
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case []any:
		return "an array"
	}
	return "an object"
}
