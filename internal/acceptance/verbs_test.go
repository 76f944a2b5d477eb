package acceptance_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/rogpeppe/go-internal/txtar"
)

// verbs are the steps that an attack may have. README.md beside the corpus says what they do.
var verbs = map[string]func(*scene, []string){}

func init() {
	maps.Copy(verbs, map[string]func(*scene, []string){
		"world": func(s *scene, w []string) { s.world(w[0]) },
		"from": func(s *scene, w []string) {
			s.who, s.trusted = w[0], len(w) > 1 && w[1] == "trusted"
		},
		"merged":   func(s *scene, _ []string) { s.merged = true },
		"into":     func(s *scene, w []string) { s.into = w[0] },
		"event":    func(s *scene, w []string) { s.event = w[0] },
		"checkout": func(s *scene, w []string) { s.checkout = w[0] },
		"input":    func(s *scene, w []string) { s.inputs[w[0]] = w[1] },
		"env":      func(s *scene, w []string) { s.env[w[0]] = w[1] },
		"edit":     (*scene).edit,
		"edit-all": (*scene).editAll,
		"remove":   (*scene).remove,
		"move":     (*scene).move,
		"copy":     (*scene).copy,
		"link":     func(s *scene, w []string) { s.tree(w[0])[w[1]] = file{"120000", w[2]} },
		"submodule": func(s *scene, w []string) {
			s.tree(w[0])[w[1]] = file{"160000", strings.Repeat("1", 40)}
		},
		"embedder": (*scene).embedder,
		"pointer":  (*scene).pointer,
		"fill":     (*scene).fill,
		"by-hand":  (*scene).byHand,
		"tool":     (*scene).tool,
		"many":     (*scene).many,
		"break":    (*scene).breakCases,
		"fault":    (*scene).fault,
		"forge":    (*scene).forge,
		"run":      func(s *scene, _ []string) { s.run() },
		"terminal": (*scene).terminal,
		"spoil":    (*scene).spoil,
		"land":     (*scene).land,
		"push":     (*scene).push,
		"again":    (*scene).again,
		"rerun":    (*scene).rerun,
		"comment": func(s *scene, w []string) {
			s.ready()
			s.hub.AddComment(identities[w[0]], pullNumber, s.said(w[1:]))
		},
		"issue": func(s *scene, w []string) {
			s.ready()
			s.hub.AddIssue(githubtest.Issue{Number: number(s, w[1]), Title: "Mine", Body: s.said(w[2:]), State: "open", Author: identities[w[0]]})
		},
		"amend": func(s *scene, w []string) {
			all := s.hub.Comments(pullNumber)
			s.hub.EditComment(identities[w[0]], all[len(all)-1].ID, s.said(w[1:]))
		},
	})
}

// said is what a comment says.
func (s *scene) said(lines []string) string {
	return strings.NewReplacer("{head}", s.commits["head"], "{base}", s.commits["base"]).Replace(strings.Join(lines, "\n"))
}

var identities = map[string]githubtest.Identity{"actions": githubtest.Actions, "octocat": githubtest.Octocat, "mallory": githubtest.Mallory, "hubot": {ID: 777, Login: "hubot"}}

// edit TREE PATH OLD NEW [OLD NEW …] replaces every OLD in a file, which has to hold it.
func (s *scene) edit(w []string) {
	s.Helper()
	files := s.tree(w[0])
	text := files[w[1]].data
	for pairs := w[2:]; len(pairs) > 0; pairs = pairs[2:] {
		if !strings.Contains(text, pairs[0]) {
			s.Fatalf("line %d: %s of %s does not hold %q:\n%s", s.at.line, w[1], w[0], pairs[0], text)
		}
		text = strings.ReplaceAll(text, pairs[0], pairs[1])
	}
	files[w[1]] = file{"100644", text}
}

// edit-all TREE FOLDER TEXT puts a text before every file below a folder.
func (s *scene) editAll(w []string) {
	s.Helper()
	files, found := s.tree(w[0]), false
	for name, f := range files {
		if strings.HasPrefix(name, w[1]+"/") {
			files[name], found = file{f.mode, w[2] + f.data}, true
		}
	}
	if !found {
		s.Fatalf("line %d: %s has nothing below %s", s.at.line, w[0], w[1])
	}
}

// remove TREE PATH… removes files, or all below a folder.
func (s *scene) remove(w []string) {
	s.Helper()
	files := s.tree(w[0])
	for _, path := range w[1:] {
		if slices.ContainsFunc(s.attack.files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, w[0]+"/"+path) }) {
			s.Fatalf("line %d: the attack itself brings %s/%s", s.at.line, w[0], path)
		}
		before := len(files)
		maps.DeleteFunc(files, func(name string, _ file) bool { return name == path || strings.HasPrefix(name, path+"/") })
		if len(files) == before {
			s.Fatalf("line %d: %s has no %s", s.at.line, w[0], path)
		}
	}
}

// copy TREE FROM TO copies a file, and move moves it.
func (s *scene) copy(w []string) {
	s.Helper()
	files := s.tree(w[0])
	f, is := files[w[1]]
	if !is {
		s.Fatalf("line %d: %s has no %s", s.at.line, w[0], w[1])
	}
	files[w[2]] = f
}

func (s *scene) move(w []string) {
	s.Helper()
	s.copy(w)
	s.remove(w[:2])
}

// embedder TREE FOLDER writes an embedding model of a few words.
func (s *scene) embedder(w []string) {
	s.Helper()
	for name, data := range embedtest.StaticModel(meanings...) {
		s.tree(w[0])[path.Join(w[1], name)] = file{"100644", string(data)}
	}
}

// pointer TREE PATH makes of a file the pointer that Git LFS commits in its place.
func (s *scene) pointer(w []string) {
	s.Helper()
	data := s.tree(w[0])[w[1]].data
	s.tree(w[0])[w[1]] = file{"100644", fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sha256.Sum256([]byte(data)), len(data))}
}

// fill TREE PATH COUNT TEXT writes a file with a text many times; {n} in it is the number.
func (s *scene) fill(w []string) {
	s.Helper()
	var text strings.Builder
	text.WriteString(s.tree(w[0])[w[1]].data)
	for n := range number(s, w[2]) {
		text.WriteString(strings.ReplaceAll(w[3], "{n}", itoa(n)))
	}
	s.tree(w[0])[w[1]] = file{"100644", text.String()}
}

// terminal ARGUMENT… runs failproof in a checkout of the head, as a person does who looks at it, with the keys of that
// person.
func (s *scene) terminal(w []string) {
	s.Helper()
	s.ready()
	if s.runs == 0 {
		s.checkout, s.workspace = "whole", s.repo.checkout(s.commits["head"], true)
	}
	s.runs++
	env := []string{"HOME=" + s.TempDir(), "PATH=" + os.Getenv("PATH")}
	for name, value := range canaries {
		if strings.HasSuffix(name, "_API_KEY") {
			env = append(env, name+"="+value)
		}
	}
	var said bytes.Buffer
	code, err := start{s.workspace, env, &said, &said}.run(s.T, w...)
	if err != nil {
		s.Fatal(err)
	}
	s.last = outcome{code: code, log: said.String()}
	if _, dialled := s.evil.seen(); dialled != 0 {
		s.fail("%d connections to an address that only the pull request names", dialled)
	}
	s.checkReports()
	s.checkWorkspace()
	s.checkCanaries()
}

// spoil PATH OLD NEW [OLD NEW …] edits a file that a run left behind.
func (s *scene) spoil(w []string) {
	s.Helper()
	at := filepath.Join(s.workspace, w[0])
	text := s.get(at)
	for pairs := w[1:]; len(pairs) > 0; pairs = pairs[2:] {
		if !strings.Contains(text, pairs[0]) {
			s.Fatalf("line %d: %s does not hold %q:\n%s", s.at.line, w[0], pairs[0], text)
		}
		text = strings.ReplaceAll(text, pairs[0], pairs[1])
	}
	s.put(at, text)
}

// by-hand has a person write all recorded answers, who names no model beside them.
func (s *scene) byHand([]string) {
	for i, f := range s.attack.files {
		s.attack.files[i].Data = ofModel.ReplaceAll(f.Data, nil)
	}
	files := s.tree("base")
	for name, f := range files {
		files[name] = file{f.mode, ofModel.ReplaceAllString(f.data, "")}
	}
}

var ofModel = regexp.MustCompile(`"target":\{[^}]*\},`)

// push TREE makes a commit on top of the pull request's head, and GitHub a new merge result.
func (s *scene) push(w []string) {
	s.Helper()
	s.ready()
	s.earlier = maps.Clone(s.commits)
	s.advance("head", "change", w[0])
}

// land TREE makes a commit on top of the base branch, and GitHub a new merge result.
func (s *scene) land(w []string) {
	s.Helper()
	s.ready()
	s.advance("base", s.into, w[0])
}

// advance makes a commit of the tree on top of the named one, which is the end of branch.
func (s *scene) advance(name, branch, tree string) {
	s.Helper()
	s.commits[name] = s.commit(tree, s.commits[name])
	s.commits["merge"] = s.repo.merge(s.commits["base"], s.commits["head"])
	s.repo.serve(s.hub)
	s.hub.SetBranch(branch, s.commits[name])
	s.openPull()
	s.workspace = s.newWorkspace()
}

// again starts the run of the push before once more: the same run with a second attempt, by the event as it was.
func (s *scene) again(_ []string) {
	s.Helper()
	now, runs := s.commits, s.runs
	s.commits, s.runs, s.attempt = s.earlier, 0, "2"
	s.run()
	s.commits, s.runs, s.attempt = now, runs, "1"
}

// rerun runs the last run's job once more, as people do on GitHub's page: the same run with a second attempt.
func (s *scene) rerun(_ []string) {
	s.Helper()
	s.runs, s.attempt = s.runs-1, "2"
	s.run()
	s.attempt = "1"
}

// many TREE COUNT PATH TEXT writes many files; {n} in path and text is the number.
func (s *scene) many(w []string) {
	s.Helper()
	for n := range number(s, w[1]) {
		at, text := strings.ReplaceAll(w[2], "{n}", itoa(n)), strings.ReplaceAll(w[3], "{n}", itoa(n))
		s.tree(w[0])[at] = file{"100644", text}
	}
}

// broken are the worlds' right answers, and wrong ones that a worse prompt would get.
var broken = map[string][2]string{
	"refund": {"within 30 days only", "at any time: we will refund you"}, "hours": {"nine to five", "early to late"},
	"place": {"in Leeds", "in town"}, "delivery": {"three days", "a while"},
	"hello": {"Good day", "Hey"}, "thanks": {"welcome", "tolerated"}, "angry": {"sorry", "amused"}, "bye": {"Goodbye", "Whatever"},
}

// break TREE CASE… makes the prompt of the cases' suite a worse one, with the answers that it gets recorded.
func (s *scene) breakCases(w []string) {
	s.Helper()
	files := s.tree(w[0])
	for _, id := range w[1:] {
		suite, prompt := "shop", [2]string{"Be exact.", "Be brief."}
		if strings.Contains(files["recordings/tone.jsonl"].data, broken[id][0]) {
			suite, prompt = "tone", [2]string{"kind", "cool"}
		}
		s.edit([]string{w[0], "recordings/" + suite + ".jsonl", broken[id][0], broken[id][1]})
		at := "prompts/" + suite + ".md"
		files[at] = file{"100644", strings.ReplaceAll(files[at].data, prompt[0], prompt[1])}
	}
}

// fault METHOD PATH TIMES STATUS [BODY] makes GitHub's API fail; status 0 cuts the connection.
func (s *scene) fault(w []string) {
	s.Helper()
	s.ready()
	f := githubtest.Fault{Method: w[0], Path: regexp.MustCompile(w[1]), Times: number(s, w[2]), Status: number(s, w[3])}
	f.CloseConnection = f.Status == 0
	if len(w) > 4 {
		f.Body = w[4]
	}
	s.hub.AddFault(f)
}

// forge PATTERN TEXT changes our comment as somebody does who may edit it.
func (s *scene) forge(w []string) {
	s.Helper()
	ours := s.ours()
	form := regexp.MustCompile(w[0])
	if len(ours) == 0 || !form.MatchString(ours[0].Body) {
		s.Fatalf("line %d: no comment of ours matches: %v", s.at.line, ours)
	}
	s.hub.EditComment(githubtest.Octocat, ours[0].ID, form.ReplaceAllString(ours[0].Body, w[1]))
}
