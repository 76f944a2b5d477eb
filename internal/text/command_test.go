package text_test

import (
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestACommandHasNoPathThatAShellWouldRead(t *testing.T) {
	for path, want := range map[string]string{
		"suites/a_b-2.yaml":      "failproof record suites/a_b-2.yaml",
		".github/x.prompt.yml":   "failproof record .github/x.prompt.yml",
		"":                       "failproof record",
		"--yes":                  "failproof record",
		"a b.yaml":               "failproof record",
		"a;id;.yaml":             "failproof record",
		"a'; rm -rf ~; '.yaml":   "failproof record",
		"a$(id).yaml":            "failproof record",
		"a`id`.yaml":             "failproof record",
		"a\nid":                  "failproof record",
		"a.yaml\n":               "failproof record",
		"größe.yaml":             "failproof record",
		"suites/*.yaml":          "failproof record",
		"~/suites/a.yaml":        "failproof record",
		"A=b":                    "failproof record",
		"suites/{a,--yes}.yaml":  "failproof record",
		`suites\a.yaml`:          "failproof record",
		"suites/a.yaml#L1":       "failproof record",
		"suites/a.yaml>x":        "failproof record",
		"suites/a.yaml&":         "failproof record",
		"suites/a|b.yaml":        "failproof record",
		"suites/a\u202eb.yaml":   "failproof record",
		"suites/%TEMP%/a.yaml":   "failproof record",
		"suites/!history/a.yaml": "failproof record",
	} {
		if got := text.Command("failproof record", path); got != want {
			t.Errorf("Command(%q) = %q, want %q", path, got, want)
		}
	}
}
