package source_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

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

func TestMorePathsThanCanBeVisitedEndAWalk(t *testing.T) {
	r := newLocal(t)
	at := r.tree(files{"a.md": file("x")})
	for range 9 { // 10^9 paths
		var nodes []object.TreeEntry
		for _, name := range strings.Split("abcdefghij", "") {
			nodes = append(nodes, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: at})
		}
		at = r.rawTree(nodes)
	}
	tree, err := source.Git(r.dir, r.commit(at, 0).String())
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(tree, ".", func(_ string, _ fs.DirEntry, err error) error { return err })
	if !errors.Is(err, source.ErrTooMany) || !errors.Is(tree.Err(), source.ErrTooMany) {
		t.Errorf("the walk ended with %v, the tree with %v", err, tree.Err())
	}
}
