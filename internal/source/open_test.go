package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
)

func TestOpenTakesAFolderOrARevision(t *testing.T) {
	l, _ := history(t)
	for _, dir := range []string{"v1", "suites", "topic/x", "origin/main", "origin/next", "HEAD"} {
		l.write(dir+"/f", "folder "+dir)
	}
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "f"), "outside")
	cases := []struct {
		rule, arg string
		kind      source.Kind
		want      string // content of f
	}{
		{"a revision", "main", source.KindCommit, "merge"},
		{"a revision with a suffix", "main~1", source.KindCommit, "two"},
		{"a revision wins over a folder of its name", "v1", source.KindCommit, "one"},
		{"HEAD is a revision, whatever folder there is", "HEAD", source.KindCommit, "merge"},
		{"a remote branch wins over a folder of its name", "origin/main", source.KindCommit, "two"},
		{"a branch that only the remote has wins over a folder of its name", "origin/next", source.KindCommit, "side"},
		{"./ means a folder", "./v1", source.KindFolder, "folder v1"},
		{"./ with a trailing slash", "./suites/", source.KindFolder, "folder suites"},
		{"a trailing slash means a folder", "v1/", source.KindFolder, "folder v1"},
		{"an absolute path is a folder", outside, source.KindFolder, "outside"},
		{"../ means a folder", "../" + filepath.Base(l.dir) + "/suites", source.KindFolder, "folder suites"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			tree := must(source.Open(l.dir, c.arg))(t)
			got, err := fs.ReadFile(tree, "f")
			if err != nil || string(got) != c.want || tree.Revision.Kind != c.kind || tree.Revision.Name != c.arg {
				t.Errorf("Open(%q) is %+v with f = %q, %v, want a %s with f = %q", c.arg, tree.Revision, got, err, c.kind, c.want)
			}
		})
	}
}

func TestOpenOfNothing(t *testing.T) {
	l, _ := history(t)
	for _, name := range []string{"suites/f", "origin/elsewhere/f", "report.json"} {
		l.write(name, "of the change")
	}
	cases := []struct {
		rule, arg string
		want      error
	}{
		{"neither folder nor revision", "nope", source.ErrNoRevision},
		{"neither, with a slash", "no/pe", source.ErrNoRevision},
		{"a path that is not there", "./main", fs.ErrNotExist},
		{"a name that is a folder, and no revision", "suites", source.ErrNoRevision},
		{"a name with a slash that is a folder, and no revision", "origin/elsewhere", source.ErrNoRevision},
		{"a name that is a file, and no revision", "report.json", source.ErrNoRevision},
		{"an absolute path that is not there", filepath.Join(l.dir, "nope"), fs.ErrNotExist},
		{"nothing", "", source.ErrNoRevision},
	}
	for _, c := range cases {
		if tree, err := source.Open(l.dir, c.arg); !errors.Is(err, c.want) {
			t.Errorf("%s: Open(%q) = %v, %v, want %v", c.rule, c.arg, tree, err, c.want)
		}
	}
}

func TestOpenWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	ok(t, os.Mkdir(filepath.Join(dir, "old"), 0o755))
	if tree := must(source.Open(dir, "./old"))(t); tree.Revision.Kind != source.KindFolder {
		t.Errorf("Open(./old) is %+v, want a folder", tree.Revision)
	}
	if _, err := source.Open(dir, "old"); !errors.Is(err, source.ErrNoRepository) || !strings.Contains(err.Error(), "write ./old for the folder") {
		t.Errorf("Open(old) = %v, want ErrNoRepository and what to write", err)
	}
	if _, err := source.Open(dir, "main"); !errors.Is(err, source.ErrNoRepository) {
		t.Errorf("Open(main) = %v, want ErrNoRepository", err)
	}
}

func TestOpenInAShallowCloneDoesNotGuessAFolder(t *testing.T) {
	l, c := history(t)
	l.shallow(nil, c["one"])
	l.write("v1/f", "folder")
	l.write(".git/shallow", c["two"].String()+"\n")
	if tree, err := source.Open(l.dir, "v1"); !errors.Is(err, source.ErrShallow) {
		t.Errorf("Open(v1) = %v, %v, want ErrShallow", tree, err)
	}
}

func TestTheBaseIsNotTheBranchThatIsJudgedWhileTheRemoteHasOneOfItsName(t *testing.T) {
	worktree := source.Revision{Kind: source.KindWorktree}
	cases := []struct {
		rule, arg, want string
		head            func(sha string) source.Revision
	}{
		{"the working tree is judged", "main", "two", func(string) source.Revision { return worktree }},
		{"the commit is judged", "main", "two", func(sha string) source.Revision { return source.Revision{Kind: source.KindCommit, Name: "@", SHA: sha} }},
		{"a branch that the remote has not", "topic/x", "side", func(string) source.Revision { return worktree }},
		{"the whole name", "refs/heads/main", "merge", func(string) source.Revision { return worktree }},
		{"one name for both", "main", "merge", func(sha string) source.Revision {
			return source.Revision{Kind: source.KindCommit, Name: "main", SHA: sha}
		}},
		{"another commit is judged", "main", "merge", func(string) source.Revision {
			return source.Revision{Kind: source.KindCommit, Name: "topic/x", SHA: strings.Repeat("1", 40)}
		}},
		{"a folder is judged", "main", "merge", func(string) source.Revision { return source.Revision{Kind: source.KindFolder, Name: "./x"} }},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			l, at := history(t)
			tree := must(source.OpenBase(l.dir, c.arg, c.head(at["merge"].String())))(t)
			if got, err := fs.ReadFile(tree, "f"); err != nil || string(got) != c.want {
				t.Errorf("OpenBase(%q) is %s with f = %q, %v, want %q", c.arg, tree.Revision, got, err, c.want)
			}
		})
	}
	l, at := history(t) // a fork's branch that is called like the remote's
	l.ref("refs/heads/origin/main", at["side"])
	ok(t, l.repo.Storer.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, "refs/heads/origin/main")))
	if tree := must(source.OpenBase(l.dir, "origin/main", worktree))(t); tree.Revision.SHA != at["two"].String() {
		t.Errorf("OpenBase(origin/main) on a branch of that name is %s, want the remote's", tree.Revision)
	}
}

func TestAMissingBaseIsNamedOnce(t *testing.T) {
	dir := t.TempDir()
	if _, err := source.Open(dir, "./nope"); err == nil || err.Error() != "there is no file or folder ./nope: "+fs.ErrNotExist.Error() {
		t.Errorf("the error is %v", err)
	}
	if _, err := git.PlainInit(dir, false); err != nil {
		t.Fatal(err)
	}
	if _, err := source.Open(dir, "main"); err == nil || !strings.Contains(err.Error(), "the repository has no commit yet") {
		t.Errorf("the error is %v", err)
	}
}
