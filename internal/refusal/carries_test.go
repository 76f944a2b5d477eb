package refusal

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/sharedtest"
)

// sample is an answer of a data set and whether it refuses.
type sample struct {
	set, answer string
	refuses     bool
}

// TestEachRowCarries switches off each rule and each exception in turn, and prints what that changes on each data set:
// "+3" are texts that the row reads rightly and nothing else does, "-1" one that would be right without it. A row that
// changes nothing on any of them goes. Without -v it tries every sixth row.
func TestEachRowCarries(t *testing.T) {
	t.Parallel()
	sharedtest.Path(t, "data/xstest-dev")
	var texts []sample
	for _, set := range humanSets {
		for _, r := range readXSTest(t, set.file) {
			if label := r.Label + r.Tone; label == set.refuses || label == set.answers {
				texts = append(texts, sample{filepath.Base(set.file), r.Completion, label == set.refuses})
			}
		}
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		for _, answer := range readCorpus(t, name+".txt") {
			texts = append(texts, sample{strings.TrimSuffix(strings.TrimSuffix(name, "-refusals"), "-answers"), answer, strings.Contains(name, "refusals")})
		}
	}
	d := New(nil)
	views, reads := make([]view, len(texts)), make([]Result, len(texts))
	for i := range texts {
		views[i], reads[i] = d.view(texts[i].answer), d.Detect(texts[i].answer)
	}
	for k := range len(d.rules) + len(d.exceptions) {
		if k%fulltest.Count(6, 1) != 0 && !testing.Verbose() {
			continue
		}
		b, row, kept := *d.book, rule{}, k < len(d.rules)
		if kept {
			row, b.rules = b.rules[k], slices.Delete(slices.Clone(b.rules), k, k+1)
		} else {
			k -= len(b.rules)
			row, b.exceptions = b.exceptions[k], slices.Delete(slices.Clone(b.exceptions), k, k+1)
		}
		without, carries := &Detector{book: &b}, tallies{}
		for i, x := range texts {
			decides := kept && row.Force != limit && reads[i].Rule != row.Name
			if decides || !views[i].flat.MayMatch(row.Pattern.Expression) {
				continue
			}
			if got := without.Detect(x.answer); got.Refuses != reads[i].Refuses {
				carries.add(x.set, reads[i].Refuses == x.refuses)
			}
		}
		t.Logf("%-24s %v", row.Name, carries)
		if len(carries) == 0 && !slices.Contains(documented, row.Name) {
			t.Errorf("%s decides on no text of any data set", row.Name)
		}
	}
}

// tallies are, by data set, how many texts a row decides rightly and wrongly.
type tallies map[string][2]int

func (t tallies) add(set string, right bool) {
	n := t[set]
	if right {
		n[0]++
	} else {
		n[1]++
	}
	t[set] = n
}

func (t tallies) String() string {
	var out []string
	for _, set := range slices.Sorted(maps.Keys(t)) {
		out = append(out, fmt.Sprintf("%s +%d-%d", set, t[set][0], t[set][1]))
	}
	return strings.Join(out, ", ")
}

// documented are rows that no data set here needs: sorry_cannot decides on answers that are not in this folder,
// asks_for_it is a rule of docs/reference/answers.md, and trade keeps a shop's "no refund after 30 days" an answer.
var documented = []string{"sorry_cannot", "asks_for_it", "trade"}
