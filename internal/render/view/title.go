package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/config"
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
		unasked := v.countReasons(report.CodeUnasked, report.LevelWarn) > 0
		return []string{show.If(unasked, unaskedPart, "no suite is affected"), "nothing was run", v.baseFaultPart()}
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
	if v.Has(report.CodeDoubt, report.LevelWarn) {
		parts = append(parts, "a drop is suspected, not proven")
	}
	told := v.Warned()
	if n := v.countReasons(report.CodeMustPass, report.LevelWarn); n > 0 {
		told -= n
		parts = append(parts, show.Count(n, "answer")+" that must never break "+show.Agree(n, "was", "were")+" wrong once")
	}
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelWarn && (r.Code == report.CodeDoubt || r.Code == report.CodeMinRunScore && v.Excused() || r.Code == report.CodeKeptByHand || r.Code == report.CodeBaseFault || r.Code == report.CodeFirstRun) {
			told--
		}
	}
	for _, c := range causesOf {
		if n := v.countReasons(c.code, report.LevelWarn); n > 0 && c.code != report.CodeDoubt {
			told -= n
			parts = append(parts, v.cause(c.code, c.text(n)))
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
	if v.Has(report.CodeMinRunScore, report.LevelError) {
		return slices.Concat(numbers, v.causes())
	}
	return slices.Concat(v.causes(), numbers)
}

// causes are what failed besides the score and what a title begins with.
func (v *View) causes() []string {
	causes := v.mustPassParts()
	begun := v.Breaks() != "" || v.worsens() != ""
	for _, c := range causesOf {
		n := v.countReasons(c.code, report.LevelError)
		if n == 0 || begun && c.code == report.CodeMinScore || v.worsens() != "" && c.code == report.CodeDrop {
			continue
		}
		causes = append(causes, v.cause(c.code, c.text(n)))
	}
	return append(causes, v.newPart())
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
	if n == nil || n.Overall == nil || len(v.Regressed) > 0 || !v.Has(report.CodeDrop, report.LevelError) {
		return ""
	}
	all := v.whole()
	return fmt.Sprintf("%s makes the answers worse as a whole: %s of %s got worse, %s better", v.subject(), show.Grouped(all.Worse), show.Count(all.Cases, "case"), none(all.Better))
}

// cause names a condition in the words of the run's mode.
func (v *View) cause(code, text string) string {
	other := func(c config.Change) bool { return !c.InForce || !c.OfTarget() }
	if code == report.CodePolicyChange && !slices.ContainsFunc(v.Report.PolicyChanges, other) {
		return "what a target asks of its model changed"
	}
	if code == report.CodeRedefined && !slices.ContainsFunc(v.Disguised, FailsOld) {
		return "passing cases redefined"
	}
	if code == report.CodeDrop && (v.Noise() != nil || v.Report.Statistics != nil && v.Report.Statistics.Draws != nil) {
		return "the suite as a whole got worse"
	}
	return text
}

// unaskedPart tells of a prompt that changes and that nobody judges.
const unaskedPart = "a changed prompt is asked by no suite"

// causesOf names the conditions of the gate whose reasons are counted in the title.
var causesOf = []struct {
	code string
	text func(n int) string
}{
	{report.CodeMinScore, func(n int) string { return show.Count(n, "suite") + " below the bar" }},
	{report.CodeDrift, func(n int) string { return show.Count(n, "case") + " answered worse than in earlier runs" }},
	{report.CodeDrop, func(int) string { return "the score dropped too far" }},
	{report.CodeDoubt, func(int) string { return "a drop is suspected" }},
	{report.CodeMustPassChange, func(n int) string { return show.Count(n, "must-pass case") + " changed or removed" }},
	{report.CodeTold, func(int) string { return "a prompt is told what is expected" }},
	{report.CodeRemoved, func(int) string { return "passing cases removed" }},
	{report.CodeRedefined, func(int) string { return "redefined cases fail the old expectation" }},
	{report.CodePolicyChange, func(int) string { return "gate settings changed" }},
	{report.CodeDeserted, func(n int) string { return "cases ask a changed prompt no more" }},
	{report.CodeUnasked, func(int) string { return unaskedPart }},
	{report.CodeExpectationRemoved, func(int) string { return "cases lost their whole expectation" }},
	{report.CodeCut, func(int) string { return "answers that were whole are cut" }},
	{report.CodeClaims, func(int) string { return "passing answers state what is forbidden" }},
	{report.CodeRepairs, func(int) string { return "answers are JSON only after repairs" }},
	{report.CodeUnverified, func(int) string { return "too many unverified cases" }},
	{report.CodeHighStakes, func(int) string { return "too many high-stakes failures" }},
	{report.CodeExposure, func(int) string { return "exposure is above its bar" }},
	{report.CodeWeighted, func(int) string { return "severity-weighted pass rate is below its bar" }},
	{report.CodeMinCases, func(int) string { return "too few cases" }},
}

// mustPassParts count what must pass and is wrong, and what must pass and did not come: of that nothing is known.
func (v *View) mustPassParts() []string {
	told := show.Tally(v.Regressed, func(c report.Change) bool { return c.MustPass }) // by the title already
	missing := show.Tally(v.Report.Reasons, func(r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && r.Code == report.CodeMustPass && r.Level == report.LevelError && c.Kind == report.KindMissing
	})
	wrong := v.countReasons(report.CodeMustPass, report.LevelError) - told - missing
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
	for _, c := range v.Report.Changes.All() {
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
