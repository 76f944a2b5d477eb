package noise_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

var update = flag.Bool("update", false, "rewrite testdata/findings.txt")

// model answers the cases of a scene: each passes with a probability on each side, or is lost.
type model struct {
	rng  *rand.Rand
	base map[string]float64
	head map[string]float64
	lost map[string]float64 // probability that an answer of the head does not come
}

func (m *model) side(p float64, n int) *noise.Side {
	passed := 0
	for range n {
		if m.rng.Float64() < p {
			passed++
		}
	}
	return side(passed, n, 0)
}

func (m *model) again(id string) (base, head report.Rerun) {
	base.Passed, head.Passed = m.rng.Float64() < m.base[id], m.rng.Float64() < m.head[id]
	if m.rng.Float64() < m.lost[id] {
		head = report.Rerun{Loss: classify.LossUnreadable}
	}
	return base, head
}

// scene is a comparison by its settings and how often the cases pass before and now.
type scene struct {
	name     string
	settings noise.Settings
	trials   int
	suites   []suite
	stop     int // rounds after which nobody answers; 0: never; stored: there is nobody to ask
}

type suite struct {
	id     string
	weight float64
	cases  []group
}

const stored = -1

// group is n cases alike.
type group struct {
	n           int
	before, now float64
	lost        float64
	with        func(*noise.Case)
}

// play runs a scene to its end, and writes down what is asked and what is found.
func play(t *testing.T, s scene) string {
	t.Helper()
	m := &model{rng: rand.New(rand.NewPCG(7, 11)), base: map[string]float64{}, head: map[string]float64{}, lost: map[string]float64{}}
	var suites []noise.Suite
	for _, in := range s.suites {
		one := noise.Suite{ID: in.id, Weight: in.weight}
		for g, group := range in.cases {
			for i := range group.n {
				c := noise.Case{ID: fmt.Sprintf("%c%d", 'a'+g, i)}
				id := in.id + "/" + c.ID
				m.base[id], m.head[id], m.lost[id] = group.before, group.now, group.lost
				c.Base, c.Head = m.side(group.before, s.trials), m.side(group.now, s.trials)
				if m.rng.Float64() < group.lost {
					c.Head, c.Loss = side(0, 0, s.trials), classify.LossUnreadable
				}
				if group.with != nil {
					group.with(&c)
				}
				one.Cases = append(one.Cases, c)
			}
		}
		suites = append(suites, one)
	}
	p := noise.New(s.settings, suites)
	if s.stop == stored {
		p.UseFirstTrials()
	}
	var out strings.Builder
	fmt.Fprintf(&out, "== %s\n", s.name)
	for round := 1; ; round++ {
		asks := p.Needs()
		if len(asks) == 0 || round == s.stop || s.stop == stored {
			break
		}
		fmt.Fprintf(&out, "round %d: %s:", round, asks[0].Reason)
		for _, a := range asks {
			fmt.Fprintf(&out, " %s/%s×%d", a.SuiteID, a.CaseID, a.Rounds)
			for range a.Rounds {
				base, head := m.again(a.SuiteID + "/" + a.CaseID)
				p.Add(a.Reason, a.SuiteID, a.CaseID, base, head)
			}
		}
		out.WriteString("\n")
	}
	found := p.Finding()
	statuses := map[report.Status]int{}
	for _, in := range suites {
		for _, c := range in.Cases {
			statuses[p.Status(in.ID, c.ID)]++
		}
	}
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		fmt.Fprintf(&out, "%d %s\n", statuses[status], status)
	}
	data, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	out.Write(rounded(data))
	return out.String() + "\n"
}

var decimals = regexp.MustCompile(`-?\d+\.\d+(e-?\d+)?`)

// rounded writes numbers with six digits: the last bits of a float are not what the test holds.
func rounded(data []byte) []byte {
	return decimals.ReplaceAllFunc(data, func(b []byte) []byte {
		v, _ := strconv.ParseFloat(string(b), 64)
		return strconv.AppendFloat(nil, v, 'g', 6, 64)
	})
}

// TestFindings holds every figure that the procedure finds for each comparison, and each case it asks again.
func TestFindings(t *testing.T) {
	live := noise.Settings{Trials: 1, Confirm: 8, MaxCandidates: 20, SparingRecheck: true, Alpha: 0.01, WarnAlpha: 0.05, MaxDrop: 0.02}
	change := func(with func(*noise.Settings)) noise.Settings {
		s := live
		with(&s)
		return s
	}
	pooled := change(func(s *noise.Settings) { s.Pooled = true })
	recheck := change(func(s *noise.Settings) { s.Recheck = 5 })
	mixed := []suite{
		{"s", 1, []group{{12, 0.95, 0.95, 0, nil}, {2, 1, 0, 0, nil}, {1, 0, 1, 0, nil}}},
		{"t", 3, []group{{5, 0.6, 0.6, 0, nil}}},
	}
	repeats := change(func(s *noise.Settings) { s.NoReruns, s.Confirm = true, 1 })
	shorter := func(base, head int) func(*noise.Case) {
		return func(c *noise.Case) {
			c.Base, c.Head = side(min(c.Base.Passed, base), base, 0), side(min(c.Head.Passed, head), head, 0)
		}
	}
	varied := []suite{{"s", 1, []group{
		{2, 1, 0, 0, nil}, {1, 1, 0, 0, shorter(10, 9)}, {3, 0.9, 0.3, 0, nil}, {3, 0.7, 0.4, 0, nil}, {1, 1, 0, 0, shorter(3, 2)}, {1, 1, 0, 0, shorter(2, 2)},
		{2, 1, 0, 1, nil}, {1, 1, 0, 0, func(c *noise.Case) { c.Changed, c.Either = true, true }}, {9, 1, 1, 0, nil}}}}
	var found strings.Builder
	for _, s := range []scene{
		{"two broken cases among noise", live, 1, mixed, 0},
		{"nobody answers after three rounds", live, 1, mixed, 4},
		{"four trials a side", live, 4, mixed, 0},
		{"no confirmation", change(func(s *noise.Settings) { s.Confirm = 0 }), 4, mixed, 0},
		{"few suspects allowed", change(func(s *noise.Settings) { s.MaxCandidates = 1 }), 1, mixed, 0},
		{"many cases that fail a little more often", pooled, 1, []suite{{"s", 1, []group{{40, 0.95, 0.6, 0, nil}}}}, 0},
		{"noise alone, pooled", pooled, 1, []suite{{"s", 1, []group{{40, 0.8, 0.8, 0, nil}}}}, 0},
		{"a fall that a recheck proves", recheck, 1, []suite{{"s", 1, []group{{60, 0.9, 0.72, 0, nil}}}, {"t", 1, []group{{30, 0.9, 0.9, 0, nil}}}}, 0},
		{"a fall that a recheck does not bear out", recheck, 1, []suite{{"s", 1, []group{{40, 0.75, 0.72, 0, nil}}}}, 0},
		{"a recheck of all suites", change(func(s *noise.Settings) { s.Recheck, s.SparingRecheck = 2, false }), 1,
			[]suite{{"s", 1, []group{{30, 0.95, 0.75, 0, nil}}}, {"t", 0, []group{{10, 0.9, 0.9, 0, nil}}}}, 0},
		{"a recheck that ends early", recheck, 1, []suite{{"s", 1, []group{{60, 0.9, 0.72, 0, nil}}}}, 10},
		{"answers that the head loses", change(func(s *noise.Settings) { s.MaxErrored = 0.1 }), 1,
			[]suite{{"s", 1, []group{{10, 1, 1, 0.5, nil}, {5, 0.9, 0.9, 0, nil}}}, {"t", 1, []group{{3, 1, 1, 1, nil}}}}, 0},
		{"must pass, quarantined, reused and acquitted", live, 2, []suite{{"s", 1, []group{
			{3, 1, 0.4, 0, func(c *noise.Case) { c.MustPass = true }}, {3, 1, 0, 0, func(c *noise.Case) { c.Quarantined = true }},
			{3, 1, 0, 0, func(c *noise.Case) { c.Reused = true }}, {3, 1, 0, 0, func(c *noise.Case) { c.FlipWithdrawn = true }}, {6, 1, 1, 0, nil}}}}, 0},
		{"changed expectations, new and removed cases", live, 1, []suite{{"s", 1, []group{
			{2, 1, 0, 0, func(c *noise.Case) { c.Changed, c.Either = true, true }}, {2, 1, 0, 0, func(c *noise.Case) { c.Changed = true }},
			{2, 1, 1, 0, func(c *noise.Case) { c.Base = nil }}, {2, 1, 1, 0, func(c *noise.Case) { c.Head = nil }}, {6, 1, 1, 0, nil}}}}, 0},
		{"a recheck of which answers are lost", change(func(s *noise.Settings) { s.Recheck, s.MaxErrored = 5, 0.9 }), 1, []suite{{"s", 1, []group{{20, 0.9, 0.5, 0.6, nil}, {30, 0.95, 0.85, 0, nil}}}}, 0},
		{"twelve trials a side, and nobody to ask", live, 12, varied, stored},
		{"the same, and fewer may be named", change(func(s *noise.Settings) { s.MaxCandidates = 6 }), 12, varied, stored},
		{"one trial a side, and nobody to ask", live, 1, mixed, stored},
		{"twelve runs a side by another runner", repeats, 12, varied, 0},
		{"runs of which none flipped", repeats, 3, []suite{{"s", 1, []group{{3, 1, 1, 0, nil}, {1, 1, 1, 0, shorter(3, 2)}, {1, 1, 1, 0, shorter(1, 3)}, {1, 1, 1, 0, shorter(2, 2)}}}}, 0},
		{"suites of one and of no case that moves, and one without a weight", live, 2, []suite{{"s", 1, []group{{1, 0.5, 0.5, 0, nil}}},
			{"t", 2, []group{{2, 1, 1, 0, func(c *noise.Case) { c.Reused = true }}}}, {"u", 0, []group{{3, 1, 0, 0, nil}}}}, 0},
		{"no suite with a weight", live, 1, []suite{{"s", 0, []group{{4, 1, 0.5, 0, nil}}}}, 0},
		{"nothing on both sides", live, 1, []suite{{"s", 1, []group{{2, 1, 1, 0, func(c *noise.Case) { c.Base = nil }}}}}, 0},
	} {
		found.WriteString(play(t, s))
	}
	const file = "testdata/findings.txt"
	if *update {
		if err := os.WriteFile(file, []byte(found.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(found.String(), "\n")); diff != "" {
		t.Errorf("findings (-want +got); -update rewrites the file:\n%s", diff)
	}
}
