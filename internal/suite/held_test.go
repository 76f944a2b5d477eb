package suite

import (
	"runtime"
	"testing"
	"unsafe"
	"weak"
)

// A run holds a Case for each case of either side.
func TestACaseHoldsItsIdItsPlaceAndLittleMore(t *testing.T) {
	if got := unsafe.Sizeof(Case{}); got > 72 {
		t.Errorf("a case holds %d bytes, want 72 at most: what few ask for belongs to its Body, which is made when it is opened", got)
	}
}

func TestCasesOfALaterFileAreHeldOnce(t *testing.T) {
	files := tree(map[string]string{
		"suites/a.jsonl": `{"case_id":"one","suite_id":"s","prompt":"Say one","expected_response":"one"}` + "\n",
		"suites/b.jsonl": `{"case_id":"two","suite_id":"s","prompt":"Say two","expected_response":"two"}` + "\n",
	})
	l := newLoader(files, settings())
	found, ds := find(files, settings(), []string{"suites/*.jsonl"})
	var read []*Suite
	for _, file := range l.parsed(inReadingOrder(found)) {
		suites, faults := l.read(file)
		read, ds = append(read, suites...), append(ds, faults...)
	}
	if len(ds) > 0 || len(read) != 2 {
		t.Fatalf("%d suites, faults %v", len(read), ds)
	}
	second := weak.Make(&read[1].Cases[0])
	joined, _ := unique(read)
	read = nil
	runtime.GC()
	if second.Value() != nil {
		t.Error("the cases of the second file are held beside those of the suite that they joined")
	}
	if opened := joined[0].Cases[1].Open(); opened.Prompt.Messages[0].Content != "Say two" {
		t.Errorf("the second file's case asks %q", opened.Prompt.Messages[0].Content)
	}
}
