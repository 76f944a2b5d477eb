package source_test

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/failproof/failproof/internal/source"
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

func TestSubRootsTheSameRevisionDeeper(t *testing.T) {
	for kind, tree := range kinds(t, plain()) {
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
