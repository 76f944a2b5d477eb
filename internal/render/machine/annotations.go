package machine

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
)

// Levels of annotations on GitHub.
const (
	levelFailure = "failure"
	levelWarning = "warning"
)

// Annotation is a message at a line of a file. Path is relative to the report; Links.Path makes it relative to the
// repository. Title and Message are plain text on one line, which GitHub truncates at 255 and 4,096 characters.
type Annotation struct {
	Path    string // "" if no file fits
	Line    int    // 1 for the whole file
	Level   string // failure or warning
	Title   string
	Message string
}

// Annotations returns the errors and warnings among the findings, errors first. A removed case has no annotation,
// because the head has no line of it.
func Annotations(v *story.Story) []Annotation {
	all, _ := annotations(v)
	return all
}

// annotations also returns the finding of each annotation.
func annotations(v *story.Story) (all []Annotation, found []finding) {
	found = show.Filter(findings(v), func(f finding) bool { return f.level != sarifNote && f.rule != ruleRemoved })
	titles := map[string]string{}
	for _, r := range rulesOf(found) {
		titles[r.ID] = r.Short.Text
	}
	for _, f := range found {
		all = append(all, Annotation{Path: f.path, Line: max(f.line, 1), Message: f.message,
			Level: show.If(f.level == sarifError, levelFailure, levelWarning),
			Title: show.Excerpt(show.Why(titles[f.rule], f.about), 200)})
	}
	return all, found
}

// gitlabIssue is an entry of GitLab's Code Quality report ("Code Quality report format" in its manual).
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"` // equal in every run, so that GitLab recognizes known issues
	Severity    string `json:"severity"`    // info, minor, major, critical or blocker
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// noFile stands for the path of an annotation without a file, because GitLab requires one.
const noFile = "failproof"

// GitLab returns the annotations as a Code Quality report, which GitLab shows in a merge request.
func GitLab(v *story.Story) []byte {
	issues := []gitlabIssue{}
	all, found := annotations(v)
	prints := fingerprints(found)
	for i, a := range all {
		issue := gitlabIssue{Description: a.Title + ": " + a.Message, CheckName: "failproof",
			Severity: show.If(a.Level == levelFailure, "critical", "minor"), Fingerprint: prints[i]}
		issue.Location.Path, issue.Location.Lines.Begin = noFile, a.Line
		if a.Path != "" {
			issue.Location.Path = show.Visible(v.Links.Path(a.Path))
		}
		issues = append(issues, issue)
	}
	text, _ := json.MarshalIndent(issues, "", "  ") // its types always marshal
	return append(show.EscapeBrackets(text, `\u%04X`), '\n')
}
