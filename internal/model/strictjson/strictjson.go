// Package strictjson says whether bytes from outside are one JSON value that means the same to everybody who reads it.
// The standard decoder is more lenient than an answer that decides a gate may be: it writes U+FFFD for what is not UTF-8 and
// for half of a surrogate pair, takes the last of two equal keys, and stops reading behind the first value.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// maxDepth is how deep lists and objects may stand in one another. Answers of models stand ten deep at most.
const maxDepth = 64

// Check returns what is wrong with data, or nil: it is UTF-8 without a byte order mark, holds exactly one value, no key twice
// in an object, no number beyond float64, no NUL and no half of a surrogate pair in a string.
func Check(data []byte) error {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	case !utf8.Valid(data):
		return errors.New("it is not UTF-8")
	case bytes.HasPrefix(data, []byte("\ufeff")):
		return errors.New("it begins with a byte order mark")
	}
	if err := walk(data); err != nil {
		return err
	}
	return checkEscapes(data)
}

// walk reads data token by token to its end.
func walk(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var open []*level
	for {
		token, err := d.Token()
		if err != nil {
			return ended(err)
		}
		if open, err = enter(open, token); err != nil {
			return err
		}
		if len(open) == 0 {
			break
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind its end")
	}
	return nil
}

func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}

// level is a list, or an object with the keys that it had so far; key says that the next text is one.
type level struct {
	keys map[string]bool // nil: a list
	key  bool
}

// enter takes one token and returns the levels that are open behind it.
func enter(open []*level, token json.Token) ([]*level, error) {
	delim, isDelim := token.(json.Delim)
	if isDelim && (delim == '}' || delim == ']') {
		return open[:len(open)-1], nil
	}
	if len(open) > 0 {
		if err := open[len(open)-1].take(token); err != nil {
			return nil, err
		}
	}
	switch {
	case !isDelim:
		return open, nil
	case len(open) == maxDepth:
		return nil, fmt.Errorf("it is nested deeper than %d", maxDepth)
	case delim == '{':
		return append(open, &level{keys: map[string]bool{}, key: true}), nil
	}
	return append(open, &level{}), nil
}

// take notes a key or a value of the level.
func (l *level) take(token json.Token) error {
	if l.keys == nil {
		return nil
	}
	if l.key {
		name := token.(string) // the decoder lets nothing else stand there
		if l.keys[name] {
			return fmt.Errorf("the key %s is there twice", strconv.QuoteToASCII(name))
		}
		l.keys[name] = true
	}
	l.key = !l.key
	return nil
}

// checkEscapes looks at the \u escapes of valid JSON, in which a backslash stands in strings only.
func checkEscapes(data []byte) error {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		code := unit(data[i+1:])
		i += 4
		switch {
		case code == 0:
			return errors.New("a text in it holds NUL")
		case code >= 0xDC00 && code < 0xE000:
			return errors.New("a text in it holds half of a surrogate pair")
		case code >= 0xD800 && code < 0xDC00:
			if !bytes.HasPrefix(data[i+1:], []byte(`\u`)) || !isLow(data[i+3:]) {
				return errors.New("a text in it holds half of a surrogate pair")
			}
			i += 6
		}
	}
	return nil
}

// isLow reports that the low half of a pair stands at the begin of hex.
func isLow(hex []byte) bool {
	u := unit(hex)
	return u >= 0xDC00 && u < 0xE000
}

// unit is the value of the four hexadecimal digits that hex begins with.
func unit(hex []byte) int {
	n, err := strconv.ParseUint(string(hex[:4]), 16, 16)
	if err != nil {
		panic("strictjson: checked before: " + err.Error())
	}
	return int(n)
}
