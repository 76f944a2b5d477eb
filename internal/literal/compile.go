package literal

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Bounds of a regular expression of a user's.
const (
	maxPattern   = 1 << 10 // bytes
	MatchesTried = 1000    // most matches that are looked at
)

// Compile compiles what was made of the user's regular expression, which must not match everywhere. The error is a fault of the
// user's text.
func Compile(source, made string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes; at most %d are allowed", len(source), maxPattern)
	}
	re, err := regexp.Compile(made)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	case re.MatchString(""):
		return nil, errors.New("the regular expression matches the empty text, and so every answer")
	}
	return re, nil
}
