package show

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
)

func TestAFaultIsShownWithItsLineAndACaret(t *testing.T) {
	for _, c := range []struct {
		rule, text   string
		line, column int
		want         string
	}{
		{"below its place", "a: 1\n  expcted: x\r\n", 2, 3, "  |   expcted: x\n  |   ^"},
		{"wide letters take two columns", "名前: x", 1, 5, "  | 名前: x\n  |       ^"},
		{"a tab takes one", "\tb", 1, 2, "  |  b\n  |  ^"},
		{"at the end of the line", "ab", 1, 3, "  | ab\n  |   ^"},
		{"what hides is shown", "a\u202eb: 1", 1, 3, "  | a\\u{202e}b: 1\n  |          ^"},
		{"a command of the runner is none", "::error::x ##[y]", 1, 3, "  | ::error::x ##\\x5by]\n  |   ^"},
		{"a line that may hold a key is not shown", "  api_key_env: hunter2hunter2", 1, 3, ""},
		{"a key is not shown", "id: sk-proj-abcdefghijklmnop1234567890ABCDEFGHIJ", 1, 5, ""},
		{"a line that is too long to be searched for keys is not shown", strings.Repeat("a", 8<<10) + "b", 1, 3, ""},
		{"the longest line of which a part is shown", strings.Repeat("a", 8<<10), 1, 3, "  | aa" + strings.Repeat("a", 59) + "…\n  |   ^"},
		{"a place that is not there", "a", 2, 1, ""},
		{"a fault of the whole file", "a", 0, 0, ""},
	} {
		if got := SourceLine(document.Diagnostic{Line: c.line, Column: c.column}, c.text); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.rule, got, c.want)
		}
	}
}
