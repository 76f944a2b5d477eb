//go:build unix

package source_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
)

// trapped are settings that make git run TRAP, each at another occasion.
const trapped = `[core]
	fsmonitor = TRAP
	sshCommand = TRAP
	hooksPath = hooks
	pager = TRAP
[diff]
	external = TRAP
[filter "x"]
	smudge = TRAP
	clean = TRAP
	process = TRAP
[credential]
	helper = !TRAP
[alias]
	log = !TRAP
[include]
	path = TRAP
[extensions]
	partialClone = origin
[remote "origin"]
	promisor = true
	url = ext::TRAP
	uploadpack = TRAP
`

// A repository whose settings, hooks and attributes all name a program runs it nowhere.
func TestARepositoryExecutesNothing(t *testing.T) {
	l, c := history(t)
	marker := filepath.Join(t.TempDir(), "executed")
	trap := l.write("trap.sh", "#!/bin/sh\necho x > "+marker+"\n")
	ok(t, os.Chmod(trap, 0o755))
	l.write(".git/config", strings.ReplaceAll(trapped, "TRAP", trap))
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-auto-gc"} {
		for _, dir := range []string{"hooks", ".git/hooks"} {
			ok(t, os.Chmod(l.write(dir+"/"+hook, "#!/bin/sh\n"+trap+"\n"), 0o755))
		}
	}
	l.write(".gitattributes", "* filter=x diff=x merge=x\n")
	l.write(".git/info/attributes", "* filter=x diff=x\n")
	l.ref("refs/heads/absent", l.commit(plumbing.NewHash("1111111111111111111111111111111111111111"), 1))

	for _, revision := range []string{"main", "topic/x", "v2", c["one"].String(), "nope"} {
		if tree, err := source.Git(l.dir, revision); err == nil {
			_, err = fs.ReadFile(tree, "f")
			ok(t, err)
		}
	}
	// A promisor would be asked for this tree.
	if _, err := source.Git(l.dir, "absent"); !errors.Is(err, source.ErrShallow) {
		t.Errorf("Git of a commit without its tree = %v, want ErrShallow", err)
	}
	_, err := source.MergeBase(l.dir, "main", "topic/x")
	ok(t, err)
	_, err = fs.ReadFile(must(source.Worktree(l.dir))(t), "trap.sh")
	ok(t, err)

	if _, err := os.Stat(marker); err == nil {
		t.Fatal("reading the repository ran a program that its settings name")
	}
	// The trap works: called by hand it leaves its mark.
	ok(t, exec.Command(trap).Run())
	if _, err := os.Stat(marker); err != nil {
		t.Fatal(err)
	}
}
