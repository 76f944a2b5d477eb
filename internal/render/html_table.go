package render

import (
	"cmp"
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// worstCase is a row of the table of worst cases.
type worstCase struct {
	Name, Suite, Href, Severity string
	MustPass                    bool
	Words                       sideWords
	Score                       string
	Why                         []textSpan
}

const worstCases = 10

// worst lists the cases with the lowest scores that have a wrong answer, the most severe first among equals.
func (v *view) worst() (out []worstCase) {
	measured := v.r.OverallScore != nil
	type scored struct {
		report.Change
		at    int
		score float64
	}
	var all []scored
	for i, c := range v.r.Changes {
		if s, ok := caseScore(c.Head, measured); ok && fails(c.Head) {
			all = append(all, scored{c, i, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(a.score, b.score), bySeverity(a.Change, b.Change)) })
	for _, s := range all[:min(len(all), worstCases)] {
		out = append(out, worstCase{Name: caseName(s.Change), Suite: ends(s.SuiteID, nameRunes), Href: "#" + anchor("c", s.at),
			Severity: lead(s.Severity, nameRunes), MustPass: s.MustPass, Words: v.wordsOf(s.Head), Score: percent(s.score), Why: v.why(s.Change, quoteRunes)})
	}
	return out
}

// groups sorts the listed cases into the sections of the page.
func (v *view) groups(listed []listedCase, found whole) (out []caseGroup) {
	totals := map[caseKind]int{}
	for _, c := range v.r.Changes {
		totals[v.kindOf(c)]++
	}
	for _, s := range v.sections() {
		g := caseGroup{ID: s.id, Nav: s.nav, Lead: s.lead}
		total := 0
		for _, k := range s.kinds {
			total += totals[k]
		}
		if total == 0 {
			continue
		}
		g.Heading = s.heading(total)
		for i, c := range listed {
			if slices.Contains(s.kinds, c.kind) {
				g.First = append(g.First, v.block(i, c, found))
			}
		}
		if left := total - len(g.First); left > 0 {
			g.Left = grouped(left)
		}
		if n := len(g.First); n > s.first+s.first/2 {
			g.First, g.More, g.MoreText = g.First[:s.first], g.First[s.first:], "Show "+grouped(n-s.first)+" more"
		}
		out = append(out, g)
	}
	return out
}

// section is one list of cases.
type section struct {
	id, nav, one, many, lead string
	kinds                    []caseKind
	first                    int // cases that are not folded, give or take a half
}

func (s section) heading(n int) string {
	if n == 1 {
		return "1 " + s.one
	}
	return grouped(n) + " " + s.many
}

func (v *view) sections() []section {
	failing := section{"failing", "Failing", v.failingNoun(), v.failingNoun() + "s", "", []caseKind{kindFailing}, 20}
	if v.compared {
		failing.first, failing.lead = 6, "Wrong answers that are no regression: they failed on the base as well, or are new."
	}
	return []section{
		{"regressions", "Regressions", "regression", "regressions", "These passed on the base and do not pass now.", []caseKind{kindRegressed}, 20},
		{"fell", "Fell", "case that fell", "cases that fell", "The score fell as a whole, and these are the cases that did; none of them need be broken by itself.", []caseKind{kindFell}, 10},
		{"hidden", "Hidden", "change that hides a failure", "changes that hide a failure", "The expectation was edited, or the case removed, and with it went an answer that would have failed, " +
			"or a case that passed.", []caseKind{kindHidden}, 10},
		failing,
		{"missing", "No answer", "case without an answer", "cases without an answer", "Nothing came that could be judged. This says nothing about the prompt.", []caseKind{kindMissing}, 6},
		{"moved", "Other changes", "other change", "other changes", "Cases that are fixed, new, flaky, redefined or removed.",
			[]caseKind{kindFlaky, kindFixed, kindRedefined, kindNew, kindRemoved}, 6},
	}
}

// allCases is the table of all cases, suite by suite.
type allCases struct {
	Total   string
	Suites  []suiteTable
	Kinds   []choice
	Grades  []choice // severities
	Left    int      // cases that are not listed
	Quiet   bool     // only cases that do not simply pass are listed
	Folded  bool     // suites are folded, for there are too many rows
	Scores  bool
	HasBase bool
}

// choice is one value of a filter.
type choice struct{ Value, Label, Count string }

// suiteTable is a part of the table.
type suiteTable struct {
	Name, Summary string
	Rows          iter.Seq[caseRow] // made as they are written
}

// caseRow is a line of the table.
type caseRow struct {
	Anchor, Name, Href string // Href leads to the case's answers on this page, else it is ""
	URL                string // of its place in the repository
	Kind               caseKind
	Label, Grade       string
	MustPass           bool
	Base, Head         sideWords
	Score              string
	Why                []textSpan
}

// Bounds of the table.
const (
	tableRows = 12_000
	openRows  = 300 // of all suites, beyond which they are folded
	suiteRows = 500 // of one part
)

func (v *view) allCases(listed []listedCase) *allCases {
	bySuite, kinds := v.casesBySuite()
	t := &allCases{Total: count(len(v.r.Changes), "case"), HasBase: v.compared, Scores: v.r.OverallScore != nil}
	if len(v.r.Changes) == 0 {
		return nil
	}
	t.Quiet = len(v.r.Changes) > tableRows
	shown := map[int]bool{}
	for _, c := range listed {
		shown[c.at] = true
	}
	t.Folded = len(v.r.Changes) > openRows
	room := tableRows
	for _, s := range bySuite {
		if t.Quiet {
			s.cases = slices.DeleteFunc(s.cases, func(i int) bool { return v.kindOf(v.r.Changes[i]) == kindPassing })
		}
		s.cases = s.cases[:min(len(s.cases), room)]
		room -= len(s.cases)
		t.Suites = append(t.Suites, v.suiteTables(s, shown)...)
	}
	t.Left = len(v.r.Changes) - (tableRows - room)
	t.setChoices(v, kinds)
	return t
}

// suiteTables cuts a suite into parts, of which a browser lays out only those that are unfolded.
func (v *view) suiteTables(s suiteCases, shown map[int]bool) (out []suiteTable) {
	for start := 0; start < len(s.cases); start += suiteRows {
		part := s.cases[start:min(len(s.cases), start+suiteRows)]
		t := suiteTable{Name: named(ends(s.id, nameRunes)), Summary: v.partSummary(part), Rows: v.tableRows(part, shown)}
		if len(s.cases) > suiteRows {
			t.Name += ", cases " + grouped(start+1) + "–" + grouped(start+len(part))
		}
		out = append(out, t)
	}
	return out
}

func (v *view) partSummary(cases []int) string {
	worry := 0
	for _, i := range cases {
		switch v.kindOf(v.r.Changes[i]) {
		case kindRegressed, kindHidden, kindFailing, kindMissing:
			worry++
		}
	}
	if worry == 0 {
		return count(len(cases), "case")
	}
	return count(len(cases), "case") + ", " + grouped(worry) + " to look at"
}

func (v *view) tableRows(cases []int, shown map[int]bool) iter.Seq[caseRow] {
	return func(yield func(caseRow) bool) {
		for _, i := range cases {
			if !yield(v.caseRow(i, shown[i])) {
				return
			}
		}
	}
}

func (v *view) caseRow(i int, shown bool) caseRow {
	c := v.r.Changes[i]
	k := v.kindOf(c)
	r := caseRow{Anchor: anchor("c", i), Name: caseName(c), URL: v.l.file(v.shaOf(c), c.Path, c.Line), Kind: k, Label: v.labelOf(c, k),
		Grade: lead(c.Severity, nameRunes), MustPass: c.MustPass, Head: v.wordsOf(c.Head), Why: v.why(c, v.whyRunes())}
	if shown {
		r.Href = "#" + anchor("d", i)
	}
	if base := v.wordsOf(c.Base); v.compared && (k != kindPassing || base != r.Head) {
		r.Base = base
	}
	if c.Head != nil && c.Head.OverallScore != nil {
		r.Score = percent(*c.Head.OverallScore)
	}
	return r
}

// whyRunes is how much of a foreign text stands in a row: less where there are very many.
func (v *view) whyRunes() int {
	if len(v.r.Changes) > 2_000 {
		return quoteRunes / 3
	}
	return quoteRunes
}

// setChoices lists what the filters offer: the kinds and severities that there are.
func (t *allCases) setChoices(v *view, kinds map[caseKind]int) {
	for _, k := range caseKinds {
		if n := kinds[k]; n > 0 {
			t.Kinds = append(t.Kinds, choice{string(k), k.label(), grouped(n)})
		}
	}
	counts := map[string]int{}
	for _, c := range v.r.Changes {
		counts[c.Severity]++
	}
	for _, s := range slices.Backward(severities) {
		if n := counts[s]; n > 0 {
			t.Grades = append(t.Grades, choice{s, s, grouped(n)})
		}
	}
}

// caseLink names a case and leads to its row in the table of all cases; Href is "" where it has none.
type caseLink struct{ Name, Href string }

// inTable reports whether the table of all cases has a row for a case.
func (v *view) inTable(c report.Change) bool {
	return len(v.r.Changes) <= tableRows || v.kindOf(c) != kindPassing
}
