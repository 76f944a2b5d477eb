package rows

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// EachToken calls take for each token, until take returns an error. It returns an error for a document type, which
// could define entities, and for a value beyond the limits.
func EachToken(data []byte, take func(xml.Token) error) error {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Entity, dec.CharsetReader = nil, charset(data)
	for depth, ended := 0, false; ; {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is no valid XML: %w", err)
		}
		switch v := t.(type) {
		case xml.Directive:
			return errors.New("it has a document type, which is not read: take it out")
		case xml.StartElement:
			if ended {
				return errors.New("an element follows the first one and what is in it; expected nothing more")
			}
			if depth++; depth > MaxDepth {
				return fmt.Errorf("it is deeper than %d elements inside each other", MaxDepth)
			}
			for _, a := range v.Attr {
				if len(a.Value) > MaxText {
					return errors.New("it holds a text of more than 1 MiB")
				}
			}
		case xml.EndElement:
			depth--
			ended = depth == 0
		case xml.CharData:
			if len(v) > MaxText {
				return errors.New("it holds a text of more than 1 MiB")
			}
		}
		if err := take(t); err != nil {
			return err
		}
	}
}

// charset returns a function for CharsetReader of a decoder of data. The function accepts some encodings other than
// UTF-8 if all bytes of data are ASCII, which these encodings share with UTF-8.
func charset(data []byte) func(string, io.Reader) (io.Reader, error) {
	ascii := !bytes.ContainsFunc(data, func(r rune) bool { return r >= utf8.RuneSelf })
	return func(label string, in io.Reader) (io.Reader, error) {
		name := strings.ToLower(label)
		if name == "utf8" || ascii && (name == "us-ascii" || name == "ascii" || name == "windows-1252" || strings.HasPrefix(name, "iso-8859-")) {
			return in, nil
		}
		return nil, fmt.Errorf("its encoding is %q; save it as UTF-8, and say so in its first line", label)
	}
}

// errFound stops EachToken after the first element.
var errFound = errors.New("found")

// rootOf returns the name of the first element, or "" if there is none.
func rootOf(data []byte) (name string) {
	_ = EachToken(data, func(t xml.Token) error { // the format's reader reports errors
		if e, ok := t.(xml.StartElement); ok {
			name = e.Name.Local
			return errFound
		}
		return nil
	})
	return name
}
