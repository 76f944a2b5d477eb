package label_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
)

// labelled is an answer in a model's own style and the label that a person reads in it; "" where it settles on none.
type labelled struct {
	Set      string   `json:"set"` // symbol, prose or style
	Labels   []string `json:"labels"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Label    string   `json:"label"`
}

// judge reports whether the answer scores 1 with its label expected, and which other label scores 1 if that is
// expected.
func (l labelled) judge() (right bool, wrong string) {
	right = l.Label == ""
	for _, expected := range l.Labels {
		switch full := label.Read(label.New(expected, l.Labels), l.Question, l.Answer).Value == 1; {
		case expected == l.Label:
			right = full
		case full:
			wrong = expected
		}
	}
	return right && (wrong == "" || l.Label != ""), wrong
}

// The sets of docs/accuracy.md. Those called blind were written without a look at what the rules do with them, and
// scored once before anybody read their mistakes; what that came to stands in the page. What is held here is what they
// come to now.
func TestLabelSets(t *testing.T) {
	for _, set := range []struct {
		file         string
		right, wrong int // at least, at most
	}{{"dev", 301, 1}, {"dev-2", 315, 4}, {"dev-3", 286, 0}, {"dev-4", 343, 6}, {"blind-1", 97, 1}, {"blind-2", 99, 0}, {"blind-3", 59, 0}, {"blind-4", 56, 1}, {"blind-5", 58, 0}, {"blind-6", 97, 0}, {"blind-7", 97, 0}, {"blind-8", 93, 0}, {"blind-9", 99, 0}, {"blind-10", 97, 2}, {"blind-11", 205, 4}, {"blind-12", 216, 1}, {"blind-13", 113, 1}} {
		n, right, wrong := 0, 0, 0
		for _, l := range readLabelled(t, set.file) {
			n++
			ok, other := l.judge()
			if ok {
				right++
			}
			if other != "" {
				wrong++
				if strings.HasPrefix(set.file, "dev") { // the mistakes on a blind set are counted alone: who reads them makes it dev
					t.Logf("%s: %q is read as %q, and is %q", set.file, l.Answer, other, l.Label)
				}
			}
		}
		t.Logf("%s: %d of %d labels right, %d wrong labels counted right", set.file, right, n, wrong)
		if right < set.right || wrong > set.wrong {
			t.Errorf("%s: %d right and %d wrong labels counted right, want at least %d and at most %d", set.file, right, wrong, set.right, set.wrong)
		}
	}
}

func readLabelled(t testing.TB, name string) (out []labelled) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "labels", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var l labelled
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, l)
	}
	return out
}

// BenchmarkRead reads the answers of a set, each with the labels that its case allows.
func BenchmarkRead(b *testing.B) {
	answers := readLabelled(b, "blind-9")
	sets := make([]*label.Set, len(answers))
	for i, l := range answers {
		sets[i] = label.New(l.Labels[0], l.Labels)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l := answers[i%len(answers)]
		label.Read(sets[i%len(answers)], l.Question, l.Answer)
	}
}

// BenchmarkReadKilobyte reads answers of 1 KB each, made of those of a set, with the labels of one of them.
func BenchmarkReadKilobyte(b *testing.B) {
	var long []labelled
	for _, l := range readLabelled(b, "blind-9") {
		if last := len(long) - 1; last >= 0 && len(long[last].Answer) < 1024 {
			long[last].Answer += "\n\n" + l.Answer
		} else {
			long = append(long, l)
		}
	}
	sets := make([]*label.Set, len(long))
	for i, l := range long {
		sets[i], long[i].Answer = label.New(l.Labels[0], l.Labels), strings.ToValidUTF8(l.Answer[:min(1024, len(l.Answer))], "")
	}
	for i := 0; b.Loop(); i++ {
		l := long[i%len(long)]
		label.Read(sets[i%len(long)], l.Question, l.Answer)
	}
}
