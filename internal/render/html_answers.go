package render

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/report"
)

// Answers are the results of both sides, whole answers included, as report.Results reads them. Either may be nil. Each is
// read once, and no further than the last answer that is shown.
type Answers struct {
	Base, Head iter.Seq2[report.Result, error]
}

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
	if found.base, err = gather(a.Base, listed, limit, func(c report.Change) *report.Outcome { return c.Base }); err != nil {
		return found, fmt.Errorf("read the base's answers: %w", err)
	}
	if found.head, err = gather(a.Head, listed, limit, func(c report.Change) *report.Outcome { return c.Head }); err != nil {
		return found, fmt.Errorf("read the head's answers: %w", err)
	}
	return found, nil
}

// trialKey names a trial without its suite, whose name may be another on the base.
type trialKey struct {
	id    string
	trial int
}

// gather finds the shown trial of each listed case; where it is not found, the excerpt stands for it.
func gather(results iter.Seq2[report.Result, error], listed []listedCase, limit int, side func(report.Change) *report.Outcome) (map[int]answer, error) {
	found, wanted := map[int]answer{}, map[trialKey][]int{}
	for i, c := range listed {
		if o := side(c.Change); o != nil {
			found[i] = excerpt(o, limit)
			key := trialKey{c.CaseID, o.Trial}
			wanted[key] = append(wanted[key], i)
		}
	}
	if results == nil || len(wanted) == 0 {
		return found, nil
	}
	for r, err := range results {
		if err != nil {
			return nil, err
		}
		key := trialKey{r.CaseID, r.Trial}
		rest := wanted[key][:0]
		for _, i := range wanted[key] {
			if !answers(r, listed[i].Change, side(listed[i].Change)) {
				rest = append(rest, i)
				continue
			}
			found[i] = cutAnswer(string(r.RawResponse), limit)
		}
		if wanted[key] = rest; len(rest) == 0 {
			delete(wanted, key)
		}
		if len(wanted) == 0 {
			break
		}
	}
	return found, nil
}

// answers reports that r is the trial that o shows: of the same suite, or of one that was renamed, and with the answer
// that the report has an excerpt of.
func answers(r report.Result, c report.Change, o *report.Outcome) bool {
	if o.Excerpt == "" {
		return r.SuiteID == c.SuiteID
	}
	return strings.HasPrefix(string(r.RawResponse), strings.TrimSuffix(string(o.Excerpt), "…"))
}

func excerpt(o *report.Outcome, limit int) answer {
	a := cutAnswer(string(o.Excerpt), limit)
	a.left = a.left || strings.HasSuffix(string(o.Excerpt), "…")
	return a
}

// cutAnswer makes visible as much of a text as fits into limit bytes of the page.
func cutAnswer(text string, limit int) answer {
	start := text[:min(len(text), limit)]
	for len(start) < len(text) && len(start) > 0 && !utf8.RuneStart(text[len(start)]) {
		start = start[:len(start)-1]
	}
	shown := visible(strings.Trim(strings.ReplaceAll(start, "\r\n", "\n"), "\n"))
	end, room := 0, limit
	for end < len(shown) {
		_, size := utf8.DecodeRuneInString(shown[end:])
		if room -= max(size, escapedBytes(shown[end])); room < 0 {
			break
		}
		end += size
	}
	return answer{strings.Clone(shown[:end]), len(start) < len(text) || end < len(shown)}
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
