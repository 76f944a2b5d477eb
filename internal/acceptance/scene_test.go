package acceptance_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/rogpeppe/go-internal/txtar"
)

const pullNumber = 7

// Addresses in the files of an attack, which stand for the servers of the test.
const (
	modelAddress = "http://127.0.0.1:1001" // answers by the rules in the file `model`
	evilAddress  = "http://127.0.0.1:1002" // must never be spoken to
)

// scene is one attack being played: the files of its commits, and, once the first run begins, the repository, the
// servers and what the last run left behind.
type scene struct {
	*testing.T
	attack attack
	at     step

	// old: where the branch began; base: what the head is merged into; head; main: the base branch's tip since; later:
	// the next head; default: the default branch, where the pull request wants to change another.
	trees    map[string]tree
	who      string // whose pull request: same, fork, gone (a deleted fork) or dependabot
	trusted  bool   // the runner gives a fork a token that writes, and the secrets
	into     string // the branch that the pull request wants to change
	merged   bool   // the head is itself a merge with the base, as the author made it
	event    string
	checkout string // none, shallow or whole
	inputs   map[string]string
	second   string // whose pull request stands behind this one in the merge queue, "" for nobody's
	env      map[string]string

	permissions map[string]string // by login: what somebody may do in the repository
	pushedBy    string            // who pushed the head, and wroteBy who wrote it; "" for whose pull request it is
	wroteBy     string

	repo      repository
	hub       *githubtest.Server
	api       string
	model     *modelServer
	evil      *modelServer
	addresses *strings.Replacer
	rules     string            // of the world's model
	commits   map[string]string // by tree; merge is the merge result, "" where there is none
	workspace string

	runs    int
	attempt string            // of the run
	earlier map[string]string // the commits before the last push
	last    outcome
}

func newScene(t *testing.T, a attack) *scene {
	return &scene{
		T: t, attack: a, repo: newRepository(t), commits: map[string]string{}, trees: map[string]tree{}, who: "same", attempt: "1", into: "main", event: "pull_request", checkout: "none",
		inputs: map[string]string{}, env: map[string]string{}, permissions: map[string]string{},
	}
}

// fail reports a line of the attack that does not hold.
func (s *scene) fail(format string, args ...any) {
	s.Helper()
	s.Errorf("line %d, %s %s: "+format, append([]any{s.at.line, s.at.verb, strings.Join(s.at.words, " ")}, args...)...)
}

// tree returns the files of a commit, at the first call as its parent has them with the attack's own laid over.
func (s *scene) tree(name string) tree {
	s.Helper()
	if known, is := s.trees[name]; is {
		if _, derived := s.trees["head"]; derived && name == "base" && s.hub == nil && s.at.verb != "break" && slices.Contains(s.at.words, "base") {
			s.Fatalf("line %d: the base changes after the head was made from it", s.at.line)
		}
		return known
	}
	files := tree{}
	switch parent := s.parent(name); parent {
	case "":
	default:
		files = maps.Clone(s.tree(parent))
	}
	lay(files, s.attack.files, name+"/")
	s.trees[name] = files
	return files
}

// parent names the tree that another one changes. A branch that began at old is merged into base; later heads follow
// head.
func (s *scene) parent(name string) string {
	switch _, began := s.trees["old"]; name {
	case "base":
		return ""
	case "head":
		if began || s.has("old") {
			return "old"
		}
		return "base"
	case "later":
		return "head"
	default:
		return "base"
	}
}

// has tells whether the attack has files of a tree.
func (s *scene) has(name string) bool {
	for _, f := range s.attack.files {
		if strings.HasPrefix(f.Name, name+"/") {
			return true
		}
	}
	return false
}

func lay(files tree, from []txtar.File, prefix string) {
	for _, f := range from {
		if name, is := strings.CutPrefix(f.Name, prefix); is {
			files[name] = file{"100644", string(f.Data)}
		}
	}
}

// world lays the files of a world below the base.
func (s *scene) world(name string) {
	s.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "worlds", name+".txtar"))
	if err != nil {
		s.Fatal(err)
	}
	files := tree{}
	lay(files, txtar.Parse(data).Files, "")
	s.rules = files["model"].data
	delete(files, "model")
	lay(files, s.attack.files, "base/")
	s.trees["base"] = files
}

// attached returns a file of the attack that belongs to no commit.
func (s *scene) attached(name string) string {
	for _, f := range s.attack.files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// ready makes the servers and the repository before the first run.
func (s *scene) ready() {
	s.Helper()
	if s.hub != nil {
		return
	}
	s.startModels()
	began := ""
	if _, is := s.trees["old"]; is || s.has("old") {
		began = s.commit("old")
		s.commit("base", began)
	} else {
		began = s.commit("base")
	}
	if s.merged {
		s.commit("head", began, s.commits["base"])
	} else {
		s.commit("head", began)
	}
	s.commits["merge"] = s.repo.merge(s.commits["base"], s.commits["head"])
	tip := s.commits["base"]
	if _, is := s.trees["main"]; is || s.has("main") {
		tip = s.commit("main", tip)
	}
	if s.into != "main" {
		s.commit("default", s.commits["base"])
	}
	s.startHub(tip)
	s.workspace = s.newWorkspace()
}

// startModels starts the two servers that a target may name, once.
func (s *scene) startModels() {
	if s.model != nil {
		return
	}
	var model, evil string
	s.model, model = startModel(s, s.attached("model")+s.rules)
	s.evil, evil = startModel(s, "")
	s.addresses = strings.NewReplacer(modelAddress, model, evilAddress, evil)
}

// commit stores a tree, with the keys of its recordings filled in and the servers' addresses.
func (s *scene) commit(name string, parents ...string) string {
	s.Helper()
	base, err := keysOnce(s.tree("base"))
	if err != nil {
		s.Fatal(err)
	}
	files, err := s.tree(name).bound(base)
	if err != nil {
		s.Fatal(err)
	}
	for at, f := range files {
		files[at] = file{f.mode, s.addresses.Replace(f.data)}
	}
	s.commits[name] = s.repo.commit(files, name, parents...)
	return s.commits[name]
}

func (s *scene) newWorkspace() string {
	sha := s.commits["merge"]
	switch s.event {
	case "pull_request":
	case "merge_group":
		sha = s.commits["group"]
	case "issue_comment", "schedule":
		sha = s.commits["base"]
	default:
		sha = s.commits["head"]
	}
	if s.checkout == "none" || sha == "" {
		return s.TempDir()
	}
	return s.repo.checkout(sha, s.checkout == "whole")
}

// startHub opens the pull request on the fake GitHub; tip is where the branch that it wants to change stands now.
func (s *scene) startHub(tip string) {
	s.hub = githubtest.New("octo", "prompts")
	s.api = s.hub.Start(s)
	s.repo.ref("refs/heads/"+s.into, tip)
	s.repo.serve(s.hub)
	s.hub.SetBranch(s.into, tip)
	if other, is := s.commits["default"]; is {
		s.hub.SetBranch("main", other)
	}
	s.hub.SetBranch("change", s.commits["head"])
	s.openPull()
	for login, permission := range s.permissions {
		s.hub.SetPermission(identities[login], permission)
	}
}

// openPull opens the pull request, or moves its head, with the merge commit that git made of it.
func (s *scene) openPull() {
	s.hub.SetPull(pullNumber, s.commits["base"], s.commits["head"], s.fork())
	s.hub.Retarget(pullNumber, s.into)
	s.hub.SetPullAuthor(pullNumber, s.author())
	s.hub.AddPush(pullNumber, s.pusher(), s.commits["base"], s.commits["head"])
	wrote := s.author()
	if s.wroteBy != "" {
		wrote = identities[s.wroteBy]
	}
	s.hub.SetAuthors(s.commits["head"], wrote, wrote)
	s.hub.FixMergeCommit(pullNumber, s.commits["merge"])
}

func (s *scene) author() githubtest.Identity {
	switch s.who {
	case "fork":
		return githubtest.Mallory
	case "gone":
		return githubtest.Identity{ID: 10137, Login: "ghost"}
	case "dependabot":
		return githubtest.Identity{ID: 49699333, Login: "dependabot[bot]", Bot: true}
	}
	return githubtest.Octocat
}

// pusher is who pushed the head.
func (s *scene) pusher() githubtest.Identity {
	if s.pushedBy != "" {
		return identities[s.pushedBy]
	}
	return s.author()
}

// fork tells whether the head is in another repository, and readOnly whether GitHub gives the run a token that only
// reads and no secrets. What a comment starts has the repository's own.
func (s *scene) fork() bool     { return s.who == "fork" || s.who == "gone" }
func (s *scene) readOnly() bool { return s.who != "same" && !s.trusted && s.event != "issue_comment" }
