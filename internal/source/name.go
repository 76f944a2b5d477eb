package source

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/failproof/failproof/internal/text"
)

// maxName is the largest length of a path in bytes, as Linux's PATH_MAX.
const maxName = 4096

// checkName returns nil if name may be opened in a tree. Otherwise the error is ErrOutside, ErrName or ErrForbidden.
func checkName(name string) error {
	if err := checkText(name); err != nil {
		return err
	}
	parts := strings.Split(name, "/")
	if slices.Contains(parts, "..") {
		return fmt.Errorf("%w (it has a \"..\")", ErrOutside)
	}
	switch {
	case strings.HasPrefix(name, "/"):
		return fmt.Errorf("%w (it is absolute)", ErrOutside)
	case !fs.ValidPath(name):
		return fmt.Errorf("%w: it is empty, or has an empty or \".\" part", ErrName)
	}
	for _, part := range parts {
		if text.IsPrivate(part) {
			return fmt.Errorf("%q %w", part, ErrForbidden)
		}
	}
	return nil
}

// checkText returns nil if name is a text that a path may have. Otherwise the error is ErrName.
func checkText(name string) error {
	switch {
	case len(name) > maxName:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrName, maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: it is not UTF-8", ErrName)
	case strings.Contains(name, `\`):
		return fmt.Errorf("%w: it has a backslash, write / between folders", ErrName)
	case !norm.NFC.IsNormalString(name):
		return fmt.Errorf("%w: it is not in Unicode normal form NFC", ErrName)
	}
	for _, r := range name {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return fmt.Errorf("%w: it has the control character %U", ErrName, r)
		}
	}
	return nil
}
