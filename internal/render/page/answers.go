package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// Answers find the whole answers of both sides. Either may be nil.
type Answers struct{ Base, Head Find }

// Find returns the result of a case's shown trial on one side; false where the results are not at hand.
type Find func(report.Change) (r report.Result, found bool, err error)

// Bounds of the answers on the page, in bytes as the page writes them.
const (
	longestAnswer  = 16 << 10
	shortestAnswer = 1 << 10
	answersBytes   = 3 << 20
)

// answer is what one side's shown trial said, cut to what the page shows.
type answer struct {
	text string
	left bool // there was more
}

// whole holds the answers of listed cases by their place in the list.
type whole struct{ base, head map[int]answer }

// of reads the answers of the listed cases.
func (a Answers) of(listed []listedCase) (found whole, err error) {
	limit := min(longestAnswer, max(shortestAnswer, answersBytes/(2*max(1, len(listed)))))
	if found.base, err = a.Base.all(listed, limit, func(c report.Change) *report.Outcome { return c.Base }); err != nil {
		return found, fmt.Errorf("read the base's answers: %w", err)
	}
	if found.head, err = a.Head.all(listed, limit, func(c report.Change) *report.Outcome { return c.Head }); err != nil {
		return found, fmt.Errorf("read the head's answers: %w", err)
	}
	return found, nil
}

// all are the answers of one side; where one is not found, the excerpt stands for it.
func (f Find) all(listed []listedCase, limit int, side func(report.Change) *report.Outcome) (map[int]answer, error) {
	out := map[int]answer{}
	for i, c := range listed {
		o := side(c.Change)
		if o == nil {
			continue
		}
		out[i] = excerpt(o, limit)
		if f == nil {
			continue
		}
		switch r, found, err := f(c.Change); {
		case err != nil:
			return nil, err
		case found && worddiff.CutOf(string(o.Excerpt), string(r.Said())): // else it is of another run
			out[i] = cutAnswer(string(r.Said()), limit)
		}
	}
	return out, nil
}

func excerpt(o *report.Outcome, limit int) answer {
	a := cutAnswer(string(o.Excerpt), limit)
	a.left = a.left || strings.Contains(string(o.Excerpt), "…")
	return a
}

// cutAnswer makes visible as much of a text as fits into limit bytes of the page.
func cutAnswer(all string, limit int) answer {
	start := text.Head(all, limit)
	shown := show.Visible(strings.Trim(strings.ReplaceAll(start, "\r\n", "\n"), "\n"))
	end, room := 0, limit
	for end < len(shown) {
		_, size := utf8.DecodeRuneInString(shown[end:])
		if room -= max(size, escapedBytes(shown[end])); room < 0 {
			break
		}
		end += size
	}
	return answer{strings.Clone(shown[:end]), len(start) < len(all) || end < len(shown)}
}

// escapedBytes is the length of a byte as html/template writes it in text.
func escapedBytes(c byte) int {
	switch c {
	case '"', '\'', '&', '+':
		return len("&#34;")
	case '<', '>':
		return len("&lt;")
	}
	return 1
}

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
