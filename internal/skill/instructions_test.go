package skill_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skill"
)

// repository has instructions of every kind.
func repository() map[string]string {
	return map[string]string{
		"AGENTS.md": "Root.\n", "src/AGENTS.md": "Sources.\n", "src/api/AGENTS.md": "API.\n", "docs/AGENTS.md": "Docs.\n",
		"CLAUDE.md": "Claude.\n", "src/CLAUDE.md": "Claude of sources.\n", "GEMINI.md": "Gemini.\n",
		".github/copilot-instructions.md":              "Copilot.\n",
		".github/instructions/go.instructions.md":      "---\napplyTo: '**/*.go,**/go.{mod,sum}'\n---\nGo.\n",
		".github/instructions/deep/ts.instructions.md": "---\napplyTo: **/*.ts\n---\nTypeScript.\n",
		".github/instructions/manual.instructions.md":  "---\ndescription: By hand\n---\nBy hand.\n",
		".github/instructions/README.md":               "No rule.\n",
		".cursor/rules/all.mdc":                        "---\nalwaysApply: true\nglobs:\n---\nAlways.\n",
		".cursor/rules/list.mdc":                       "---\nglobs:\n  - \"*.ts\"\n  - web/**\ndescription: x\n---\nList.\n",
		".cursor/rules/asked.mdc":                      "---\ndescription: on demand\nalwaysApply: false\n---\nOn demand.\n",
		"AGENTS.override.md":                           "Override.\n", ".claude/CLAUDE.md": "Claude, hidden.\n", ".cursorrules": "Cursor.\n",
		".claude/rules/all.md": "For all.\n", ".claude/rules/deep/api.md": "---\npaths:\n  - \"src/api/**/*.ts\"\n---\nOf the API.\n", ".claude/rules/x.txt": "No rule.\n",
		"node_modules/x/AGENTS.md":                        "Not ours.\n",
		".github/instructions/faulty.instructions.md.txt": "No rule.\n",
	}
}

func sent(i *skill.Instructions) string {
	var out []string
	for _, f := range i.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

func TestInstructionsAreThoseThatHold(t *testing.T) {
	const rules = ".github/instructions/deep/ts.instructions.md .github/instructions/go.instructions.md .github/instructions/manual.instructions.md .cursor/rules/all.mdc .cursor/rules/asked.mdc .cursor/rules/list.mdc .claude/rules/all.md .claude/rules/deep/api.md"
	tests := []struct {
		names []string
		file  string
		want  string
	}{
		{[]string{"AGENTS.md"}, "", "AGENTS.md"},
		{[]string{"GEMINI.md", "AGENTS.md", "GEMINI.md"}, "", "GEMINI.md AGENTS.md"},
		{[]string{"."}, "", "AGENTS.md AGENTS.override.md CLAUDE.md GEMINI.md .claude/CLAUDE.md .github/copilot-instructions.md .cursorrules " + rules},
		{[]string{"src"}, "", "src/AGENTS.md src/CLAUDE.md"},
		{[]string{".cursor/rules"}, "", ".cursor/rules/all.mdc .cursor/rules/asked.mdc .cursor/rules/list.mdc"},
		{[]string{"AGENTS.md"}, "src/api/x.ts", "AGENTS.md src/AGENTS.md src/api/AGENTS.md"},
		{[]string{"src/AGENTS.md"}, "src/api/x.ts", "src/AGENTS.md src/api/AGENTS.md"},
		{[]string{"AGENTS.md", "docs/AGENTS.md"}, "srcs/x.ts", "AGENTS.md"},
		{[]string{".github/instructions"}, "src/go.sum", ".github/instructions/go.instructions.md"},
		{[]string{"."}, "src/x.ts", "AGENTS.md src/AGENTS.md AGENTS.override.md CLAUDE.md src/CLAUDE.md GEMINI.md .claude/CLAUDE.md .github/copilot-instructions.md .cursorrules " +
			".github/instructions/deep/ts.instructions.md .cursor/rules/all.mdc .cursor/rules/list.mdc .claude/rules/all.md"},
		{[]string{".claude/rules"}, "src/api/v1/x.ts", ".claude/rules/all.md .claude/rules/deep/api.md"},
		{[]string{".cursor/rules"}, "web/a/b.css", ".cursor/rules/all.mdc .cursor/rules/list.mdc"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.names, " for ", test.file), func(t *testing.T) {
			i, ds := skill.ReadInstructions(tree(repository()), test.names, test.file)
			if len(ds) > 0 {
				t.Fatal(ds)
			}
			if got := sent(i); got != test.want {
				t.Errorf("sent\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestInstructionsAreBlocksWithTheirPaths(t *testing.T) {
	i, ds := skill.ReadInstructions(tree(repository()), []string{"AGENTS.md", ".github/instructions/go.instructions.md"}, "")
	want := "<file path=\"AGENTS.md\">\nRoot.\n</file>\n\n<file path=\".github/instructions/go.instructions.md\">\nGo.\n</file>"
	if len(ds) > 0 || i.Message != want {
		t.Errorf("%v, message\n%s\nwant\n%s", ds, i.Message, want)
	}
	if got := i.Summary(); got != "2 instruction files, 53 bytes" {
		t.Error(got)
	}
}

func TestImportsOfCLAUDE(t *testing.T) {
	deep := map[string]string{"CLAUDE.md": "@a1.md"}
	for n := range 7 {
		deep[fmt.Sprintf("a%d.md", n)] = fmt.Sprintf("%d @a%d.md", n, n+1)
	}
	tests := []struct {
		name  string
		files map[string]string
		names []string
		want  string   // files that are sent
		says  []string // of the diagnostics
	}{
		{"a file in a sentence", map[string]string{"CLAUDE.md": "See @docs/a.md, and (@b.txt).\n", "docs/a.md": "A @c.md", "docs/c.md": "C", "b.txt": "B"},
			[]string{"CLAUDE.md"}, "CLAUDE.md docs/a.md docs/c.md b.txt", nil},
		{"AGENTS.md does not import", map[string]string{"AGENTS.md": "@a.md", "a.md": "A"}, []string{"AGENTS.md"}, "AGENTS.md", nil},
		{"code imports nothing", map[string]string{"CLAUDE.md": "`@a.md`\n```\n@a.md\n```\n", "a.md": "A"}, []string{"CLAUDE.md"}, "CLAUDE.md", nil},
		{"code in a list ends with the list", map[string]string{"CLAUDE.md": "- x\n\n    ```\n    @b.md\n@a.md\n", "a.md": "A", "b.md": "B"}, []string{"CLAUDE.md"}, "CLAUDE.md a.md", nil},
		{"a name and an address are text", map[string]string{"CLAUDE.md": "@ada ada@a.md @scope/package @/components/x"}, []string{"CLAUDE.md"}, "CLAUDE.md", nil},
		{"each file once", map[string]string{"CLAUDE.md": "@AGENTS.md @AGENTS.md", "AGENTS.md": "A"}, []string{"CLAUDE.md", "AGENTS.md"}, "CLAUDE.md AGENTS.md", nil},
		{"home is not sent", map[string]string{"CLAUDE.md": "x\n@~/.claude/me.md"}, []string{"CLAUDE.md"}, "CLAUDE.md",
			[]string{`CLAUDE.md:2:1 warning outside "@~/.claude/me.md" leads out`}},
		{"nothing hidden is sent that may be a secret", map[string]string{"CLAUDE.md": "@.npmrc @.aws/credentials @.claude/a.md", ".npmrc": "token", ".aws/credentials": "key",
			".claude/a.md": "A"}, []string{"CLAUDE.md"}, "CLAUDE.md .claude/a.md",
			[]string{`CLAUDE.md:1:1 warning hidden-file`, `CLAUDE.md:1:9 warning hidden-file`}},
		{"nothing outside is sent", map[string]string{"sub/CLAUDE.md": "@../../etc/passwd @/etc/a.md @../in.md", "in.md": "I"}, []string{"sub/CLAUDE.md"}, "sub/CLAUDE.md in.md",
			[]string{`sub/CLAUDE.md:1:1 warning outside`, `sub/CLAUDE.md:1:19 warning outside`}},
		{"a file that is missing", map[string]string{"CLAUDE.md": "@gone.md"}, []string{"CLAUDE.md"}, "CLAUDE.md", []string{`CLAUDE.md:1:1 warning missing-file there is no file "gone.md"`}},
		{"five deep", deep, []string{"CLAUDE.md"}, "CLAUDE.md a1.md a2.md a3.md a4.md a5.md", []string{`a5.md:1:3 warning too-deep`}},
		{"a loop", map[string]string{"CLAUDE.md": "@a.md", "a.md": "@b.md", "b.md": "x @a.md"}, []string{"CLAUDE.md"}, "", []string{"b.md:1:3 error loop the imports go round: a.md → b.md → a.md"}},
		{"itself", map[string]string{"CLAUDE.md": "@CLAUDE.md"}, []string{"CLAUDE.md"}, "", []string{"CLAUDE.md:1:1 error loop the imports go round: CLAUDE.md → CLAUDE.md"}},
		{"not UTF-8", map[string]string{"CLAUDE.md": "@a.md", "a.md": "\xff"}, []string{"CLAUDE.md"}, "", []string{"a.md:1:1 error encoding"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i, ds := skill.ReadInstructions(tree(test.files), test.names, "")
			if i != nil && sent(i) != test.want || i == nil && test.want != "" {
				t.Errorf("sent %v, want %s", i, test.want)
			}
			if len(ds) != len(test.says) {
				t.Fatal(ds)
			}
			for n, d := range ds {
				if got := fmt.Sprint(d.Location(), " ", d.Severity, " ", d.Rule, " ", d.Message); !strings.HasPrefix(got, test.says[n]) {
					t.Errorf("says %s\nwant %s", got, test.says[n])
				}
			}
		})
	}
}

func TestAnImportIsReplacedByItsFile(t *testing.T) {
	i, ds := skill.ReadInstructions(tree(map[string]string{"CLAUDE.md": "ü @a.md.\n`@a.md` @a.md\n", "a.md": "A\n"}), []string{"CLAUDE.md"}, "")
	want := "<file path=\"CLAUDE.md\">\nü <file path=\"a.md\">\nA\n</file>.\n`@a.md` @a.md\n</file>"
	if len(ds) > 0 || i.Message != want {
		t.Errorf("%v, message\n%s\nwant\n%s", ds, i.Message, want)
	}
}

func TestFaultsOfInstructions(t *testing.T) {
	many, wide := map[string]string{}, map[string]string{"CLAUDE.md": ""}
	crowd := map[string]string{"AGENTS.md": "x"}
	for n := range 501 {
		crowd[fmt.Sprintf(".cursor/rules/%03d.mdc", n)] = "---\nglobs: none\n---\nx"
	}
	for n := range 150 {
		many[fmt.Sprintf(".cursor/rules/%03d.mdc", n)] = "x"
		wide["CLAUDE.md"] += fmt.Sprintf("@%d.md\n", n)
		wide[fmt.Sprintf("%d.md", n)] = "x"
	}
	long := strings.Repeat("x", 200<<10)
	for name, test := range map[string]struct {
		files map[string]string
		names []string
		file  string
		want  string
	}{
		"a folder without any":        {map[string]string{"a/x.md": "x"}, []string{"a"}, "", "no-instructions"},
		"none holds":                  {repository(), []string{"docs/AGENTS.md"}, "src/x.ts", "no-instructions"},
		"a file that is missing":      {repository(), []string{"GONE.md"}, "", "unreadable"},
		"too many rules":              {many, []string{"."}, "", "too-large"},
		"too many rules to look at":   {crowd, []string{"."}, "src/x.ts", "too-large"},
		"too many patterns":           {map[string]string{"a.mdc": "---\nglobs: " + strings.Repeat("x,", 100) + "*.ts\n---\nx", "AGENTS.md": "x"}, []string{"AGENTS.md", "a.mdc"}, "x.ts", "glob"},
		"a rule that is not printed":  {map[string]string{"AGENTS.md": "x", ".cursor/rules/a\x1b.mdc": "x"}, []string{"."}, "", "path"},
		"too many imports":            {wide, []string{"CLAUDE.md"}, "", "too-large"},
		"too large together":          {map[string]string{"AGENTS.md": long, "CLAUDE.md": long, "GEMINI.md": long}, []string{"."}, "", "too-large"},
		"settings that are too large": {map[string]string{"a.mdc": "---\n" + long + "\n---\nx", "b.mdc": "---\n" + long + "\n---\ny"}, []string{"a.mdc", "b.mdc"}, "", "too-large"},
	} {
		t.Run(name, func(t *testing.T) {
			i, ds := skill.ReadInstructions(tree(test.files), test.names, test.file)
			if i != nil || len(ds) != 1 || ds[0].Rule != test.want {
				t.Error(i != nil, ds)
			}
		})
	}
}

// refusing is a tree that lists a name and refuses to read it.
type refusing struct {
	fstest.MapFS
	name string
}

func (r refusing) Open(name string) (fs.File, error) {
	if name == r.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is not a usable path")}
	}
	return r.MapFS.Open(name)
}

func (r refusing) Stat(name string) (fs.FileInfo, error) {
	if name == r.name {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: errors.New("is not a usable path")}
	}
	return r.MapFS.Stat(name)
}

func (r refusing) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == r.name {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("is not a usable path")}
	}
	return r.MapFS.ReadDir(name)
}

func TestARuleThatATreeRefusesToReadIsAFault(t *testing.T) {
	files := tree(map[string]string{"AGENTS.md": "x", ".cursor/rules/a.mdc": "x", ".cursor/rules/b/c.mdc": "x"})
	for _, name := range []string{".cursor/rules/a.mdc", ".cursor/rules/b"} {
		if i, ds := skill.ReadInstructions(refusing{files, name}, []string{"."}, "src/a.ts"); i != nil || len(ds) != 1 || ds[0].Rule != "unreadable" {
			t.Errorf("%s: %v, %v", name, i, ds)
		}
	}
}

// A change may not hide a rule from the gate by how it writes what YAML reads alike, nor behind rules that do not hold.
func TestARuleHoldsHoweverItsSettingsAreWritten(t *testing.T) {
	for _, head := range []string{
		"alwaysApply: true # yes", `"alwaysApply": true`, "alwaysApply: True", "alwaysApply: 'true'", "globs: src/*.ts # all of them",
		"'globs': \"src/*.ts\"", "globs: [\n  \"x\",\n  \"src/*.ts\"\n]", "globs: [\n\"src/*.ts\"\n]\ndescription: x", "globs:\n- x\n# more\n- src/*.ts", "globs: >-\n  src/*.ts", "globs: none\n\"alwaysApply\": true",
	} {
		files := map[string]string{".cursor/rules/zz.mdc": "---\n" + head + "\n---\nx"}
		for n := range 120 {
			files[fmt.Sprintf(".cursor/rules/%03d.mdc", n)] = "---\nglobs: none\n---\nx"
		}
		if i, ds := skill.ReadInstructions(tree(files), []string{"."}, "src/a.ts"); i == nil || sent(i) != ".cursor/rules/zz.mdc" || len(ds) > 0 {
			t.Errorf("%s: %v, %v", head, i, ds)
		}
	}
	files := tree(map[string]string{"AGENTS.md": "x", ".cursor/rules/a.mdc": "---\nglobs: none\ndescription: \"src/*.ts\"\nalwaysApply: false\n---\nx"})
	if i, ds := skill.ReadInstructions(files, []string{"."}, "src/a.ts"); i == nil || sent(i) != "AGENTS.md" || len(ds) > 0 {
		t.Errorf("a rule of another file: %v, %v", i, ds)
	}
}

func TestAPatternThatIsNoneMatchesNothing(t *testing.T) {
	files := tree(map[string]string{"AGENTS.md": "x", ".cursor/rules/a.mdc": "---\nglobs: [a, " + strings.Repeat("{a,b}", 50) + "]\n---\nx"})
	i, ds := skill.ReadInstructions(files, []string{"."}, "src/x.go")
	if i == nil || sent(i) != "AGENTS.md" || len(ds) != 1 || ds[0].Rule != "glob" || ds[0].Path != ".cursor/rules/a.mdc" {
		t.Error(i, ds)
	}
}

func TestNoLinkOfInstructionsIsFollowed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"secret.md": "secret", "AGENTS.md": "Root.", "src/x.md": "x", ".cursor/rules/a.mdc": "A"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".github"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{".github/instructions": "../src", "CLAUDE.md": "secret.md", "src/AGENTS.md": "../secret.md", ".cursor/rules/up": "../..", ".cursor/rules/b.mdc": "b.mdc"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	fsys := worktree(t, dir)
	i, ds := skill.ReadInstructions(fsys, []string{"."}, "src/x.ts")
	rules := []string{}
	for _, d := range ds {
		rules = append(rules, string(d.Severity)+" "+d.Path)
	}
	if i == nil || sent(i) != "AGENTS.md" || !slices.Equal(rules, []string{"warning .cursor/rules/b.mdc", "warning .cursor/rules/up", "warning .github/instructions", "warning CLAUDE.md", "warning src/AGENTS.md"}) {
		t.Error(i, ds)
	}
	if i, ds := skill.ReadInstructions(fsys, []string{"CLAUDE.md"}, ""); i != nil || ds[0].Rule != document.RuleElsewhere {
		t.Error(i, ds)
	}
}
