package label

import (
	"strings"
	"testing"
)

// A name of a list or a table that is misspelled ends the program when it starts; none is silently empty.
func TestAMisspelledNameIsAPanic(t *testing.T) {
	for name, read := range map[string]func(){
		"a list in a row":     func() { readTables("colors\n  said: >_ $shades\n") },
		"a list for code":     func() { wordsOf("shades") },
		"a table for code":    func() { tableOf("shades") },
		"a row's colon":       func() { readTables("colors\n  said >_ red\n") },
		"what a row comes to": func() { readTables("colors\n  sayd: >_ red\n") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			read()
		})
	}
}

func TestNoRowStandsTwiceInATable(t *testing.T) {
	table, rows := "", map[string]bool{}
	for line := range strings.Lines(tablesFile) {
		if line[0] != ' ' {
			table = line
			continue
		}
		if row := table + line; rows[row] {
			t.Errorf("%stwice: %s", table, line)
		} else {
			rows[row] = true
		}
	}
}
