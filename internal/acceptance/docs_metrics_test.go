package acceptance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

const metricsPage = "docs/reference/metrics.md"

// between replaces what stands between two marks of a page, or with -update writes the page anew.
func between(t *testing.T, path, mark, want string) {
	t.Helper()
	page := shipped(t, path)
	begin, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for %s", path, mark)
	}
	fresh := before + begin + want + end + after
	switch {
	case fresh == page:
	case *update:
		if err := os.WriteFile(filepath.Join(root, path), []byte(fresh), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s tells %s otherwise than the program does: go test ./internal/acceptance -run Page -update writes it anew", path, mark)
	}
}

func TestTheMetricsPageHasTheStrategyMap(t *testing.T) {
	m := score.StrategyMap(nil)
	var names []string
	for name := range m.Benchmarks {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(a)*1000 + strings.Compare(a, b) - len(b)*1000 })
	var b strings.Builder
	b.WriteString("| benchmark | | strategy | accuracy | grounding |\n|---|---|---|---|---|\n")
	for _, name := range names {
		x, p := m.Benchmarks[name], m.Plan(name, "", "")
		accuracy := p.AccuracyMethod
		if p.FallbackMethod != "" {
			accuracy += ", else " + p.FallbackMethod
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, x.Name, p.Strategy, accuracy, map[bool]string{true: "always", false: "with claims or terms"}[p.Grounding])
	}
	between(t, metricsPage, "map", b.String())
}

// old is how answers were measured before these metrics: accuracy by shared words, completeness by sentences that share
// most of their words, weighted as today.
func old(expected, answer string) (accuracy, completeness, overall float64) {
	accuracy = sharedWords(expected, answer)
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(answer), notLetter), " ") + " "
	sentences := strings.FieldsFunc(expected, func(r rune) bool { return r == '.' || r == ';' })
	covered := 0
	for _, s := range sentences {
		said, all := 0, strings.FieldsFunc(strings.ToLower(s), notLetter)
		for _, w := range all {
			if strings.Contains(words, " "+w+" ") {
				said++
			}
		}
		if 10*said >= 6*len(all) {
			covered++
		}
	}
	completeness = float64(covered) / float64(len(sentences))
	overall, _ = score.Overall([]score.Metric{{Value: accuracy, Weight: score.AccuracyWeight}, {Value: completeness, Weight: score.CompletenessWeight}})
	return accuracy, completeness, overall
}

// sharedWords is the share of the distinct words of two texts that both have.
func sharedWords(a, b string) float64 {
	either, both := map[string]bool{}, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(a), notInWord) {
		either[w] = true
	}
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(b), notInWord) {
		if either[w] && !seen[w] {
			both++
		}
		seen[w] = true
	}
	maps.Copy(either, seen)
	return float64(both) / float64(len(either))
}

func notInWord(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func notLetter(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '\'')
}

// references are the expected answers by suite and case: those of the suites, and for suites that compare no meaning,
// those of a file of their own.
func references(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "references.json"))), &out); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "suites", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no suites: %v", err)
	}
	for _, path := range paths {
		root, _ := document.Parse(path, []byte(read(t, path)))
		for _, c := range root.Get("cases").List() {
			if text := c.Get("expected_response"); text != nil {
				out[strings.TrimSuffix(filepath.Base(path), ".yaml")+"/"+c.Get("id").Text] = text.Text
			}
		}
	}
	return out
}

// results runs the suites of a folder and reads what it found.
func results(t *testing.T, dir string) (out []report.Result) {
	t.Helper()
	to := t.TempDir()
	if code, text, errs := command(t, dir, "run", "--out", to, "--quiet"); code != cli.ExitPassed {
		t.Fatalf("failproof run exits %d: %s%s", code, text, errs)
	}
	if err := report.ReadResults(strings.NewReader(read(t, filepath.Join(to, "results.jsonl"))), func(r report.Result, _ report.Ref) error {
		out = append(out, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// The page compares a fixed subset of cases: the old and the new metrics side by side, and the bars unchanged.
func TestTheMetricsPageHasTwentyCasesByTheOldAndTheNewMetrics(t *testing.T) {
	dir := filepath.Join("testdata", "metrics")
	expected := references(t, dir)
	var b strings.Builder
	b.WriteString("| case | old accuracy | old completeness | old overall | accuracy | completeness | grounding | overall | at 0.15 |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n")
	all := results(t, dir)
	for _, r := range all {
		name := r.SuiteID + "/" + r.CaseID
		if expected[name] == "" {
			t.Errorf("no expected answer for %s", name)
		}
		accuracy, completeness, overall := old(expected[name], string(r.RawResponse))
		if *r.PhaseThresholdUsed != 0.15 || *r.PassedThreshold != score.Meets(*r.OverallScore, 0.15) {
			t.Errorf("%s: bar %v, passed %v", name, *r.PhaseThresholdUsed, *r.PassedThreshold)
		}
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %s | %s | %s | %.2f | %s |\n", name, accuracy, completeness, overall,
			shown(r, score.Accuracy), shown(r, score.Completeness), shown(r, score.Grounding), *r.OverallScore,
			both(score.Meets(overall, 0.15), *r.PassedThreshold))
	}
	if len(all) != 20 {
		t.Fatalf("%d cases, want 20", len(all))
	}
	between(t, metricsPage, "regression", b.String())
}

// shown is a metric's value, with a mark where it is degraded.
func shown(r report.Result, name string) string {
	for _, m := range r.Metrics {
		if m.Name == name {
			return fmt.Sprintf("%.2f%s", m.Value, map[bool]string{true: "*"}[m.Degraded])
		}
	}
	return "–"
}

func both(before, after bool) string {
	word := map[bool]string{true: "pass", false: "miss"}
	if before == after {
		return word[after]
	}
	return word[before] + " → **" + word[after] + "**"
}
