package acceptance_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write anew what pages and testdata/equal.txt take from the program")

// outside is the kind of the attacks that no run can hold. They are played too, so that the page says what is so.
const outside = "outside-of-a-run"

// kinds says what the attacks of a folder have in common.
var kinds = map[string]string{
	"bars":                "lowers a bar or a level, calls it a phase, a quarantine or noise, deletes the configuration",
	"bot":                 "tells the bot to judge, accept or say something without the right to, or another commit",
	"base-faults":         "counts on a base file with a fault to be taken for none",
	"command-line":        "is a stranger's branch in a checkout at a command line: another host, key or command, a base shadowed by a folder",
	"comments":            "forges or edits the comment, or relies on what it said before",
	"dilution":            "lifts a score by weights, trivial suites, trivial or copied cases",
	"drift":               "merged or wrote something that a scheduled run reads: its past, an issue, a link, a model's answer",
	"events":              "gets a second verdict on the commit: another event, branch, name or step",
	"files":               "bombs, oversized and malformed files, references that leave the repository",
	"first-configuration": "brings the first configuration, with its gate, endpoint, command or key",
	"github":              "meets errors, half answers and missing permissions of GitHub",
	"live":                "changes endpoint, key, command, budget or template of a live target; makes the model tell the key",
	"meaning":             "touches the model that compares answers by meaning, or has answers that cannot be compared by it",
	"merge-queue":         "hides in the merge queue behind another pull request",
	"must-pass":           "removes, unmarks, renames or eases a case that must pass",
	"old-branch":          "began before a rule, shadows or moves the configuration, merges by its own side; the base moves on",
	"output":              "writes commands, Markdown, HTML and secrets for the log, the comment and the page",
	outside:               "forges what a run cannot tell from the truth: [what it cannot defend](../security.md#what-it-cannot-defend)",
	"policies":            "adds, removes, rewords or narrows a policy",
	"answers":             "has the model hide what no reader sees: in comments, titles, addresses, thoughts",
	"recordings":          "drops, keeps or forges keys, targets, trials and fresh answers; leaves answers out",
	"redefined":           "edits what is expected: assertion, label, format, schema, strategy, threshold, question",
	"reviews":             "is approved by its author, a reader, a bot, too early, for another commit",
	"scope":               "takes cases out of sight: globs, links, names, targets, 3,500 files",
	"targets":             "drops, replaces or adds targets of a suite that names several",
	"shards":              "leaves out, doubles, exchanges or edits the parts of a divided run",
	"stored-reports":      "has an edited report for the base",
	"severity":            "calls what fails harmless and what passes critical",
}

const (
	security = "../../docs/reference/security.md"
	begin    = "<!-- attacks -->\n"
	end      = "<!-- /attacks -->"
)

// TestTheSecurityPageCountsTheAttacks holds the table on the page to the corpus.
func TestTheSecurityPageCountsTheAttacks(t *testing.T) {
	page, err := os.ReadFile(security)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	printed, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table: %q and %q", security, begin, end)
	}
	want := table(t)
	if printed == want {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not that of the corpus; go test ./internal/acceptance -run SecurityPage -update writes it. Want:\n%s", security, want)
	}
	if err := os.WriteFile(security, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// table prints the corpus by kind.
func table(t *testing.T) string {
	count, held := map[string]int{}, map[string]int{}
	for _, a := range corpus(t, "attacks") {
		count[a.kind]++
		if !slices.ContainsFunc(a.steps, func(s step) bool { return s.verb == "through" }) {
			held[a.kind]++
		}
	}
	out, all, allHeld := "| the pull request | tried | held |\n|---|--:|--:|\n", 0, 0
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if kinds[kind] == "" {
			t.Errorf("nothing says what the attacks of %s have in common", kind)
		}
		out += fmt.Sprintf("| %s | %d | %d |\n", kinds[kind], count[kind], held[kind])
		all, allHeld = all+count[kind], allHeld+held[kind]
		if kind != outside && held[kind] != count[kind] {
			t.Errorf("an attack of the kind %s gets through; what cannot be held belongs to %s", kind, outside)
		}
	}
	for kind := range kinds {
		if count[kind] == 0 {
			t.Errorf("there is no attack of the kind %s", kind)
		}
	}
	return out + fmt.Sprintf("| **all** | **%d** | **%d** |\n| honest work, not blocked | %d | |\n", all, allHeld, len(corpus(t, "honest")))
}
