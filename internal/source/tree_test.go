package source_test

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"
)

// kinds opens the same files as every kind of tree. Links and submodules only exist as commits.
func kinds(t *testing.T, all files) map[string]*source.Tree {
	t.Helper()
	trees := map[string]*source.Tree{}
	l := newLocal(t)
	l.ref("refs/heads/main", l.commit(l.tree(all), 1))
	trees["git"] = must(source.Git(l.dir, "main"))(t)
	h := newHub(t)
	sha := h.commit(h.tree(all), 1).String()
	trees["github"] = must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
	h.cutAt(1)
	trees["github, folder by folder"] = must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
	return trees
}

// withFolder adds the same files on disk.
func withFolder(t *testing.T, all files) map[string]*source.Tree {
	t.Helper()
	trees := kinds(t, all)
	dir := t.TempDir()
	for name, e := range all {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), e.text)
	}
	trees["folder"] = must(source.Folder(dir))(t)
	trees["worktree"] = must(source.Worktree(dir))(t)
	return trees
}

// must ends the test on an error and closes the tree after it.
func must(tree *source.Tree, err error) func(*testing.T) *source.Tree {
	return func(t *testing.T) *source.Tree {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tree.Close() })
		return tree
	}
}

func TestEveryKindIsAFileSystem(t *testing.T) {
	all := plain()
	for kind, tree := range withFolder(t, all) {
		t.Run(kind, func(t *testing.T) {
			var expected []string
			for name := range all {
				expected = append(expected, name)
			}
			if err := fstest.TestFS(tree, expected...); err != nil {
				t.Error(err)
			}
			for name, e := range all {
				got, err := fs.ReadFile(tree, name)
				if err != nil || string(got) != e.text {
					t.Errorf("ReadFile(%q) = %q, %v, want %q", name, got, err, e.text)
				}
				info, err := fs.Stat(tree, name)
				if err != nil || info.Size() != int64(len(e.text)) || !info.Mode().IsRegular() || info.Name() != path.Base(name) {
					t.Errorf("Stat(%q) = %v, %v, want a regular file of %d bytes", name, info, err, len(e.text))
				}
			}
		})
	}
}

func TestEveryKindListsTheSame(t *testing.T) {
	want := []string{
		"d .", "- README.md", "- empty.txt", "d prompts", "- prompts/refund.md", "- run.sh", "d suites",
		"d suites/a", "d suites/a/deep", "- suites/a/deep/x.yaml", "- suites/a..b.yml", "- suites/é.yml",
	}
	for kind, tree := range withFolder(t, plain()) {
		if diff := cmp.Diff(want, names(t, tree)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	cases := []struct {
		rule string
		name string
		want error
	}{
		{"an absolute path", "/etc/passwd", source.ErrOutside},
		{"a path that goes up", "../secret", source.ErrOutside},
		{"a path that goes down and up", "suites/../../x", source.ErrOutside},
		{"a path that goes up inside the tree", "suites/../README.md", source.ErrOutside},
		{"a backslash", `..\x`, source.ErrName},
		{"a Windows path", `C:\x`, source.ErrName},
		{"a Windows share", `\\srv\x`, source.ErrName},
		{"a NUL", "a\x00b", source.ErrName},
		{"a line break", "a\n::error::b", source.ErrName},
		{"a carriage return", "a\rb", source.ErrName},
		{"an escape", "a\x1bb", source.ErrName},
		{"a line separator", "a\u2028b", source.ErrName},
		{"a next-line control", "a\u0085b", source.ErrName},
		{"no UTF-8", "a\xffb", source.ErrName},
		{"decomposed letters (NFD)", "suites/e\u0301.yml", source.ErrName},
		{"more than 4096 bytes", strings.Repeat("a/", 2048) + "b", source.ErrName},
		{"an empty name", "", source.ErrName},
		{"an empty part", "suites//a", source.ErrName},
		{"a trailing slash", "suites/", source.ErrName},
		{"a dot part", "./README.md", source.ErrName},
		{"git's folder", ".git", source.ErrForbidden},
		{"a file in git's folder", ".git/config", source.ErrForbidden},
		{"git's folder of a nested repository", "suites/.git/config", source.ErrForbidden},
		{"git's folder in other letter case", ".GIT/config", source.ErrForbidden},
		{"git's folder as NTFS shortens it", "GIT~1/config", source.ErrForbidden},
		{"git's folder as Windows trims it", ".git. ./config", source.ErrForbidden},
		{"git's folder as HFS+ compares it", ".g\u200cit/config", source.ErrForbidden},
		{"an environment file", ".env", source.ErrForbidden},
		{"an environment file of one stage", "suites/.env.production", source.ErrForbidden},
		{"a file in an environment folder", ".envs/x", source.ErrForbidden},
		{"an environment file in other letter case", ".Env", source.ErrForbidden},
	}
	all := plain()
	all[".env"], all["suites/.env.production"], all[".envs/x"] = file("KEY=1"), file("KEY=1"), file("KEY=1")
	for kind, tree := range withFolder(t, all) {
		for _, c := range cases {
			t.Run(kind+"/"+c.rule, func(t *testing.T) { wantRefusal(t, tree, c.name, c.want) })
		}
	}
}

func TestNamesThatAreAllowed(t *testing.T) {
	all := files{}
	for _, name := range []string{"a b.md", "100%0A.md", "@team.md", "-rf", ".github/failproof.yml", ".gitignore", "environment.md", "日本.md", "...", strings.Repeat("n", 255)} {
		all[name] = file(name)
	}
	for kind, tree := range withFolder(t, all) {
		for name := range all {
			if got, err := fs.ReadFile(tree, name); err != nil || string(got) != name {
				t.Errorf("%s: ReadFile(%q) = %q, %v", kind, name, got, err)
			}
		}
	}
}

func TestCredentialsAreInNoListing(t *testing.T) {
	all := plain()
	for _, name := range []string{".env", ".envs/x", "suites/.env.local", "suites/.git/config", ".GIT/config"} {
		all[name] = file("secret")
	}
	for kind, tree := range withFolder(t, all) {
		for _, name := range names(t, tree) {
			if lower := strings.ToLower(name); strings.Contains(lower, ".env") || strings.Contains(lower, ".git") {
				t.Errorf("%s lists %q", kind, name)
			}
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	for kind, tree := range withFolder(t, plain()) {
		for _, name := range []string{"nope", "nope/x", "README.md/x", "prompts/refund.md/x/y"} {
			t.Run(kind+"/"+name, func(t *testing.T) { wantRefusal(t, tree, name, fs.ErrNotExist) })
		}
	}
}

func TestFoldersAreNotFiles(t *testing.T) {
	for kind, tree := range withFolder(t, plain()) {
		if data, err := fs.ReadFile(tree, "suites"); !errors.Is(err, source.ErrNotRegular) || data != nil {
			t.Errorf("%s: ReadFile(folder) = %q, %v, want ErrNotRegular", kind, data, err)
		}
		if _, err := fs.ReadDir(tree, "README.md"); err == nil {
			t.Errorf("%s: ReadDir(file) is no error", kind)
		}
		dir, err := tree.Open("suites")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dir.Read(make([]byte, 1)); !errors.Is(err, source.ErrNotRegular) {
			t.Errorf("%s: reading an opened folder = %v, want ErrNotRegular", kind, err)
		}
		dir.Close()
	}
}

// odd is a tree with everything that a commit may hold beside files.
func odd() files {
	all := plain()
	all["link.md"] = link("README.md")
	all["out.md"] = link("../../etc/passwd")
	all["config.md"] = link(".git/config")
	all["dir-link"] = link("suites")
	all["suites/self"] = link("self")
	all["vendor/module"] = entry{filemode.Submodule, "0123456789012345678901234567890123456789"}
	return all
}

func TestLinksAndSubmodulesOfACommitAreRefused(t *testing.T) {
	cases := []struct {
		rule, name string
		want       error
		says       string
	}{
		{"a link to a file", "link.md", source.ErrSymlink, "link.md: is a symbolic link"},
		{"a link out of the tree", "out.md", source.ErrSymlink, "is a symbolic link"},
		{"a link to git's settings", "config.md", source.ErrSymlink, "is a symbolic link"},
		{"a link to itself", "suites/self", source.ErrSymlink, "is a symbolic link"},
		{"a file behind a linked folder", "dir-link/a/deep/x.yaml", source.ErrSymlink, `"dir-link" is a symbolic link`},
		{"a submodule", "vendor/module", source.ErrSubmodule, "is a submodule"},
		{"a file in a submodule", "vendor/module/x", source.ErrSubmodule, `"vendor/module" is a submodule`},
	}
	for kind, tree := range kinds(t, odd()) {
		for _, c := range cases {
			t.Run(kind+"/"+c.rule, func(t *testing.T) {
				wantRefusal(t, tree, c.name, c.want)
				if _, err := fs.ReadFile(tree, c.name); err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("ReadFile(%q) = %v, want it to say %q", c.name, err, c.says)
				}
			})
		}
	}
}

func TestAWalkSeesLinksAndSubmodulesAndEntersNone(t *testing.T) {
	for kind, tree := range kinds(t, odd()) {
		got := names(t, tree)
		for _, want := range []string{"l link.md", "l dir-link", "l suites/self", "? vendor/module"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: a walk does not show %q", kind, want)
			}
		}
		for _, name := range got {
			if strings.Contains(name, "dir-link/") || strings.Contains(name, "module/") {
				t.Errorf("%s: a walk entered %q", kind, name)
			}
		}
	}
}

func TestMalformedTreesAreRefused(t *testing.T) {
	cases := []struct {
		rule  string
		names []string
	}{
		{"an entry that goes up", []string{".."}},
		{"an entry for the folder itself", []string{"."}},
		{"an entry with a slash", []string{"a/b"}},
		{"two entries of one name", []string{"twice", "twice"}},
	}
	for _, c := range cases {
		build := func(s store) plumbing.Hash {
			var nodes []object.TreeEntry
			for _, name := range c.names {
				nodes = append(nodes, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: s.tree(files{"x": file("x")})})
			}
			return s.commit(s.rawTree([]object.TreeEntry{{Name: "bad", Mode: filemode.Dir, Hash: s.rawTree(nodes)}}), 1)
		}
		t.Run(c.rule+", in git", func(t *testing.T) {
			l := newLocal(t)
			l.ref("refs/heads/main", build(l.store))
			wantMalformed(t, must(source.Git(l.dir, "main"))(t))
		})
		t.Run(c.rule+", on github", func(t *testing.T) {
			h := newHub(t)
			tree, err := source.GitHub(t.Context(), h.client, "octo", "prompts", build(h.store).String())
			if err == nil {
				wantMalformed(t, tree)
			} else if !strings.Contains(err.Error(), "malformed") {
				t.Errorf("GitHub = %v, want it to say malformed", err)
			}
		})
	}
}

func wantMalformed(t *testing.T, tree *source.Tree) {
	t.Helper()
	if entries, err := fs.ReadDir(tree, "bad"); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("ReadDir = %v, %v, want an error that says malformed", entries, err)
	}
}

func TestSubRootsTheSameRevisionDeeper(t *testing.T) {
	for kind, tree := range withFolder(t, plain()) {
		sub := must(tree.Sub("suites"))(t)
		want := []string{"d .", "d a", "d a/deep", "- a/deep/x.yaml", "- a..b.yml", "- é.yml"}
		if diff := cmp.Diff(want, names(t, sub)); diff != "" || sub.Revision != tree.Revision {
			t.Errorf("%s: Sub(suites) is %v (-want +got):\n%s", kind, sub.Revision, diff)
		}
		none := must(tree.Sub("not/there"))(t)
		if got := names(t, none); len(got) != 1 {
			t.Errorf("%s: Sub of an absent folder lists %v, want its root alone", kind, got)
		}
		if err := fstest.TestFS(none); err != nil {
			t.Errorf("%s: Sub of an absent folder: %v", kind, err)
		}
		if _, err := tree.Sub("../x"); !errors.Is(err, source.ErrOutside) {
			t.Errorf("%s: Sub(../x) = %v, want ErrOutside", kind, err)
		}
	}
}

func TestSubRefusesLinksAndFiles(t *testing.T) {
	for kind, tree := range kinds(t, odd()) {
		if _, err := tree.Sub("dir-link"); !errors.Is(err, source.ErrSymlink) {
			t.Errorf("%s: Sub(link) = %v, want ErrSymlink", kind, err)
		}
		if _, err := tree.Sub("README.md"); err == nil {
			t.Errorf("%s: Sub(file) is no error", kind)
		}
	}
}

func TestCallersCannotChangeWhatTheNextOneReads(t *testing.T) {
	for kind, tree := range withFolder(t, plain()) {
		first, err := fs.ReadFile(tree, "README.md")
		if err != nil {
			t.Fatal(err)
		}
		first[0] = 'X'
		if again, err := fs.ReadFile(tree, "README.md"); err != nil || string(again) != "read me\n" {
			t.Errorf("%s: the second ReadFile = %q, %v", kind, again, err)
		}
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	all := plain()
	for kind, tree := range withFolder(t, all) {
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for name, e := range all {
					if got, err := fs.ReadFile(tree, name); err != nil || string(got) != e.text {
						t.Errorf("%s: ReadFile(%q) = %q, %v", kind, name, got, err)
					}
				}
			})
		}
		wait.Wait()
	}
}

func TestReadsInSmallPieces(t *testing.T) {
	for kind, tree := range withFolder(t, plain()) {
		f, err := tree.Open("prompts/refund.md")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(iotest.OneByteReader(f))
		if err != nil || string(got) != "Refund {{ amount }}.\n" {
			t.Errorf("%s: read byte by byte = %q, %v", kind, got, err)
		}
		f.Close()
	}
}

func TestHowARevisionIsWritten(t *testing.T) {
	sha := "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b"
	cases := []struct {
		rule string
		r    source.Revision
		want string
	}{
		{"a folder by its name", source.Revision{Kind: source.KindFolder, Name: "./dir"}, "./dir"},
		{"the working tree", source.Revision{Kind: source.KindWorktree, Name: "working tree"}, "working tree"},
		{"a branch with seven digits", source.Revision{Kind: source.KindCommit, Name: "main", SHA: sha}, "main (1a2b3c4)"},
		{"a bare SHA once", source.Revision{Kind: source.KindCommit, Name: sha, SHA: sha}, "1a2b3c4"},
		{"a merge base says so", source.Revision{Kind: source.KindCommit, Name: "main", SHA: sha, MergeBase: true}, "main (merge base 1a2b3c4)"},
	}
	for _, c := range cases {
		if got := c.r.String(); got != c.want {
			t.Errorf("%s: String() = %q, want %q", c.rule, got, c.want)
		}
	}
}
