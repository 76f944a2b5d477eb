package starter_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/failproof/failproof/internal/starter"
)

func TestAReleaseWritesFilesThatNameIt(t *testing.T) {
	for tag, ref := range map[string]string{"v1.2.3": "v1.2.3", "": "main"} {
		for _, live := range []bool{false, true} {
			dir, named := t.TempDir(), map[string]int{}
			prompt := filepath.Join(dir, "prompts", "failproof", "failproof@main.md")
			if err := os.MkdirAll(filepath.Dir(prompt), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(prompt, []byte("Hi"), 0o666); err != nil {
				t.Fatal(err)
			}
			write(t, dir, tag, live)
			err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				text, err := os.ReadFile(filepath.Join(dir, name))
				for _, form := range []string{"uses: failproof/failproof@" + ref + " #", "/failproof/failproof/" + ref + "/schemas/", "prompt: '../../prompts/failproof/failproof@main.md'"} {
					named[form] += strings.Count(string(text), form)
				}
				if strings.Count(string(text), "main") > 0 && tag != "" && !strings.Contains(string(text), "failproof@main.md") {
					t.Errorf("of %s, %s names the branch:\n%s", tag, name, text)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for form, n := range named {
				if n == 0 {
					t.Errorf("of %q, live %v: nothing says %q", tag, live, form)
				}
			}
		}
	}
}

func TestTheStepForASecondFolderNamesTheRelease(t *testing.T) {
	root := t.TempDir()
	if _, err := git.PlainInit(root, false); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, name := range []string{"first", "second"} {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		said = write(t, dir, "v1.2.3", false)
	}
	if want := "add one: uses: failproof/failproof@v1.2.3, if:"; !strings.Contains(said, want) {
		t.Errorf("it says nothing of %q:\n%s", want, said)
	}
}

func TestEveryWorkflowHasTheKeysOfTheConfiguration(t *testing.T) {
	for _, c := range []struct {
		config    string
		live      bool
		env, step string
	}{
		{"", false, "", "out: '.failproof/service' }\n"},
		{"", true, "        env:\n          OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}\n", ", env: { OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }} }\n"},
		{"version: 1\ndefault_target: a\ntargets:\n  a: { provider: openai, model: m, api_key_env: B_KEY }\n  b: { provider: openai, model: m, api_key_env: A_KEY }\n", true,
			"        env:\n          A_KEY: ${{ secrets.A_KEY }}\n          B_KEY: ${{ secrets.B_KEY }}\n", ", env: { A_KEY: ${{ secrets.A_KEY }}, B_KEY: ${{ secrets.B_KEY }} }\n"},
	} {
		root := t.TempDir()
		if _, err := git.PlainInit(root, false); err != nil {
			t.Fatal(err)
		}
		service := filepath.Join(root, "service")
		if err := os.Mkdir(service, 0o777); err != nil {
			t.Fatal(err)
		}
		if c.config != "" {
			if err := os.WriteFile(filepath.Join(service, "failproof.yml"), []byte(c.config), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		first, second := write(t, service, "", c.live), write(t, service, "", c.live)
		text, err := os.ReadFile(filepath.Join(root, ".github/workflows/failproof.yml"))
		if err != nil || !strings.HasSuffix(string(text), "working-directory: 'service'\n"+c.env) {
			t.Errorf("%q, live %v: the workflow is\n%s%v", c.config, c.live, text, err)
		}
		if !strings.Contains(second, c.step) {
			t.Errorf("%q, live %v: it says nothing of %q:\n%s", c.config, c.live, c.step, second)
		}
		const comments = "the gate comments"
		if !strings.Contains(first, comments) || strings.Contains(second, comments) || !strings.Contains(second, "doctor --offline") {
			t.Errorf("first it says\n%s\nand with the workflow\n%s", first, second)
		}
	}
}

func TestRecordingsAreMarkedAsGenerated(t *testing.T) {
	const line = "recordings/** linguist-generated\n"
	for had, want := range map[string]string{"": line, "* text=auto": "* text=auto\n" + line, "*.x binary\n": "*.x binary\n" + line,
		"a b\n" + line: "a b\n" + line, "recordings/* -linguist-generated\n": "recordings/* -linguist-generated\n"} {
		dir := t.TempDir()
		name := filepath.Join(dir, ".gitattributes")
		if had != "" {
			if err := os.WriteFile(name, []byte(had), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			write(t, dir, "", false)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%q became %q, %v; want %q", had, got, err, want)
		}
	}
}

func write(t *testing.T, dir, tag string, live bool) string {
	t.Helper()
	next, err := starter.Survey(dir, tag).Write(dir, live, func(string, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(next, "\n")
}

func TestTheDemoIsARepositoryWithACleanWorkingTree(t *testing.T) {
	dir, err := starter.Demo(filepath.Join(t.TempDir(), "demo"))
	if err != nil {
		t.Fatal(err)
	}
	repo, err := git.PlainOpen(dir)
	if err != nil {
		t.Fatal(err)
	}
	for branch, want := range map[string]string{
		starter.DemoBase:     "717573d5135abc7ecf5bcb62a5c1c6febff0e020",
		starter.DemoHead:     "87fdddb5669d0365c3da830470cef829f2e62e52",
		starter.DemoHarmless: "12d817417e3788f30122325155e85cb60f5c6348",
	} {
		ref, err := repo.Reference(plumbing.NewBranchReferenceName(branch), false)
		if err != nil || ref.Hash().String() != want {
			t.Errorf("%s is %v, %v; want %s", branch, ref, err, want)
		}
	}
	head, err := repo.Head()
	if err != nil || head.Name().Short() != starter.DemoHead {
		t.Errorf("HEAD is %v, %v", head, err)
	}
	tree, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	status, err := tree.Status()
	if err != nil || len(status) != 0 {
		t.Errorf("the working tree differs from HEAD: %v, %v", status, err)
	}
}

// services lays out a repository of two services that have configurations, and a third that has only a prompt.
func services(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range map[string]string{
		"a/failproof.yml":           "version: 1\ndefault_target: m\ntargets: { m: { provider: openai, model: m, api_key_env: A_KEY } }\n",
		"x/b/.github/failproof.yml": "version: 1\ndefault_target: m\ntargets: { m: { provider: recorded, path: 'r/{suite}.jsonl' } }\n",
		"a/prompts/a.md":            "A",
		"c/prompts/c.md":            "C",
		"promptfooconfig.yaml":      "prompts: [hi]\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTheWorkflowAboveServicesJudgesEach(t *testing.T) {
	for _, live := range []bool{false, true} {
		root := services(t)
		var wrote []string
		next, err := starter.Survey(root, "v1.2.3").Write(root, live, func(name string, _ bool) { wrote = append(wrote, name) })
		if err != nil || !slices.Equal(wrote, []string{".github/workflows/failproof.yml"}) {
			t.Errorf("it writes %q, %v; want the workflow alone", wrote, err)
		}
		text, err := os.ReadFile(filepath.Join(root, ".github/workflows/failproof.yml"))
		const uses = "      - uses: failproof/failproof@v1.2.3 # zizmor: ignore[unpinned-uses] pin a commit: a name can be moved\n"
		const steps = uses + "        with:\n          working-directory: 'a'\n          out: '.failproof/a'\n" +
			"        env:\n          A_KEY: ${{ secrets.A_KEY }}\n" +
			uses + "        with:\n          working-directory: 'x/b'\n          out: '.failproof/x-b'\n" +
			"        if: ${{ !cancelled() }} # also after a failed step\n"
		if err != nil || !strings.HasSuffix(string(text), "    steps:\n"+steps) {
			t.Errorf("the workflow is\n%s%v", text, err)
		}
		said := strings.Join(next, "\n")
		for _, want := range []string{"2 folders below have their own configurations; the workflow has a step for each.", "failproof import promptfoo promptfooconfig.yaml --out promptfoo",
			"Not taken: c/prompts/c.md; no configuration is above these prompts: write one, as the folders below have.", "\nNext: failproof validate\n"} {
			if !strings.Contains(said, want) {
				t.Errorf("it does not say %q:\n%s", want, said)
			}
		}
	}
}

func TestStepsBesideEachOtherShareNoNameAndNoFolder(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{".", "a b", "a-b", "a/b", "a,b", "Out", "push", "日本", "漢字", "deep/down/here"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, folder, "failproof.yml"), []byte("version: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := starter.Survey(root, "v1.2.3").Write(root, false, func(string, bool) {}); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(root, ".github/workflows/failproof.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range strings.Split(string(file), "      - uses: failproof/failproof@")[1:] {
		_, with, _ := strings.Cut(step, "with:\n")
		with, _, _ = strings.Cut(with, "        if:")
		got = append(got, strings.Join(strings.Fields(with), " "))
	}
	want := []string{"",
		"working-directory: 'Out' out: '.failproof/Out-2'",
		"working-directory: 'a b' out: '.failproof/a-b'",
		"working-directory: 'a,b' out: '.failproof/a-b-2' name: 'folder a-b-2'",
		"working-directory: 'a-b' out: '.failproof/a-b-3'",
		"working-directory: 'a/b' out: '.failproof/a-b-4'",
		"working-directory: 'deep/down/here' out: '.failproof/deep-down-here'",
		"working-directory: 'push' out: '.failproof/push' name: 'folder push'",
		"working-directory: '日本' out: '.failproof/prompt'",
		"working-directory: '漢字' out: '.failproof/prompt-2'",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the steps are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestServicesThatCannotBeReadAreNamed(t *testing.T) {
	root := services(t)
	for _, name := range []string{"faulty", "new\nline"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Skip(err) // a system without such names
		}
		if err := os.WriteFile(filepath.Join(root, name, "failproof.yml"), []byte("version: 7\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said := write(t, root, "", false)
	if want := `Not read: "faulty/failproof.yml", "new\nline"; the workflow may lack steps or keys for what is there.`; !strings.Contains(said, want) {
		t.Errorf("it does not say %q:\n%s", want, said)
	}
}
