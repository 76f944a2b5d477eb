package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"

	"github.com/failproof/failproof/internal/document"
)

// entry is a key of the file with the field that holds it. A key that has a line in a list of entries is read, and compared between
// base and head, without being named again.
type entry struct {
	key  string
	at   any           // the field, which is read by its type; nil for one that is made of several
	said func() string // what it means; nil: what the field holds
}

// read takes over what the file says. A field keeps its default where the file says nothing, or nothing of its kind.
func (e entry) read(n *document.Node) {
	whole, isNumber := wholeOf(n), n != nil && n.Kind == document.Number
	switch at := e.at.(type) {
	case *string:
		*at = cmp.Or(wordOf(n), *at)
	case *Phase:
		*at = cmp.Or(Phase(wordOf(n)), *at)
	case *Level:
		*at = cmp.Or(Level(wordOf(n)), *at)
	case *Rule:
		*at = ruleOf(n, *at)
	case *bool:
		if n != nil && n.Kind == document.Bool {
			*at = n.IsTrue()
		}
	case *[]string:
		if n != nil {
			*at = textsOf(n)
		}
	case *int:
		if isNumber {
			*at = whole
		}
	case **int:
		if isNumber {
			*at = &whole
		}
	case *float64:
		if v, ok := n.AsNumber(); ok {
			*at = v
		}
	case **float64:
		if v, ok := n.AsNumber(); ok {
			*at = &v
		}
	}
}

// meaning is equal where the entry means the same, "" where it is not set.
func (e entry) meaning() string {
	if e.said != nil {
		return e.said()
	}
	held := reflect.ValueOf(e.at)
	for held.Kind() == reflect.Pointer && !held.IsNil() {
		held = held.Elem()
	}
	switch held.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Pointer, reflect.String, reflect.Bool, reflect.Slice: // of a number, or a price, nothing is a value too
		if held.IsZero() {
			return ""
		}
	}
	switch v := held.Interface().(type) {
	case Rule:
		return v.meaning()
	case []*regexp.Regexp:
		return fmt.Sprintf("%q", texts(v))
	case []string:
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

// wordOf returns text in quotes or without: `off` without quotes is a boolean to some readers of YAML.
func wordOf(n *document.Node) string {
	if n != nil && n.Kind == document.Bool {
		return n.Text
	}
	return n.AsText()
}
