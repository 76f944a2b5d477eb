package document_test

import (
	"testing"

	"github.com/failproof/failproof/internal/document"
)

func TestAConflictThatWasLeftInLinesIsCalledOne(t *testing.T) {
	_, ds := document.ParseJSON("a.jsonl", "<<<<<<< HEAD", document.Position{Line: 3, Column: 1})
	if len(ds) != 1 || ds[0].Rule != "merge-conflict" || ds[0].Line != 3 {
		t.Errorf("diagnostics %v, want one merge-conflict in line 3", ds)
	}
}
