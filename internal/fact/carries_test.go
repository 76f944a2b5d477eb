package fact

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/english"
)

// judged is an answer of a set with what a person reads in it.
type judged struct {
	Fact, Claim, Answer string
	Covered, Stated     bool
	set                 string
}

// right reports whether the readers say of the parsed answer what the person does.
func (j judged) right(t *testing.T, s *Synonyms, answer *english.Text) bool {
	t.Helper()
	if j.Claim != "" {
		c, err := s.Claim(j.Claim)
		if err != nil {
			t.Fatal(err)
		}
		return c.StatedIn(answer) == j.Stated
	}
	f, err := s.Fact(j.Fact)
	if err != nil {
		t.Fatal(err)
	}
	return (f.Match(answer).Outcome == Said) == j.Covered
}

// judgedSets reads all sets of facts and claims; the blind ones are counted as one.
func judgedSets(t *testing.T) (all []judged) {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d sets, %v", len(files), err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		set := filepath.Base(filepath.Dir(name)) + " " + strings.Split(strings.TrimSuffix(filepath.Base(name), ".jsonl"), "-")[0]
		for in := bufio.NewScanner(f); in.Scan(); {
			j := judged{set: set}
			if err := json.Unmarshal(in.Bytes(), &j); err != nil {
				t.Fatal(err)
			}
			all = append(all, j)
		}
		f.Close()
	}
	return all
}

// carries switches one of so many rules off after the other, and prints for each set how many answers are then read
// wrong that were read right, and the other way round. A rule that loses nothing when it is off decides nothing.
func carries(t *testing.T, rules int, name func(i int) string, without func(i int), restore func()) {
	t.Helper()
	all := judgedSets(t)
	before := make([]bool, len(all))
	for i, j := range all {
		before[i] = j.right(t, NewSynonyms(nil), english.Parse(j.Answer))
	}
	for i := range rules {
		without(i)
		s := NewSynonyms(nil)
		lost, won := map[string]int{}, map[string]int{}
		losses, gains := 0, 0
		for k, j := range all {
			switch right := j.right(t, s, english.Parse(j.Answer)); {
			case before[k] && !right:
				lost[j.set]++
				losses++
			case !before[k] && right:
				won[j.set]++
				gains++
			}
		}
		restore()
		t.Logf("without %q: read wrong then %v, read right then %v", name(i), lost, won)
		if losses <= gains {
			t.Errorf("without %q %d more answers are read wrong, and %d more are read right", name(i), losses, gains)
		}
	}
}

func TestEveryCheckCarries(t *testing.T) {
	shipped := checks
	without := func(i int) { checks = slices.Delete(slices.Clone(shipped), i, i+1) }
	carries(t, len(shipped), func(i int) string { return shipped[i].name }, without, func() { checks = shipped })
}

func TestEveryPassOverTheClausesCarries(t *testing.T) {
	shipped := english.Passes
	without := func(i int) { english.Passes = slices.Delete(slices.Clone(shipped), i, i+1) }
	carries(t, len(shipped), func(i int) string { return shipped[i].Name }, without, func() { english.Passes = shipped })
}

// idleSynonyms are the groups that decide on no answer of a set, at most. They stand for everyday words of answers that
// no set has.
const idleSynonyms = 136

// TestEachSynonymCarries prints the groups that decide on an answer of a set.
func TestEachSynonymCarries(t *testing.T) {
	all, shipped, idle := judgedSets(t), builtInGroups, 0
	before, answers, stems := make([]bool, len(all)), make([]*english.Text, len(all)), make([]map[string]bool, len(all))
	for i, j := range all {
		answers[i], stems[i] = english.Parse(j.Answer), map[string]bool{}
		before[i] = j.right(t, NewSynonyms(nil), answers[i])
		for _, w := range english.Parse(j.Fact + j.Claim).Words {
			stems[i][w.Stem] = true
		}
	}
	defer func() { builtInGroups = shipped }()
	for i, group := range synonymTable {
		rest := slices.Delete(slices.Clone(shipped()), i, i+1)
		builtInGroups = func() [][][]string { return rest }
		s, decides := NewSynonyms(nil), map[string][2]int{}
		for k, j := range all {
			if !slices.ContainsFunc(shipped()[i], func(phrase []string) bool { return stems[k][phrase[0]] }) {
				continue
			}
			if right := j.right(t, s, answers[k]); right != before[k] {
				n := decides[j.set]
				n[map[bool]int{true: 0, false: 1}[before[k]]]++
				decides[j.set] = n
			}
		}
		if len(decides) == 0 {
			idle++
			continue
		}
		t.Logf("without %q: read wrong then, and read right then %v", strings.Join(strings.Fields(group), " "), decides)
	}
	if t.Logf("%d of %d groups decide on no answer", idle, len(synonymTable)); idle > idleSynonyms {
		t.Errorf("%d groups decide on no answer, want at most %d", idle, idleSynonyms)
	}
}
