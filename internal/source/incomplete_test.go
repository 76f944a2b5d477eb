package source_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// shallow cuts the history off above some commits, as a clone with a depth does.
func (l *local) shallow(kept []plumbing.Hash, gone ...plumbing.Hash) {
	l.t.Helper()
	var text strings.Builder
	for _, id := range kept {
		text.WriteString(id.String() + "\n")
	}
	l.write(".git/shallow", text.String())
	for _, id := range gone {
		l.remove(id)
	}
}

func TestAShallowCloneSaysThatItIs(t *testing.T) {
	l, c := history(t)
	l.shallow([]plumbing.Hash{c["merge"]}, c["two"], c["side"], c["one"])
	cases := []struct {
		rule, revision string
		want           error
	}{
		{"a parent that was cut off", "HEAD~1", source.ErrShallow},
		{"a reference to a commit that was cut off", "topic/x", source.ErrShallow},
		{"a SHA that was cut off or never was", c["one"].String(), source.ErrShallow},
		{"a tag of a commit that was cut off", "v2", source.ErrShallow},
		{"a name that the clone does not know", "release", source.ErrNoRevision},
		{"an abbreviated SHA that the clone does not know", "1111111", source.ErrNoRevision},
	}
	for _, cs := range cases {
		t.Run(cs.rule, func(t *testing.T) {
			if _, err := source.Git(l.dir, cs.revision); !errors.Is(err, cs.want) || !strings.Contains(err.Error(), "fetch-depth: 0") {
				t.Errorf("Git(%q) = %v, want %q and what to do about it", cs.revision, err, cs.want)
			}
		})
	}
	if got, err := fs.ReadFile(must(source.Git(l.dir, "HEAD"))(t), "f"); err != nil || string(got) != "merge" {
		t.Errorf("f at HEAD of a shallow clone = %q, %v, want merge", got, err)
	}
	if _, err := source.MergeBase(l.dir, "HEAD", "HEAD~1"); !errors.Is(err, source.ErrShallow) {
		t.Errorf("MergeBase = %v, want ErrShallow", err)
	}
}

// partial is how git marks a clone made with a filter, next to what a sparse checkout leaves.
const partial = `[core]
	repositoryformatversion = 1
[extensions]
	worktreeConfig = true
	partialClone = origin
[remote "origin"]
	promisor = true
	partialclonefilter = blob:none
`

func TestAPartialCloneSaysThatItIs(t *testing.T) {
	l := newLocal(t)
	absent := plumbing.ComputeHash(plumbing.BlobObject, []byte("absent"))
	l.ref("refs/heads/main", l.commit(l.tree(files{"here": file("here"), "absent": file("absent"), "d/x": file("x")}), 1))
	l.remove(absent)
	l.write(".git/config", partial)
	tree := must(source.Git(l.dir, "main"))(t)
	if got, err := fs.ReadFile(tree, "here"); err != nil || string(got) != "here" {
		t.Errorf("here = %q, %v", got, err)
	}
	for call, err := range map[string]error{"ReadFile": second(fs.ReadFile(tree, "absent")), "Stat": second(fs.Stat(tree, "absent")), "Open": second(tree.Open("absent"))} {
		if !errors.Is(err, source.ErrShallow) || !strings.Contains(err.Error(), "without a filter") {
			t.Errorf("%s(absent) = %v, want ErrShallow and what to do about it", call, err)
		}
	}
}

func TestAPromisorRemoteMakesAPartialClone(t *testing.T) {
	l := newLocal(t)
	absent := plumbing.ComputeHash(plumbing.BlobObject, []byte("absent"))
	l.ref("refs/heads/main", l.commit(l.tree(files{"absent": file("absent")}), 1))
	l.remove(absent)
	l.write(".git/config", "[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\tpromisor = true\n")
	if _, err := fs.ReadFile(must(source.Git(l.dir, "main"))(t), "absent"); !errors.Is(err, source.ErrShallow) {
		t.Errorf("ReadFile = %v, want ErrShallow", err)
	}
}

func TestAMissingObjectOfAWholeCloneIsDamage(t *testing.T) {
	l := newLocal(t)
	l.ref("refs/heads/main", l.commit(l.tree(files{"absent": file("absent")}), 1))
	l.remove(plumbing.ComputeHash(plumbing.BlobObject, []byte("absent")))
	_, err := fs.ReadFile(must(source.Git(l.dir, "main"))(t), "absent")
	if err == nil || errors.Is(err, source.ErrShallow) || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "git fsck") {
		t.Errorf("ReadFile = %v, want an error that says the repository is damaged", err)
	}
}

func TestFormatsThatAreNotRead(t *testing.T) {
	cases := []struct{ rule, extension, says string }{
		{"objects named by SHA-256", "objectFormat = sha256", "only sha1"},
		{"references in a reftable", "refStorage = reftable", "git refs migrate"},
	}
	for _, c := range cases {
		l, _ := history(t)
		l.write(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\t"+c.extension+"\n")
		if tree, err := source.Git(l.dir, "main"); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: Git = %v, %v, want an error that says %q", c.rule, tree, err, c.says)
		}
	}
}

func TestSettingsThatAreNotUnderstoodAreIgnored(t *testing.T) {
	l, _ := history(t)
	for _, settings := range []string{"[[[", "", "[remote \"o\"]\n", "[extensions]\n\tnoop = true\n"} {
		l.write(".git/config", settings)
		if got, err := fs.ReadFile(must(source.Git(l.dir, "main"))(t), "f"); err != nil || string(got) != "merge" {
			t.Errorf("with settings %q f = %q, %v", settings, got, err)
		}
	}
	ok(t, os.Remove(l.dir+"/.git/config"))
	if _, err := source.Git(l.dir, "main"); err != nil {
		t.Errorf("without settings: %v", err)
	}
}

func TestADamagedObjectIsAnError(t *testing.T) {
	l := newLocal(t)
	id, other := l.put(plumbing.BlobObject, []byte("prompt")), l.put(plumbing.BlobObject, []byte("broken"))
	tree := l.rawTree([]object.TreeEntry{{Name: "f", Mode: filemode.Regular, Hash: id}})
	l.ref("refs/heads/main", l.commit(tree, 1))
	l.remove(id)
	from, to := l.loose(other), l.loose(id)
	ok(t, os.Rename(from, to))
	if data, err := fs.ReadFile(must(source.Git(l.dir, "main"))(t), "f"); err == nil || !strings.Contains(err.Error(), "SHA-1 differs") {
		t.Errorf("ReadFile = %q, %v, want an error that says the SHA-1 differs", data, err)
	}
}

func TestADamagedCommitOrFolderIsAnError(t *testing.T) {
	sound := newLocal(t)
	at := sound.tree(files{"f": file("prompt")})
	who := "A <a@example.com> 1 +0000"
	header := "tree " + at.String() + "\nauthor " + who + "\ncommitter " + who + "\n\nm\n"
	cases := []struct {
		rule    string
		kind    plumbing.ObjectType
		content string
		says    string // "" if it is read
	}{
		{"a whole commit", plumbing.CommitObject, header, ""},
		{"a commit without a time", plumbing.CommitObject, strings.ReplaceAll(header, " 1 +0000", ""), ""},
		{"a commit with a time before 1970", plumbing.CommitObject, strings.ReplaceAll(header, " 1 ", " -1 "), ""},
		{"a commit in another encoding", plumbing.CommitObject, strings.ReplaceAll(header, "author A", "author \xff"), ""},
		{"a commit without a tree", plumbing.CommitObject, header[46:], "malformed git commit"},
		{"a commit without an author", plumbing.CommitObject, header[:46], "malformed git commit"},
		{"a tag of a commit", plumbing.TagObject, "object COMMIT\ntype commit\n", ""},
		{"a tag without an object", plumbing.TagObject, "type commit\n", "malformed git tag"},
		{"a folder that ends in an id", plumbing.TreeObject, "100644 f\x00short", "malformed git tree"},
		{"a folder that ends in a name", plumbing.TreeObject, "100644 f", "malformed git tree"},
		{"a folder with an entry without a mode", plumbing.TreeObject, "f\x00" + string(at[:]), "malformed git tree"},
		{"a folder with a mode that is no number", plumbing.TreeObject, "rw f\x00" + string(at[:]), "malformed git tree"},
	}
	for _, c := range cases {
		l := newLocal(t)
		first := l.commit(l.tree(files{"f": file("prompt")}), 1)
		id := l.put(c.kind, []byte(strings.ReplaceAll(c.content, "COMMIT", first.String())))
		if c.kind == plumbing.TreeObject {
			id = l.commit(id, 1)
		}
		l.ref("refs/heads/main", id)
		tree, err := source.Git(l.dir, "main")
		if err == nil {
			_, err = fs.ReadFile(tree, "f")
		}
		if fails := err != nil; fails != (c.says != "") || fails && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.rule, err, c.says)
		}
	}
}

func TestACommitOrFolderWithTheContentOfAnotherIsAnError(t *testing.T) {
	for _, damaged := range []string{"commit", "tree"} {
		l := newLocal(t)
		tree, other := l.tree(files{"f": file("good")}), l.tree(files{"f": file("bad")})
		id, otherCommit := l.commit(tree, 1), l.commit(other, 2)
		l.ref("refs/heads/main", id)
		from, to := l.loose(otherCommit), l.loose(id)
		if damaged == "tree" {
			from, to = l.loose(other), l.loose(tree)
		}
		ok(t, os.Remove(to))
		ok(t, os.Rename(from, to))
		if _, err := source.Git(l.dir, "main"); err == nil || !strings.Contains(err.Error(), "SHA-1 differs") {
			t.Errorf("a %s with the content of another: Git = %v, want an error that says the SHA-1 differs", damaged, err)
		}
	}
}

func TestATreeRemembersWhatOfItsStoreIsMissingAndNoFaultOfAFile(t *testing.T) {
	l := newLocal(t)
	absent := plumbing.ComputeHash(plumbing.BlobObject, []byte("absent"))
	l.ref("refs/heads/main", l.commit(l.tree(files{"here": file("here"), "d/absent": file("absent")}), 1))
	l.remove(absent)
	l.write(".git/config", partial)
	tree := must(source.Git(l.dir, "main"))(t)
	for _, name := range []string{"here", "none", "../out", ".env", "here/x"} {
		if _, err := fs.ReadFile(tree, name); tree.Err() != nil {
			t.Fatalf("after %s, %v, the tree says %v", name, err, tree.Err())
		}
	}
	below := must(tree.Sub("d"))(t)
	_, _ = fs.ReadFile(below, "absent")
	for _, one := range []*source.Tree{tree, below} {
		if err := one.Err(); !errors.Is(err, source.ErrShallow) || !strings.HasPrefix(err.Error(), "read the files: read absent: ") {
			t.Errorf("the tree says %v", err)
		}
	}
	if none := (*source.Tree)(nil); none.Err() != nil {
		t.Error("no tree has lost something")
	}
}
