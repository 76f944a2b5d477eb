package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/source"
)

func TestOpenTakesAFolderOrARevision(t *testing.T) {
	l, _ := history(t)
	for _, dir := range []string{"v1", "suites", "topic/x", "origin/main", "origin/elsewhere", "HEAD"} {
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
		{"a name that is no revision is a folder", "suites", source.KindFolder, "folder suites"},
		{"a remote branch wins over a folder of its name", "origin/main", source.KindCommit, "two"},
		{"a name with a slash that is no revision is a folder", "origin/elsewhere", source.KindFolder, "folder origin/elsewhere"},
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
	cases := []struct {
		rule, arg string
		want      error
	}{
		{"neither folder nor revision", "nope", source.ErrNoRevision},
		{"neither, with a slash", "no/pe", source.ErrNoRevision},
		{"a path that is not there", "./main", fs.ErrNotExist},
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
	if tree := must(source.Open(dir, "old"))(t); tree.Revision.Kind != source.KindFolder {
		t.Errorf("Open(old) is %+v, want a folder", tree.Revision)
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
