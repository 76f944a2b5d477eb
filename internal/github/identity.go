package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// key returns 64 bits of a hash, in hex, that identify the job and the name of the run, so that a comment need not
// contain them. Each job and name has its own comment.
func (r Run) key(e Event) string {
	h := sha256.New()
	for _, part := range []string{strings.ToLower(e.Owner), strings.ToLower(e.Repo), r.Workflow, r.Job, r.Name} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// stamp is the first line of a comment. It has the key of the job, the run and the commit.
type stamp struct {
	key     string
	run     int64
	attempt int
	head    string // first 7 digits of the commit
}

// newerThan reports whether s is the stamp of a newer result than t: of a later run, by its id, or a later attempt.
func (s stamp) newerThan(t stamp) bool {
	return s.run > t.run || s.run == t.run && s.attempt > t.attempt
}

var stampLine = regexp.MustCompile(`^<!-- failproof:comment v=1 key=([0-9a-f]{16}) run=([0-9]{1,18})\.([0-9]{1,9}) head=([0-9a-f]{7}) -->\r?(?:\n|$)`)

// parseStamp parses the stamp at the beginning of a text. A stamp at any other place is a quotation.
func parseStamp(text string) (stamp, bool) {
	m := stampLine.FindStringSubmatch(text)
	if m == nil {
		return stamp{}, false
	}
	run, _ := strconv.ParseInt(m[2], 10, 64) // 18 digits fit
	attempt, _ := strconv.Atoi(m[3])
	return stamp{key: m[1], run: run, attempt: attempt, head: m[4]}, true
}

const (
	factsLine = "<!-- failproof:facts -->"
	endLine   = "<!-- failproof:end -->"
)

// compose returns a whole comment: the stamp, the result, and the facts of this run.
func compose(s stamp, body, facts string) string {
	text := fmt.Sprintf("<!-- failproof:comment v=1 key=%s run=%d.%d head=%s -->\n%s\n\n%s\n", s.key, s.run, s.attempt,
		s.head, strings.TrimRight(body, "\n"), factsLine)
	if facts = strings.TrimSpace(facts); facts != "" {
		text += facts + "\n\n"
	}
	return text + endLine
}

// resultText returns a comment's text without the stamp and the run's facts.
func resultText(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	_, text, _ = strings.Cut(text, "\n")
	if at := strings.LastIndex(text, factsLine); at >= 0 {
		text = text[:at]
	}
	return strings.TrimSpace(text)
}

// reportOnly marks a run whose gate fails nothing.
const reportOnly = "report only"

// maxName is the longest text in the brackets of a check run's name, in bytes.
const maxName = 100

// CheckName returns the name of an event's check run. Only a pull request or a merge group into the default branch has
// the plain name "failproof". A required check of that name can therefore not be passed by the rules of another branch,
// or by another event on the same commit. name distinguishes several runs of one pull request, and may be "". lenient
// is true if the gate fails nothing.
func CheckName(e Event, name string, lenient bool) string {
	var parts []string
	if name != "" {
		parts = append(parts, name)
	}
	switch {
	case lenient:
		parts = append(parts, reportOnly)
	case e.Name != "pull_request" && e.Name != "merge_group":
		parts = append(parts, e.Name)
	case e.BaseRef != e.DefaultBranch || e.DefaultBranch == "":
		parts = append(parts, "into "+FitName(e.BaseRef))
	}
	if len(parts) == 0 {
		return "failproof"
	}
	return "failproof (" + strings.Join(parts, ", ") + ")"
}

// FitName returns name, shortened if it is too long for the name of a check run, with a hash to tell it apart.
func FitName(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return text.FirstBytes(name, maxName-10) + "… " + hex.EncodeToString(sum[:3])
}

// ValidName returns an error if the name of a run could look like another kind of check run.
func ValidName(name string) error {
	// A bracket would end the brackets of a check run's name, and a comma would begin another part.
	misleads := func(r rune) bool {
		return r != ' ' && unicode.In(r, unicode.C, unicode.Z) || strings.ContainsRune(",()", r)
	}
	folded := strings.ToLower(name)
	_, isEvent := parsers[folded]
	switch {
	case name == "":
		return nil
	case len(name) > maxName+10 || !utf8.ValidString(name) || strings.ContainsFunc(name, misleads) ||
		strings.Join(strings.Fields(name), " ") != name:
		return fmt.Errorf("%q is not a name; expected at most %d letters, digits and signs, without commas and "+
			"round brackets", text.TruncateBytes(name, 120), maxName)
	case isEvent:
		return fmt.Errorf("%q is the name of an event, and the check run would look like one of that event; choose "+
			"another", name)
	case folded == reportOnly || folded == "into" || strings.HasPrefix(folded, "into "):
		return fmt.Errorf("%q would make the check run look like another; choose another", name)
	}
	return nil
}
