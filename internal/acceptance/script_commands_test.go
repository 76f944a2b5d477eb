package acceptance_test

import (
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/rogpeppe/go-internal/testscript"
)

// commands are what scripts can do beside running failproof; no git binary is needed.
var commands = map[string]func(*testscript.TestScript, bool, []string){
	"failproof": failproofHere,
	"gitinit":   gitInit,
	"commit":    commitAll,
	"branch":    switchTo,
	"restore":   restore,
	"lose":      lose,
	"edit":      edit,
	"model":     tinyModel,
	"server":    embeddingServer,
	"config":    writeConfig,
	"skill":     skillServer,
	"patches":   patches,
}

// gitInit makes the working folder a repository with a branch main, on which everything is committed.
func gitInit(ts *testscript.TestScript, _ bool, args []string) {
	_, err := git.PlainInitWithOptions(ts.MkAbs("."), &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")},
	})
	ts.Check(err)
	commitAll(ts, false, args)
}

// commitAll commits every file, removed ones included.
func commitAll(ts *testscript.TestScript, _ bool, _ []string) {
	w := worktree(ts)
	ts.Check(w.AddWithOptions(&git.AddOptions{All: true}))
	by := &object.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1767600000, 0).UTC()}
	_, err := w.Commit("change", &git.CommitOptions{Author: by, AllowEmptyCommits: true})
	ts.Check(err)
}

// switchTo makes the branch and stands on it, with the files as they are. A branch that is there brings its own files.
func switchTo(ts *testscript.TestScript, _ bool, args []string) {
	w, branch := worktree(ts), plumbing.NewBranchReferenceName(args[0])
	if w.Checkout(&git.CheckoutOptions{Branch: branch, Create: true, Keep: true}) != nil {
		ts.Check(w.Checkout(&git.CheckoutOptions{Branch: branch, Force: true}))
	}
}

// restore makes the working folder what was committed last.
func restore(ts *testscript.TestScript, _ bool, _ []string) {
	w := worktree(ts)
	ts.Check(w.Reset(&git.ResetOptions{Mode: git.HardReset}))
	ts.Check(w.Clean(&git.CleanOptions{Dir: true}))
}

// lose takes the content that a file has now out of the repository, as a partial clone would.
func lose(ts *testscript.TestScript, _ bool, args []string) {
	hash := plumbing.ComputeHash(plumbing.BlobObject, []byte(ts.ReadFile(args[0]))).String()
	ts.Check(os.Remove(ts.MkAbs(".git/objects/" + hash[:2] + "/" + hash[2:])))
}

// patches PAGE saves the patches that a page prints as 1.patch, 2.patch and so on, as somebody who copies them does.
func patches(ts *testscript.TestScript, _ bool, args []string) {
	for i, found := range regexp.MustCompile(`(?s)aria-label="patch">(.*?)</div>`).FindAllStringSubmatch(ts.ReadFile(args[0]), -1) {
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf("%d.patch", i+1)), []byte(html.UnescapeString(found[1])), 0o666))
	}
}

func worktree(ts *testscript.TestScript) *git.Worktree {
	repository, err := git.PlainOpen(ts.MkAbs("."))
	ts.Check(err)
	w, err := repository.Worktree()
	ts.Check(err)
	return w
}

// edit FILE OLD NEW replaces every OLD, which must be there. \n is a line break.
func edit(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	breaks := strings.NewReplacer(`\n`, "\n")
	text, old := ts.ReadFile(args[0]), breaks.Replace(args[1])
	if !strings.Contains(text, old) {
		ts.Fatalf("%s does not contain %q", args[0], old)
	}
	text = strings.ReplaceAll(text, old, breaks.Replace(args[2]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
