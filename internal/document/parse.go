package document

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	maxDepth     = 32        // largest nesting of maps and lists
	maxYAMLNodes = 200_000   // values and keys of a YAML file
	maxJSONNodes = 8_000_000 // values and keys of a JSON file: about 1 GiB of memory
	maxYAMLText  = 256 << 10 // bytes of one string in a YAML file
	maxDigits    = 64        // characters of a number
)

// Parse parses the file at path: *.json and *.jsonl as JSON, and any other file as YAML, which includes JSON. It
// returns a nil tree if it can read nothing. It may return a tree together with errors, so that the rest of the file
// can be checked. Schema.Check decides on the words yes, no, on and off.
func Parse(path string, data []byte) (*Node, []Diagnostic) { return parse(path, data, false) }

// ParseAnchored does what Parse does, for a file of another tool. It expands YAML anchors, aliases and merge keys. The
// limits of a file apply to the expanded values.
func ParseAnchored(path string, data []byte) (*Node, []Diagnostic) { return parse(path, data, true) }

func parse(path string, data []byte, anchored bool) (*Node, []Diagnostic) {
	f := NewDiagnostics(path)
	if f.checkEncoding(data); len(f.list) > 0 {
		return nil, f.All()
	}
	if text, ok := bytes.CutPrefix(data, bom); ok {
		f.Add(NewWarning(path, fileStart, "byte-order-mark",
			"the file begins with a byte order mark, which is ignored; save it as UTF-8 without one"))
		data = text
	}
	if isJSON(path) {
		return parseJSON(f, string(data), fileStart, maxJSONNodes, false), f.All()
	}
	return parseYAML(f, data, anchored), f.All()
}

// ParseJSON parses a text that is one JSON value, such as a line of a *.jsonl file. start is the position of the text
// in the file.
func ParseJSON(path, text string, start Position) (*Node, []Diagnostic) {
	f := NewDiagnostics(path)
	return parseJSON(f, text, start, maxJSONNodes, false), f.All()
}

// ParseLenient does what ParseJSON does, for a text that a program wrote. It accepts any JSON number, and reads invalid
// characters, such as half a surrogate pair, as U+FFFD. first is the position of the text in the file.
func ParseLenient(path, text string, first Position) (*Node, []Diagnostic) {
	f := NewDiagnostics(path)
	return parseJSON(f, text, first, maxJSONNodes, true), f.All()
}

// parseYAML parses YAML. If a text looks like JSON, it first tries to parse it as JSON. YAML readers do not know all
// escapes and white space of JSON.
func parseYAML(f *Diagnostics, data []byte, anchored bool) *Node {
	if len(data) > MaxYAML {
		f.tooLarge(MaxYAML)
		return nil
	}
	if !f.checkYAMLText(data) {
		return nil
	}
	if text := bytes.TrimSpace(data); bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("[")) {
		quiet := NewDiagnostics(f.Path)
		if root := parseJSON(quiet, string(data), fileStart, maxYAMLNodes, false); len(quiet.list) == 0 {
			return root
		}
	}
	return composeYAML(f, data, anchored)
}

const numberMessage = "%s is not a plain number; write digits such as 10, 0.85 or 1000, " +
	"without sign, exponent or leading zero, or put it in quotes if it is text"

// Decimal matches the only form of number that means the same to every reader. It is the form for files and for the
// command line.
var Decimal = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// otherNumber matches texts that some YAML or JSON readers take for numbers. They have signs, octal, hexadecimal or
// binary digits, `_` between digits, exponents or base 60, or are not-a-number.
var otherNumber = regexp.MustCompile(`^[-+]?(` +
	`0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|` +
	`[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|` +
	`([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?|` +
	`\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$`)

func isPlainNumber(text string) bool {
	return beginsNumber(text) && len(text) <= maxDigits && Decimal.MatchString(text)
}

func isOtherNumber(text string) bool { return beginsNumber(text) && otherNumber.MatchString(text) }

// beginsNumber reports whether the first byte of text may begin a number. For most texts, this check saves a regular
// expression.
func beginsNumber(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}
