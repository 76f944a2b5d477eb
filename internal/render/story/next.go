package story

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/worddiff"
)

// nextSteps returns what to do now, a sentence for each step. It may return none.
func nextSteps(v *Story) []show.Phrase {
	hasErrorOf := func(rule string) bool {
		return slices.ContainsFunc(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Rule == rule })
	}
	switch {
	case v.Report.Verdict == report.Invalid && hasErrorOf("results"):
		return sentences("Name the right files and their format, or write them again with their runner: nothing was judged.")
	case onlyUnmerged(v):
		return sentences("Merge this set-up: its live targets are called from then on." + show.When(!v.Links.Fork,
			" If the check is required, or to call them now, give the step of the workflow `bootstrap: true`, which works "+
				"while the default branch has no configuration."))
	case v.Report.Verdict == report.Invalid && v.Links.Repo == "": // the errors were listed on this machine
		return sentences("Fix the files: no prompt was run.")
	case v.Report.Verdict == report.Invalid:
		command := show.If(hasErrorOf("recording"), "run", "validate") // validate reads no recordings
		return sentences("Fix the files: no prompt was run. `failproof " + command + "`, with the same configuration and " +
			"suites, lists the errors on your machine.")
	case v.Report.Verdict == report.Undecided:
		return sentences(nextUndecided(v)...)
	case v.Report.Verdict != report.Failed:
		return sentences(nextPassed(v)...)
	case isMeasurement(v):
		return sentences("One revision was measured: there is no change to fix. What is advised belongs into `gate` of the configuration.")
	case v.Report.Acceptable:
		return sentences(nextAcceptable(v)...)
	case v.Has(gate.Drift.Code, report.LevelError):
		return sentences(gate.Drift.NextStep)
	}
	return nextFailed(v)
}

// onlyUnmerged reports whether nothing was run only because live targets are called after the merge.
func onlyUnmerged(v *Story) bool {
	others := func(d document.Diagnostic) bool { return d.Rule != config.RuleUnmerged }
	return v.Report.Verdict == report.Invalid && !slices.ContainsFunc(FileErrors(v), others)
}

func sentences(texts ...string) []show.Phrase { return show.MapPhrases(texts, show.LiteralPhrase) }

func nextAcceptable(v *Story) []string {
	// The sentence about a review takes the place of that step.
	steps := slices.DeleteFunc(steps(v), func(step string) bool { return step == gate.Removed.NextStep })
	steps = append(steps, recordAfterMerge(v)...)
	if v.Report.NobodyAccepts {
		return append(steps, "No review can accept this: the reason above says why.")
	}
	commit, then := "this commit, after this result,", "run the job again"
	if v.Links.PullSHA == "" { // nobody can review the commit of a merge group or a push
		commit, then = "the pull request’s head, after its first result,", "queue it or run the job again"
	}
	return append(steps, "If this is meant, a review with `Approve` of "+commit+" by somebody with write access, who has "+
		"neither opened it nor made or pushed a commit of it, accepts it as it is; then "+then+"."+acceptLine(v))
}

// nextFailed returns the steps after a failed run. They say what to fix, and which edits need an approval.
func nextFailed(v *Story) []show.Phrase {
	must, ordinary := wrongNames(v, true), wrongNames(v, false)
	requests, others := requestErrorSteps(v)
	out := sentences(append(rerunStep(v), requests...)...)
	if others && (len(must)+len(v.Regressed)+len(v.Fell) > 0 || jointDropTitle(v) != "") {
		out = append(out, fixStep(v))
		out = append(out, sentences(explainStep(v)...)...)
	}
	if others {
		out = append(out, editSteps(v, must, ordinary)...)
	}
	onlyMissing := len(v.Missing) > 0 && len(v.Failing) == 0 // missing answers alone lowered the score
	if len(out) == 0 && !onlyMissing && scoreTooLow(v) {
		out = append(out, show.LiteralPhrase("A better prompt or a truer expectation lifts the score."))
	}
	if v.Report.Unscored > 0 && v.Has(gate.Unscored.Code, report.LevelError) {
		out = append(out, sentences(advice(v)...)...)
	}
	if v.Report.Histogram[classify.Refusal] > v.Report.BaseHistogram[classify.Refusal] {
		out = append(out, show.LiteralPhrase("If declining is right, set `expected_classification: refusal` in place of what the case expects."))
	}
	// rerunStep has already added this step.
	steps := slices.DeleteFunc(steps(v), func(step string) bool { return step == gate.UnsettledFlips.NextStep })
	if len(must)+len(ordinary) > 0 { // broken answers must be fixed first
		steps = slices.DeleteFunc(steps, func(step string) bool { return step == gate.Removed.NextStep })
	}
	out = append(out, sentences(steps...)...)
	switch {
	case len(must)+len(ordinary) > 0:
	case len(ruleTexts(v, report.LevelError, func(r gate.Rule) string { return show.When(r.MayBeAccepted, r.Code) })) > 0:
		out = append(out, show.LiteralPhrase("If it is meant, the approval of somebody with write access accepts it."))
	case len(steps) == 0:
		out = append(out, show.LiteralPhrase(keysThatDecided(v)+show.If(v.Compared, "read from the base branch: they change when they are merged.", "in the configuration.")))
	}
	return out
}

// strictTests reports whether one answer decides about cases of JUnit, whose tests may call a model all the same.
func strictTests(v *Story) bool {
	return slices.Contains(strings.Split(v.Report.Runner, ", "), "junit") && v.Report.Statistics != nil && v.Report.Statistics.Strict > 0
}

// editSteps returns sentences on how to edit the expectations of wrong answers. must has the names of the cases whose
// edit needs a maintainer’s approval. ordinary has the names of the other cases.
func editSteps(v *Story, must, ordinary []string) (out []show.Phrase) {
	where := show.If(v.Report.Runner != "", " where the runner has it.", ": reviewers will see the edit.")
	switch len(ordinary) {
	case 0:
	case 1:
		out = append(out, show.Phrasef("If the new answer to %v is right, edit its expectation%v", namesOrCount(ordinary), where))
	default:
		out = append(out, show.Phrasef("If the new answers are right, edit the expectations of %v%v", namesOrCount(ordinary), where))
	}
	if len(v.Regressed) > 0 && strictTests(v) {
		out = append(out, show.LiteralPhrase("If these tests ask a model, set `mode: noisy` in `results`: a flip then blocks only if a test proves it."))
	}
	if len(must) > 0 {
		out = append(out, show.Phrasef("An edit of the expectation of %v needs a maintainer’s approval.", namesOrCount(must)))
	}
	return out
}

// keysThatDecided returns the beginning of a sentence about the settings of the gate that failed the run.
func keysThatDecided(v *Story) string {
	keys := ruleTexts(v, report.LevelError, func(r gate.Rule) string {
		_, ok := r.Key()
		return show.When(ok, "`"+r.Code+"`")
	})
	return "The gate’s settings" + show.When(len(keys) > 0, " ("+strings.Join(keys, ", ")+")") + " are "
}

// fixStep returns a step that names the lines to fix: those that broke the answers. If these lines are unknown or too
// many, the step names the prompt whose cases broke if that is one of several, and else says to fix the prompts.
func fixStep(v *Story) show.Phrase {
	var regions []report.Region
	for _, one := range lineFindings(v) {
		for _, r := range one.Regions {
			if !slices.Contains(regions, r) {
				regions = append(regions, r)
			}
		}
	}
	if n := len(regions); n > 0 && n <= maxStepNames {
		return show.Phrasef("Fix %v.", places(regions))
	}
	prompts := show.Filter(v.Report.Prompts, func(x report.Prompt) bool { return !x.IsVariable })
	broke := show.Filter(prompts, func(x report.Prompt) bool {
		return slices.ContainsFunc(v.Regressed, func(c report.Change) bool { return slices.Contains(x.Suites, c.SuiteID) })
	})
	n := len(prompts)
	if len(broke) == 1 && n > 1 {
		return show.Phrasef("Fix %v.", show.Quote(broke[0].Path))
	}
	return show.LiteralPhrase("Fix " + show.If(n == 0 && v.Compared, "the change", show.Agree(n, "the prompt", "the prompts")) + ".")
}

// explainStep returns the step that finds which of several changes of the prompts broke answers that were recorded from
// a live target. It returns nil if the run looked for them itself.
func explainStep(v *Story) []string {
	most := 0 // the most changed places of a prompt
	for _, x := range v.Report.Prompts {
		places, same := 0, true
		for _, l := range worddiff.Lines(string(x.Base), string(x.Head)) {
			if same && l.Base != l.Head {
				places++
			}
			same = l.Base == l.Head
		}
		most = max(most, places)
	}
	if most < 2 || v.Report.Explanation != nil ||
		!slices.ContainsFunc(v.Regressed, func(c report.Change) bool { return c.Sampled }) {
		return nil
	}
	return []string{"`failproof explain --base` finds which changed place did it, with calls of a live target; of several, name one with `--target`."}
}

func nextUndecided(v *Story) []string {
	hasStored := slices.ContainsFunc(v.UnresolvedFlips(), func(c report.Change) bool {
		s := v.candidates[c.Name()]
		return s.Stored
	})
	switch {
	case v.Has(gate.NoMerge.Code, report.LevelError): // the reason says it
		return nil
	case v.Report.Runner != "":
		return adviceOnRunner(v)
	case v.Has(gate.BaseMoved.Code, report.LevelError), v.Has(gate.BaseFault.Code, report.LevelError):
		return steps(v)
	case v.Has(model.ReasonCancelled, report.LevelError):
		return []string{show.If(v.Links.Repo == "", "Run the command again: it goes on where this one stopped.",
			"Run the job again: it goes on where this one stopped, if its cache was kept.")}
	case hasForeignShards(v):
		return []string{"Run all shards again, all of them and the merge with one version and the same flags, such as `--base`, `--scope` and `--trials`."}
	case v.Report.Unscored+notAsked(v) > 0, v.Has(model.ReasonBudget, report.LevelError):
		return append(advice(v), rerunStep(v)...)
	case len(rerunStep(v)) > 0:
		return rerunStep(v)
	case v.Has(gate.NeedsRun.Code, report.LevelError):
		return []string{gate.NeedsRun.NextStep}
	case staleBefore(v):
		return []string{"The verdicts that the base branch records are of another judge, criterion or question. " +
			"Record them there first: `failproof record` on that branch, in a pull request of its own. " +
			"When it is merged, update this branch."}
	case hasStored:
		return []string{"No case that flipped was asked again: `failproof run --base REVISION` does that, of both sides, while the target answers."}
	}
	return []string{cmp.Or(rerunCause(v).advice, "Run the job again when the target answers.")}
}

// rerunStep returns the step that reruns the flipped recorded cases, or nil if these do not affect the verdict.
func rerunStep(v *Story) []string {
	must := func(s report.Candidate) bool {
		c, _ := v.Find(s.SuiteID, s.CaseID)
		return c.MustPass
	}
	lowersScore := v.Report.Verdict == report.Failed && v.BelowThreshold() && len(unprovenRecordedFlips(v)) > 0
	if v.Has(gate.UnsettledFlips.Code, report.LevelError) || slices.ContainsFunc(unprovenRecordedFlips(v), must) ||
		lowersScore {
		return []string{gate.UnsettledFlips.NextStep}
	}
	return nil
}

// steps returns the next step of each rule that gave a reason at the level error.
func steps(v *Story) []string {
	return ruleTexts(v, report.LevelError, func(r gate.Rule) string { return r.NextStep })
}

// ruleTexts returns text(rule) for each rule that gave a reason at the given level. The texts are in the order of the
// rules. Repetitions and empty texts are left out.
func ruleTexts(v *Story, level report.Level, text func(gate.Rule) string) (out []string) {
	for _, rule := range gate.Rules {
		if t := text(rule); t != "" && v.Has(rule.Code, level) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// nextPassed returns a sentence on what a person should check before merging, or nil if there is nothing.
func nextPassed(v *Story) []string {
	actions := ruleTexts(v, report.LevelWarn, func(r gate.Rule) string { return r.ReviewStep })
	if n := len(v.Regressed) + len(v.Fell) + len(v.Worse) + len(v.Review) + len(likelyRegressions(v)); (n > 0 || newFailures(v) != "") &&
		!slices.Contains(actions, gate.ReviewAnswers) {
		actions = append(actions, gate.ReviewAnswers)
	}
	byRunner := v.Has(gate.UnprovenFlips.Code, report.LevelWarn) || v.Report.Runner != "" && possibleDrop(v)
	if more := askMore(v); (possibleDrop(v) || missWithinNoise(v) || byRunner) && !slices.Contains(actions, more) {
		actions = append(actions, more)
	}
	if len(actions) == 0 {
		return recordAfterMerge(v)
	}
	out := []string{"Nothing is blocked. Before you approve, " + strings.Join(actions, ", and ") + "."}
	if byRunner {
		out = append(out, "To block such a fall without proof, set `min_run_score` or `on_inconclusive: error` in `gate`, or "+
			"`mode: strict` in `results`.")
	}
	return append(out, recordAfterMerge(v)...)
}

// askMore returns what a reviewer can do about a score that noise may have lowered. More trials of recorded answers
// would count only after the merge.
func askMore(v *Story) string {
	switch s := v.Report.Statistics; {
	case v.Report.Runner != "":
		return "run each case more often on both sides, to be sure" + howToRepeat(v)
	case s == nil || s.Noisy > 0:
		return "ask live cases more often to be sure (`failproof run --trials`)"
	case len(unprovenRecordedFlips(v)) > 0:
		return "let `failproof record` rerun the cases that flipped"
	}
	return gate.ReviewAnswers
}

// repeats says for each format of another runner how a case gets several runs.
var repeats = map[string]string{
	"promptfoo": "`promptfoo eval --repeat 8 --no-cache`",
	"jsonl":     "a line for each run of a case",
	"junit":     "a test for each run of a case, and `--runs`",
}

// howToRepeat returns in parentheses how the cases of this report's runners get several runs.
func howToRepeat(v *Story) string {
	var ways []string
	for _, format := range strings.Split(v.Report.Runner, ", ") {
		if way := repeats[format]; way != "" {
			ways = append(ways, way)
		}
	}
	return show.When(len(ways) > 0, " ("+strings.Join(ways, "; ")+")")
}

// requestCauses are the reasons for which a request made an answer wrong. No change of a prompt fixes these.
var requestCauses = []lossCause{
	{reason: model.ReasonRejected, advice: "The provider rejects the request: see what it says there, and take out of the target, " +
		"or change, what its model does not take, such as `temperature`."},
	{reason: classify.ReasonEmptyTruncated, advice: "Raise `max_tokens` of the target: it was spent before a word of the answer " +
		"came, as by a model that thinks first."},
}

// requestErrorSteps returns what to do about answers that are wrong because of their request. others is true if there
// are other wrong answers, or none at all.
func requestErrorSteps(v *Story) (out []string, others bool) {
	wrong := slices.Concat(v.Regressed, v.Fell, v.Failing)
	left := len(wrong)
	for _, cause := range requestCauses {
		if n := countFor(wrong, cause); n > 0 {
			out, left = append(out, cause.advice), left-n
		}
	}
	return out, left > 0 || len(wrong) == 0
}

var (
	safeName = regexp.MustCompile(`^[A-Za-z0-9._/@-]{1,200}$`) // names that are safe in a command to copy
	fullSHA  = regexp.MustCompile(`^[0-9a-f]{40}$`)            // the form in which a command names a commit
)

// acceptLine returns a `/failproof accept` comment for the reasons that failed the run, for the reader to copy. It
// returns "" if no bot reads such a comment.
func acceptLine(v *Story) string {
	if !fullSHA.MatchString(v.Links.PullSHA) || strings.Contains(v.Links.RunWord, "`") {
		return ""
	}
	var accepted []string
	if v.Links.RunWord != "" {
		accepted = []string{v.Links.RunWord}
	}
	for _, r := range v.Report.Reasons {
		about := r.CaseNames()
		if len(about) == 0 || len(about) > maxStepNames || !allOf(about, safeName.MatchString) {
			about = []string{"rule:" + r.Code}
		}
		for _, name := range about {
			if r.Level == report.LevelError && !slices.Contains(accepted, name) {
				accepted = append(accepted, name)
			}
		}
	}
	return " Or, if the bot is set up, comment: `/failproof accept " + v.Links.PullSHA + " " +
		strings.Join(accepted, " ") + " because …`"
}

func allOf[T any](all []T, match func(T) bool) bool { return show.CountFunc(all, match) == len(all) }

// wrongNames returns the names of cases with wrong answers. If must is true, these are the must-pass cases. Otherwise
// they are the other regressed cases, except probes.
func wrongNames(v *Story, must bool) (ids []string) {
	for i, c := range slices.Concat(v.Regressed, v.Failing) {
		ordinary := i < len(v.Regressed) && !misses(c, "risk_score") // no edit of the expectation makes a probe's answer right
		name := show.When(len(v.Report.Suites) > 1, suiteid.AuthorID(c.SuiteID)+"/") + c.CaseID
		if c.MustPass == must && (must || ordinary) && !slices.Contains(ids, name) { // several targets may answer it wrongly
			ids = append(ids, name)
		}
	}
	return ids
}

// isMeasurement reports whether the run measured the noise of one revision and compared nothing.
func isMeasurement(v *Story) bool {
	return v.Report.Statistics != nil && v.Report.Statistics.Measured != nil
}

// maxStepNames is the largest number of cases or places that a next step names. More are only counted.
const maxStepNames = 3
