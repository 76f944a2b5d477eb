package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/together"
)

// lineFileTree has a file of JSON lines with two suites. end is the end of its text.
func lineFileTree(end string) map[string]string {
	row := func(id, suite string) string {
		return fmt.Sprintf(`{"case_id":%q,"suite_id":%q,"prompt":"Say {{ x }}","prompt_vars":{"x":"1"},"expected_response":%[1]q}`,
			id, suite) + "\n"
	}
	return map[string]string{"suites/a.jsonl": row("a1", "s") + row("a2", "t"), "suites/b.jsonl": row("b1", "s") + end}
}

// describeSuites returns one line a case and one a diagnostic.
func describeSuites(suites []*Suite, ds []document.Diagnostic) (out []string) {
	for _, s := range suites {
		for i, c := range s.Cases {
			open := c.Open()
			out = append(out, fmt.Sprintf("%s of %s (%s, %v): %s at %s:%d, %d of %d: %v %v %v %v", s.ID, s.Path, s.Target,
				s.used, c.ID, c.Path, c.Pos.Line, i, c.Index(), open.Keys(), open.Prompt, open.Trials,
				open.Expect.Criteria[0].Expected))
		}
	}
	return append(out, lines(ds)...)
}

func TestOfEqualFilesOfLinesOneIsRead(t *testing.T) {
	fsys, cfg := tree(lineFileTree("")), settings()
	cfg.PromptBounds = &config.PromptBounds{}
	files := new(LineFiles)
	var heads, bases []*Suite
	var headFaults, baseFaults []document.Diagnostic
	together.Do(func() { heads, headFaults = files.Load(fsys, cfg, cfg.Suites) },
		func() { bases, _, baseFaults = files.LoadBase(fsys, settings(), cfg.Suites) })
	want := describeSuites(Load(fsys, cfg, cfg.Suites))
	for side, got := range map[Side][]string{Head: describeSuites(heads, headFaults), Base: describeSuites(bases, baseFaults)} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", side, diff)
		}
	}
	for i, h := range heads {
		for k, c := range h.Cases {
			if b := bases[i].Cases[k]; b.parsed != c.parsed {
				t.Errorf("case %s is read on both sides", c.ID)
			}
			c.MustPass, c.Trials = true, 7
		}
		h.Weight = 3
	}
	if diff := cmp.Diff(want, describeSuites(bases, baseFaults)); diff != "" || bases[0].Weight != 1 || bases[0].Cases[0].MustPass {
		t.Errorf("the head's settings are the base's: weight %v, %s", bases[0].Weight, diff)
	}
}

func TestAFileOfLinesIsReadOnBothSidesUnlessAllThatMattersIsEqual(t *testing.T) {
	withTarget := func(name string) *config.Config {
		c := settings()
		c.DefaultTargets = []string{name}
		return c
	}
	plain, warned := lineFileTree(""), lineFileTree(`{"case_id":"b2","suite_id":"s","prompt":"p","expected_response":".*"}`)
	for _, c := range []struct {
		name       string
		base, head map[string]string
		config     *config.Config // of the base
	}{
		{"another target", plain, plain, withTarget("echo")},
		{"another text", warned, plain, settings()},
		{"another path", map[string]string{"suites/c.jsonl": plain["suites/b.jsonl"]}, plain, settings()},
		{"an error", lineFileTree("{"), lineFileTree("{"), settings()},
		{"a warning", warned, warned, settings()},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := new(LineFiles)
			files.Load(tree(c.head), settings(), settings().Suites)
			suites, _, ds := files.LoadBase(tree(c.base), c.config, c.config.Suites)
			want, _, wantFaults := LoadBase(tree(c.base), c.config, c.config.Suites)
			if diff := cmp.Diff(describeSuites(want, wantFaults), describeSuites(suites, ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCopiedCasesCountForTheSizeOfAllCases(t *testing.T) {
	files := new(LineFiles)
	files.Load(tree(lineFileTree("")), settings(), settings().Suites)
	l := newLoader(tree(lineFileTree("")), settings(), files)
	l.expandedBytes = maxExpanded - 3*len("Say 1") + 1
	_, _, ds := loadBase(l, settings().Suites)
	if got := strings.Join(lines(ds), "\n"); !strings.HasPrefix(got, "suites/b.jsonl:1:1 too-large: ") {
		t.Errorf("diagnostics %s, want that of the third case", got)
	}
}

func TestBothSidesOfACaseHaveTheirOwnBodiesUnlessTheyAreEqual(t *testing.T) {
	load := func(files *LineFiles) *Case {
		suites, _ := files.Load(tree(lineFileTree("")), settings(), settings().Suites)
		return suites[0].Cases[0]
	}
	files := new(LineFiles)
	base := load(files)
	for _, c := range []struct {
		name   string
		head   *Case
		change func(head *Case)
		shared bool
	}{
		{"read once", load(files), func(*Case) {}, true},
		{"another name", load(files), func(c *Case) { c.ID = "other" }, false},
		{"another severity", load(files), func(c *Case) { c.Severity = "high" }, false},
		{"opened before", load(files), func(c *Case) { *c = c.Open() }, false},
		{"read twice", load(nil), func(*Case) {}, false},
	} {
		c.change(c.head)
		b, h := OpenBoth(base, c.head)
		if b.Body == nil || h.Body == nil || (b.Body == h.Body) != c.shared || b.ID != base.ID || h.ID != c.head.ID {
			t.Errorf("%s: cases %s and %s share a body: %v", c.name, b.ID, h.ID, b.Body == h.Body)
		}
	}
	if b, h := OpenBoth(base, nil); b.Body == nil || h != nil {
		t.Errorf("a removed case is opened as %v and %v", b, h)
	}
	if b, h := OpenBoth(nil, base); b != nil || h.Body == nil {
		t.Errorf("a new case is opened as %v and %v", b, h)
	}
}
