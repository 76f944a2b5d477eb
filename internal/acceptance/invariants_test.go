package acceptance_test

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

var verdictOf = map[int]string{0: "passed", 1: "failed", 2: "invalid", 3: "undecided"}

// invariants is what holds after every run, whatever was tried.
func (s *scene) invariants() {
	s.Helper()
	verdict, known := verdictOf[s.last.code]
	got := s.last.outputs["verdict"]
	if !known {
		s.fail("the run ended with exit code %d; the log:\n%s", s.last.code, s.last.log)
	}
	heeded := s.event == "issue_comment" && len(s.last.checks) == 0 // a comment was read, and nothing judged
	if got != verdict && (got != "" || s.last.code == 0 && !heeded) && !s.reportOnly() {
		s.fail("exit code %d, and the output verdict says %q", s.last.code, got)
	}
	passed := s.last.code == 0
	if s.reportOnly() {
		passed = got == "passed" // the check says what was found, whatever it fails
	}
	for _, c := range s.last.checks {
		if green := c.Conclusion == "success"; c.Status != "completed" || green != passed || !green && c.Conclusion != "failure" {
			s.fail("exit code %d, verdict %q, and the check run %q is %s, %q", s.last.code, got, c.Name, c.Status, c.Conclusion)
		}
	}
	if _, dialled := s.evil.seen(); dialled != 0 {
		s.fail("%d connections to an address that only the pull request names", dialled)
	}
	if s.last.extra != "" {
		s.fail("the run changes later steps: %s", s.last.extra)
	}
	s.checkCommands()
	s.checkReports()
	s.checkWorkspace()
	s.checkCanaries()
}

// reportOnly tells a run whose verdict does not decide its exit code.
func (s *scene) reportOnly() bool {
	return len(s.last.checks) == 1 && strings.Contains(s.last.checks[0].Name, "report only")
}

// commandForm finds what the runner takes for a command: at the start of a line, behind white space, or the old form
// anywhere.
var commandForm = regexp.MustCompile(`(?m)^\s*::\s*([A-Za-z-]+)|##\[([A-Za-z-]+)`)

// ownCommands are those that failproof writes itself.
var ownCommands = map[string]bool{"error": true, "warning": true, "notice": true, "group": true, "endgroup": true, "debug": true}

func (s *scene) checkCommands() {
	s.Helper()
	lines := strings.NewReplacer("\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s.last.log)
	for _, m := range commandForm.FindAllStringSubmatch(lines, -1) {
		if !ownCommands[strings.ToLower(m[1])] {
			s.fail("the log holds the command %q:\n%s", m[0], s.last.log)
		}
	}
}

// checkReports holds what was written to its own formats, whatever an answer says.
func (s *scene) checkReports() {
	s.Helper()
	for name, content := range s.left() {
		var err error
		if !strings.HasPrefix(name, ".failproof/out/") {
			continue
		}
		switch filepath.Ext(name) {
		case ".json", ".sarif":
			err = json.Unmarshal([]byte(content), &map[string]any{})
		case ".xml":
			err = xml.Unmarshal([]byte(content), &struct{}{})
		case ".jsonl":
			for line := range strings.Lines(content) {
				err = cmp.Or(err, json.Unmarshal([]byte(line), &map[string]any{}))
			}
		case ".html":
			if found := pageForm.FindString(content); found != "" {
				err = fmt.Errorf("it holds the tag %s", found)
			}
		case ".md", ".txt", ".patch", "":
		default:
			err = errors.New("checkReports has no check for this ending; add one")
		}
		if err != nil {
			s.fail("%s: %v", name, err)
		}
	}
}

// pageForm finds tags of the attacks in the page.
var pageForm = regexp.MustCompile(`<(?:script>1|img src=https://evil|svg onload)`)

// checkWorkspace holds a run to its own folder.
func (s *scene) checkWorkspace() {
	s.Helper()
	for name := range s.left() {
		if s.checkout == "none" && !strings.HasPrefix(name, ".failproof/") {
			s.fail("the run wrote %s", name)
		}
	}
	if s.checkout == "none" {
		return
	}
	status, err := gitIn(s.workspace, "status", "--porcelain", "--untracked-files=all", "--", ":!.failproof")
	if err != nil || status != "" {
		s.fail("the run changed the checkout: %s %v", status, err)
	}
}

// checkCanaries looks for secrets in everything that leaves the run.
func (s *scene) checkCanaries() {
	s.Helper()
	sinks := map[string]string{"log, summary, comment or check run": s.shown()}
	for name, content := range s.left() {
		sinks[name] = content
	}
	for _, c := range s.hub.Comments(pullNumber) {
		sinks["an earlier comment"] += strings.Join(c.EarlierTexts, "\n")
	}
	for _, r := range s.last.requests {
		sinks["requests to GitHub"] += r.Method + " " + r.Path + "\n" + r.Body + "\n"
	}
	asked, _ := s.model.seen()
	sinks["requests to the model"] = strings.Join(asked, "\n")
	for variable, value := range canaries {
		if set, is := s.env[variable]; is {
			value = set
		}
		for form, text := range encodings(value) {
			for sink, content := range sinks {
				if strings.Contains(content, text) {
					s.fail("%s stands in %s, as %s", variable, sink, form)
				}
			}
		}
	}
}
