package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// wrongAnswers returns the wrong answers that decide the verdict, and the other wrong answers. Those in v.Regressed, in
// v.Fell and in the first result of splitFailing decide.
func wrongAnswers(v *Story) (deciding, others Section) {
	failing, rest := splitFailing(v)
	all := slices.Concat(v.Regressed, v.Fell, failing)
	deciding = Section{Cases: all, Table: caseTable(v, all)}
	switch n := len(all); {
	case len(v.Regressed) == n:
		deciding.Title = show.Count(n, "broken answer")
	case len(v.Fell) == n:
		deciding.Title = show.Count(n, "answer") + " got worse"
	case len(v.Regressed) > 0:
		deciding.Title = fmt.Sprintf("%s, of which %s broke", show.Count(n, "wrong answer"), show.WithCommas(len(v.Regressed)))
	default:
		deciding.Title = show.Count(n, "wrong answer")
	}
	noun := show.If(v.Compared && len(v.Regressed) > 0, "other wrong answer", "wrong answer")
	others = Section{Title: show.Count(len(rest), noun) + show.When(allOf(rest, v.WrongOnBoth), ", as before"),
		Table: caseTable(v, rest), Cases: rest}
	return deciding, others
}

// splitFailing divides v.Failing into the wrong answers that may have failed the gate, and the rest. Without a
// comparison, all of them may have failed it. If the run did not fail, those that are new, or redefined and right
// before, come first. If a low score is the only cause of the failure, those in its suites may have caused it, among
// them flaky ones. In all other cases, only the answers of must-pass cases may have.
func splitFailing(v *Story) (deciding, rest []report.Change) {
	must := show.CountFunc(v.Failing, func(c report.Change) bool { return c.MustPass })
	switch {
	case !v.Compared:
		return v.Failing, nil
	case v.Report.Verdict != report.Failed:
		return show.Filter(v.Failing, report.Change.IsNewFailure),
			show.Filter(v.Failing, func(c report.Change) bool { return !c.IsNewFailure() })
	case len(v.Regressed)+len(v.Fell)+must == 0 && jointDropTitle(v) == "" && v.BelowThreshold():
		return v.Failing, nil
	case len(v.Regressed)+len(v.Fell)+must == 0 && jointDropTitle(v) == "" && scoreTooLow(v):
		isLow := func(c report.Change) bool {
			return slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool {
				return r.Code == gate.SuiteScore.Code && r.Level == report.LevelError && r.SuiteID == c.SuiteID
			})
		}
		flaky := show.Filter(v.Others, func(c report.Change) bool { return isLow(c) && !c.Quarantined && c.Head.Wrong() })
		return append(show.Filter(v.Failing, isLow), flaky...),
			show.Filter(v.Failing, func(c report.Change) bool { return !isLow(c) })
	}
	return v.Failing[:must], v.Failing[must:]
}

// caseTable returns a table of cases. Each row has the question of a case and why the answer is wrong. The name and the
// outcomes of the case are below these texts, because a telephone would cut off a third column.
func caseTable(v *Story, cases []report.Change) *Table {
	return caseRows(v, "Why", cases, func(c report.Change) Cell { return Cell{v.ResultReason(c), outcomesOf(v, c)} })
}

// caseRows returns a table with a row for each case. The first column names the case. The second has the heading
// column, and the function cell returns its cells.
func caseRows(v *Story, column string, cases []report.Change, cell func(report.Change) Cell) *Table {
	return &Table{Header: []string{"Case", column}, Words: true, Noun: "case",
		Rows: rowsOf(cases, func(c report.Change) Row { return rowOf(caseCell(v, c), cell(c)) })}
}

// caseCell returns a cell with the question of the case c, if that is known, and its id.
func caseCell(v *Story, c report.Change) Cell {
	name := show.JoinPhrases(" · ", append([]show.Phrase{{caseLink(v, c)}}, caseMarks(v, c)...))
	if c.Input == "" || c.Kind == report.KindMayHide {
		return Cell{Text: name}
	}
	return Cell{Text: question(c), Below: name}
}

// question returns the beginning of the input of the case c, in quotes.
func question(c report.Change) show.Phrase {
	asked := show.Excerpt(strings.ReplaceAll(string(c.Input), "\n", " · "), show.NameRunes)
	return show.Phrasef("“%v”", show.Message(asked))
}

// caseMarks returns what to note about a case beside its name: that it must never break, and any severity other than
// medium. If the report has several suites, it adds the suite.
func caseMarks(v *Story, c report.Change) (marks []show.Phrase) {
	if c.MustPass {
		marks = append(marks, show.Phrase{show.Strong("must never break")})
	}
	if c.Severity != "" && c.Severity != "medium" {
		marks = append(marks, show.Phrase{show.Severity(c.Severity)})
	}
	if len(v.Report.Suites) > 1 {
		marks = append(marks, show.Phrase{show.Quote(show.Suite(c.SuiteID))})
	}
	return marks
}

// outcomesOf returns the outcomes of the case c before and now, such as "pass → fail" or "right 5 of 5 → right 0 of 5".
// If nothing was compared, it returns only the outcome now.
func outcomesOf(v *Story, c report.Change) show.Phrase {
	head := outcomeOf(c.Head, true)
	if !v.Compared {
		return head
	}
	return show.Phrasef("%v → %v", outcomeOf(c.Base, false), head)
}

func outcomeOf(o *report.Outcome, strong bool) show.Phrase {
	if o == nil {
		return show.LiteralPhrase(show.Absent)
	}
	words := show.PlainOutcome(o)
	switch {
	case !show.IsCategory(o.Primary): // of an edited report
		return show.Phrase{show.Quote(o.Primary)}
	case strong && !o.Right():
		return show.Phrase{show.Strong(words)}
	}
	return show.LiteralPhrase(words)
}

func caseLink(v *Story, c report.Change) show.Part {
	return show.Name(show.Case(c.SuiteID, c.CaseID), v.FileOf(c))
}

// linkTo returns the link to the case with the given ids.
func linkTo(v *Story, suiteID, caseID string) show.Part {
	c, _ := v.Find(suiteID, caseID)
	return caseLink(v, c)
}

// manualReview returns a section for each reason why a person must check answers. Passing answers come first, then
// flips of must-pass cases, flips without enough reruns and likely regressions.
func manualReview(v *Story) (parts []Section) {
	add := func(cases []report.Change, words string) {
		parts = append(parts, Section{Title: words, Cases: cases, Items: firstItems(cases, func(c report.Change) show.Phrase {
			return show.Phrasef("%v%v", caseLink(v, c), reviewNote(v, c))
		})})
	}
	review := func(noun, words string, match func(report.Change) bool) {
		cases := show.Filter(v.Review, match)
		add(cases, show.Count(len(cases), noun)+words)
	}
	add(v.Worse, show.Count(len(v.Worse), "passing answer")+" got worse")
	review("passing answer", " kept by hand though what is asked changed", func(c report.Change) bool { return c.KeptByHand })
	review("answer", " cut at the length limit, whole before", func(c report.Change) bool { return c.Truncated && !c.KeptByHand })
	review("answer", " that nothing judged", func(c report.Change) bool { return !c.Truncated && !c.KeptByHand })
	once, unresolved := v.WrongOnce(), v.UnresolvedFlips()
	add(once, wrongOnceWords(len(once)))
	add(unresolved, show.If(v.Report.Runner != "", show.Count(len(unresolved), "case")+" flipped from right to wrong; more runs would tell whether by chance",
		show.Count(len(unresolved), "answer")+" flipped from right to wrong, not confirmed"))
	var likely []report.Change
	for _, s := range likelyRegressions(v) {
		c, _ := v.Find(s.SuiteID, s.CaseID)
		likely = append(likely, c)
	}
	add(likely, show.Count(len(likely), "answer")+" may be broken; among so many flips that is not proven")
	return nonEmpty(parts...)
}

// firstItems returns item(element) for about maxCaseNames elements of all, and the number of the others; see
// text.Named.
func firstItems[T any](all []T, item func(T) show.Phrase) []show.Phrase {
	named := text.Named(len(all), maxCaseNames)
	items := show.MapPhrases(all[:named], item)
	if more := len(all) - named; more > 0 {
		items = append(items, show.LiteralPhrase("and "+show.WithCommas(more)+" more"))
	}
	return items
}

// reviewNote returns what to note behind the name of a case that a person must check.
func reviewNote(v *Story, c report.Change) string {
	if c.Kind == report.KindWorse {
		return fmt.Sprintf(": overall score %s → %s", show.Percent(*c.Base.Overall()), show.Percent(*c.Head.Overall()))
	}
	return show.When(c.Change == report.Redefined, " (redefined)") + show.Why("", v.RerunNote(c))
}

// caseEdits returns a section with the cases of v.Redefined and v.Removed. Editing an expectation and removing a case
// are the easiest ways to hide a regression.
func caseEdits(v *Story) Section {
	failing := show.CountFunc(v.Redefined, report.Change.FailsOldExpectation)
	other := len(v.Redefined) - failing
	return Section{
		Title: show.Join(", ", countedOf(failing, "redefined case", " that would have failed"),
			countedOf(other, "redefined case", show.Agree(other, " that asks", " that ask")+" something else"),
			countedOf(len(v.Removed), "removed case", " that passed")),
		Cases: v.Redefined,
		Table: caseRows(v, "What happened", slices.Concat(v.Redefined, v.Removed), func(c report.Change) Cell {
			var asked show.Phrase
			if c.Head == nil && c.Input != "" {
				asked = show.Phrasef("asked: %v", question(c))
			}
			return Cell{v.ResultReason(c), asked}
		}),
	}
}

// harmless returns a section with a table of the cases that changed without harm, such as fixed and new ones. An edit
// that several cases share, such as one of the suite's defaults, is an item of its list.
func harmless(v *Story) Section {
	moved := show.Filter(v.Others, func(c report.Change) bool { // a person has to look at the others
		return !v.IsUnresolvedFlip(c) && !isWrongOnce(v, c)
	})
	p := Section{Title: show.Count(len(moved), "other change")}
	what := func(c report.Change) Cell { return Cell{caseChange(v, c), outcomesOf(v, c)} }
	var single []report.Change
	for _, alike := range GroupBy(moved, func(c report.Change) string {
		if len(Edits(c)) == 0 {
			return show.Case(c.SuiteID, c.CaseID)
		}
		shown := show.JoinPhrases("\n", []show.Phrase{what(c).Text, what(c).Below}).Plain(show.SentenceRunes)
		return fmt.Sprint(shown, Only(c.BaseVersion.Expected, c.Expected), Only(c.Expected, c.BaseVersion.Expected))
	}) {
		if len(alike) == 1 {
			single = append(single, alike[0])
			continue
		}
		names := firstItems(alike, func(c report.Change) show.Phrase { return show.Phrase{caseLink(v, c)} })
		p.Items = append(p.Items, show.Phrasef("%v: %v; %v (%v)", show.Count(len(alike), "case"), what(alike[0]).Text,
			what(alike[0]).Below, show.JoinPhrases(", ", names)))
	}
	p.Table = caseRows(v, "What happened", single, what)
	return p
}

// caseChange returns in words what happened to the case c, and why.
func caseChange(v *Story, c report.Change) show.Phrase {
	what := show.LiteralPhrase(strings.ReplaceAll(string(c.Change), "_", " "))
	switch s := v.candidates[c.Name()]; {
	case !slices.Contains(report.Statuses[:], c.Change): // of an edited report
		what = show.Phrase{show.Quote(c.Change)}
	case c.Quarantined:
		what = show.LiteralPhrase("in quarantine")
	case PerhapsFixed(c):
		what = show.LiteralPhrase("perhaps fixed (" + show.If(v.Report.Runner != "", "run", "asked") + " once)")
	case c.Change == report.Flaky && s.State == report.CandidateCleared && s.Likely:
		what = show.LiteralPhrase("looks broken, not proven")
	case perhapsBroken(v, c):
		what = show.LiteralPhrase("perhaps broken")
	}
	if why := v.ResultReason(c); len(why) > 0 {
		what = show.Phrasef("%v: %v", what, why)
	}
	for _, e := range Edits(c) {
		what = show.Phrasef("%v; %v: %v", what, e.Label, e.Text)
	}
	return what
}

// reworded returns a section that says how many passing cases have answers in other words, and shows the first. No
// criterion notices such a change, but a program that reads the answers may. For a failed run the section is empty.
func reworded(v *Story) (p Section) {
	r := v.Report.Reworded
	if r == nil || !v.Compared || r.Changed == 0 || v.Report.Verdict == report.Failed {
		return p
	}
	p.Title = show.Count(r.Changed, "reworded answer")
	p.Text = sentences("If a program reads the answers, let a case check their form: `expected_format`, or `assert` with `regex`. An example:")
	c, _ := v.Find(r.SuiteID, r.CaseID)
	c = report.Change{SuiteID: c.SuiteID, CaseID: c.CaseID, Path: c.Path, Line: c.Line, Input: c.Input,
		Change: report.StillPassing, Kind: report.KindPassing}
	c.Base = &report.Outcome{Primary: "pass", Passed: 1, Trials: 1, Excerpt: r.Before}
	c.Head = &report.Outcome{Primary: "pass", Passed: 1, Trials: 1, Excerpt: r.Now}
	p.Cases = []report.Change{c}
	return p
}

// similarFailures returns a section that lists the groups of similar failures. If there is a base, it lists only new
// failures. Each group has an example.
func similarFailures(v *Story) (p Section) {
	if v.Report.Observability == nil {
		return p
	}
	for _, g := range v.Report.Observability.FailureGroups {
		if len(failuresOf(v, g)) < leastAlike || len(g.Terms) == 0 || len(p.Items) == groupsShown {
			continue
		}
		p.Items = append(p.Items, show.Phrasef("%v, e.g. %v", groupSentence(v, g), linkTo(v, g.Example.SuiteID, g.Example.CaseID)))
	}
	return p
}

// Limits of what the story says about similar failures.
const (
	leastAlike        = 5 // failures of the smallest group; what fewer failures share may be chance
	groupsShown       = 3
	maxTerms          = 3   // typical words that are named for a group
	maxPrefixWords    = 6   // words of a common prefix
	maxPrefixFailures = 100 // failures of the largest group in which a common prefix is searched
)

func failuresOf(v *Story, g observe.FailureGroup) []observe.CaseRef {
	if v.Compared {
		return g.New
	}
	return slices.Concat(g.New, g.StillFailing)
}

// groupSentence says how many failures the group g has and how they failed. Then it gives their common beginning or, if
// there is none, the typical words of the group.
func groupSentence(v *Story, g observe.FailureGroup) show.Phrase {
	text := show.Count(len(failuresOf(v, g)), show.If(v.Compared, "new failure", "failing case")) + " " +
		show.SharedCause(classify.Category(g.FailureMode))
	if begin := commonPrefix(v, g); begin != "" {
		return show.Phrasef("%v: all begin with %v", text, show.Quote(begin))
	}
	return show.Phrasef("%v: what marks them is %v", text, show.Quotes(", ", g.Terms[:min(len(g.Terms), maxTerms)]))
}

// commonPrefix returns the first words that all wrong answers of the group g share. It returns "" if there is no base,
// or if the base's answer to one of the cases begins with the same word.
func commonPrefix(v *Story, g observe.FailureGroup) string {
	refs := failuresOf(v, g)
	if len(refs) > maxPrefixFailures || !v.Compared { // passing answers may begin like that too
		return ""
	}
	var common []string
	for i, ref := range refs {
		c, _ := v.Find(ref.SuiteID, ref.CaseID)
		if !slices.Contains([]report.Kind{report.KindRegressed, report.KindFell, report.KindFailing}, c.Kind) {
			return ""
		}
		words := strings.Fields(string(c.Head.Excerpt))
		if i == 0 {
			common = words[:min(len(words), maxPrefixWords)]
		}
		n := 0
		for n < min(len(common), len(words)) && common[n] == words[n] {
			n++
		}
		if common = common[:n]; n == 0 || c.Base != nil && strings.HasPrefix(string(c.Base.Excerpt), common[0]) {
			return ""
		}
	}
	return strings.Join(common, " ")
}
