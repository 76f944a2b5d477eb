package fact_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The sets of docs/verdicts.md: answers, a forbidden claim, and whether a person would say that the answer states it.
func TestClaimSets(t *testing.T) {
	for _, set := range []struct {
		file          string
		right, alarms int // at least; claims found that are not stated, at most
	}{{"dev", 153, 2}, {"blind-1", 40, 0}, {"blind-2", 29, 0}} {
		n, right, wrong := 0, 0, 0
		for _, c := range readSet[claimed](t, "claims", set.file) {
			n++
			got := states(t, c.Claim, c.Answer)
			switch {
			case got == c.Stated:
				right++
			case got:
				wrong++
				fallthrough
			default:
				t.Logf("%s: %q in %q: found %v, is stated %v", set.file, c.Claim, c.Answer, got, c.Stated)
			}
		}
		t.Logf("%s: %d of %d claims right, %d found that are not stated", set.file, right, n, wrong)
		if right < set.right || wrong > set.alarms {
			t.Errorf("%s: %d right and %d false alarms, want at least %d and at most %d", set.file, right, wrong, set.right, set.alarms)
		}
	}
}

type claimed struct {
	Claim  string `json:"claim"`
	Answer string `json:"answer"`
	Stated bool   `json:"stated"`
}

// readSet reads a set of testdata, one JSON object a line.
func readSet[T any](t *testing.T, folder, name string) (out []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", folder, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var c T
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, c)
	}
	return out
}
