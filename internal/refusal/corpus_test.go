package refusal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpus measures the rules on answers written for this test: how many models refuse, and what sounds like it.
func TestCorpus(t *testing.T) {
	t.Parallel()
	d := New(nil)
	var c tally
	for _, file := range []struct {
		name string
		want bool
	}{{"refusals.txt", true}, {"answers.txt", false}} {
		cases := readCorpus(t, file.name)
		if len(cases) < 150 {
			t.Errorf("%s holds %d cases, want at least 150", file.name, len(cases))
		}
		for _, text := range cases {
			m, got := d.Find(text)
			c.add(file.want, got)
			if got != file.want {
				t.Logf("Find(%.90q) = %v by %q (%q), want %v", text, got, m.Rule, m.Evidence, file.want)
			}
		}
	}
	t.Logf("corpus: %v", c)
	if c.f1() < 0.95 {
		t.Errorf("F1 on the corpus = %.4f, want at least 0.95", c.f1())
	}
}

// readCorpus returns the cases of a file, which are separated by lines of three dashes.
func readCorpus(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n---\n")
}
