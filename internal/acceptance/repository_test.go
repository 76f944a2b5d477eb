package acceptance_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/github/githubtest"
)

// repository is a bare git repository. Its objects are written as git writes them; git reads, merges and serves them.
type repository struct {
	t   testing.TB
	dir string
}

func newRepository(t testing.TB) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	for name, content := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n", "refs/heads/.keep": "", "objects/pack/.keep": "",
	} {
		r.write(name, []byte(content))
	}
	return r
}

func (r repository) write(name string, content []byte) {
	r.t.Helper()
	at := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(at, content, 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// object stores an object and returns its SHA.
func (r repository) object(kind, content string) string {
	r.t.Helper()
	whole := fmt.Sprintf("%s %d\x00%s", kind, len(content), content)
	sum := sha1.Sum([]byte(whole))
	sha := hex.EncodeToString(sum[:])
	name := "objects/" + sha[:2] + "/" + sha[2:]
	if _, err := os.Stat(filepath.Join(r.dir, name)); err == nil {
		return sha // most of a commit is as in its parent
	}
	var packed bytes.Buffer
	w := packers.Get().(*zlib.Writer) // a new one takes more time than an object
	defer packers.Put(w)
	w.Reset(&packed)
	if _, err := io.WriteString(w, whole); err != nil {
		r.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		r.t.Fatal(err)
	}
	r.write(name, packed.Bytes())
	return sha
}

var packers = sync.Pool{New: func() any { return zlib.NewWriter(io.Discard) }}

var gitEnvironment = []string{
	"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
}

func gitIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, gitEnvironment
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, said.String())
	}
	return string(out), nil
}

func (r repository) git(args ...string) string {
	r.t.Helper()
	out, err := gitIn(r.dir, args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// commit stores a commit and returns its SHA. The subject tells commits of equal trees and parents apart.
func (r repository) commit(files tree, subject string, parents ...string) string {
	r.t.Helper()
	return r.commitTree(r.tree(files), subject, parents...)
}

func (r repository) commitTree(tree, subject string, parents ...string) string {
	r.t.Helper()
	text := "tree " + tree + "\n"
	for _, p := range parents {
		text += "parent " + p + "\n"
	}
	const person = "Octo Cat <octocat@example.com> 1767225600 +0000\n"
	return r.object("commit", text+"author "+person+"committer "+person+"\n"+subject+"\n")
}

// tree stores files and their folders, and returns the SHA of the root.
func (r repository) tree(files tree) string {
	r.t.Helper()
	entries, folders := map[string]string{}, map[string]tree{}
	add := func(mode, name, sha, order string) {
		raw, err := hex.DecodeString(sha)
		if err != nil {
			r.t.Fatal(err)
		}
		entries[order] = mode + " " + name + "\x00" + string(raw)
	}
	for name, f := range files {
		folder, rest, nested := strings.Cut(name, "/")
		switch {
		case nested && folders[folder] == nil:
			folders[folder] = tree{rest: f}
		case nested:
			folders[folder][rest] = f
		case f.mode == "160000":
			add(f.mode, name, f.data, name)
		default:
			add(f.mode, name, r.object("blob", f.data), name)
		}
	}
	for name, inside := range folders {
		add("40000", name, r.tree(inside), name+"/") // git sorts a folder as if its name ended so
	}
	var content strings.Builder
	for _, order := range slices.Sorted(maps.Keys(entries)) {
		content.WriteString(entries[order])
	}
	return r.object("tree", content.String())
}

// merge makes the commit that GitHub makes for refs/pull/N/merge: the base's tip first, the head second. It returns ""
// where they conflict.
func (r repository) merge(base, head string) string {
	r.t.Helper()
	out, err := gitIn(r.dir, "merge-tree", "--write-tree", base, head)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return ""
	}
	if err != nil {
		r.t.Fatal(err)
	}
	files, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return r.commitTree(files, "Merge "+head+" into "+base, base, head)
}

func (r repository) ref(name, sha string) { r.t.Helper(); r.write(name, []byte(sha+"\n")) }

// serve gives all objects to the fake GitHub, blobs before the trees that list them.
func (r repository) serve(hub *githubtest.Server) {
	r.t.Helper()
	out, err := gitIn(r.dir, "cat-file", "--batch-all-objects", "--batch")
	if err != nil {
		r.t.Fatal(err)
	}
	in := bufio.NewReader(strings.NewReader(out))
	later := map[string][][]byte{}
	for {
		head, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}
		var sha, kind string
		var size int
		if _, err := fmt.Sscan(head, &sha, &kind, &size); err != nil {
			r.t.Fatalf("cat-file printed %q: %v", head, err)
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(in, content); err != nil {
			r.t.Fatal(err)
		}
		later[kind] = append(later[kind], content[:size])
	}
	for _, kind := range []string{"blob", "tree", "commit"} {
		for _, content := range later[kind] {
			if _, err := hub.StoreObject(kind, content); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// checkout makes a workspace as actions/checkout does: one commit, or with the whole history.
func (r repository) checkout(sha string, whole bool) string {
	r.t.Helper()
	r.ref("refs/pull/7/merge", sha)
	dir := r.t.TempDir()
	fetch := []string{"fetch", "--quiet", "--no-tags", "--depth=1", "file://" + r.dir, "+refs/pull/7/merge:refs/remotes/pull/7/merge"}
	if whole {
		fetch = []string{"fetch", "--quiet", "--no-tags", "file://" + r.dir, "+refs/heads/*:refs/remotes/origin/*", "+refs/pull/7/merge:refs/remotes/pull/7/merge"}
	}
	for _, args := range [][]string{{"init", "--quiet", "--template=", "."}, fetch, {"checkout", "--quiet", "--force", "refs/remotes/pull/7/merge"}} {
		if _, err := gitIn(dir, args...); err != nil {
			r.t.Fatal(err)
		}
	}
	return dir
}
