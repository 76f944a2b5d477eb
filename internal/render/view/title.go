package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// TitleRunes is GitHub's limit for the description of a commit status; a check run's title keeps to it as well.
const TitleRunes = 140

// Title says the verdict in one sentence of at most 140 characters, made of our words, numbers and the base's paths only. The first 80 hold
// the verdict, the score, the bar and the regressions: mail and telephones show no more.
func (v *View) Title() string {
	only := show.When(v.Report.ReportOnly(), " (report only)")
	switch v.Report.Verdict {
	case report.Passed:
		return fitTitle("Prompt gate passed"+only, v.passedTitle())
	case report.Failed:
		if text := cmp.Or(v.Breaks(), v.worsens()); text != "" {
			parts := v.causes()
			if v.liftedByNew() { // the score alone would look fine
				parts = append(parts, v.scorePart(), v.needsPart())
			}
			return fitTitle(text+only, parts)
		}
		return fitTitle("Prompt gate failed"+only, v.failedTitle())
	case report.Undecided:
		return fitTitle("Prompt gate undecided"+only, v.undecidedTitle())
	case report.Invalid:
		return fitTitle("Prompt gate did not run"+only, v.invalidTitle())
	}
	return "Prompt gate: no verdict"
}

// State is the verdict in one word: passed, or warned for a pass that is worth a second look, failed, undecided or invalid.
func (v *View) State() string {
	switch d := v.Report.Verdict; d {
	case report.Passed, report.Failed, report.Undecided:
		if d == report.Passed && v.Doubtful() {
			return "warned"
		}
		return string(d)
	}
	return "invalid"
}

// Icon is never alone: a heading says the same in words.
func (v *View) Icon() string {
	return map[string]string{"passed": "✅", "warned": "⚠️", "failed": "❌", "undecided": "⏸️", "invalid": "🚫"}[v.State()]
}

// Doubtful reports a pass that is worth a second look.
func (v *View) Doubtful() bool {
	return v.Warned()+len(v.Worse)+len(v.Review)+len(v.LookBroken()) > 0 || v.comparedNothing()
}

// comparedNothing reports a comparison in which no case is on both sides, judged alike and answered, and not because all of them are new.
func (v *View) comparedNothing() bool {
	return v.Compared && v.comparedCases() == 0 && v.Report.Cases > 0 && v.Report.Counts[report.New] < v.Report.Cases
}

// TitleHasScore reports that the title tells the score before, now and needed.
func (v *View) TitleHasScore() bool {
	return v.Report.Verdict == report.Passed && v.Report.RunScore != nil && strings.Contains(v.Title(), v.passedScore())
}

func (v *View) passedScore() string {
	return strings.TrimSuffix(v.scorePart()+", "+v.needsPart(), ", ")
}

func fitTitle(lead string, parts []string) string {
	title, glue := lead, ": "
	for _, p := range parts {
		if p == "" || utf8.RuneCountInString(title+glue+p) > TitleRunes {
			continue
		}
		title, glue = title+glue+p, ", "
	}
	return title
}

func (v *View) passedTitle() []string {
	if v.Nothing() {
		return []string{cmp.Or(v.titleOf(gate.UnaskedPrompt, report.LevelWarn), "no suite is affected"), "nothing was run", v.baseFaultPart()}
	}
	var parts []string
	breaks, broken, look := v.Breaks() != "", "", len(v.LookBroken())
	if v.Compared {
		broken = v.regressionsPart()
	}
	if breaks {
		parts = append(parts, broken)
	}
	parts = append(append(parts, v.baseFaultPart()), v.warnedParts()...)
	parts = append(parts, CountedOf(look, "answer", show.Agree(look, " looks", " look")+" broken, not proven"),
		CountedOf(len(v.Worse), "passing answer", " got worse"),
		CountedOf(v.Report.KeptByHand, "answer", " kept by hand though the prompt changed"), v.newPart())
	if !breaks {
		parts = append(parts, broken)
	}
	if v.Compared {
		perhaps := show.Tally(v.Others, v.PerhapsFixed) + show.Tally(v.Review, v.PerhapsFixed)
		parts = append(parts, Counted(v.Report.Counts[report.Fixed]-perhaps, "fixed"), Counted(perhaps, "perhaps fixed"))
	}
	parts = append(parts, v.passedScore()) // one is nothing without the other
	switch v.Report.Run.BaseState {
	case report.BaseFirst:
		parts = append(parts, "first run: judged by its own gate")
	case report.BaseMissing:
		parts = append(parts, "no base to compare with")
	}
	return append(parts, Counted(v.Report.Quarantined, "in quarantine"), v.Unverified())
}

// warnedParts say what is worth a second look in a pass; what has no words of its own is counted.
func (v *View) warnedParts() (parts []string) {
	if v.Excused() {
		parts = append(parts, "the bar is missed, perhaps by noise")
	}
	if v.Has(gate.Inconclusive.Code, report.LevelWarn) {
		parts = append(parts, "a drop is suspected, not proven")
	}
	told := v.Warned()
	if n := v.countReasons(gate.MustPass.Code, report.LevelWarn); n > 0 {
		told -= n
		parts = append(parts, show.Count(n, "answer")+" that must never break "+show.Agree(n, "was", "were")+" wrong once")
	}
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelWarn && (r.Code == gate.Inconclusive.Code || r.Code == gate.RunScore.Code && v.Excused() || r.Code == gate.KeptByHand.Code || r.Code == gate.BaseFault.Code || r.Code == gate.FirstRun.Code) {
			told--
		}
	}
	for _, rule := range gate.Rules {
		if title := v.titleOf(rule, report.LevelWarn); title != "" && rule.Code != gate.Inconclusive.Code {
			told -= v.countReasons(rule.Code, report.LevelWarn)
			parts = append(parts, title)
		}
	}
	if slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool { return r.AcceptedBy != "" }) {
		parts = append(parts, "accepted by a reviewer")
	}
	return append(parts, CountedOf(max(told, 0), "warning", ""))
}

// Breaks says what the change does to users: "This prompt change breaks 2 of 3 answers, one of which must never break"; "" where it breaks
// none. The first number are the regressions, the second the cases that could have been one: see answeredCases.
func (v *View) Breaks() string {
	n := len(v.Regressed)
	if n == 0 || !v.Compared {
		return ""
	}
	noun := show.If(slices.ContainsFunc(v.Regressed, func(c report.Change) bool { return !once(c.Head) }), "case", "answer")
	what := show.Count(n, noun)
	if of := v.answeredCases(); of >= n {
		what = show.Grouped(n) + " of " + show.Count(of, noun)
	}
	text := v.subject() + " breaks " + what
	if must := show.Tally(v.Regressed, func(c report.Change) bool { return c.MustPass }); must > 0 {
		return text + ", " + oneOr(must, n, "must never break", "must never break")
	}
	if critical := show.Tally(v.Regressed, func(c report.Change) bool { return c.Severity == risk.Critical }); critical > 0 {
		return text + ", " + oneOr(critical, n, "is critical", "are critical")
	}
	return text
}

// oneOr says of how many of n something is true: "which is critical" of the only one, "one of which is critical" of one of them.
func oneOr(some, n int, is, are string) string {
	switch {
	case n == 1:
		return "which " + is
	case some == n:
		return "all of which " + are
	case some == 1:
		return "one of which " + is
	}
	return show.Grouped(some) + " of which " + are
}

// subject is what broke something: the change of a prompt, where one changed that a broken case is asked by. Else it was something else, such as
// answers that were recorded anew.
func (v *View) subject() string {
	asks := func(p report.Prompt) bool {
		return !p.Variable && (len(v.Regressed) == 0 || slices.ContainsFunc(v.Regressed, func(c report.Change) bool { return slices.Contains(p.Suites, c.SuiteID) }))
	}
	return show.If(slices.ContainsFunc(v.Report.Prompts, asks), "This prompt change", "This change")
}

func (v *View) changedPrompts() int {
	return show.Tally(v.Report.Prompts, func(x report.Prompt) bool { return !x.Variable })
}

// failedTitle are the reasons, and then the figures; where the score is what failed, it comes first.
func (v *View) failedTitle() []string {
	if v.Nothing() {
		return append(v.causes(), "nothing was run")
	}
	numbers := []string{v.scorePart(), v.needsPart()}
	if v.Has(gate.RunScore.Code, report.LevelError) {
		return slices.Concat(numbers, v.causes())
	}
	return slices.Concat(v.causes(), numbers)
}

// causes are what failed besides the score and what a title begins with.
func (v *View) causes() []string {
	causes := v.mustPassParts()
	begun := v.Breaks() != "" || v.worsens() != ""
	for _, rule := range gate.Rules {
		if begun && rule.Code == gate.SuiteScore.Code || v.worsens() != "" && rule.Code == gate.Drop.Code {
			continue
		}
		causes = append(causes, v.titleOf(rule, report.LevelError))
	}
	return append(causes, v.newPart())
}

// titleOf returns what a rule says in the title; "" if it gave no reason of the level, or says nothing there.
func (v *View) titleOf(rule gate.Rule, level report.Level) string {
	n := v.countReasons(rule.Code, level)
	if n == 0 || rule.Title == nil {
		return ""
	}
	return rule.Title(gate.Found{Count: n, Report: v.Report})
}

// newPart counts the new cases that are answered wrongly, which no comparison tells of.
func (v *View) newPart() string {
	if !v.Compared {
		return ""
	}
	n := show.Tally(v.Failing, func(c report.Change) bool { return c.Change == report.New })
	return CountedOf(n, "new case", show.Agree(n, " fails", " fail"))
}

// FellAsWhole reports that the gate failed because the answers got worse as a whole, where no single one is proven broken.
func (v *View) FellAsWhole() bool { return v.worsens() != "" }

// Together says why cases of which none is proven broken fail the gate together; "" where they do not.
func (v *View) Together() string {
	if !v.FellAsWhole() {
		return ""
	}
	return fmt.Sprintf("Together they are more than chance: that so many get worse happens %s if nothing changed.", inRuns(v.whole().PWorse))
}

// whole is the look at all cases that decides: the second where one was taken.
func (v *View) whole() *report.Scope {
	n := v.Noise()
	if n.Recheck != nil && n.Recheck.Triggered && n.Recheck.Complete && n.Recheck.Overall != nil {
		return n.Recheck.Overall
	}
	return n.Overall
}

// worsens says that the change makes answers worse as a whole, where no single one is proven broken.
func (v *View) worsens() string {
	n := v.Noise()
	if n == nil || n.Overall == nil || len(v.Regressed) > 0 || !v.Has(gate.Drop.Code, report.LevelError) {
		return ""
	}
	all := v.whole()
	return fmt.Sprintf("%s makes the answers worse as a whole: %s of %s got worse, %s better", v.subject(), show.Grouped(all.Worse), show.Count(all.Cases, "case"), none(all.Better))
}

// mustPassParts count what must pass and is wrong, and what must pass and did not come: of that nothing is known.
func (v *View) mustPassParts() []string {
	told := show.Tally(v.Regressed, func(c report.Change) bool { return c.MustPass }) // by the title already
	missing := show.Tally(v.Report.Reasons, func(r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && r.Code == gate.MustPass.Code && r.Level == report.LevelError && c.Kind == report.KindMissing
	})
	wrong := v.countReasons(gate.MustPass.Code, report.LevelError) - told - missing
	part := func(n int, what string) string {
		return show.When(n > 0, show.Count(n, "answer")+" that must never break "+show.Agree(n, "is ", "are ")+what)
	}
	return []string{part(wrong, "wrong"), part(missing, "missing")}
}

func (v *View) scorePart() string {
	if v.Report.RunScore == nil {
		return "no score"
	}
	if v.liftedByNew() {
		return fmt.Sprintf("score over the base’s %s %s", show.Count(v.Report.HeldCases, "case"), show.Against(v.Report.HeldRunScore, v.Report.Scoring.MinRunScore))
	}
	before, now := show.PercentOr(v.Report.BaseRunScore), show.Against(v.Report.RunScore, v.Report.Scoring.MinRunScore)
	return "score " + show.When(v.Compared && v.Report.BaseRunScore != nil && before != now, before+" → ") + now
}

func (v *View) needsPart() string {
	return show.When(v.Report.Scoring.MinRunScore != nil, show.Bar(v.Report.Scoring.MinRunScore)+" needed")
}

// comparedCases counts the cases that are compared like for like; those of a suite without a weight are, and enter no delta.
func (v *View) comparedCases() int {
	if s := v.Report.Statistics; s != nil {
		return s.Strict + s.Noisy
	}
	return v.Report.DeltaCases
}

// answeredCases counts the cases that both sides have and answered, those whose input or expectation changed among them; a regression counts
// although its answer did not come. What is in quarantine is not judged.
func (v *View) answeredCases() (n int) {
	for status, cases := range v.Report.Counts {
		switch status {
		case report.New, report.Removed, report.Errored:
		default:
			n += cases
		}
	}
	for _, c := range v.Report.Changes {
		if c.Quarantined && c.Base != nil && c.Head != nil && c.Change != report.Errored {
			n--
		}
	}
	return n
}

// regressionsPart says in a pass what the change breaks all the same.
func (v *View) regressionsPart() string {
	switch text := v.Breaks(); {
	case text != "":
		return "but t" + strings.TrimPrefix(text, "T")
	case v.comparedCases() == 0 && v.Report.Cases > 0 && !v.comparedNothing():
		return "every case is new"
	case v.comparedCases() == 0 && v.Report.Cases > 0:
		return "no case could be compared"
	case v.Noise() != nil:
		return "no confirmed regressions"
	}
	return "no regressions"
}

// CountedOf is a number of things and what is said of them; "" for none.
func CountedOf(n int, noun, what string) string {
	return show.When(n != 0, show.Count(n, noun)+what)
}

// Counted is a number of something; "" for none.
func Counted(n int, what string) string {
	return show.When(n != 0, show.Grouped(n)+" "+what)
}
