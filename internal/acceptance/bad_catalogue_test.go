//go:build linux

package acceptance_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// checkRows holds the entries against testdata/bad/README.md, which gives the reason for each row that has none.
func checkRows(t *testing.T, seen map[string]bool) {
	text, err := os.ReadFile("testdata/bad/README.md")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (C\d+) \| \S`).FindAllStringSubmatch(string(text), -1) {
		reasons[row[1]] = true
	}
	for _, rows := range []struct{ first, last int }{{101, 147}, {201, 220}, {301, 318}} {
		for n := rows.first; n <= rows.last; n++ {
			row := fmt.Sprintf("C%d", n)
			if has := hasEntry(row, seen); has == reasons[row] {
				t.Errorf("row %s: has an entry: %v, has a reason for none: %v; want one of them", row, has, reasons[row])
			}
		}
	}
}

// hasEntry reports whether an entry is called row, or row and more.
func hasEntry(row string, seen map[string]bool) bool {
	for name := range seen {
		if name == row || strings.HasPrefix(name, row+"-") {
			return true
		}
	}
	return false
}
