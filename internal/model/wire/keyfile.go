package wire

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/regular"
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
	text, err := regular.Read(f.path, maxKey)
	if err != nil {
		return "", fmt.Errorf("api_key_file: %w", err)
	}
	key := strings.TrimSpace(string(text))
	switch {
	case key == "":
		return "", fmt.Errorf("api_key_file: %s is empty", f.path)
	case !IsKey(key):
		return "", fmt.Errorf("api_key_file: %s holds more than a key: a space, or a letter that keys do not have", f.path)
	}
	f.learned.Add(key)
	return key, nil
}

// IsKey reports whether a text can be a key: printable ASCII without spaces, which fits into a header as it is.
func IsKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}
