package expect

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// xmlFault returns why text is not one well-formed XML element, or "". Its cost is linear; entities are never expanded.
func xmlFault(text string) string {
	d := xml.NewDecoder(strings.NewReader(strings.TrimSpace(text)))
	// The answer is text already, whatever encoding it declares.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var outline xmlOutline
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return outline.end()
		case err != nil:
			return "Not XML: " + cut(strings.TrimPrefix(err.Error(), "XML "), 200)
		}
		if fault := outline.add(token); fault != "" {
			line, column := d.InputPos()
			return fmt.Sprintf("%s at line %d, column %d", fault, line, column)
		}
	}
}

// xmlOutline follows what encoding/xml leaves open: one root, nothing beside it, no attribute twice.
type xmlOutline struct{ depth, roots int }

func (o *xmlOutline) add(token xml.Token) (fault string) {
	switch t := token.(type) {
	case xml.StartElement:
		if o.depth == 0 {
			o.roots++
		}
		o.depth++
		if o.roots > 1 {
			return "Second XML root element <" + cut(t.Name.Local, 60) + ">"
		}
		return attributeTwice(t)
	case xml.EndElement:
		o.depth--
	case xml.CharData:
		if o.depth == 0 && strings.TrimSpace(string(t)) != "" {
			return "Text outside the XML root element"
		}
	}
	return ""
}

func (o *xmlOutline) end() string {
	if o.roots == 0 {
		return "Expected an XML element, but found none"
	}
	return ""
}

func attributeTwice(t xml.StartElement) string {
	if len(t.Attr) < 2 {
		return ""
	}
	seen := make(map[xml.Name]bool, len(t.Attr))
	for _, a := range t.Attr {
		if seen[a.Name] {
			return "XML attribute " + cut(a.Name.Local, 60) + " is there twice"
		}
		seen[a.Name] = true
	}
	return ""
}
