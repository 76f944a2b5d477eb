package label

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fulltest"
)

// sample is an answer of a data set; truth is the label that it gives, "" for none.
type sample struct {
	from        string
	set         *Set
	question    string
	text        *english.Text // of the answer
	truth, read string
	words       map[string]bool
}

// TestEachRowCarries switches off each row of each table in turn, and prints what that changes on each data set: "+3"
// are answers that only this row reads rightly, "-1" one that is right without it. Without -v it tries every tenth row.
func TestEachRowCarries(t *testing.T) {
	samples := append(labelSamples(t), templateSamples(t)...)
	for i := range samples {
		samples[i].read = samples[i].settled()
	}
	n, idle := 0, 0
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		for _, row := range tables[name].rows() {
			if n++; n%fulltest.Count(10, 1) != 0 && !testing.Verbose() {
				continue
			}
			back := tables[name].without(row.row)
			carries := map[string][2]int{}
			for i := range samples {
				if s := &samples[i]; row.mayStandIn(s.words) {
					if now := s.settled(); now != s.read {
						n := carries[s.from]
						if s.read == s.truth {
							n[0]++
						} else if now == s.truth {
							n[1]++
						}
						carries[s.from] = n
					}
				}
			}
			back()
			var out []string
			for _, from := range slices.Sorted(maps.Keys(carries)) {
				out = append(out, fmt.Sprintf("%s +%d-%d", from, carries[from][0], carries[from][1]))
			}
			t.Logf("%-14s %-60s %s", name, row.row, strings.Join(out, ", "))
			if len(carries) == 0 {
				idle++
			}
		}
	}
	t.Logf("%d rows decide on no answer of these; they are what the rows of the other tests state", idle)
	if idle > idleRows {
		t.Errorf("%d rows decide on no answer of any data set, want at most %d", idle, idleRows)
	}
}

// idleRows are those that only a rule of the other tests needs.
const idleRows = 27

// settled is the label that the answer gives for sure, "" for none.
func (s *sample) settled() string {
	if r := s.set.Find(s.question, s.question, s.text); !r.Hedged {
		return r.Predicted
	}
	return ""
}

// rows returns the rows of a table, each once.
func (t *table) rows() []construction {
	out := slices.Clone(t.atLabel)
	for _, word := range slices.Sorted(maps.Keys(rowsAt)) {
		for _, c := range rowsAt[word] {
			if c.table == t && !slices.ContainsFunc(out, func(o construction) bool { return o.row == c.row }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// without takes a row out of a table; back puts it in again.
func (t *table) without(row string) (back func()) {
	atLabel, before := t.atLabel, maps.Clone(rowsAt)
	is := func(c construction) bool { return c.table == t && c.row == row }
	t.atLabel = slices.DeleteFunc(slices.Clone(t.atLabel), is)
	for word, rows := range rowsAt {
		rowsAt[word] = slices.DeleteFunc(slices.Clone(rows), is)
	}
	return func() { t.atLabel = atLabel; maps.Copy(rowsAt, before) }
}

// mayStandIn reports whether a text with these words has one for each element of a row that cannot be left out.
func (c *construction) mayStandIn(words map[string]bool) bool {
	for _, e := range slices.Concat(c.before, c.behind) {
		if e.least > 0 && e.sign == 0 && !e.other && !anyOf(e.words, words) {
			return false
		}
	}
	return true
}

func anyOf(some, words map[string]bool) bool {
	for w := range some {
		if words[w] {
			return true
		}
	}
	return false
}

func newSample(from string, labels []string, question, answer, truth string) sample {
	s := sample{from: from, set: New(labels[0], labels), question: question, truth: truth, words: map[string]bool{"": true}}
	s.text = s.set.ParseAnswer(answer)
	for _, tok := range tokensOf(s.text) {
		s.words[tok.text] = true
	}
	return s
}

func labelSamples(t *testing.T) (out []sample) {
	files, err := filepath.Glob("testdata/labels/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for in := bufio.NewScanner(f); in.Scan(); {
			var l struct {
				Labels                  []string
				Question, Answer, Label string
			}
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			from, _, _ := strings.Cut(filepath.Base(path), "-")
			out = append(out, newSample(strings.TrimSuffix(from, ".jsonl"), l.Labels, l.Question, l.Answer, l.Label))
		}
		f.Close()
	}
	return out
}

// templateSamples fills the templates with two sets of labels.
func templateSamples(t *testing.T) (out []sample) {
	for _, file := range []string{"given", "open"} {
		text, err := os.ReadFile(filepath.Join("testdata", "templates", file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for template := range strings.Lines(string(text)) {
			for _, labels := range [][]string{{"positive", "negative", "neutral"}, {"spam", "not spam", "unclear"}} {
				answer := strings.NewReplacer("{X}", labels[0], "{Y}", labels[1], "{Z}", labels[2], `\n`, "\n").Replace(strings.TrimSuffix(template, "\n"))
				truth := labels[0]
				if file == "open" {
					truth = ""
				}
				out = append(out, newSample(file, labels, "Which label fits the text?", answer, truth))
			}
		}
	}
	return out
}
