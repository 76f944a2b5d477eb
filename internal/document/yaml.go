package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

var errDepth = fmt.Errorf("more than %d maps and lists inside each other", maxDepth)

// composeYAML parses data into nodes of the YAML library and converts them. anchored says whether to expand anchors,
// aliases and merge keys. composeYAML rejects data that is nested too deep.
func composeYAML(f *Diagnostics, data []byte, anchored bool) *Node {
	limits := loaderlimits.New(loaderlimits.DepthFunc(func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return errDepth
		}
		return nil
	}))
	var doc, next yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithUniqueKeys(false), yaml.WithPlugin(limits))
	if err == nil {
		err = loader.Load(&doc)
	}
	if err == nil {
		if err = loader.Load(&next); err == nil {
			f.ErrorAt(Position{Line: next.Line, Column: max(next.Column, 1)}, "second-document",
				"a second YAML document begins here, and only one is read; put it in a file of its own")
			return nil
		}
	}
	if err != io.EOF {
		f.addYAMLError(data, err)
		return nil
	}
	w := walker{faults: f, end: endOf(data), anchored: anchored}
	root := &Node{}
	if len(doc.Content) == 1 {
		root = w.convert(doc.Content[0], 1)
	}
	if root.Kind == Null && !root.faulty && !w.stopped {
		f.ErrorAt(fileStart, "empty", "the file is empty, or has only comments or null")
	}
	if w.stopped || root.Kind == Null {
		return nil
	}
	return root
}

// addYAMLError reports err, the error of parsing data. For common mistakes, it has messages of its own.
func (f *Diagnostics) addYAMLError(data []byte, err error) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		f.ErrorAt(fileStart, "syntax", "not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	at := clampPosition(data, load.Mark)
	switch {
	case strings.Contains(load.Message, errDepth.Error()):
		f.ErrorAt(at, "too-deep", "%s; write it flatter", errDepth)
	case strings.HasPrefix(load.Message, "unknown anchor"):
		f.ErrorAt(at, "alias", "%s", aliasMessage)
	case strings.Contains(load.Message, "invalid Unicode character escape"):
		f.ErrorAt(at, "encoding", "an escape that is not a character, such as half of a surrogate pair; write the "+
			"character itself")
	case strings.Contains(load.Message, "end of stream") && strings.Contains(load.ContextMsg, "quoted scalar"):
		f.ErrorAt(clampPosition(data, load.ContextMark), "syntax", "not YAML: the text that begins with this quote is not closed")
	default:
		if tab, ok := indentTab(data, load.Mark.Line, load.ContextMark.Line); ok {
			f.ErrorAt(tab, "tab", "the line is indented with a tab; YAML is indented with spaces")
			return
		}
		f.ErrorAt(at, "syntax", "not YAML: %s", parserMessage(load))
	}
}

const aliasMessage = "anchors and aliases (`&name`, `*name`) are not allowed; write the value out, or put text that " +
	"begins with * or & in quotes"

const duplicateMessage = "key %s is also at line %d; keep one of them"

// hints are pieces of advice for the most frequent errors of the parsers of YAML and JSON.
var hints = []struct{ found, hint string }{
	{"cannot start any token", "text that begins with @, `, % or the like needs quotes"},
	{"mapping values are not allowed", "text with \": \" needs quotes; keys of a map go on lines of their own"},
	{"did not find expected '-' indicator", "indent this line like the others of its list or map"},
	{"unknown escape character", "a backslash in double quotes is written \\\\; in single quotes it stands for itself"},
	{"while scanning an alias", "text that begins with * needs quotes"},
	{"while scanning an anchor", "text that begins with & needs quotes"},
	{"looking for beginning of object key string", "a key has double quotes, and no comma stands before }"},
	{"character ']' looking for beginning of value", "no comma stands before ]"},
	{"character '/'", "comments are not allowed in JSON; remove it"},
	{`character '\''`, "JSON has text in double quotes"},
	{"looking for beginning of value", "a file with this ending is JSON; name it .yaml if it is YAML"},
	{"in string literal", `write the character as an escape, such as \n`},
	{"in string escape code", `a backslash is written \\`},
}

// parserMessage returns the message of the parser, with the line where its context begins if that is another line, and
// a hint, if there is one.
func parserMessage(e *yaml.LoadError) string {
	message := e.Message
	switch {
	case e.ContextMsg == "":
	case e.ContextMark.Line > 0 && e.ContextMark.Line != e.Mark.Line:
		message = fmt.Sprintf("%s, %s that begins at line %d", e.Message, e.ContextMsg, e.ContextMark.Line)
	default:
		message += ", " + e.ContextMsg
	}
	return withHint(message)
}

// withHint returns the message of a parser with the hint about it, if there is one.
func withHint(message string) string {
	for _, h := range hints {
		if strings.Contains(message, h.found) {
			return message + "; " + h.hint
		}
	}
	return message
}

// clampPosition returns the position at if it is inside the text. Otherwise it returns the end of the last line that is
// not empty.
func clampPosition(data []byte, at yaml.Mark) Position {
	if end := endOf(data); at.Line < 1 || at.Line > end.Line {
		return end
	}
	return Position{Line: at.Line, Column: max(at.Column, 1)}
}

// endOf returns the position after the last character of data that is no line end.
func endOf(data []byte) Position {
	text := bytes.TrimRight(data, "\r\n")
	return positionOf(text, len(text))
}

// indentTab returns the position of a tab in the indentation of one of the lines with the given numbers, or of the
// lines before them.
func indentTab(data []byte, numbers ...int) (Position, bool) {
	lines := bytes.Split(data, []byte("\n"))
	for _, n := range numbers {
		for _, i := range []int{n, n - 1} {
			if i < 1 || i > len(lines) {
				continue
			}
			line := lines[i-1]
			indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
			if tab := bytes.IndexByte(indent, '\t'); tab >= 0 {
				return Position{Line: i, Column: tab + 1}, true
			}
		}
	}
	return Position{}, false
}
