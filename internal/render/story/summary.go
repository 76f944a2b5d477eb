package story

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// summary returns phrases that say what changed, what the score and its threshold are, and how certain the result is.
// They also say whether answers became slower or more expensive.
func summary(v *Story) []show.Phrase {
	slower, dearer := effortIncrease(v)
	var onlySome show.Phrase
	if w := warning(v, report.WarnOnlySome); w != nil {
		onlySome = show.Phrase{show.Message(w.Message)}
	}
	return show.NonEmpty(onlySome, changeSummary(v), scoreSummary(v), show.LiteralPhrase(certainty(v)), rewordedSummary(v),
		slower, dearer)
}

// warning returns the warning of the report with the given code, or nil.
func warning(v *Story, code string) *report.Warning {
	if i := slices.IndexFunc(v.Report.Warnings, func(w report.Warning) bool { return w.Code == code }); i >= 0 {
		return &v.Report.Warnings[i]
	}
	return nil
}

// promptsNamed is the largest number of prompt files that the summary names, and of settings. If there are more files,
// the summary gives only their number.
const promptsNamed = 2

// changeSummary returns in words what the change touches. It names prompts, models and suites, or counts them if they
// are many. It counts cases.
func changeSummary(v *Story) show.Phrase {
	all := changedPrompts(v)
	if n := len(v.Report.Prompts) - promptsNamed; n > 0 && len(all) > promptsNamed {
		all = []show.Phrase{show.LiteralPhrase(show.Count(len(v.Report.Prompts), "prompt") + " changed")}
	}
	settings := targetChanges(v)
	all = append(all, show.MapPhrases(settings[:min(len(settings), promptsNamed)],
		func(c config.Change) show.Phrase { return settingChange(c, show.QuoteRunes) })...)
	counts, suites := countReasons(v.Report)
	for _, kind := range scopeWordings {
		if n := counts[kind.why]; n > 0 {
			all = append(all, kind.phrase(n, suites[kind.why], len(v.Report.Suites) > 1))
		}
		delete(counts, kind.why)
	}
	delete(counts, "case moved out")                       // the suite to which the case moved counts it
	for _, why := range slices.Sorted(maps.Keys(counts)) { // of a report that somebody wrote by hand
		all = append(all, show.Phrasef("%v in %v", show.Message(why), show.Count(len(suites[why]), "suite")))
	}
	return show.JoinPhrases("; ", all)
}

// countReasons returns the number of cases in scope and their suites, by the reason why they are in scope.
func countReasons(r *report.Report) (counts map[string]int, suites map[string][]string) {
	counts, suites = map[string]int{}, map[string][]string{}
	promptSuites := map[string]bool{}
	for _, x := range r.Prompts {
		for _, id := range x.Suites {
			promptSuites[id] = true
		}
	}
	for _, s := range r.Suites {
		asked := 0 // cases that ask something else
		for _, why := range s.Why {
			if slices.Contains(askingReasons, why.Why) {
				asked += why.Cases
			}
			recording := why.Why == "recorded answer changed" || why.Why == "recording changed"
			if why.Why == "request changed" && promptSuites[s.SuiteID] || recording && asked > 0 && why.Cases <= asked {
				continue // the changed prompt, or what these cases ask, implies it
			}
			counts[why.Why] += max(why.Cases, 1)
			suites[why.Why] = append(suites[why.Why], show.Suite(s.SuiteID))
		}
	}
	return counts, suites
}

func changedPrompts(v *Story) (all []show.Phrase) {
	for _, x := range v.Report.Prompts {
		path := show.Quote(v.Links.Path(x.Path))
		switch n := len(x.Cases); {
		case n > 0:
			all = append(all, show.Phrasef("what %v alone %v sent changed in %v", show.Count(n, "case"), show.Agree(n, "is", "are"),
				path))
		case x.BasePath != "":
			all = append(all, show.Phrasef("%v takes the place of %v", path, show.Quote(v.Links.Path(x.BasePath))))
		case x.Inline:
			all = append(all, show.Phrasef("what %v sends changed", path))
		default:
			all = append(all, show.Phrasef("%v changed", path))
		}
	}
	return all
}

// targetChanges returns those changed settings of targets that are in effect.
func targetChanges(v *Story) []config.Change {
	return show.Filter(v.Report.PolicyChanges, func(c config.Change) bool { return c.Effective && c.IsTargetChange() })
}

// settingChange returns a changed setting with its values before and now. Of values longer than runes it has what
// differs.
func settingChange(c config.Change, runes int) show.Phrase {
	c.Base, c.Head = worddiff.ShortenAround(c.Base, c.Head, runes, runes)
	value := func(text string) show.Part {
		if text == "" {
			return show.Literal("not set")
		}
		return show.Quote(text)
	}
	return show.Phrasef("%v %v → %v", show.Quote(c.Key), value(c.Base), value(c.Head))
}

// scopeWording has the words for a reason why suites are in scope.
type scopeWording struct {
	why     string // the reason, as in the report
	words   string // %v is the number of cases, or the names of suites
	noun    string // what is counted; "" if the suites are named
	inSuite bool   // whether the suite of the cases is named
}

var scopeWordings = []scopeWording{
	{"recorded answer changed", "recorded answers of %v changed", "case", true},
	{"recording changed", "the recordings of %v changed", "case", true},
	{"request changed", "the request of %v changed", "case", true},
	{"target changed", "the target of %v changed", "case", true},
	{"model changed", "the model or a parameter of %v changed", "case", true},
	{"input changed", "%v", "changed input", false},
	{"expectation changed", "%v", "changed expectation", false},
	{"must_pass changed", "`must_pass` of %v changed", "case", false},
	{"case added", "%v", "new case", false},
	{"case removed", "%v", "removed case", false},
	{"target of the recording changed", "the target of %v changed", "recorded case", true},
	{"case moved in", "%v", "moved case", false},
	{"new suite", "new: %v", "", false},
	{"removed suite", "removed: %v", "", false},
	{"target added", "new target: %v", "", false},
	{"target removed", "asked no more: %v", "", false},
}

// askingReasons are the reasons for which cases ask something else, so that their recorded answers change too.
var askingReasons = []string{"request changed", "target changed", "model changed", "input changed"}

// phrase returns the words for n cases in the given suites. several is true if the report has more than one suite.
func (s scopeWording) phrase(n int, suites []string, several bool) show.Phrase {
	if s.noun == "" {
		return show.Phrasef(s.words, quotedList(suites))
	}
	p := show.Phrasef(s.words, show.Count(n, s.noun))
	switch {
	case s.inSuite && len(suites) > 1:
		return show.Phrasef("%v in %v", p, show.Count(len(suites), "suite"))
	case s.inSuite && several:
		return show.Phrasef("%v in %v", p, show.Quote(suites[0]))
	}
	return p
}

// scoreSummary returns the score before and now, and the threshold. It returns nil if there is no score or if the title
// already has it. It also returns nil if the score would blame the prompts for an outage.
func scoreSummary(v *Story) show.Phrase {
	r := v.Report
	if r.RunScore == nil || v.HidesScore(r.Unscored) || scoreInTitle(v) && !meetsOnlyWithNew(v) {
		return nil
	}
	return scoreWords(v)
}

// scoreWords returns the score before and now, and the threshold: "score 100% → 75%, 85% needed".
func scoreWords(v *Story) show.Phrase {
	r, need := v.Report, v.Report.Scoring.MinRunScore
	needed := show.When(need != nil, ", "+show.Threshold(need)+" needed")
	if r.RunScore == nil {
		return show.LiteralPhrase("no score" + needed)
	}
	before, now := show.PercentOr(r.BaseRunScore), show.PercentAgainst(r.RunScore, need)
	compared := v.Compared && r.BaseRunScore != nil
	open := show.When(NotJudged(v) > uncountedCases(v), " if what was not judged is right")
	return show.Phrasef("score %v%v%v%v%v", show.When(compared && before != now, before+" → "), show.Strong(now),
		show.When(compared, show.If(before == now, " as before", show.When(open == "", byEdits(v)))), open, needed)
}

// certainty returns in a few words how certain it is that the answers changed, by the result of the reruns, if any.
func certainty(v *Story) string {
	s := v.Report.Statistics
	if s == nil || !v.Compared || s.Measured != nil {
		return ""
	}
	if jointDropTitle(v) != "" {
		return "no answer is proven broken alone; together they are more than chance"
	}
	if v.Report.Runner != "" {
		return "judged by another runner"
	}
	if flipped := candidates(v); len(flipped) > 0 {
		return rerunSummary(flipped)
	}
	strict := v.Report.Gate != nil && v.Report.Gate.Mode == config.ModeStrict
	sampled := slices.ContainsFunc(v.Regressed, func(c report.Change) bool { return c.Sampled })
	return show.When(s.StrictLive > 0 || strict && sampled, "`mode: strict` takes each answer as it was drawn, so a flip may be chance")
}

// rerunSummary returns in words what the reruns showed about the flipped cases.
func rerunSummary(flipped []report.Candidate) string {
	states := map[string]int{}
	for _, s := range flipped {
		states[s.State]++
	}
	wrong, cleared, all := states[report.CandidateConfirmed], states[report.CandidateCleared], len(flipped)
	likely := show.CountFunc(flipped, func(s report.Candidate) bool { return s.Likely })
	counted := func(n int, noun, what string) string {
		return show.When(n > 0, show.When(n < all, show.WithCommas(n)+" of ")+show.Count(all, noun)+what)
	}
	if cleared == all && likely == 0 {
		return show.Count(all, "answer") + " flipped, which asking again did not confirm"
	}
	unresolved := states[report.CandidateIncomplete] + states[report.CandidateNotRerun] +
		states[report.CandidateUnprovable]
	return show.Join(", ",
		counted(wrong, "flipped answer", show.Agree(wrong, " was", " were")+" wrong again when asked again"),
		counted(states[report.CandidateLost], "case", " got no answer any more"),
		counted(unresolved, "flipped answer", " could not be asked again to the end"),
		counted(likely, "flipped answer", show.Agree(likely, " looks", " look")+" broken, which is not proven"))
}

// rewordedSummary returns in words how many passing cases of a passed run have answers in other words, or nil if none
// has.
func rewordedSummary(v *Story) show.Phrase {
	r := v.Report.Reworded
	if r == nil || !v.Compared || r.Changed == 0 || v.Report.Verdict != report.Passed {
		return nil
	}
	return show.LiteralPhrase("answers to " + show.Count(r.Changed, "passing case") + " reworded")
}

// comparison returns a sentence that says which revisions were compared, or why nothing was compared.
func comparison(v *Story) show.Phrase {
	run := v.Report.Run
	head := revision(v, v.Links.HeadSHA, run.Head, "this change")
	switch {
	case v.Has(gate.NoMerge.Code, report.LevelError):
		return nil
	case v.Report.Verdict == report.Invalid:
		return show.Phrasef("At %v.", head)
	case v.Compared && run.Base != nil:
		return show.Phrasef("Compared %v with %v%v", head, revision(v, v.Links.BaseSHA, *run.Base, "the base"),
			"."+show.When(run.LeftOut > 0, " "+show.Count(run.LeftOut, "suite")+" that the change does not touch "+
				show.Agree(run.LeftOut, "was", "were")+" not run."))
	case run.BaseState == report.BaseFirst:
		return show.Phrasef("%v: there is no configuration and nothing to compare with before %v, which was judged by its own gate.",
			show.Strong("First run"), head)
	case run.BaseState == report.BaseMissing:
		return show.Phrasef("%v: there are no results before %v. The thresholds were checked, regressions were not.",
			show.Strong("No base to compare with"), head)
	case run.BaseState == report.BaseIncomparable:
		return show.Phrasef("%v: the base’s results cannot be compared with these. The thresholds were checked, regressions were not.",
			show.Strong("Not compared"))
	}
	return show.Phrasef("Judged %v on its own; nothing was compared.", head)
}

// revision returns the name of the revision at: its commit, or else its name, or else the words otherwise.
func revision(v *Story, sha string, at report.Revision, otherwise string) show.Phrase {
	p := show.LiteralPhrase(otherwise)
	switch sha = cmp.Or(sha, at.SHA); {
	case show.ShaForm.MatchString(sha):
		p = show.Phrase{show.Name(sha[:7], v.Links.Commit(sha))}
	case cmp.Or(sha, at.Name) != "":
		p = show.Phrase{show.Quote(cmp.Or(sha, at.Name))}
	}
	if at.Ref != "" {
		p = show.Phrasef("%v (%v)", p, show.Message(show.Excerpt(at.Ref, 2*show.NameRunes)))
	}
	return p
}

// Times and costs are reported if they grow by more than the factor minGrowth. Smaller growth may be noise of the
// network or a longer word. A time must also grow by at least minSlowdownMS.
const (
	minGrowth     = 1.25
	minSlowdownMS = 200
)

// effortIncrease returns in words how much slower and dearer the answers became, or nil where that is not reported.
func effortIncrease(v *Story) (slower, dearer show.Phrase) {
	e := v.Report.Effort
	if e == nil || !v.Compared {
		return nil, nil
	}
	if before, now := e.Base.LatencyMS, e.Head.LatencyMS; before != nil && *now-*before >= minSlowdownMS {
		slower = times(float64(max(*before, 1)), float64(*now), "slower")
	}
	if e.Base.CostUSD != nil {
		dearer = times(*e.Base.CostUSD, *e.Head.CostUSD, "dearer")
	}
	return slower, dearer
}

func times(before, now float64, word string) show.Phrase {
	if now <= minGrowth*before {
		return nil
	}
	return show.LiteralPhrase(fmt.Sprintf("%.1f × %s", now/before, word))
}

// Effort returns in words the time and the cost of the answer that is shown for the side o, or "" if unknown.
func Effort(o *report.Outcome) string {
	if o == nil {
		return ""
	}
	took, cost := "", ""
	if o.LatencyMS != nil {
		took = Milliseconds(*o.LatencyMS)
	}
	if o.CostUSD != nil {
		cost = Dollars(*o.CostUSD) + " USD"
	}
	return show.Join(", ", took, cost)
}

// Milliseconds formats a time in milliseconds, such as "850 ms" or "1.2 s".
func Milliseconds(ms int64) string {
	if ms < 1_000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%.1f s", float64(ms)/1_000)
}

// Dollars formats v, a sum of US dollars, with enough digits for the cost of a single answer.
func Dollars(v float64) string {
	switch {
	case v == 0 || v >= 0.01:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.0001:
		return fmt.Sprintf("%.4f", v)
	}
	return fmt.Sprintf("%.7f", v)
}
