package sides_test

import (
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

func TestFilesOfTwoCommitsAreComparedByTheirContent(t *testing.T) {
	c := newClone(t)
	c.commit(runtest.Files{"same": "1", "other": "1", "gone": "1", "d/x": "1", "e/x": "1"})
	c.ref("refs/heads/old")
	c.write(runtest.Files{"gone": ""})
	if _, err := c.worktree().Remove("gone"); err != nil {
		t.Fatal(err)
	}
	c.commit(runtest.Files{"other": "2", "new": "1", "e/x": "2"})
	was, now := c.inputs("old").Head, c.inputs("master").Head
	for name, want := range map[string]bool{"same": true, "other": false, "gone": false, "new": false, "none": true,
		"d": true, "e": false} {
		if got := sides.SameFile(was, now, name); got != want {
			t.Errorf("%s is the same: %v", name, got)
		}
	}
	if sides.SameFile(now, c.inputs("").Head, "same") || sides.SameFile(c.inputs("").Head, c.inputs("").Head, "same") {
		t.Error("a file without an object id is the same as another")
	}
	if sides.SameFile(now, now, "../x") {
		t.Error("a file that cannot be read is the same as another")
	}
}

func TestTheTextOfAFileHasPlainLineEnds(t *testing.T) {
	tree := folder(t, runtest.Files{"a": "1\r\n2\r\n"})
	for path, want := range map[string]string{"a": "1\n2\n", "gone": "", "": ""} {
		if got := sides.TextAt(tree, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := sides.TextAt(nil, ""); got != "" {
		t.Errorf("no file: %q", got)
	}
}

func TestACommitContainsWhatLiesInItOrInTheCheckout(t *testing.T) {
	c := newClone(t)
	c.commit(runtest.Files{"judged": "1"})
	c.ref("refs/heads/pull")
	c.begin("other")
	if _, err := c.worktree().Remove("judged"); err != nil {
		t.Fatal(err)
	}
	c.commit(runtest.Files{"checked/out": "1"})
	c.write(runtest.Files{"loose": "1"})
	for path, want := range map[string]bool{
		"judged": true, "checked/out": true, "checked": true, "./checked/../judged": true, "loose": false,
		"../judged":                     false,
		filepath.Join(c.dir, "checked"): true, filepath.Join(c.dir, "loose"): false,
	} {
		if got, err := c.inputs("pull").CommitContains(path); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", path, got, err, want)
		}
	}
	if got, err := c.inputs("").CommitContains("judged"); got || err != nil {
		t.Errorf("a working tree contains what only another branch has: %v, %v", got, err)
	}
	empty := newClone(t)
	empty.write(runtest.Files{"a": ""})
	outside := sides.Inputs{Dir: t.TempDir(), Head: folder(t, nil)}
	for rule, in := range map[string]sides.Inputs{"without a commit": empty.inputs(""), "without a repository": outside} {
		if got, err := in.CommitContains("a"); got || err != nil {
			t.Errorf("%s: %v, %v", rule, got, err)
		}
	}
	empty.loseFiles(empty.commit(runtest.Files{"a": "1"}))
	if got, err := empty.inputs("").CommitContains("a"); got || err == nil {
		t.Errorf("a commit that cannot be read: %v, %v", got, err)
	}
}

func TestAMissingConfigurationSaysWhereOneIs(t *testing.T) {
	const none = "no configuration; expected .github/failproof.yml or failproof.yml in this folder: "
	config := runtest.Files{"failproof.yml": "version: 1\n"}
	for _, c := range []struct {
		rule         string
		master, here runtest.Files
		branch       string // checked out; "": master
		named        string
		path, want   string
	}{
		{"nowhere", runtest.Files{}, nil, "", "", ".github/failproof.yml", none + "write one with `failproof init`, or name it with --config"},
		{"by its name", runtest.Files{}, nil, "", "own.yml", "own.yml", "the file does not exist"},
		{"under another name", runtest.Files{}, runtest.Files{"failproof.yaml": "version: 1\n"}, "", "", "failproof.yaml", "this file is not read as the configuration: name it failproof.yml, or name it with --config"},
		{"in a folder", runtest.Files{}, runtest.Files{"a/failproof.yml": "version: 1\n"}, "", "", ".github/failproof.yml", none + "folder \"a\" has its own: run this there, or in a workflow, with `working-directory`"},
		{"in two folders", runtest.Files{}, runtest.Files{"a/failproof.yml": "version: 1\n", "b/failproof.yml": "version: 1\n"}, "", "", ".github/failproof.yml", none + "folder \"a\" and 1 more below have their own: run this command in each, or in a workflow, with `working-directory`"},
		{"on the default branch", config, nil, "topic", "", "failproof.yml", "this branch has no configuration, and master has this one: merge master into the branch"},
		{"only on another branch", runtest.Files{}, nil, "topic", "", ".github/failproof.yml", none + "write one with `failproof init`, or name it with --config"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			repo := newClone(t)
			if c.branch != "" {
				repo.begin("start")
				repo.commit(nil)
				repo.checkout(c.branch)
				repo.checkout("start")
				repo.commit(c.master)
				repo.ref("refs/heads/master")
				repo.checkout(c.branch)
			}
			repo.write(c.here)
			own, faults := sides.RequireConfig(repo.dir, repo.inputs("").Head, c.named)
			if own != nil || len(faults) != 1 || faults[0].Path != c.path || faults[0].Message != c.want {
				t.Errorf("%v, %v, want %s: %s", own, faults, c.path, c.want)
			}
		})
	}
	own, faults := sides.RequireConfig("", folder(t, config), "")
	if own == nil || len(faults) > 0 {
		t.Errorf("one that is there: %v, %v", own, faults)
	}
	own, faults = sides.RequireConfig("", folder(t, runtest.Files{"failproof.yml": "version: 2\n"}), "")
	if own != nil || len(faults) != 1 || faults[0].Rule == "no-configuration" {
		t.Errorf("one with an error: %v, %v", own, faults)
	}
}

func TestAConfigurationWithErrorsIsThere(t *testing.T) {
	tree := folder(t, runtest.Files{"own.yml": "{", ".github/failproof.yml": "{"})
	for name, want := range map[string]bool{"": true, "own.yml": true, "gone.yml": false} {
		if got := sides.HasConfig(tree, name); got != want {
			t.Errorf("%q is there: %v", name, got)
		}
	}
	if sides.HasConfig(folder(t, nil), "") {
		t.Error("an empty folder has a configuration")
	}
	if own, faults := sides.ReadConfig(folder(t, nil), ""); own != nil || faults != nil {
		t.Errorf("an empty folder: %v, %v", own, faults)
	}
}

// A job that works in a folder of its checkout keeps its answers at the checkout's root: outside of the tree
// that it judges.
func TestAFolderIsBroughtByTheCheckoutToo(t *testing.T) {
	c := newClone(t)
	c.commit(runtest.Files{".failproof/cache/a.jsonl": "version: 1\n", "shop/failproof.yml": "version: 1\n"})
	head, err := source.Git(filepath.Join(c.dir, "shop"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	in := sides.Inputs{Head: head, Dir: c.dir}
	for folder, want := range map[string]bool{".failproof/cache": true, ".failproof/drift": false} {
		if got, err := in.CommitContains(folder); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", folder, got, err, want)
		}
	}
}
