package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// matrix runs the jobs of a matrix, each on a machine of its own, and hands the files of those that are kept to the
// machine of the merge.
func (h *hub) matrix(of int, kept func(n int) bool) {
	h.t.Helper()
	merge := h.t.TempDir()
	for n := 1; n <= of; n++ {
		h.workspace = h.t.TempDir()
		h.env["INPUT_SHARD"] = fmt.Sprintf("%d/%d", n, of)
		o := h.run()
		if o.code != cli.ExitPassed || o.outputs["verdict"] != "" || o.summary != "" {
			h.t.Errorf("shard %d: exit code %d, outputs %v, summary %q; want 0 and none; log:\n%s", n, o.code, o.outputs, o.summary, o.log)
		}
		if kept(n) {
			write(h.t, filepath.Join(merge, ".failproof/shards", fmt.Sprint("failproof-shard-", n), "shard.jsonl"), read(filepath.Join(h.workspace, ".failproof/out/shard.jsonl")))
		}
	}
	h.workspace, h.env["INPUT_SHARD"] = merge, "merge"
}

func TestTheJobsOfAMatrixAskAndOneJudges(t *testing.T) {
	h, server := liveHub(t, 10, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[strings.Contains(q, "really n003")]
	}))
	h.matrix(3, func(int) bool { return true })
	if n := len(server.Requests()); n != 20 || len(h.Comments(pullNumber))+len(h.Checks()) != 0 {
		t.Errorf("the parts asked %d questions and left %d comments and %d check runs; want 20 and none", n, len(h.Comments(pullNumber)), len(h.Checks()))
	}
	h.expect(h.run(), cli.ExitFailed, "failed")
	holds(t, "the comment", h.comment().Body, "c003")
	if checks := h.Checks(); len(checks) != 1 || checks[0].Name != "failproof" || checks[0].Conclusion != "failure" {
		t.Errorf("check runs %+v, want one that failed", checks)
	}
	if n := len(server.Requests()); n != 20+14 {
		t.Errorf("%d questions, want 14 more for the case that flipped", n)
	}
}

func TestAJobOfTheMatrixThatIsMissingLeavesTheRunOpen(t *testing.T) {
	for _, c := range []struct {
		rule string
		kept func(int) bool
		says string
	}{
		{"one of three", func(n int) bool { return n != 2 }, "shard 2 of 3 is missing"},
		{"all of three", func(int) bool { return false }, "no shard of the run was found below `.failproof/shards`: 20 of 20 answers missing"},
	} {
		h, server := liveHub(t, 10, modeltest.TextStep(yes))
		h.matrix(3, c.kept)
		before := len(server.Requests())
		h.expect(h.run(), cli.ExitUndecided, "undecided")
		holds(t, "the comment", h.comment().Body, c.says, "No verdict: shards of the run are missing",
			"Run the jobs of the missing shards again, then this one")
		if n := len(server.Requests()) - before; n != 0 {
			t.Errorf("%s: the merge asked %d questions, want none", c.rule, n)
		}
	}
}

// The change brings answers of its own, where a checkout puts them: they are not read.
func TestShardsThatTheChangeBringsAreNotRead(t *testing.T) {
	h := hubOf(t, shop(t), shop(t, "From nine", "From nine on"))
	h.matrix(1, func(int) bool { return true })
	h.expect(h.run(), cli.ExitPassed, "passed")
	name := ".failproof/shards/failproof-shard-1/shard.jsonl"
	files := shop(t, "From nine", "From nine on")
	files[name] = read(filepath.Join(h.workspace, name))
	h.push(files)
	h.expect(h.run(), cli.ExitUndecided, "undecided")
	holds(t, "the comment", h.comment().Body, "the change contains shards in")
}
