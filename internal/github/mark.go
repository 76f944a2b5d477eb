package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Mark says whose a comment is. Two jobs with different marks have a comment each.
type Mark struct {
	Workflow string // the workflow's path or name
	Job      string // the job's key
	Part     string // tells apart what shares a job's key, as the jobs of a matrix do; may be ""
}

// key is 64 bits of a hash: long enough to tell jobs apart, and no text of theirs gets into the comment.
func (m Mark) key(owner, repo string) string {
	h := sha256.New()
	for _, part := range []string{strings.ToLower(owner), strings.ToLower(repo), m.Workflow, m.Job, m.Part} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// stamp is the first line of a comment: whose it is, and the result of which run on which commit.
type stamp struct {
	key     string
	run     int64
	attempt int
	head    string // the first 7 digits of the commit
}

func (s stamp) String() string {
	return fmt.Sprintf("<!-- failproof:comment v=1 key=%s run=%d.%d head=%s -->", s.key, s.run, s.attempt, s.head)
}

// newerThan orders results: GitHub counts run IDs up, and attempts within a run.
func (s stamp) newerThan(t stamp) bool {
	return s.run > t.run || s.run == t.run && s.attempt > t.attempt
}

var stampLine = regexp.MustCompile(`^<!-- failproof:comment v=1 key=([0-9a-f]{16}) run=([0-9]{1,18})\.([0-9]{1,9}) head=([0-9a-f]{7}) -->\r?(?:\n|$)`)

// parseStamp reads the stamp that a text begins with. A stamp anywhere else is somebody's quotation.
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

// compose is the whole comment: stamp, result, and what is only true of this run.
func compose(s stamp, body, facts string) string {
	text := s.String() + "\n" + strings.TrimRight(body, "\n") + "\n\n" + factsLine + "\n"
	if facts = strings.TrimSpace(facts); facts != "" {
		text += facts + "\n\n"
	}
	return text + endLine
}

// result returns what a comment says without stamp and run facts.
func result(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	_, text, _ = strings.Cut(text, "\n")
	if at := strings.LastIndex(text, factsLine); at >= 0 {
		text = text[:at]
	}
	return strings.TrimSpace(text)
}

// complete tells that a text holds a comment of ours from beginning to end.
func complete(text string) bool { return strings.HasSuffix(strings.TrimRight(text, "\r\n "), endLine) }
