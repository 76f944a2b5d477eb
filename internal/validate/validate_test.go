package validate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAKeyInTheRepositoryIsAFault(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "failproof-validate-") // a key file below /dev is refused for another reason
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"key": "k",
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: fast\ntargets:\n  fast: { provider: openai, model: m, base_url: 'https://127.0.0.1:1/v1', api_key_file: " + filepath.Join(dir, "key") + " }\n" +
			"  unused: { provider: openai, model: m, base_url: 'https://127.0.0.1:1/v1', api_key_file: " + filepath.Join(dir, "key") + " }\n",
		"s.yaml": "version: 1\nid: s\nmessages: [{ role: user, content: Hi }]\ncases: [{ id: a, expected_response: x }]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Folder(dir, "", nil)
	if err != nil || len(c.Faults) != 1 || !strings.Contains(c.Faults[0].Message, `target "fast": api_key_file `) || !strings.Contains(c.Faults[0].Message, "lies in the repository") {
		t.Errorf("%v, %v", c.Faults, err)
	}
}
