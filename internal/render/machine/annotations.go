package machine

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// Levels of annotations on GitHub.
const (
	levelFailure = "failure"
	levelWarning = "warning"
)

// Annotation is a message at a line of a file. Path is relative to the report; Links.Path makes it relative to the
// repository. Title and Message are plain text on one line, which GitHub truncates at 255 and 4,096 characters.
type Annotation struct {
	Path    string
	Line    int    // 1 for the whole file
	Level   string // failure or warning
	Title   string
	Message string
}

// Annotations returns a message for every diagnostic, every case of the head that is wrong, weakened or unanswered, the
// lines that broke cases, and every deciding reason that no case shows. Failures come before warnings.
func Annotations(v *story.Story) []Annotation {
	var all []Annotation
	for _, d := range v.Report.Diagnostics {
		all = append(all, Annotation{Path: d.Path, Line: max(d.Line, 1),
			Level: show.If(d.Severity == document.Warning, levelWarning, levelFailure),
			Title: show.Excerpt("failproof: "+d.Rule, 200), Message: show.Excerpt(d.Message, 2_000)})
	}
	for _, list := range [][]report.Change{v.Regressed, v.Failing, v.Redefined, v.Removed, v.Missing} {
		for _, c := range list {
			if c.Head != nil { // a removed case has no line in the head
				all = append(all, caseAnnotation(v, c))
			}
		}
	}
	for _, one := range v.Lines {
		for _, r := range one.Regions {
			all = append(all, lineAnnotation(v, one, r))
		}
	}
	for _, r := range decidingReasons(v) {
		if r.Code == gate.Regressions.Code && len(v.Regressed) > 0 { // their annotations are failures
			continue
		}
		path, line := suitePlace(v, r.SuiteID)
		all = append(all, Annotation{Path: cmp.Or(path, defaultPath), Line: max(line, 1), Level: levelFailure,
			Title:   show.Excerpt(strings.TrimSpace("Gate: "+r.Code+" "+r.SuiteID), 200),
			Message: show.Excerpt(r.Message, 2_000)})
	}
	slices.SortStableFunc(all, func(a, b Annotation) int { return cmp.Compare(a.Level, b.Level) }) // failure, warning
	return all
}

func lineAnnotation(v *story.Story, one story.LineFinding, r report.Region) Annotation {
	line := r.First
	if r.Last < r.First { // lines were only removed: the line before them
		line--
	}
	return Annotation{Path: r.Path, Line: max(line, 1), Level: levelOf(v, gate.Regressions.Code),
		Title: show.Excerpt("Breaks "+strings.Join(one.Cases, ", "), 200), Message: one.Phrase.Plain(show.QuoteRunes)}
}

func caseAnnotation(v *story.Story, c report.Change) Annotation {
	a := Annotation{Path: cmp.Or(c.Path, defaultPath), Line: max(c.Line, 1), Level: levelWarning}
	what := show.CategoryReason(c.Head).Plain(show.QuoteRunes)
	switch {
	case c.Head.Unscored > 0 && !c.Head.Wrong():
		a.Title = "No score"
	case c.Kind == report.KindRegressed:
		a.Title, a.Level = "Regression", levelOf(v, gate.Regressions.Code)
	case c.Kind == report.KindMayHide:
		a.Title, what = "Redefined", v.ResultReason(c).Plain(show.NameRunes)
	default:
		a.Title = "Failing"
	}
	if c.MustPass && c.Head.Wrong() {
		a.Level = levelFailure
	}
	a.Title = show.Excerpt(a.Title+": "+show.Case(c.SuiteID, c.CaseID), 200)
	a.Message = show.Why(show.Excerpt(v.PlainOutcomes(c), 200), what)
	return a
}

// levelOf returns failure if a reason with the code decided the verdict, else warning.
func levelOf(v *story.Story, code string) string {
	return show.If(v.Has(code, report.LevelError), levelFailure, levelWarning)
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

// GitLab returns the annotations as a Code Quality report, which GitLab shows in a merge request.
func GitLab(v *story.Story) []byte {
	issues := []gitlabIssue{}
	for _, a := range Annotations(v) {
		issue := gitlabIssue{Description: a.Title + ": " + a.Message, CheckName: "failproof",
			Severity:    show.If(a.Level == levelFailure, "critical", "minor"),
			Fingerprint: fmt.Sprintf("%x", sha256.Sum256([]byte(v.Links.Path(a.Path)+"\x00"+a.Title)))}
		issue.Location.Path, issue.Location.Lines.Begin = show.Visible(v.Links.Path(a.Path)), max(a.Line, 1)
		issues = append(issues, issue)
	}
	text, _ := json.MarshalIndent(issues, "", "  ") // its types always marshal
	return append(show.EscapeBrackets(text, `\u%04X`), '\n')
}
