package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// maxJSONDepth is the deepest nesting of lists and objects. Models' answers have ten levels at most.
const maxJSONDepth = 64

// CheckJSON returns an error if data is not one JSON value that all readers understand alike. The value must be UTF-8
// without a byte order mark, with no repeated key, no number beyond float64, no NUL and no half surrogate pair. The
// standard decoder is too lenient for an answer that decides a gate: it replaces invalid characters, takes the last of
// two equal keys, and ignores what follows the first value.
func CheckJSON(data []byte) error {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	case !utf8.Valid(data):
		return errors.New("it is not UTF-8")
	case bytes.HasPrefix(data, []byte("\ufeff")):
		return errors.New("it begins with a byte order mark")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	switch err := checkValue(d, 0); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends too early")
	case err != nil:
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind its end")
	}
	return checkEscapes(data)
}

// checkValue reads the next value from d. It returns an error if the value is not valid, has a repeated key, or is
// nested too deep. depth is the number of lists and objects around the value.
func checkValue(d *json.Decoder, depth int) error {
	token, err := d.Token()
	open, nests := token.(json.Delim)
	switch {
	case err != nil || !nests:
		return err
	case depth == maxJSONDepth:
		return fmt.Errorf("it is nested deeper than %d", maxJSONDepth)
	case open == '[':
		return text.Items(d, func() error { return checkValue(d, depth+1) })
	}
	return text.Members(d, func(string) error { return checkValue(d, depth+1) })
}

// checkEscapes returns an error if a \u escape in data stands for NUL or half of a surrogate pair. data is valid JSON,
// which has backslashes only in strings.
func checkEscapes(data []byte) error {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		code := hexUnit(data[i+1:])
		i += 4
		switch {
		case code == 0:
			return errors.New("a text in it contains NUL")
		case utf16.IsSurrogate(code):
			if !bytes.HasPrefix(data[i+1:], []byte(`\u`)) ||
				utf16.DecodeRune(code, hexUnit(data[i+3:])) == utf8.RuneError {
				return errors.New("a text in it contains half of a surrogate pair")
			}
			i += 6
		}
	}
	return nil
}

// hexUnit returns the value of the first four hexadecimal digits, which were checked before.
func hexUnit(hex []byte) rune { return rune(text.Must(strconv.ParseUint(string(hex[:4]), 16, 16))) }
