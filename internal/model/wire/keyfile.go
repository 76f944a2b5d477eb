package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/failproof/failproof/internal/redact"
)

// maxKey bounds a key in bytes; tokens of clouds have some thousand.
const maxKey = 16 << 10

// KeyFile is a file that holds a key and nothing else, which somebody renews. It is safe for concurrent use.
type KeyFile struct {
	path    string
	learned *redact.Learned
}

// NewKeyFile returns a key file. Every key that is read from it is redacted by those who redact what is learned, before it is sent.
func NewKeyFile(path string, learned *redact.Learned) *KeyFile { return &KeyFile{path, learned} }

// Read returns the key that the file holds now. No error holds what is in it.
func (f *KeyFile) Read() (string, error) {
	text, err := f.text()
	if err != nil {
		return "", fmt.Errorf("api_key_file: %w", err)
	}
	key := strings.TrimSpace(text)
	switch {
	case key == "":
		return "", fmt.Errorf("api_key_file: %s is empty", f.path)
	case !IsKey(key):
		return "", fmt.Errorf("api_key_file: %s holds more than a key: a space, or a letter that keys do not have", f.path)
	}
	f.learned.Add(key)
	return key, nil
}

// text reads a file of its own; a device or a pipe might never end.
func (f *KeyFile) text() (string, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file", f.path)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKey+1))
	if len(text) > maxKey {
		err = errors.Join(err, fmt.Errorf("%s is longer than %d KiB", f.path, maxKey>>10))
	}
	return string(text), err
}

// IsKey reports whether a text can be a key: printable ASCII without spaces, which fits into a header as it is.
func IsKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}
