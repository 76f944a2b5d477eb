package acceptance_test

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
)

// TestRandomHistories makes random repositories with branches that merge each other, puts a pull request into each, and
// holds failproof to an oracle: which commits it compares, what it says of each case, and how it ends.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	count := 10
	switch wanted() {
	case everything:
		count = fulltest.Count(110, 440)
	case least:
		count = 4
	}
	for seed := range count {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			playHistory(t, uint64(seed))
		})
	}
}

// history is a repository that grows. Its merges are git's.
type history struct {
	*testing.T
	repo         repository
	chance       *rand.Rand
	main, branch []string // the commits of both lines, oldest first
	states       map[string]state
	told         []string // what happened, for the report of a failure
}

func playHistory(t *testing.T, seed uint64) {
	h := &history{T: t, chance: rand.New(rand.NewPCG(seed, 10)), states: map[string]state{}}
	for {
		h.repo, h.told = newRepository(t), nil
		h.grow()
		base, head := last(h.main), last(h.branch)
		if merge := h.repo.merge(base, head); merge != "" && h.repo.git("merge-base", base, head) != head {
			h.compare(base, head, merge)
			return
		}
	}
}

func last(line []string) string { return line[len(line)-1] }

// grow makes a beginning, and then commits and merges on both lines in random order.
func (h *history) grow() {
	first := state{rules: rules{"0.5", "1", "warn", "warn", "warn"}, suites: map[string]suiteState{}}
	for i := range 6 {
		id := fmt.Sprintf("s%d", i)
		suite := suiteState{answer: h.chance.IntN(6) / 5} // one in six is wrong from the beginning
		suite.madeFor = suite.key(h, id)
		first.suites[id] = suite
	}
	root := h.repo.commit(first.files(), "root")
	h.states[root] = first
	h.main, h.branch = []string{root}, []string{root}
	for step := range 3 + h.chance.IntN(6) {
		switch h.chance.IntN(8) {
		case 0, 1:
			h.main = h.change(h.main, step)
		case 2, 3, 4:
			h.branch = h.change(h.branch, step)
		case 5:
			h.branch = h.join(h.branch, h.main, "branch")
		case 6:
			h.main = h.join(h.main, h.branch[:max(1, len(h.branch)-1)], "main")
		case 7:
			h.branch = h.join(h.branch, h.main[:h.chance.IntN(len(h.main))+1], "branch")
		}
	}
	h.branch = h.change(h.branch, 99)
}

// join merges some commit of another line, if git can.
func (h *history) join(line, other []string, name string) []string {
	with := last(other)
	if h.repo.git("merge-base", last(line), with) == with {
		return line // it has that already
	}
	merge := h.repo.merge(last(line), with)
	if merge == "" {
		return line
	}
	h.states[merge] = h.state(merge)
	h.told = append(h.told, name+" merges "+with[:7]+" into "+merge[:7])
	return append(line, merge)
}

// change commits one to three changes on top of a line.
func (h *history) change(line []string, step int) []string {
	now := h.states[last(line)]
	now.suites = maps.Clone(now.suites)
	var what []string
	for range 1 + h.chance.IntN(3) {
		what = append(what, h.mutate(&now))
	}
	sha := h.repo.commit(now.files(), fmt.Sprintf("step %d", step), last(line))
	h.states[sha] = now
	h.told = append(h.told, sha[:7]+" on "+last(line)[:7]+": "+strings.Join(what, ", "))
	return append(line, sha)
}

// mutate makes one random change and says which.
func (h *history) mutate(s *state) string {
	ids := slices.Sorted(maps.Keys(s.suites))
	id := ids[h.chance.IntN(len(ids))]
	suite := s.suites[id]
	switch kind := h.chance.IntN(10); {
	case kind == 0:
		s.noise = h.chance.IntN(1000)
		return "noise"
	case kind == 1:
		return h.changeRule(&s.rules)
	case kind == 2 && len(ids) > 3:
		delete(s.suites, id)
		return "remove " + id
	case kind == 3:
		id = fmt.Sprintf("n%d", h.chance.IntN(4))
		suite = suiteState{answer: h.chance.IntN(2)}
	case kind == 4:
		suite.expected = h.chance.IntN(3)
	case kind == 5:
		suite.question, suite.answer = h.chance.IntN(2), h.chance.IntN(3)
	case kind == 6 && h.chance.IntN(3) == 0:
		suite.prompt = 1 - suite.prompt // and nobody records it
		s.suites[id] = suite
		return "stale " + id
	case kind < 9:
		suite.prompt, suite.answer = h.chance.IntN(2), h.chance.IntN(3)
	default:
		suite.answer = h.chance.IntN(3)
	}
	suite.madeFor = suite.key(h, id)
	s.suites[id] = suite
	return fmt.Sprintf("%s is prompt %d, question %d, expects %d, answers %d", id, suite.prompt, suite.question, suite.expected, suite.answer)
}

func (h *history) changeRule(r *rules) string {
	levels := []string{"off", "warn", "error"}
	level := levels[h.chance.IntN(3)]
	switch h.chance.IntN(5) {
	case 0:
		r.bar = []string{"0.1", "0.5", "0.8"}[h.chance.IntN(3)]
	case 1:
		r.regressions = []string{"0", "1", "2", "off"}[h.chance.IntN(4)]
	case 2:
		r.removed = level
	case 3:
		r.redefined = level
	case 4:
		r.policy = level
	}
	return fmt.Sprint("rules ", *r)
}

// state reads what a commit of git's making says.
func (h *history) state(sha string) state {
	h.Helper()
	out, err := gitIn(h.repo.dir, "archive", "--format=tar", sha)
	if err != nil {
		h.Fatal(err)
	}
	files := tree{}
	for in := tar.NewReader(strings.NewReader(out)); ; {
		header, err := in.Next()
		if err == io.EOF {
			return readState(h, files)
		}
		if err != nil {
			h.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			h.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			files[header.Name] = file{"100644", string(data)}
		}
	}
}

// compare runs the action on the pull request and holds it to the oracle. The base branch may have moved on since the
// merge result, and may have stood elsewhere when the event was made.
func (h *history) compare(base, head, merge string) {
	tip := base
	if h.chance.IntN(3) == 0 {
		tip = last(h.change(slices.Clone(h.main), 100))
	}
	s := newScene(h.T, attack{})
	s.repo, s.checkout = h.repo, []string{"none", "none", "none", "none", "shallow", "whole"}[h.chance.IntN(6)]
	s.commits["base"], s.commits["head"], s.commits["merge"] = base, head, merge
	s.commits["then"] = h.main[h.chance.IntN(len(h.main))]
	s.startModels()
	s.startHub(tip)
	s.workspace = s.newWorkspace()
	want := judge(h, h.states[base], h.state(merge), h.states[tip])
	s.at = step{0, "history", []string{"with checkout", s.checkout}}
	h.Cleanup(func() {
		if h.Failed() {
			h.Logf("the history:\n%s\nmain is %s, the branch %s, merged %s; main stands at %s by the end\n%s", strings.Join(h.told, "\n"), base[:7], head[:7], merge[:7], tip[:7], s.last.log)
		}
	})
	s.run()
	if !slices.Contains(want.codes, s.last.code) {
		s.fail("exit code %d, want one of %v because of %v", s.last.code, want.codes, want.why)
	}
	if s.last.code < 2 {
		h.compareReport(s, want, base, merge)
	}
}

func (h *history) compareReport(s *scene, want expected, base, merge string) {
	var told struct {
		Run     struct{ Base, Head struct{ SHA string } }
		Changes []struct {
			Suite  string `json:"suite_id"`
			Change string
		}
	}
	if err := json.Unmarshal([]byte(s.left()[".failproof/out/report.json"]), &told); err != nil {
		h.Fatal(err)
	}
	if told.Run.Base.SHA != base || told.Run.Head.SHA != merge {
		s.fail("compared %s with %s, want the merge result %s with its first parent %s", told.Run.Head.SHA, told.Run.Base.SHA, merge, base)
	}
	got := map[string]string{} // the changes name all but still_passing; the answers tell which suites were run
	for line := range strings.Lines(s.left()[".failproof/out/results.jsonl"]) {
		var answer struct {
			Suite string `json:"suite_id"`
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			h.Fatal(err)
		}
		got[answer.Suite] = "still_passing"
	}
	for _, c := range told.Changes {
		got[c.Suite] = c.Change
	}
	if !maps.Equal(got, want.changes) {
		s.fail("the changes are %v, want %v", got, want.changes)
	}
}
