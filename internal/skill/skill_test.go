package skill_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/sharedtest"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/source"
)

const head = "---\nname: refunds\ndescription: Decides refunds.\n---\n"

// tree is a repository of files by path.
func tree(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func paths(s *skill.Skill) (out []string) {
	for _, f := range s.Files {
		out = append(out, f.Path)
	}
	return out
}

func TestASkillIsOneMessageOfItsHeadItsBodyAndItsReferences(t *testing.T) {
	s, ds := skill.Read(tree(map[string]string{
		"skills/refunds/SKILL.md":            "\ufeff" + strings.ReplaceAll(head+"\n# Refunds\n\nSee [days](references/days.md). {{ task }}\n", "\n", "\r\n"),
		"skills/refunds/references/days.md":  "30 days.\n",
		"skills/refunds/references/other.md": "Not named.\n",
	}), "skills/refunds", skill.ReferencesLinked)
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	want := "Skill refunds: Decides refunds.\n\n# Refunds\n\nSee [days](references/days.md). {{ task }}\n\n" +
		"<file path=\"references/days.md\">\n30 days.\n</file>"
	if s.Message != want {
		t.Errorf("the message is\n%s\nwant\n%s", s.Message, want)
	}
	if got := s.Summary(); got != "SKILL.md and 1 reference, 116 bytes" {
		t.Errorf("sent: %s", got)
	}
}

func TestReferencesAreSentInTheOrderOfTheirFirstMention(t *testing.T) {
	files := map[string]string{
		"s/references/a.md": "a", "s/references/b.md": "b [c](c.md)", "s/references/c.md": "c", "s/references/deep/d.txt": "d",
		"s/references/.hidden.md": "h", "s/FORMS.md": "f", "s/scripts/run.md": "r", "s/assets/x.md": "x", "s/evals/evals.json": "{}", "s/my file.md": "m", "out.md": "o",
	}
	tests := []struct {
		name, body string
		references skill.References
		want       []string
	}{
		{"links and backticks", "`references/b.md`, [a](./references/a.md#part \"t\"), `references/b.md`", skill.ReferencesLinked, []string{"references/b.md", "references/a.md"}},
		{"a definition of a link", "[a][1]\n\n[1]: <my%20file.md>", skill.ReferencesLinked, []string{"my file.md"}},
		{"code, images and pages are no references", "```\n[a](references/a.md) `references/b.md`\n```\n~~~~ md\n```\n`references/b.md`\n~~~\n~~~~\n![c](references/c.md) <https://x.test/references/a.md> [w](https://x.test/FORMS.md)", skill.ReferencesLinked, nil},
		{"scripts, assets, expected answers, folders and hidden files are not sent", "`scripts/run.md` [x](assets/x.md) `evals/evals.json` [r](references/) `references/.hidden.md`", skill.ReferencesLinked, nil},
		{"SKILL.md itself is not sent twice", "`SKILL.md` [top](#top)", skill.ReferencesLinked, nil},
		{"what leads out is not sent", "`../out.md` `/out.md` `references/../../out.md`", skill.ReferencesLinked, nil},
		{"all", "`references/deep/d.txt` [f](FORMS.md)", skill.ReferencesAll, []string{"references/deep/d.txt", "FORMS.md", "references/a.md", "references/b.md", "references/c.md"}},
		{"none", "`references/b.md`", skill.ReferencesNone, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files["s/SKILL.md"] = head + test.body
			s, ds := skill.Read(tree(files), "s", test.references)
			if len(ds) > 0 {
				t.Fatal(ds)
			}
			want := []string{"s/SKILL.md"}
			for _, name := range test.want {
				want = append(want, "s/"+name)
			}
			if got := paths(s); !slices.Equal(got, want) {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}

func TestASkillMayLieAtTheRoot(t *testing.T) {
	s, ds := skill.Read(tree(map[string]string{"SKILL.md": head + "x", "references/a.md": "a", "README.md": "r"}), ".", skill.ReferencesAll)
	if len(ds) > 0 || !slices.Equal(paths(s), []string{"SKILL.md", "references/a.md"}) {
		t.Error(ds, s)
	}
}

func TestFaultsOfASkill(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	many := map[string]string{"s/SKILL.md": head + "many"}
	for i := range 101 {
		many[fmt.Sprintf("s/references/%d.md", i)] = "x"
	}
	tests := []struct {
		name  string
		files map[string]string
		want  string // place, severity, rule, and part of the message
	}{
		{"no SKILL.md", map[string]string{"s/README.md": "x"}, `s/SKILL.md error no-skill the folder "s" has no SKILL.md`},
		{"no front matter", map[string]string{"s/SKILL.md": "# Refunds"}, "s/SKILL.md:1:1 error front-matter SKILL.md has no `name`"},
		{"no name", map[string]string{"s/SKILL.md": "---\ndescription: d\n---\n"}, "s/SKILL.md:1:1 error front-matter SKILL.md has no `name`"},
		{"no description", map[string]string{"s/SKILL.md": "---\nname: n\ndescription: ''\n---\n"}, "s/SKILL.md:1:1 error front-matter SKILL.md has no `description`"},
		{"a name with an escape sequence", map[string]string{"s/SKILL.md": "---\nname: \"n\\e[31m\"\ndescription: d\n---\n"}, `s/SKILL.md:2:7 error name the name "n\x1b[31m" is not one line`},
		{"settings that are no YAML", map[string]string{"s/SKILL.md": "---\nname: [\n---\n"}, "s/SKILL.md:2:8 error syntax"},
		{"not UTF-8", map[string]string{"s/SKILL.md": head + "\xff"}, "s/SKILL.md:5:1 error encoding"},
		{"a reference that is not UTF-8", map[string]string{"s/SKILL.md": head + "`a.md`", "s/a.md": "a\xff"}, "s/a.md:1:2 error encoding"},
		{"too large together", map[string]string{"s/SKILL.md": head + "`a.md` `b.md`", "s/a.md": long, "s/b.md": long + "x"}, `s/SKILL.md error too-large the message comes to 410 KB, and at most 256 KiB are sent; its largest file is "s/b.md" with 205 KB`},
		{"a huge reference", map[string]string{"s/SKILL.md": head + "`a.md`", "s/a.md": long + long}, "s/a.md error too-large"},
		{"too many references", many, "s/SKILL.md error too-large 101 references would be sent"},
		{"a link to nothing", map[string]string{"s/SKILL.md": head + "ü [a](gone.md)"}, `s/SKILL.md:5:3 warning missing-file the skill's folder has no file "gone.md"`},
		{"a link that leads out", map[string]string{"s/SKILL.md": head + "[a](../../etc/passwd)", "etc/passwd": "x"}, `s/SKILL.md:5:1 warning outside "../../etc/passwd" leads out of the skill's folder`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, ds := skill.Read(tree(test.files), "s", skill.ReferencesAll)
			if len(ds) != 1 {
				t.Fatalf("%d diagnostics: %v", len(ds), ds)
			}
			if got := fmt.Sprint(ds[0].Location(), " ", ds[0].Severity, " ", ds[0].Rule, " ", ds[0].Message); !strings.HasPrefix(got, test.want) {
				t.Errorf("says %s\nwant %s", got, test.want)
			}
			if (s == nil) != document.HasErrors(ds) {
				t.Error("a skill with an error is read, or one with a warning is not")
			}
		})
	}
}

// worktree is the tree of the folder dir, which rejects links.
func worktree(t *testing.T, dir string) *source.Tree {
	t.Helper()
	tree, err := source.Worktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

func TestNoLinkIsFollowed(t *testing.T) {
	write := func(t *testing.T, dir string) {
		for name, text := range map[string]string{"out.md": "secret", "s/SKILL.md": head + "[a](references/a.md)"} {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, link := range map[string][2]string{
		"a reference": {"s/references/a.md", "../../out.md"}, "a folder": {"s/references", ".."}, "a loop": {"s/references/a.md", "a.md"}, "the skill": {"s/SKILL.md", "../out.md"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir)
			at := filepath.Join(dir, link[0])
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(at)
			if err := os.Symlink(link[1], at); err != nil {
				t.Skip(err)
			}
			for _, references := range []skill.References{skill.ReferencesLinked, skill.ReferencesAll} {
				s, ds := skill.Read(worktree(t, dir), "s", references)
				if s != nil || len(ds) == 0 || ds[0].Rule != document.RuleElsewhere {
					t.Errorf("%s: read %v, and says %v", references, s, ds)
				}
			}
		})
	}
}

func TestNamesThatAreNotPrintedAreRefused(t *testing.T) {
	files := tree(map[string]string{"s/SKILL.md": head + "x", "s/references/\x1b[31m.md": "x"})
	if s, ds := skill.Read(files, "s", skill.ReferencesAll); s != nil || len(ds) != 1 || strings.Contains(ds[0].Message, "\x1b") {
		t.Error(s, ds)
	}
}

func TestSamples(t *testing.T) {
	dir := os.DirFS(sharedtest.Path(t, "data/skills-dev"))
	sent := map[string]string{}
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != skill.FileName {
			return err
		}
		s, ds := skill.Read(dir, filepath.ToSlash(filepath.Dir(name)), skill.ReferencesLinked)
		if document.HasErrors(ds) {
			t.Errorf("%s: %v", name, ds)
			return nil
		}
		sent[s.Name] = s.Summary()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cpo":           "SKILL.md and 2 references, 29 KB",
		"fix-grammar":   "SKILL.md, 3 KB",
		"loop-builder":  "SKILL.md and 8 references, 66 KB",
		"sysml-copilot": "SKILL.md and 1 reference, 14 KB",
	} {
		if sent[name] != want {
			t.Errorf("of %s is sent %q, want %q", name, sent[name], want)
		}
	}
}
