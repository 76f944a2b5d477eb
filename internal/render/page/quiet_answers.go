package page

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// quietAnswers are the answers of cases that pass, which stand folded in the table of all cases: as many as there is room for.
type quietAnswers struct {
	find  Find
	bytes int   // written
	count int   // looked for
	err   error // the first, after which none is looked for
}

// Bounds of them, in bytes as the page writes them, and in answers that are read again.
const (
	quietAnswer = 1 << 10
	quietBytes  = 1 << 20
	quietReads  = 2_000
)

// put puts the answer into the row of a case that has no card.
func (q *quietAnswers) put(row *caseRow, c report.Change) {
	if q.find == nil || row.Href != "" || !c.Head.Right() || q.err != nil || q.bytes >= quietBytes || q.count >= quietReads {
		return
	}
	q.count++
	r, found, err := q.find(c)
	if err != nil {
		q.err = fmt.Errorf("read the head's answers: %w", err)
	}
	if err != nil || !found {
		return
	}
	a := cutAnswer(string(r.RawResponse), quietAnswer)
	row.Asked, row.Answer, row.Left = strings.TrimSpace(show.Visible(string(r.Asked))), a.text, a.left
	q.bytes += len(row.Asked) + len(row.Answer)
}
