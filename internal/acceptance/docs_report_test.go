package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
)

// TestTheReportPageHasEveryField writes the fields of a report from their schemas.
func TestTheReportPageHasEveryField(t *testing.T) {
	for _, name := range []string{"report", "result"} {
		path := "schemas/" + name + ".schema.json"
		schema, _ := document.Parse(path, []byte(shipped(t, path))) // which minds minimum: -1, and keeps the order of keys
		var b strings.Builder
		b.WriteString("| field | meaning |\n|---|---|\n")
		for key, field := range schema.Get("properties").Entries() {
			fmt.Fprintf(&b, "| `%s` | %s |\n", key.Text, field.Get("description").Text)
		}
		if fields := strings.Count(b.String(), "\n"); fields < 20 {
			t.Fatalf("%s has only %d lines of fields", path, fields)
		}
		between(t, "docs/reference/report.md", name, b.String())
	}
}
