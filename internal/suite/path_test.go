package suite

import (
	"path"
	"strings"
	"testing"
)

func TestBeside(t *testing.T) {
	cases := []struct{ rule, file, name, want, wrong string }{
		{"a path is relative to the file that names it", "suites/a/x.yaml", "../../prompts/p.md", "prompts/p.md", ""},
		{"a path may stay in the folder", "x.yaml", "p q.md", "p q.md", ""},
		{"C301: a path stays in the tree", "suites/x.yaml", "../../etc/passwd", "", "leads out"},
		{"C301: a path stays in the tree after going down", "x.yaml", "a/../../x", "", "leads out"},
		{"C301: a path is not absolute", "suites/x.yaml", "/etc/passwd", "", "absolute"},
		{"C301: a path has no backslash", "suites/x.yaml", `..\x`, "", "backslash"},
		{"C301: a path names no drive", "suites/x.yaml", "C:/x", "", `the character ':'`},
		{"C301: a path names no server", "suites/x.yaml", `\\srv\x`, "", "backslash"},
		{"C304: git's folder is private", "suites/x.yaml", "../.git/config", "", "credentials"},
		{"C304: git's folder is private in any spelling", "suites/x.yaml", "../.GIT./config", "", "credentials"},
		{"C304: an environment file is private", "suites/x.yaml", "../.env", "", "credentials"},
		{"C304: an environment file by its short name on Windows is private", "suites/x.yaml", "ENV~1", "", "credentials"},
		{"C304: an environment file with an ending is private", "suites/x.yaml", ".env.local", "", "credentials"},
		{"workflows are no prompts", "suites/x.yaml", "../.github/workflows/ci.yml", "", "workflows"},
		{"other files of .github are allowed", "suites/x.yaml", "../.github/prompts/a.md", ".github/prompts/a.md", ""},
		{"C307: a path has no NUL", "x.yaml", "a\x00b", "", `'\x00'`},
		{"C307: a path has no line break", "x.yaml", "a\nb", "", `'\n'`},
		{"C307: a path has no percent sign", "x.yaml", "a%0Ab", "", `'%'`},
		{"C307: a path has no comma", "x.yaml", "a,b", "", `','`},
		{"C307: a path has at most 4096 bytes", "x.yaml", strings.Repeat("a/", 2100), "", "longer than 4096"},
		{"C307: a path is UTF-8", "x.yaml", "a\xff", "", "not UTF-8"},
		{"a path is in normal form", "x.yaml", "e\u0301.md", "", "NFC"},
		{"a path hides no variation of a letter", "x.yaml", "a\U000e0101.md", "", `'\U000e0101'`},
		{"a path has no joiner that nobody sees", "x.yaml", "a\u034f.md", "", `'\u034f'`},
		{"a path has no space but the plain one", "x.yaml", "a\u00a0b.md", "", `'\u00a0'`},
		{"a path hides no direction mark", "x.yaml", "a\u202eb", "", `'\u202e'`},
		{"a path is not empty", "x.yaml", "", "", "is empty"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got, wrong := resolvePath(c.file, c.name)
			if wrong != "" {
				got = ""
			}
			if got != c.want || (wrong == "") != (c.wrong == "") || !strings.Contains(wrong, c.wrong) {
				t.Errorf("beside(%q, %q) = %q, %q; want %q, %q", c.file, c.name, got, wrong, c.want, c.wrong)
			}
		})
	}
}

func TestGlobs(t *testing.T) {
	cases := []struct{ rule, text, wrong string }{
		{"the usual pattern is fine", "suites/**/*.{yaml,yml,json,jsonl}", ""},
		{"a leading ./ is fine", "./suites/*.yaml", ""},
		{"a path is fine", "suites/a.yaml", ""},
		{"C310: a glob stays in the tree", "../*", "leave the repository"},
		{"a glob stays in the tree in its middle", "a/../../*", "leave the repository"},
		{"C310: a glob is relative", "/**", "absolute"},
		{"C310: a bracket is closed", "[", "not closed"},
		{"a brace is closed", "{a,b", "not closed"},
		{"C310: alternatives are few", strings.Repeat("{a,aa}", 25), "more than 16 alternatives"},
		{"braces do not nest", "{a,{b,c}}", "braces in braces"},
		{"C310: double stars are few", strings.Repeat("**/", 5), "more than 2 `**`"},
		{"C310: a glob is short", strings.Repeat("a", 4097), "longer than 4096"},
		{"a glob has no backslash", `a\*`, "backslash"},
		{"a glob is not empty", "", "is empty"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, wrong := parseGlob(c.text)
			if (wrong == "") != (c.wrong == "") || !strings.Contains(wrong, c.wrong) {
				t.Errorf("parseGlob(%q): %q, want %q", c.text, wrong, c.wrong)
			}
		})
	}
}

func TestDefaultID(t *testing.T) {
	cases := []struct {
		rule  string
		globs []string
		file  string
		want  string
	}{
		{"the folder before the first star is left out", []string{"suites/**/*.yaml"}, "suites/support/refund.yaml", "support/refund"},
		{"without such a folder the whole path is the id", []string{"**/*.yaml"}, "suites/support/refund.yaml", "suites/support/refund"},
		{"the first glob that matches decides", []string{"*.yaml", "suites/**", "**"}, "suites/a.json", "a"},
		{"a file that is named goes by its own name", []string{"suites/a/b.yaml"}, "suites/a/b.yaml", "b"},
		{"a prompt file loses its whole ending", []string{"**/*.prompt.yml"}, "prompts/a.prompt.yml", "prompts/a"},
		{"a prompt file may end in yaml", []string{"p/*"}, "p/a.b.prompt.yaml", "a.b"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var roots []glob
			for _, text := range c.globs {
				g, wrong := parseGlob(text)
				if wrong != "" {
					t.Fatalf("parseGlob(%q): %s", text, wrong)
				}
				roots = append(roots, g)
			}
			if got := defaultID(c.file, roots); got != c.want {
				t.Errorf("defaultID(%q, %q) = %q, want %q", c.file, c.globs, got, c.want)
			}
		})
	}
}

func TestTheGlobOfAFileMatchesOnlyThatFile(t *testing.T) {
	for name, other := range map[string]string{
		"a/b.yaml": "a/c.yaml", "[ab]/s.yaml": "a/s.yaml", "a*/s.yaml": "ab/s.yaml", "a?.yaml": "ab.yaml", "{a,b}/{c}.yaml": "a/c.yaml",
	} {
		g, wrong := parseGlob(GlobOf(name))
		if wrong != "" || !g.matches(name) || g.matches(other) || !g.mayMatchIn(path.Dir(name)) {
			t.Errorf("%s: %+v %s", name, g, wrong)
		}
	}
}
