package sides_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/suite"
)

// suitesOf returns a tree with one suite for each list of cases. A case is ID=QUESTION.
func suitesOf(suites map[string]string) runtest.Files {
	files := runtest.Files{"p.md": "Is it {{ q }}?\n",
		"failproof.yml": "version: 1\nsuites: [\"*.yaml\"]\ndefault_target: kept\ntargets: { kept: { provider: recorded, path: \"{suite}.jsonl\" } }\n"}
	for id, cases := range suites {
		text := "version: 1\nid: " + id + "\nprompt: p.md\ncases:\n"
		for _, one := range strings.Fields(cases) {
			name, question, _ := strings.Cut(one, "=")
			text += fmt.Sprintf("  - { id: %s, vars: { q: %s }, expected_response: \"yes\" }\n", name, question)
		}
		files[id+".yaml"] = text
	}
	return files
}

// describePair returns the names of the case on both sides.
func describePair(p suite.Pair) string {
	name := func(s *suite.Suite, c *suite.Case) string {
		if s == nil && c == nil {
			return "-"
		}
		return s.ID + "/" + c.ID
	}
	return name(p.BaseSuite, p.Base) + " " + name(p.HeadSuite, p.Head)
}

func idsOf(suites []*suite.Suite) (ids []string) {
	for _, s := range suites {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestACaseIsFoundOnBothSidesByItsNameOnTheHead(t *testing.T) {
	base := suitesOf(map[string]string{"s": "a=A b=B gone=G old=O", "u": "x=X y=Y"})
	head := suitesOf(map[string]string{"s": "a=A b=C new=N renamed=O x=X", "v": "y=Y"})
	s := readTrees(t, head, base)
	for name, want := range map[string]string{
		"s/a": "s/a s/a", "s/b": "s/b s/b", "s/new": "- s/new", "s/gone": "s/gone -", "s/renamed": "s/old s/renamed",
		"s/old": "- -", "s/x": "u/x s/x", "v/y": "u/y v/y", "none/a": "- -", "s/none": "- -",
	} {
		of, id, _ := strings.Cut(name, "/")
		if got := describePair(s.Pairs.Find(of, id)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := describePair(readTrees(t, head, nil).Pairs.Find("s", "a")); got != "- s/a" {
		t.Errorf("without a base: %s", got)
	}
}

func TestTheBaseSuitesOfASuiteAreItsOwnOrThoseThatItsCasesComeFrom(t *testing.T) {
	base := suitesOf(map[string]string{"s": "a=A b=B", "u": "x=X y=Y", "w": "z=Z k=K"})
	moved := suitesOf(map[string]string{"s": "a=A b=B x=X", "m": "y=Y z=Z n=N", "w": "k=K"})
	s := readTrees(t, moved, base)
	for id, want := range map[string][]string{"s": {"s"}, "m": {"u", "w"}, "w": {"w"}} {
		if got := idsOf(s.Pairs.BaseSuites(s.Head.Find(id))); !slices.Equal(got, want) {
			t.Errorf("those of %s are %q, want %q", id, got, want)
		}
	}
	var in []string
	for _, one := range s.Pairs.MovedIn(s.Head.Find("s")) {
		in = append(in, describePair(one))
	}
	if !slices.Equal(in, []string{"u/x s/x"}) || s.Pairs.MovedIn(s.Head.Find("w")) != nil ||
		s.Pairs.MovedIn(s.Head.Find("m")) != nil {
		t.Errorf("moved in: %q", in)
	}
	s = readTrees(t, suitesOf(map[string]string{"s": "a=A b=B", "u": "x=X y=Y", "w": "z=Z k=K", "new": "n=N"}), base)
	if got := s.Pairs.BaseSuites(s.Head.Find("new")); got != nil || s.Pairs.MovedIn(s.Head.Find("s")) != nil {
		t.Errorf("if no case moved: %q", idsOf(got))
	}
}

func TestSuitesOfSeveralTargetsHaveACaseOnce(t *testing.T) {
	base := suitesOf(map[string]string{"s": "a=A both=B", "old": "lost=L"})
	head := suitesOf(map[string]string{"s": "a=A both=B lost=M", "u": "both=C"})
	head["failproof.yml"] = strings.Replace(head["failproof.yml"], "} }", "}, again: { provider: recorded, path: \"{suite}.again.jsonl\" } }", 1)
	head["s.yaml"] = strings.Replace(head["s.yaml"], "prompt:", "targets: [kept, again]\nprompt:", 1)
	base["failproof.yml"] = head["failproof.yml"]
	p := readTrees(t, head, base).Pairs
	for id, want := range map[string]bool{"a": false, "both": true, "lost": true, "none": false} {
		if got := p.InSeveralSuites(id); got != want {
			t.Errorf("%s is in several suites: %v", id, got)
		}
	}
}
