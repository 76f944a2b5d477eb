package acceptance_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

func init() {
	maps.Copy(verbs, map[string]func(*scene, []string){
		"exit":     (*scene).exit,
		"through":  func(s *scene, _ []string) { s.exit([]string{"0"}) },
		"verdict":  func(s *scene, w []string) { s.output([]string{"verdict", w[0]}) },
		"output":   (*scene).output,
		"check":    (*scene).check,
		"nocheck":  (*scene).noCheck,
		"says":     func(s *scene, w []string) { s.matches(s.told(), w[0], true) },
		"silent":   func(s *scene, w []string) { s.matches(s.shown(), w[0], false) },
		"title":    func(s *scene, w []string) { s.matches(s.title(), w[0], true) },
		"untitled": func(s *scene, w []string) { s.matches(s.title(), w[0], false) },
		"comments": (*scene).comments,
		"comment-says": func(s *scene, w []string) {
			all := s.ours()
			s.matches(all[len(all)-1].Body, w[0], true)
		},
		"issues": func(s *scene, w []string) {
			if got := len(s.hub.Issues()); got != number(s, w[0]) {
				s.fail("there are %d issues: %+v", got, s.hub.Issues())
			}
		},
		"asked":    (*scene).asked,
		"inert":    (*scene).inert,
		"requests": (*scene).requests,
		"unasked":  func(s *scene, _ []string) { s.asked([]string{"0"}) },
	})
}

func itoa(n int) string { return strconv.Itoa(n) }

func number(s *scene, word string) int {
	s.Helper()
	n, err := strconv.Atoi(word)
	if err != nil {
		s.Fatalf("line %d: %v", s.at.line, err)
	}
	return n
}

// exit CODE… holds if the run ended with one of these.
func (s *scene) exit(w []string) {
	s.Helper()
	if !slices.Contains(w, itoa(s.last.code)) {
		s.fail("exit code %d; the log:\n%s\nthe summary:\n%s", s.last.code, s.last.log, s.last.summary)
	}
}

func (s *scene) output(w []string) {
	s.Helper()
	if got := s.last.outputs[w[0]]; got != w[1] {
		s.fail("the output is %q", got)
	}
}

// check NAME CONCLUSION holds if the last run made this check run and no other, at the commit that GitHub asks for: the
// pull request's own head, or the queue's candidate.
func (s *scene) check(w []string) {
	s.Helper()
	at := s.commits["head"]
	switch s.event {
	case "schedule":
		at = s.commits["base"]
	case "merge_group":
		at = s.commits["group"]
	}
	if len(s.last.checks) != 1 || s.last.checks[0].Name != w[0] || s.last.checks[0].Conclusion != w[1] || s.last.checks[0].HeadSHA != at {
		s.fail("the check runs of this run are %s; they belong at %s; the title is %s", describe(s.last.checks), at, s.title())
	}
}

// nocheck NAME holds if no check run of this name succeeded on the head commit, whoever made it.
func (s *scene) noCheck(w []string) {
	s.Helper()
	for _, c := range s.hub.Checks() {
		if c.Name == w[0] && c.HeadSHA == s.commits["head"] && c.Conclusion == "success" {
			s.fail("there is a green one: %s", describe(s.hub.Checks()))
		}
	}
}

func describe(checks []githubtest.CheckRun) string {
	var out []string
	for _, c := range checks {
		out = append(out, strconv.Quote(c.Name)+" "+c.Status+" "+c.Conclusion+" at "+c.HeadSHA)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// matches holds a text against a regular expression.
func (s *scene) matches(text, pattern string, want bool) {
	s.Helper()
	form, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		s.Fatalf("line %d: %v", s.at.line, err)
	}
	if form.MatchString(text) != want {
		s.fail("in this text:\n%s", text)
	}
}

// title is the heading of the report.
func (s *scene) title() string {
	for line := range strings.Lines(s.last.summary) {
		if strings.HasPrefix(line, "## ") {
			return line
		}
	}
	return ""
}

// told is what a reviewer can read: the comment and the job summary, and the log where there is no more.
func (s *scene) told() string {
	text := s.last.summary + "\n" + s.last.log
	for _, c := range s.ours() {
		text += "\n" + c.Body
	}
	return text
}

// shown is all that anybody is shown, in any place.
func (s *scene) shown() string {
	text := s.told()
	for _, c := range s.hub.Checks() {
		text += "\n" + c.Title + "\n" + c.Summary
		for _, a := range c.Annotations {
			text += "\n" + a.Title + "\n" + a.Message + "\n" + a.Path
		}
	}
	for name, value := range s.last.outputs {
		text += "\n" + name + "=" + value
	}
	return text
}

// ours are the comments that the workflow's token wrote.
func (s *scene) ours() []githubtest.Comment {
	return slices.DeleteFunc(s.hub.Comments(pullNumber), func(c githubtest.Comment) bool { return c.Author != githubtest.Actions })
}

func (s *scene) comments(w []string) {
	s.Helper()
	if got := len(s.ours()); got != number(s, w[0]) {
		s.fail("%d comments are ours", got)
	}
}

// asked COUNT|some holds if the model was asked so often.
func (s *scene) asked(w []string) {
	s.Helper()
	got, _ := s.model.seen()
	if w[0] == "some" && len(got) == 0 || w[0] != "some" && len(got) != number(s, w[0]) {
		s.fail("the model was asked %d times", len(got))
	}
}

// files returns what the run left in the workspace, by path, without a checkout's own.
func (s *scene) left() map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(s.workspace, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		at, _ := filepath.Rel(s.workspace, name)
		data, err := os.ReadFile(name)
		out[filepath.ToSlash(at)] = string(data)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return out
}

var (
	markdown  = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	codeForm  = regexp.MustCompile(`(?s)<code[^>]*>.*?</code>|<pre[^>]*>.*?</pre>`)
	tagForm   = regexp.MustCompile(`(?i)<(?:script|img|iframe|svg|form|input|style|object|video|audio)\b|<h[1-6][^>]*>[^<]*EVIL`)
	addresses = regexp.MustCompile(`(?i)(?:href|src)="([^"]*)"`)
	tags      = regexp.MustCompile(`<[^>]*>`)
)

// active returns something of a page that a stranger made active, "" if there is nothing: a tag, a heading, a mention,
// or a link that leads to another place than the repository.
func active(page string) string {
	page = codeForm.ReplaceAllString(page, "")
	if found := tagForm.FindString(page); found != "" {
		return found
	}
	for _, m := range addresses.FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "https://github.com/octo/prompts/") && !strings.HasPrefix(m[1], "#") {
			return m[0]
		}
	}
	if strings.Contains(tags.ReplaceAllString(page, ""), "@octo") {
		return "@octo"
	}
	return ""
}

// inert holds if nothing that the pull request or a model wrote is active in the comments, the summary and the check
// runs: outside of code there is no link, picture, mention, tag or heading of theirs. Mentions say @octo and headings
// EVIL.
func (s *scene) inert(_ []string) {
	s.Helper()
	texts := map[string]string{"the summary": s.last.summary}
	for _, c := range s.ours() {
		texts["the comment"] = c.Body
	}
	for _, i := range s.hub.Issues() {
		texts["the issue"] = i.Body
	}
	for _, c := range s.last.checks {
		texts["the check run"] = c.Summary
	}
	for what, text := range texts {
		var page strings.Builder
		if err := markdown.Convert([]byte(text), &page); err != nil {
			s.Fatal(err)
		}
		if found := active(page.String()); found != "" {
			s.fail("in %s this is active: %q:\n%s", what, found, text)
		}
	}
}

// requests COUNT holds if GitHub was asked so often in the last run.
func (s *scene) requests(w []string) {
	s.Helper()
	if got := len(s.last.requests); got != number(s, w[0]) {
		s.fail("GitHub was asked %d times: %v", got, s.last.requests)
	}
}
