package acceptance_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// states are pull requests of the corpus by the state of the gate whose comment they show.
var states = map[string]string{
	"accepted":                 "honest/accepted-removal",
	"all-new":                  "honest/new-suite",
	"answers-of-every-kind":    "answers/of-every-kind",
	"asked-again-in-vain":      "undecided/asked-again-in-vain",
	"base-fault":               "attacks/base-faults/link-in-place-of-the-prompt",
	"base-moved":               "attacks/old-branch/tip-has-a-stricter-gate",
	"broken":                   "attacks/live/regression",
	"broken-must-pass":         "attacks/must-pass/broken-where-regressions-are-allowed",
	"broken-probe":             "attacks/severity/through-the-defaults",
	"budget":                   "attacks/live/budget",
	"canceled":                 "undecided/canceled",
	"conflict":                 "attacks/old-branch/conflict",
	"facts-weakened":           "attacks/redefined/key-facts",
	"forbidden":                "answers/forbidden",
	"first-run":                "honest/first-configuration",
	"fixed":                    "honest/improved-prompt",
	"flipped-once":             "attacks/recordings/bad-prompt-with-the-tool",
	"forty-broken":             "answers/forty-broken",
	"hand-written":             "honest/several-targets",
	"invalid":                  "attacks/recordings/cut-off",
	"judge-fails-controls":     "undecided/judge-fails-controls",
	"judged":                   "answers/judged",
	"judged-by-nobody-checked": "answers/judged-by-nobody-checked",
	"model-changed":            "honest/model-changed-and-recorded",
	"must-pass-removed":        "attacks/must-pass/removed",
	"must-pass-weakened":       "attacks/must-pass/expectation-that-the-new-answer-meets",
	"new-cases":                "honest/new-cases",
	"no-key":                   "undecided/no-key",
	"no-key-fork":              "attacks/live/a-fork-without-a-key",
	"no-money":                 "undecided/no-money",
	"not-recorded":             "attacks/recordings/missing",
	"nothing-affected":         "honest/configuration-moved",
	"outage":                   "attacks/live/every-call-fails",
	"overloaded":               "undecided/overloaded",
	"passed":                   "honest/expectation-tightened",
	"passed-live":              "honest/live-rewording",
	"quarantined":              "honest/quarantined",
	"rate-limit":               "undecided/rate-limit",
	"removed":                  "honest/case-removed",
	"report-only":              "honest/report-only",
	"runner-failed":            "answers/runner-failed",
	"runner-passed":            "answers/runner-passed",
	"runner-unproven":          "answers/runner-unproven",
	"settings-changed":         "honest/stricter-gate",
	"shard-missing":            "undecided/shard-missing",
	"slower":                   "answers/slower",
	"stale":                    "attacks/recordings/kept-keys",
	"target-changed":           "attacks/live/another-key",
	"time-limit":               "undecided/time-limit",
	"truncated":                "honest/answers-cut-where-nothing-is-forbidden",
	"unverified":               "attacks/recordings/stamped-by-hand",
	"weakened-and-not-checked": "attacks/redefined/format-dropped",
	"wrong-key":                "undecided/wrong-key",
}

var updateStates = flag.Bool("update-states", false, "write the comments of the states")

// address is an address of a server of the test.
var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestTheCommentOfEachState plays a pull request for each state of the gate, and compares its comment with the one that
// is kept. Pictures are drawn of those: see .ci/run pictures.
func TestTheCommentOfEachState(t *testing.T) {
	t.Parallel()
	kept, err := filepath.Glob("testdata/states/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kept {
		if _, known := states[strings.TrimSuffix(filepath.Base(name), ".md")]; !known {
			t.Errorf("%s is of no state", name)
		}
	}
	for state, path := range states {
		a, err := readAttack("testdata/" + path + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		if wanted() < everything && !a.quick && !*updateStates {
			continue
		}
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			s := play(t, a)
			got := s.lastComment()
			name := filepath.Join("testdata/states", state+".md")
			if *updateStates {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(strings.Split(read(t, name), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("the comment differs (-want +got); -update-states writes it:\n%s", diff)
			}
		})
	}
}

// lastComment is the newest comment of the gate, or the one that a run outside of GitHub wrote, with names in place of
// commits and servers.
func (s *scene) lastComment() string {
	text := ""
	for _, c := range s.hub.Comments(pullNumber) {
		if strings.Contains(c.Body, "<!-- failproof:comment") {
			text = c.Body
		}
	}
	if text == "" { // of a person's run
		text = s.get(filepath.Join(s.workspace, ".failproof", "out", "comment.md"))
	}
	var names []string
	for name := range s.commits {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if sha := s.commits[name]; len(sha) == 40 {
			text = strings.NewReplacer(sha, "{"+name+"}", sha[:7], "{"+name+"}").Replace(text)
		}
	}
	text, _, _ = strings.Cut(text, "<!-- failproof:facts -->") // times
	return address.ReplaceAllString(text, "127.0.0.1:1")
}
