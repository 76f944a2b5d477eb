package config

import (
	"time"

	"github.com/failproof/failproof/internal/document"
)

// reader collects what is wrong with one configuration file.
type reader struct {
	path   string
	faults []document.Diagnostic
}

func (r *reader) errorAt(at *document.Node, rule, format string, args ...any) {
	r.faultAt(at.Pos, rule, format, args...)
}

func (r *reader) warnAt(at *document.Node, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewWarning(r.path, at.Pos, rule, format, args...))
}

func (r *reader) faultAt(at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewFault(r.path, at, rule, format, args...))
}

// wholeOf returns a whole number, 0 if there is none; the schema bounds it.
func wholeOf(n *document.Node) int {
	v, _ := n.AsNumber()
	return int(min(v, 1e15))
}

// seconds reads a duration, which the schema has given its form: 500ms, 30s, 20m, 1h.
func (r *reader) seconds(n *document.Node, most time.Duration) float64 {
	text := n.AsText()
	d, err := time.ParseDuration(text)
	switch {
	case text == "" || err != nil:
		return 0
	case d > most:
		r.errorAt(n, "range", "%s is longer than %s", document.Quote(text), most)
	}
	return d.Seconds()
}
