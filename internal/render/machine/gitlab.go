package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/failproof/failproof/internal/render/view"
)

// gitlabIssue is an entry of a Code Quality report, as GitLab reads it ("Code Quality report format" in its manual).
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // the same in every run, so that GitLab tells new ones from those of before
	Severity    string         `json:"severity"`    // info, minor, major, critical or blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

var gitlabSeverities = map[string]string{levelFailure: "critical", levelWarning: "minor"}

// GitLab is the report's remarks as a Code Quality report, which GitLab shows in a merge request, in the order of Annotations.
func GitLab(v *view.View) ([]byte, error) {
	issues := []gitlabIssue{}
	for _, a := range Annotations(v) {
		sum := sha256.Sum256([]byte(a.Path + "\x00" + a.Title))
		issues = append(issues, gitlabIssue{Description: a.Title + ": " + a.Message, CheckName: "failproof", Fingerprint: hex.EncodeToString(sum[:]),
			Severity: gitlabSeverities[a.Level], Location: gitlabLocation{Path: v.Links.Path(a.Path), Lines: gitlabLines{max(a.Line, 1)}}})
	}
	text, err := json.MarshalIndent(issues, "", "  ")
	return append(text, '\n'), err
}
