package source

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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
		if forbidden(part) {
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

// forbidden reports whether part, a path component, names git's own folder or an environment file. Some file systems
// open the same file under other spellings. They ignore letter case, trailing dots and spaces (Windows, macOS) or
// invisible characters (HFS+). NTFS also knows .git as GIT~1.
func forbidden(part string) bool {
	s := strings.ToLower(strings.Map(dropIgnorable, part))
	s = strings.TrimRight(s, ". ")
	return s == ".git" || s == "git~1" || strings.HasPrefix(s, ".env")
}

// dropIgnorable returns -1 for the code points that HFS+ ignores in names (Apple TN1150), and r for all others.
func dropIgnorable(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}
