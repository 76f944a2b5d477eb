package acceptance_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// TestTheDocumentedWalkWithANoisyModel records on main, changes the prompt on a branch, records again and runs the
// gate, as the guide to recordings says. Some cases are answered wrong now and then, as a seed has it. A prompt that
// changes nothing is never blocked, and one that breaks two cases is found.
func TestTheDocumentedWalkWithANoisyModel(t *testing.T) {
	t.Parallel()
	const pairs, controls = 20, 4
	var flipped sync.Map
	t.Run("walks", func(t *testing.T) {
		for seed := range pairs + controls {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				edit, want := "Please answer yes or no.", cli.ExitPassed
				if seed >= pairs {
					edit, want = "Answer in French.", cli.ExitFailed
				}
				code, said := walkNoisily(t, seed, edit)
				if code != want {
					t.Errorf("exit code %d, want %d:\n%s", code, want, said)
				}
				if strings.Contains(said, "asking ") {
					t.Errorf("a run from recordings says that it asks:\n%s", said)
				}
				if strings.Contains(said, "rerun on both sides") {
					flipped.Store(seed, true)
				}
			})
		}
	})
	n := 0
	flipped.Range(func(any, any) bool { n++; return true })
	if n < pairs/2 {
		t.Errorf("a case flipped in %d of %d walks: the model is not noisy", n, pairs+controls)
	}
}

// walkNoisily returns how the gate ends on the branch, and all that was printed.
func walkNoisily(t *testing.T, seed int, edit string) (code int, said string) {
	t.Helper()
	var mu sync.Mutex
	times := map[string]int{} // that a question was put
	server := modeltest.Serve(t, modeltest.TextStep(func(question string) string {
		mu.Lock()
		defer mu.Unlock()
		times[question]++
		h := fnv.New64a()
		fmt.Fprint(h, seed, times[question], question)
		switch chance := h.Sum64() >> 20 % 100; {
		case strings.Contains(question, "French") && (strings.Contains(question, "shop 1?") || strings.Contains(question, "shop 2?")),
			strings.Contains(question, "noisy") && chance < 15:
			return "no"
		}
		return "yes"
	}))
	suite := "version: 1\nprompt: ../prompts/shop.md\ncases:\n"
	for i := range 16 {
		name := fmt.Sprintf("shop %d", i)
		if i > 9 {
			name = fmt.Sprintf("noisy shop %d", i)
		}
		suite += fmt.Sprintf("  - { id: c%d, vars: { shop: %s }, expected_response: \"yes\", match: contains }\n", i, name)
	}
	dir := t.TempDir()
	lays(t, dir, map[string]string{
		"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\ntargets:\n"+
			"  replay: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n"+
			"  fast: { provider: openai, model: m, base_url: %q, api_key_env: KEY }\n", server.URL),
		"suites/shop.yaml": suite, "prompts/shop.md": "Is {{shop}}? Answer yes or no.\n", ".gitignore": ".failproof\n",
	})
	git := func(args ...string) {
		t.Helper()
		if _, err := gitIn(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() {
		git("add", "--all")
		git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "change")
	}
	var out bytes.Buffer
	failproof := func(args ...string) int {
		fmt.Fprintf(&out, "$ failproof %s\n", strings.Join(args, " "))
		return start{dir: dir, env: []string{"KEY=k"}, stdout: &out, stderr: &out}.here(t.Context(), args...)
	}
	git("init", "--quiet", "--template=", "--initial-branch=main", ".")
	if code = failproof("record", "--yes"); code != cli.ExitPassed {
		return code, out.String()
	}
	commit()
	git("checkout", "--quiet", "-b", "change")
	lays(t, dir, map[string]string{"prompts/shop.md": "Is {{shop}}? " + edit + "\n"})
	if code = failproof("record", "--yes"); code != cli.ExitPassed {
		return code, out.String()
	}
	commit()
	return failproof("run", "--base"), out.String()
}
