package config

import (
	"fmt"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/document"
)

// reader collects what is wrong with one configuration file.
type reader struct {
	path   string
	faults []document.Diagnostic
}

func (r *reader) errorAt(at *document.Node, rule, format string, args ...any) {
	r.fault(document.Error, at.Pos, rule, format, args...)
}

func (r *reader) warnAt(at *document.Node, rule, format string, args ...any) {
	r.fault(document.Warning, at.Pos, rule, format, args...)
}

func (r *reader) fault(severity document.Severity, at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.Diagnostic{Severity: severity, Path: r.path, Line: at.Line, Column: at.Column,
		Rule: rule, Message: document.Line(fmt.Sprintf(format, args...))})
}

func textOf(n *document.Node) string {
	if n == nil || n.Kind != document.String {
		return ""
	}
	return n.Text
}

func numberOf(n *document.Node) (float64, bool) {
	if n == nil || n.Kind != document.Number {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil
}

// wholeOf returns a whole number, 0 if there is none; the schema bounds it.
func wholeOf(n *document.Node) int {
	v, _ := numberOf(n)
	return int(min(v, 1e15))
}

// figureOf returns an optional number.
func figureOf(n *document.Node) *float64 {
	if v, ok := numberOf(n); ok {
		return &v
	}
	return nil
}

// optionalWhole returns an optional whole number.
func optionalWhole(n *document.Node) *int {
	if n == nil {
		return nil
	}
	v := wholeOf(n)
	return &v
}

// seconds reads a duration, which the schema has given its form: 500ms, 30s, 20m, 1h.
func (r *reader) seconds(n *document.Node, most time.Duration) float64 {
	text := textOf(n)
	d, err := time.ParseDuration(text)
	switch {
	case text == "" || err != nil:
		return 0
	case d > most:
		r.errorAt(n, "range", "%s is longer than %s", document.Quote(text), most)
	}
	return d.Seconds()
}
