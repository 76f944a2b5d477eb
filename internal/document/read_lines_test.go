package document_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/document"
)

func readLines(text []byte) (lines []string, ds []document.Diagnostic) {
	fsys := fstest.MapFS{"f.jsonl": {Data: text}}
	ds = document.ReadLines(fsys, "f.jsonl", func(line []byte, number int) {
		if lines = append(lines, string(line)); number != len(lines) {
			lines = append(lines, "out of order")
		}
	})
	return lines, ds
}

func TestAConflictThatWasLeftInLinesIsCalledOne(t *testing.T) {
	var lines document.Lines
	_, ds := lines.Parse("a.jsonl", []byte("<<<<<<< HEAD"), document.Position{Line: 3, Column: 1})
	if len(ds) != 1 || ds[0].Rule != "merge-conflict" || ds[0].Line != 3 {
		t.Errorf("diagnostics %v, want one merge-conflict in line 3", ds)
	}
}

func TestLinesAreThoseOfTheFileAndRefusedAsItIs(t *testing.T) {
	parts := []string{"\n", "\r\n", "\r", "a", "é", "\x00", "\xff", "\ufeff", "version https://git-lfs.github.com/spec/", strings.Repeat("x", 70_000)}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), ""))
		_, want := document.Read(fstest.MapFS{"f.jsonl": {Data: text}}, "f.jsonl")
		lines, ds := readLines(text)
		if diff := cmp.Diff(want, ds); diff != "" {
			t.Fatalf("what is wrong (-Read +ReadLines):\n%s", diff)
		}
		if len(want) > 0 {
			return
		}
		var all []string
		for line := range bytes.Lines(text) {
			all = append(all, string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))))
		}
		if diff := cmp.Diff(all, lines); diff != "" {
			t.Errorf("lines (-want +got):\n%s", diff)
		}
	})
}

func TestAFileOfLinesIsBounded(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcde\n"), document.MaxJSON/16)
	if _, ds := readLines(text); len(ds) > 0 {
		t.Errorf("a file of 64 MiB is refused: %v", ds)
	}
	if _, ds := readLines(append(text, '\n')); len(ds) != 1 || ds[0].Rule != "too-large" {
		t.Errorf("a file of more than 64 MiB is read: %v", ds)
	}
	if ds := document.ReadLines(fstest.MapFS{}, "f.jsonl", nil); len(ds) != 1 || ds[0].Rule != "unreadable" {
		t.Errorf("a file that is not there is read: %v", ds)
	}
}
