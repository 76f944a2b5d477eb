package gate_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

var update = flag.Bool("update", false, "write the reference page anew")

func TestEveryRuleIsWhole(t *testing.T) {
	var codes []string
	for _, rule := range gate.Rules {
		if slices.Contains(codes, rule.Code) {
			t.Errorf("two rules have the code %s", rule.Code)
		}
		codes = append(codes, rule.Code)
		if _, keyed := rule.Key(); !keyed && rule.IfOff != "" {
			t.Errorf("%s cannot be off", rule.Code)
		}
		if _, keyed := gate.RuleFor(rule.LevelOf).Key(); rule.LevelOf != "" && (!keyed || rule.Level != "") {
			t.Errorf("%s has the level of %s, which no key sets, or a level of its own", rule.Code, rule.LevelOf)
		}
		if rule.Doc == "" || rule.MayBeAccepted && rule.Title == nil {
			t.Errorf("%s has no Doc, or is accepted and has no Title", rule.Code)
		}
		if rule.Title != nil && rule.Title(gate.TitleInput{Count: 2, Report: &report.Report{}}) == "" {
			t.Errorf("%s has an empty title", rule.Code)
		}
		if got := gate.RuleFor(rule.Code); got.Doc != rule.Doc {
			t.Errorf("RuleFor(%s) is another rule", rule.Code)
		}
	}
	for _, k := range config.Keys() {
		if !slices.Contains(codes, k.String()) {
			t.Errorf("no rule has the code %s, which is a key of the gate", k)
		}
	}
	if got := gate.RuleFor("no such rule"); got.Code != "" || got.MayBeAccepted {
		t.Errorf("Of an unknown code = %+v, want no rule", got)
	}
}

// TestEveryFileHasItsTest checks that there is a file for each rule, and a test file beside it.
func TestEveryFileHasItsTest(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < len(gate.Rules) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		test := strings.TrimSuffix(name, ".go") + "_test.go"
		if !strings.HasSuffix(name, "_test.go") && strings.Contains(string(text), "= Rule{") && !slices.Contains(files, test) {
			t.Errorf("%s has no %s", name, test)
		}
	}
}

func TestARuleThatIsOffIsSilentAndAWarningDecidesNothing(t *testing.T) {
	in := runOf(t, "s/a pass fail")
	g := with(config.MaxRegressions, off)
	if verdict, reasons := gate.Decide(g, in); verdict != report.Passed || len(reasons) > 0 {
		t.Errorf("off: %s for %v", verdict, reasons)
	}
	g = with(config.MaxRegressions, warn)
	if verdict, reasons := gate.Decide(g, in); verdict != report.Passed || len(reasons) != 1 || reasons[0].Level != report.LevelWarn {
		t.Errorf("warn: %s for %v", verdict, reasons)
	}
	if !in.Fails(comparetest.GateWithoutReruns(), in.Comparison) || in.Fails(g, in.Comparison) {
		t.Error("a run fails by a rule of level error alone")
	}
	if before := runOf(t, "s/a pass pass"); !before.Fails(comparetest.GateWithoutReruns(), in.Comparison) {
		t.Error("the comparison so far decides, not the one that the run had")
	}
}

func TestTheReferenceHasEveryRule(t *testing.T) {
	const path = "../../docs/reference/gate.md"
	want := reference()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Error("the page differs from the rules; write it anew: go test ./internal/gate -run Reference -update")
	}
}

// reference returns the reference page of all rules, as Markdown.
func reference() string {
	var b strings.Builder
	b.WriteString(`# Rules of the gate

Each reason of a verdict names its rule. A rule at the level ` + "`error`" + ` decides: the run fails, or is undecided if answers are missing.
At the level ` + "`warn`" + ` it is reported and decides nothing. [Configuration](configuration.md#gate) says how to set a level.

Reasons have the order of this page.
`)
	for _, rule := range gate.Rules {
		own, fork := levelsOf(rule)
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", rule.Code, rule.Doc)
		key, keyed := rule.Key()
		switch {
		case rule.LevelOf != "":
			fmt.Fprintf(&b, "Its level is that of `%s`.", rule.LevelOf)
		case !keyed && own == "":
		case !keyed:
			fmt.Fprintf(&b, "Level: `%s`. It cannot be set.", own)
		case key.IsLevel() || own == config.Off:
			fmt.Fprintf(&b, "Default: `%s`.", own)
		case key == config.MinRunScore:
			b.WriteString("Default: the figure of the phase, at the level `error`.")
		default:
			fmt.Fprintf(&b, "Default: %v, at the level `%s`.", config.Default().Gate.Setting(key).Value, own)
		}
		if own != fork {
			fmt.Fprintf(&b, " For a fork: `%s`.", fork)
		}
		if rule.MayBeAccepted {
			b.WriteString(" A review may accept it.")
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

// levelsOf returns the default level of a rule for a branch of the repository, and for a fork.
func levelsOf(r gate.Rule) (own, fork config.Level) {
	if k, ok := r.Key(); ok {
		defaults := config.Default().Gate
		return defaults.Setting(k).Level, defaults.ForHead(true).Setting(k).Level
	}
	return r.Level, r.Level
}
