package page

import (
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// groups sorts the shown cases into the sections of the page.
func (p *printer) groups() (out []caseGroup) {
	for _, s := range sections(p.story) {
		g := caseGroup{ID: s.id, Nav: s.nav, Lead: s.lead}
		total := p.countOf(s)
		if total == 0 {
			continue
		}
		if s.id == "moved" && len(p.story.Harmless.Items) > 0 {
			g.Items, s.unfolded = p.story.Harmless.Items, 0
		}
		g.Heading = show.WithCommas(total) + " " + show.Agree(total, s.one, s.many)
		for i, c := range p.shownCases {
			if flip := p.story.IsUnresolvedFlip(c.Change); flip && s.kinds == nil || !flip && slices.Contains(s.kinds, c.Kind) {
				g.First = append(g.First, p.newCaseBlock(i, c))
			}
		}
		if left := total - len(g.First); left > 0 {
			g.Unlisted = show.WithCommas(left)
		}
		if n := len(g.First); n > s.unfolded+s.unfolded/2 {
			g.First, g.More, g.MoreText = g.First[:s.unfolded], g.First[s.unfolded:], "Show "+
				show.WithCommas(n-s.unfolded)+" more"
		}
		out = append(out, g)
	}
	return out
}

type section struct {
	id, nav, one, many, lead string
	kinds                    []report.Kind // nil: the flips that are not decided
	unfolded                 int           // cases that are not folded; if there are up to half as many more, none is folded
}

// countOf returns the number of cases of a section.
func (p *printer) countOf(s section) (n int) {
	flips := len(p.story.UnresolvedFlips())
	if s.kinds == nil {
		return flips
	}
	for _, k := range s.kinds {
		n += p.counts[k]
	}
	if slices.Contains(s.kinds, report.KindFlaky) {
		n -= flips
	}
	return n
}

func sections(v *story.Story) []section {
	noun := show.If(v.Compared && len(v.Regressed) > 0, "other wrong answer", "wrong answer")
	failing := section{"failing", "Failing", noun, noun + "s", "", []report.Kind{report.KindFailing}, 20}
	if v.Compared {
		failing.unfolded, failing.lead = 6, "Wrong answers that do not count as regressions."
	}
	all := []section{
		{"regressions", "Regressions", "regression", "regressions", "These were right before and are wrong now.",
			[]report.Kind{report.KindRegressed}, 20},
		{"flipped", "Flipped", "answer that flipped", "answers that flipped",
			"These were right before and are wrong now; too few runs tell a change from chance.", nil, 20},
		{"fell", "Fell", "case that fell", "cases that fell",
			"The score fell as a whole, and these are the cases that did; none of them need be broken by itself.",
			[]report.Kind{report.KindFell}, 10},
		{"hidden", "Hidden", "change that may hide a failure", "changes that may hide a failure",
			"The expectation or the question was edited, or the case removed, and with it went an answer that would have failed, " +
				"or a case that passed.", []report.Kind{report.KindMayHide}, 10},
		{"missing", "No score", "case without a score", "cases without a score",
			"No answer came, or nothing judged it. This says nothing about the prompt.",
			[]report.Kind{report.KindMissing}, 6},
		{"worse", "Got worse", "passing answer that got worse", "passing answers that got worse",
			"These pass all the same; their overall score fell.", []report.Kind{report.KindWorse}, 6},
		{"review", "To review", "answer that a person has to look at", "answers that a person has to look at",
			"These pass, and nothing shows that what they say is right.", []report.Kind{report.KindReview}, 6},
		{"moved", "Other changes", "other change", "other changes",
			"Cases that are fixed, new, flaky, redefined or removed.",
			[]report.Kind{report.KindFlaky, report.KindFixed, report.KindRedefined, report.KindNew,
				report.KindRemoved}, 6},
	}
	at := 4 // after the section of edits that may hide a failure
	if v.Report.Verdict == report.Passed && v.Compared {
		at = len(all) - 1 // old failures come after the cases that a person must check
	}
	return slices.Insert(all, at, failing)
}

type allCases struct {
	Total            string
	Parts            []suiteTable
	Kinds            []report.Kind // kinds that some case has
	Counts           map[report.Kind]int
	Severities       []string       // severities that some case has, highest first
	Grades           map[string]int // cases by severity
	Compared, Scored bool
	Timed            bool // the time or cost of some answer is known
	Unlisted         int  // cases that are not listed
	Quiet            bool // cases that simply pass are not listed
	Folded           bool // suites are folded, because there are too many rows
}

type suiteTable struct {
	Name, Summary string
	Rows          iter.Seq[caseRow] // made one by one, while the page is written
}

type caseRow struct {
	caseLine
	Href             string // of the case's answers on this page; "" if they are not there
	URL              string // of its place in the repository
	Input, Answer    string // of a case that passes, as long as there is room
	Truncated        bool   // there is more of the answer
	Tags             string // in lower case, each after a tab
	Differs          bool   // both sides answer, and not the same
	Score            string
	Took, TookBefore string // time and cost of the shown answer
	Milliseconds     int64  // of Took
}

// Bounds of the table.
const (
	tableRows = 12_000
	openRows  = 300 // of all suites, beyond which they are folded
	suiteRows = 500 // of one part
)

func (p *printer) allCases() *allCases {
	all := p.story.Report.Changes
	if len(all) == 0 {
		return nil
	}
	t := &allCases{Total: show.Count(len(all), "case"), Kinds: p.kinds(), Counts: p.counts, Grades: map[string]int{},
		Compared: p.story.Compared, Scored: p.story.Report.OverallScore != nil, Quiet: len(all) > tableRows,
		Folded: len(all) > openRows}
	for _, c := range all {
		t.Grades[c.Severity]++
		t.Timed = t.Timed || story.Effort(c.Head) != ""
	}
	t.Severities = show.Filter(risk.Severities[:], func(s string) bool { return t.Grades[s] > 0 })
	room := tableRows
	for _, s := range p.bySuite {
		if t.Quiet {
			s.cases = show.Filter(s.cases, func(i int) bool { return all[i].Kind != report.KindPassing })
		}
		s.cases = s.cases[:min(len(s.cases), room)]
		room -= len(s.cases)
		t.Parts = append(t.Parts, p.suiteTables(s)...)
	}
	t.Unlisted = len(all) - (tableRows - room)
	return t
}

// suiteTables splits a suite into parts, because a browser lays out only the parts that are unfolded.
func (p *printer) suiteTables(s suiteCases) (out []suiteTable) {
	for start := 0; start < len(s.cases); start += suiteRows {
		part := s.cases[start:min(len(s.cases), start+suiteRows)]
		name := suiteName(s.id) + show.When(len(s.cases) > suiteRows, ", cases "+show.WithCommas(start+1)+"–"+
			show.WithCommas(start+len(part)))
		worry := show.CountFunc(part,
			func(i int) bool { return slices.Contains(kindsToCheck, p.story.Report.Changes[i].Kind) })
		summary := show.Count(len(part), "case") + show.When(worry > 0, ", "+show.WithCommas(worry)+" to look at")
		out = append(out, suiteTable{Name: name, Summary: summary, Rows: p.tableRows(part)})
	}
	return out
}

func (p *printer) tableRows(cases []int) iter.Seq[caseRow] {
	return func(yield func(caseRow) bool) {
		for _, i := range cases {
			row := p.caseRow(i)
			p.addAnswer(&row, p.story.Report.Changes[i])
			if !yield(row) {
				return
			}
		}
	}
}

func (p *printer) caseRow(i int) caseRow {
	c, runes := p.story.Report.Changes[i], show.QuoteRunes
	if len(p.story.Report.Changes) > 2_000 { // the rows of a very large report are shorter
		runes /= 3
	}
	r := caseRow{caseLine: p.newCaseLine(shownCase{c, i}, rowAnchor(c), runes), URL: p.story.FileOf(c)}
	if p.cards[i] {
		r.Href = "#" + story.CaseAnchor(c.SuiteID, c.CaseID)
	}
	if c.Kind == report.KindPassing && r.Base == r.Head {
		r.Base = sideOutcome{} // the head's words are the same
	}
	if len(c.Tags) > 0 {
		r.Tags = show.Visible(strings.ToLower("\t" + strings.Join(c.Tags, "\t")))
	}
	r.Took = story.Effort(c.Head)
	if p.story.Compared && c.Base != nil && c.Head != nil {
		r.Differs = c.Reworded || c.Base.Excerpt != c.Head.Excerpt
		r.TookBefore = story.Effort(c.Base)
	}
	if r.Took != "" && c.Head.LatencyMS != nil {
		r.Milliseconds = *c.Head.LatencyMS
	}
	if c.Head != nil && c.Head.OverallScore != nil {
		r.Score = show.Percent(*c.Head.OverallScore)
	}
	return r
}

// rowLink returns a link to a case's row in the table of all cases, or "" if the case has no row.
func rowLink(v *story.Story, c report.Change) string {
	if len(v.Report.Changes) > tableRows && c.Kind == report.KindPassing {
		return ""
	}
	return "#" + rowAnchor(c)
}
