package source_test

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// history is a repository with a merge, every kind of name, and a file "f" that holds each commit's name.
//
//	one - two - merge   main, HEAD, v1 (light), v2 (annotated), refs/remotes/origin/main = two
//	   \       /
//	    side --         topic/x, cafe (a branch named like an abbreviated SHA)
func history(t *testing.T) (*local, map[string]plumbing.Hash) {
	l := newLocal(t)
	c := map[string]plumbing.Hash{}
	c["one"] = l.commit(l.tree(files{"f": file("one")}), 100)
	c["two"] = l.commit(l.tree(files{"f": file("two")}), 200, c["one"])
	c["side"] = l.commit(l.tree(files{"f": file("side")}), 250, c["one"])
	c["merge"] = l.commit(l.tree(files{"f": file("merge")}), 300, c["two"], c["side"])
	l.ref("refs/heads/main", c["merge"])
	l.ref("refs/heads/topic/x", c["side"])
	l.ref("refs/heads/cafe", c["one"])
	l.ref("refs/tags/v1", c["one"])
	l.ref("refs/remotes/origin/main", c["two"])
	l.ref("refs/remotes/origin/next", c["side"])
	l.ref("refs/remotes/origin/HEAD", c["two"])
	l.ref("refs/remotes/upstream/elsewhere", c["side"])
	l.ref("refs/remotes/origin/origin/next2", c["side"])
	c["tag"] = l.tag(c["two"], plumbing.CommitObject)
	l.ref("refs/tags/v2", c["tag"])
	l.ref("refs/tags/v2-again", l.tag(c["tag"], plumbing.TagObject))
	l.write(".git/FETCH_HEAD", c["side"].String()+"\t\tbranch 'topic/x' of https://example.com/x\n")
	return l, c
}

// tag writes an annotated tag.
func (s store) tag(target plumbing.Hash, kind plumbing.ObjectType) plumbing.Hash {
	s.t.Helper()
	tag := &object.Tag{Name: "v", Message: "m\n", TargetType: kind, Target: target}
	o := &plumbing.MemoryObject{}
	ok(s.t, tag.Encode(o))
	id, err := s.SetEncodedObject(o)
	ok(s.t, err)
	return id
}

// found are revisions of history's repository, with the commit that they name.
var found = []struct{ rule, revision, want string }{
	{"a branch that only the remote has", "next", "side"},
	{"a branch that only the remote has, with a suffix", "next~1", "one"},
	{"a remote stands for its default branch", "origin", "two"},
	{"a branch", "main", "merge"},
	{"a branch with a slash", "topic/x", "side"},
	{"a light tag", "v1", "one"},
	{"an annotated tag leads to its commit", "v2", "two"},
	{"a tag of a tag leads to the commit", "v2-again", "two"},
	{"a remote branch", "origin/main", "two"},
	{"a full reference", "refs/heads/main", "merge"},
	{"a reference below refs", "heads/main", "merge"},
	{"HEAD", "HEAD", "merge"},
	{"@ is HEAD", "@", "merge"},
	{"what was fetched last", "FETCH_HEAD", "side"},
	{"~ is the first parent", "HEAD~", "two"},
	{"~N goes N first parents back", "HEAD~2", "one"},
	{"~0 stays", "HEAD~0", "merge"},
	{"^ is the first parent", "main^", "two"},
	{"^2 is the second parent", "main^2", "side"},
	{"^0 stays", "v2^0", "two"},
	{"suffixes add up", "@^2~1", "one"},
	{"a branch before an abbreviated SHA", "cafe", "one"},
}

func TestRevisionsThatAreFound(t *testing.T) {
	l, c := history(t)
	cases := append(slices.Clone(found), []struct{ rule, revision, want string }{
		{"a SHA", c["side"].String(), "side"},
		{"a SHA in upper case", strings.ToUpper(c["side"].String()), "side"},
		{"an abbreviated SHA", c["side"].String()[:8], "side"},
		{"an abbreviated SHA of an odd length", c["side"].String()[:9], "side"},
		{"an abbreviated SHA of a tag", c["tag"].String()[:10], "two"},
	}...)
	for _, cs := range cases {
		t.Run(cs.rule, func(t *testing.T) {
			tree := must(source.Git(l.dir, cs.revision))(t)
			want := source.Revision{Kind: source.KindCommit, Name: cs.revision, SHA: c[cs.want].String()}
			want.Name = cmp.Or(map[string]string{"refs/heads/main": "main", "next": "origin/next", "next~1": "origin/next~1"}[cs.revision], cs.revision)
			if tree.Revision != want {
				t.Errorf("Git(%q) is %+v, want %+v", cs.revision, tree.Revision, want)
			}
			if got, err := fs.ReadFile(tree, "f"); err != nil || string(got) != cs.want {
				t.Errorf("f at %q = %q, %v, want %q", cs.revision, got, err, cs.want)
			}
			if sha, err := source.Resolve(l.dir, cs.revision); err != nil || sha != want.SHA {
				t.Errorf("Resolve(%q) = %s, %v, want %s", cs.revision, sha, err, want.SHA)
			}
		})
	}
}

func TestABranchComesBeforeATagOfItsName(t *testing.T) {
	l, c := history(t)
	for _, name := range []string{"main", "topic/x", "origin/main", "next"} {
		before, err := source.Resolve(l.dir, name)
		ok(t, err)
		l.ref("refs/tags/"+name, c["one"])
		if sha, err := source.Resolve(l.dir, name); err != nil || sha != before {
			t.Errorf("Resolve(%q) beside a tag of that name = %s, %v, want %s", name, sha, err, before)
		}
	}
	if sha, err := source.Resolve(l.dir, "refs/tags/main"); err != nil || sha != c["one"].String() {
		t.Errorf("Resolve(refs/tags/main) = %s, %v, want the tag's %s", sha, err, c["one"])
	}
}

func TestABranchComesBeforeWhateverElseIsCalledSo(t *testing.T) {
	l, c := history(t)
	for _, name := range []string{"main", "topic/x", "next", "v1"} {
		before, err := source.Resolve(l.dir, name)
		ok(t, err)
		l.ref("refs/"+name, c["two"])
		if !strings.Contains(name, "/") {
			l.ref("refs/remotes/"+name, c["two"])
		}
		if sha, err := source.Resolve(l.dir, name); err != nil || sha != before {
			t.Errorf("Resolve(%q) beside refs/%[1]s = %s, %v, want %s as before", name, sha, err, before)
		}
	}
	for name, id := range map[string]string{"heads/main": "merge", "tags/v1": "one", "remotes/origin/main": "two", "pull/7/merge": "side"} {
		if strings.HasPrefix(name, "pull/") {
			l.ref("refs/"+name, c[id])
		}
		other := c[map[string]string{"one": "two"}[id]]
		if other.IsZero() {
			other = c["one"]
		}
		l.ref("refs/heads/"+name, other)
		l.ref("refs/remotes/origin/"+name, other)
		if sha, err := source.Resolve(l.dir, name); err != nil || sha != c[id].String() {
			t.Errorf("Resolve(%q) beside a branch of that name = %s, %v, want %s", name, sha, err, id)
		}
	}
}

func TestABranchOfARemoteComesBeforeABranchThatIsCalledSo(t *testing.T) {
	l, c := history(t)
	for name, want := range map[string]string{"origin/main": "two", "upstream/elsewhere": "side", "origin/main~1": "one", "origin/gone": "merge", "topic/x": "side"} {
		branch, _, _ := strings.Cut(name, "~")
		if branch != "topic/x" {
			l.ref("refs/heads/"+branch, c["merge"])
		}
		if sha, err := source.Resolve(l.dir, name); err != nil || sha != c[want].String() {
			t.Errorf("Resolve(%q) beside a branch of that name = %s, %v, want %s", name, sha, err, want)
		}
	}
	if sha, err := source.Resolve(l.dir, "refs/heads/origin/main"); err != nil || sha != c["merge"].String() {
		t.Errorf("Resolve(refs/heads/origin/main) = %s, %v, want the branch", sha, err)
	}
}

func TestABranchOrTagOfTheDigitsOfACommitIsNotTakenForIt(t *testing.T) {
	l, c := history(t)
	digits := c["two"].String()[:10]
	for _, ref := range []string{"refs/tags/", "refs/heads/", "refs/remotes/origin/"} {
		l.ref(ref+digits, c["side"])
		if sha, err := source.Resolve(l.dir, digits); !errors.Is(err, source.ErrNoRevision) || !strings.Contains(err.Error(), "beginning of a commit") {
			t.Errorf("Resolve(%q) beside %s of that name = %q, %v, want that it is both", digits, ref, sha, err)
		}
		ok(t, l.repo.Storer.RemoveReference(plumbing.ReferenceName(ref+digits)))
		l.ref(ref+c["two"].String(), c["side"])
		if sha, err := source.Resolve(l.dir, c["two"].String()); err != nil || sha != c["two"].String() {
			t.Errorf("Resolve of a whole SHA beside %s of that name = %q, %v, want the commit", ref, sha, err)
		}
	}
}

func TestABranchOfTheDigitsOfSeveralCommitsIsNotTakenForThem(t *testing.T) {
	l, c := history(t)
	tree, by := l.tree(files{"f": file("pushed")}), map[string]plumbing.Hash{}
	for at := int64(1000); ; at++ { // until two begin alike, as whoever pushes can see to
		id := l.commit(tree, at, c["one"])
		digits := id.String()[:4]
		other, alike := by[digits]
		if by[digits] = id; !alike {
			continue
		}
		for what, on := range map[string]plumbing.Hash{"one of them": id, "the other": other, "a third": c["side"]} {
			l.ref("refs/heads/"+digits, on)
			if sha, err := source.Resolve(l.dir, digits); !errors.Is(err, source.ErrNoRevision) || !strings.Contains(err.Error(), "beginning of a commit") {
				t.Errorf("Resolve(%q), with a branch of that name on %s, = %q, %v, want that it is both", digits, what, sha, err)
			}
		}
		only := c["two"].String()[:10]
		l.ref("refs/heads/"+only, c["two"])
		if sha, err := source.Resolve(l.dir, only); err != nil || sha != c["two"].String() {
			t.Errorf("Resolve(%q) of a branch on the one commit that begins so = %q, %v, want that", only, sha, err)
		}
		return
	}
}

func TestRevisionsThatAreUnknown(t *testing.T) {
	l, c := history(t)
	l.ref("refs/tags/of-a-tree", l.tree(plain()))
	cases := []struct{ rule, revision, says string }{
		{"a name that is nowhere", "nope", "fetch it or check the spelling"},
		{"a branch that another remote has", "elsewhere", "fetch it or check the spelling"},
		{"a branch of origin that is called like one of another remote's", "origin/next2", `there is no "origin/next2"`},
		{"nothing", "", "write a branch"},
		{"a suffix without a name", "~1", "write a branch"},
		{"a caret without a name", "^", "write a branch"},
		{"an option", "--upload-pack=x", "write a branch"},
		{"more generations than there are", "main~3", "is the first, and has no parent"},
		{"a parent that is not", "main^3", "has 2 parents"},
		{"a number out of range", "main~99999999999999999999", "too far back"},
		{"very many generations", "main~1000001", "too far back"},
		{"a SHA that is not here", strings.Repeat("1", 40), "fetch it first"},
		{"an abbreviated SHA that is not here", "1111111", "fetch it or check the spelling"},
		{"three digits are no SHA", c["one"].String()[:3], "fetch it or check the spelling"},
		{"a tag of a tree", "of-a-tree", "is a tree, not a commit"},
		{"a file of git's folder", "config", "fetch it or check the spelling"},
		{"a path out of git's folder", "../../etc/passwd", "fetch it or check the spelling"},
		{"a reflog entry", "main@{1}", "fetch it or check the spelling"},
		{"a range", "main..v1", "fetch it or check the spelling"},
		{"a line break", "main\n", `did you mean "main"?`},
		{"a slip", "mian", `there is no "mian" here; did you mean "main"?`},
	}
	for _, cs := range cases {
		t.Run(cs.rule, func(t *testing.T) {
			tree, err := source.Git(l.dir, cs.revision)
			if !errors.Is(err, source.ErrNoRevision) || errors.Is(err, source.ErrShallow) {
				t.Fatalf("Git(%q) = %v, %v, want ErrNoRevision", cs.revision, tree, err)
			}
			if !strings.Contains(err.Error(), cs.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Git(%q) says %q, want %q in one line", cs.revision, err, cs.says)
			}
		})
	}
}

func TestAnAbbreviatedSHAOfTwoCommitsIsAmbiguous(t *testing.T) {
	l := newLocal(t)
	tree := l.tree(plain())
	first := map[string]plumbing.Hash{}
	for at := int64(0); ; at++ {
		id := l.commit(tree, at)
		short := id.String()[:4]
		if _, twice := first[short]; !twice {
			first[short] = id
			continue
		}
		l.ref("refs/heads/main", id)
		if _, err := source.Git(l.dir, short); !errors.Is(err, source.ErrNoRevision) || !strings.Contains(err.Error(), "2 commits begin with") {
			t.Errorf("Git(%q) = %v, want ErrNoRevision that counts two commits", short, err)
		}
		return
	}
}

func TestAnUnbornBranchIsNoRevision(t *testing.T) {
	l := newLocal(t)
	if _, err := source.Git(l.dir, "HEAD"); !errors.Is(err, source.ErrNoRevision) {
		t.Errorf("Git(HEAD) without a commit = %v, want ErrNoRevision", err)
	}
}

func TestAFolderOutsideAnyRepository(t *testing.T) {
	for _, call := range []func() error{
		func() error { return second(source.Git(t.TempDir(), "main")) },
		func() error { return second(source.Resolve(t.TempDir(), "main")) },
		func() error { return second(source.MergeBase(t.TempDir(), "main", "topic")) },
	} {
		if err := call(); !errors.Is(err, source.ErrNoRepository) {
			t.Errorf("got %v, want ErrNoRepository", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestASubfolderOfARepositoryIsItsRoot(t *testing.T) {
	l := newLocal(t)
	all := plain()
	all["link"] = link("suites")
	l.ref("refs/heads/main", l.commit(l.tree(all), 1))
	for _, dir := range []string{"suites/a", "elsewhere", "link/a"} {
		ok(t, os.MkdirAll(filepath.Join(l.dir, dir), 0o755))
	}
	if got, err := fs.ReadFile(must(source.Git(filepath.Join(l.dir, "suites", "a"), "main"))(t), "deep/x.yaml"); err != nil || string(got) != "version: 1\n" {
		t.Errorf("deep/x.yaml from suites/a = %q, %v", got, err)
	}
	if got := names(t, must(source.Git(filepath.Join(l.dir, "elsewhere"), "main"))(t)); len(got) != 1 {
		t.Errorf("a folder that the revision lacks lists %q, want its root alone", got)
	}
	if _, err := source.Git(filepath.Join(l.dir, "link", "a"), "main"); !errors.Is(err, source.ErrSymlink) {
		t.Errorf("a folder that is a link in the revision = %v, want ErrSymlink", err)
	}
}

func TestUncommittedFilesAreInTheWorktreeAlone(t *testing.T) {
	l, _ := history(t)
	l.write("f", "edited")
	l.write("new", "new")
	worktree, head := must(source.Worktree(l.dir))(t), must(source.Git(l.dir, "HEAD"))(t)
	if got, err := fs.ReadFile(worktree, "f"); err != nil || string(got) != "edited" {
		t.Errorf("f in the worktree = %q, %v", got, err)
	}
	if got, err := fs.ReadFile(head, "f"); err != nil || string(got) != "merge" {
		t.Errorf("f at HEAD = %q, %v", got, err)
	}
	if _, err := fs.Stat(head, "new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("new at HEAD = %v, want fs.ErrNotExist", err)
	}
	if !worktree.Tracks("f") || worktree.Tracks("new") || !head.Tracks("f") || must(source.Worktree(t.TempDir()))(t).Tracks("f") {
		t.Error("what git tracks in a worktree is what its last commit has")
	}
}

func TestPackedObjectsAndReferences(t *testing.T) {
	l, c := history(t)
	pack(t, l)
	loose, err := filepath.Glob(filepath.Join(l.dir, ".git", "objects", "??"))
	ok(t, err)
	for _, dir := range loose {
		ok(t, os.RemoveAll(dir))
	}
	for _, revision := range []string{"main~2", "v2~1", c["one"].String()[:7]} {
		tree := must(source.Git(l.dir, revision))(t)
		if got, err := fs.ReadFile(tree, "f"); err != nil || string(got) != "one" {
			t.Errorf("f at %s = %q, %v, want one", revision, got, err)
		}
	}
}

// pack packs objects and references with git if it is there, so that its own format is read, else with go-git.
func pack(t *testing.T, l *local) {
	t.Helper()
	if _, err := exec.LookPath("git"); err == nil {
		gc := exec.Command("git", "-C", l.dir, "-c", "gc.auto=0", "gc", "--quiet", "--prune=now")
		if out, err := gc.CombinedOutput(); err != nil {
			t.Fatalf("git gc: %v\n%s", err, out)
		}
	} else {
		ok(t, l.repo.RepackObjects(&git.RepackConfig{UseRefDeltas: true}))
		packer, can := l.repo.Storer.(interface{ PackRefs() error })
		if !can {
			t.Fatal("the storage cannot pack references")
		}
		ok(t, packer.PackRefs())
	}
	if _, err := os.Stat(filepath.Join(l.dir, ".git", "packed-refs")); err != nil {
		t.Fatal(err)
	}
}

func TestALinkedWorktreeHasItsOwnHead(t *testing.T) {
	l, _ := history(t)
	dir := t.TempDir()
	l.write(".git/worktrees/w/HEAD", "ref: refs/heads/topic/x\n")
	l.write(".git/worktrees/w/commondir", "../..\n")
	l.write(".git/worktrees/w/gitdir", filepath.Join(dir, ".git")+"\n")
	writeFile(t, filepath.Join(dir, ".git"), "gitdir: "+filepath.ToSlash(filepath.Join(l.dir, ".git", "worktrees", "w"))+"\n")
	for revision, want := range map[string]string{"HEAD": "side", "HEAD~1": "one", "main": "merge"} {
		if got, err := fs.ReadFile(must(source.Git(dir, revision))(t), "f"); err != nil || string(got) != want {
			t.Errorf("f at %s = %q, %v, want %q", revision, got, err, want)
		}
	}
}

func TestAGitFileThatLeadsNowhere(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".git"), "gitdir: ../nowhere\n")
	if _, err := source.Git(dir, "main"); !errors.Is(err, source.ErrNoRepository) {
		t.Errorf("Git = %v, want ErrNoRepository", err)
	}
	writeFile(t, filepath.Join(dir, ".git"), "something else\n")
	if _, err := source.Git(dir, "main"); !errors.Is(err, source.ErrNoRepository) {
		t.Errorf("Git = %v, want ErrNoRepository", err)
	}
}

func TestObjectsBorrowedFromAnotherRepository(t *testing.T) {
	lender, c := history(t)
	l := newLocal(t)
	l.write(".git/objects/info/alternates", filepath.Join(lender.dir, ".git", "objects")+"\n")
	l.ref("refs/heads/main", c["merge"])
	if got, err := fs.ReadFile(must(source.Git(l.dir, "main~1"))(t), "f"); err != nil || string(got) != "two" {
		t.Errorf("f = %q, %v, want two", got, err)
	}
}
