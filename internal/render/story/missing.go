package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// lossCause is a reason why answers are missing, with its words for the title and the advice for it. Running again does
// not help unless the advice says so.
type lossCause struct {
	reason  string
	title   string // a clause; the title may begin "2 of 9 answers missing, mostly since" before it
	advice  string
	ofJudge bool // the judge failed, and not the target
}

// lossCauses are the known causes, each first of the target and then of the judge.
var lossCauses = func() (all []lossCause) {
	judge, its := strings.NewReplacer("the target", "the judge"), strings.NewReplacer("the target", "the judge’s target")
	for _, c := range lossWords {
		all = append(all, lossCause{c[0], c[1], c[2], false}, lossCause{c[0], judge.Replace(c[1]), its.Replace(c[2]), true})
	}
	return all
}()

// lossWords has the reason, the title and the advice of each known cause, as they are of the target.
var lossWords = [][3]string{
	{model.ReasonNoKey, "a key is not set",
		"Set the variable, or write the file, that the line above names. On GitHub, add the key under Settings → Secrets and variables → Actions and " +
			"hand it to the job in `env`."},
	{model.ReasonAuth, "the target rejected its key",
		"Set the variable that `api_key_env` of the target names to a valid key; on GitHub it is a secret that the job gets in `env`."},
	{model.ReasonForbidden, "this run may not ask the target", "The pull request’s own run asks it, if it has the key."},
	{model.ReasonNotFound, "the target knows no such model or address", "Check `model` and `base_url` of the target."},
	{model.ReasonQuota, "the account has reached its limit",
		"The account has no money left, or has reached its spending limit: raise that, then run the job again."},
	{model.ReasonRateLimit, "the rate limit of the target is reached",
		"Run the job again later; what was answered is kept with the cache. A lower `concurrency` of the target asks more slowly."},
	{model.ReasonTimeout, "the target took too long",
		"Run the job again when the target answers in time, or raise its `timeout`."},
	{model.ReasonServer, "the target is overloaded or down",
		"Run the job again when the target answers; with a longer `patience` of the target, a run waits longer for it."},
	{model.ReasonTransport, "the target could not be reached",
		"Check that the target’s address is right and that something listens there, then run the job again."},
	{model.ReasonStale, "recorded answers are stale",
		"These answers were recorded before the prompt, the input or the target changed. Record them again, as the line of each says, and commit " +
			"them with the change."},
	{model.ReasonUnrecorded, "answers are not recorded",
		"Record the missing answers, as the line of each says, and commit them with the change."},
	{model.ReasonVerdict, "the judge gave no verdict",
		"Each line above says why the judge’s reply does not count. Running again seldom helps: let another model judge, or set `structured_output: true` " +
			"of its target if its replies are no JSON."},
	{model.ReasonStaleVerdict, "the judge’s recorded verdicts are stale",
		"They are of another judge, criterion, question or answer: `failproof record` has the judge grade these answers again. Commit what it writes with the change."},
	{model.ReasonSimilarity, "the embedding endpoint failed",
		"Run the job again when the endpoint of `semantic` answers. With `on_unavailable: lexical` the similarity of words decides instead."},
	{model.ReasonProtocol, "what came is no answer",
		"Each line above says what came: check that the target speaks the protocol of its `provider`. If it was an outage, run the job again."},
	{model.ReasonUnreadable, "the target answers with something other than text",
		"Each line above says what came. A call of a tool counts only if the suite’s `tools` offer it. Running again seldom helps."},
	{model.ReasonCrash, "the command of the target died", "Fix what it says, then run the job again."},
}

// undecidedTitle returns the parts of the title of an undecided run. They say why there is no verdict.
func undecidedTitle(v *Story) []string {
	hasError := func(code string) bool { return v.Has(code, report.LevelError) }
	ruleTitle := func(r gate.Rule) string { return titleOf(v, r, report.LevelError) }
	nothingJudged := cmp.Or(ruleTitle(gate.NoMerge), ruleTitle(gate.BaseMoved), ruleTitle(gate.ResultsPaired),
		ruleTitle(gate.JudgeControls))
	n := notAsked(v)
	switch {
	case nothingJudged != "":
		return []string{nothingJudged}
	case hasError(gate.BaseFault.Code):
		return []string{baseFault(v)}
	case hasError(model.ReasonCancelled):
		return []string{"the run was canceled", countedOf(n, "answer", " missing")}
	case hasForeignShards(v):
		return []string{"the shards are of another run"}
	case hasError(model.ReasonShard):
		return []string{"shards of the run are missing"}
	case n > 0:
		return limitTitle(v, n)
	case v.Report.Unscored > 0:
		return lossTitle(v)
	case hasError(gate.NeedsRun.Code), hasError(gate.UnprovenFlips.Code):
		return []string{cmp.Or(ruleTitle(gate.NeedsRun), ruleTitle(gate.UnprovenFlips))}
	}
	return flippedTitle(v)
}

// limitTitle returns the parts of the title of a run that a limit stopped. n is the number of missing answers.
func limitTitle(v *Story, n int) []string {
	if plan := v.Report.Plan; v.Report.Calls.Provider == 0 && plan != nil && plan.Calls > 0 {
		return []string{"nothing was asked: the run needs more than a limit allows"}
	}
	return []string{"a limit of the run was reached", show.Count(n, "answer") + " missing"}
}

// flippedTitle returns the parts of the title of an undecided run for which no other title fits. Mostly they say that
// cases flipped and were not rerun.
func flippedTitle(v *Story) []string {
	switch flips := len(v.UnresolvedFlips()); {
	case len(rerunStep(v)) > 0:
		return []string{show.Count(len(unprovenRecordedFlips(v)), "answer") + " flipped; one answer each cannot tell chance from a change"}
	case v.Has(gate.ConfirmIncomplete.Code, report.LevelError):
		return []string{show.Join(": ", show.If(flips > 0, show.Count(flips, "answer"), "answers")+
			" flipped and could not be asked again", rerunCause(v).title)}
	case v.Has(gate.RecheckIncomplete.Code, report.LevelError):
		return []string{show.Join(": ", "the full rerun is missing answers", rerunCause(v).title)}
	case v.Report.Runner != "" && v.Has(gate.MustPass.Code, report.LevelError):
		return []string{"cases that must never break flipped, and too few runs prove it"}
	case v.Report.Runner != "":
		return []string{"answers are missing"}
	}
	return []string{"this is no failure of a prompt"}
}

// rerunCause returns why reruns are missing answers: the first known cause of a flipped case, else that of the full
// rerun. It returns the zero value if none is known.
func rerunCause(v *Story) lossCause {
	var known []report.LossReason
	for _, s := range candidates(v) {
		known = append(known, s.LossReason)
	}
	if n := noise(v); n != nil && n.Recheck != nil {
		known = append(known, n.Recheck.LossReason)
	}
	for _, k := range known {
		if i := slices.IndexFunc(lossCauses, func(c lossCause) bool { return c.reason == k.Reason && c.ofJudge == k.OfJudge }); i >= 0 {
			return lossCauses[i]
		}
	}
	return lossCause{}
}

// lossTitle returns the parts of the title of a run with missing answers. It names a cause that explains most of them.
func lossTitle(v *Story) []string {
	before := countedOf(lostCases(v), "case", " had an answer before")
	missing := show.WithCommas(v.Report.Unscored) + " of " + show.Count(max(v.Report.Trials, v.Report.Unscored),
		"answer") + " without a score"
	for _, c := range lossCauses {
		switch lost := countFor(v.Missing, c); {
		case lost > 0 && lost == len(v.Missing):
			return []string{c.title, cmp.Or(before, show.If(c.reason == model.ReasonNoKey &&
				v.Report.Calls.Provider == 0 && v.Report.Unscored == v.Report.Trials,
				"no question was asked", show.Count(v.Report.Unscored, "answer")+" without a score"))}
		case 2*lost > len(v.Missing):
			return []string{missing + ", mostly since " + c.title, before}
		}
	}
	return []string{missing, cmp.Or(before, "no failure of a prompt")}
}

// notAsked counts the answers of both sides that were not requested because the run ended early.
func notAsked(v *Story) (n int) {
	for _, s := range v.Report.Suites {
		n += s.NotAsked
	}
	return n
}

// hasForeignShards reports whether the shards are present but belong to another run.
func hasForeignShards(v *Story) bool {
	return v.Has(model.ReasonShard, report.LevelError) && notAsked(v) == 0
}

// countFor counts the cases whose shown answer has the given cause.
func countFor(cases []report.Change, cause lossCause) int {
	return show.CountFunc(cases, func(c report.Change) bool {
		d := c.Head.Details
		return d != nil && d.Reason == cause.reason && d.OfJudge == cause.ofJudge
	})
}

// unanswered returns a section that lists what came in place of answers, with counts and the cases. So nobody takes an
// outage for a worse prompt.
func unanswered(v *Story) (p Section) {
	countUnscored := func(cases []report.Change) (n int) {
		for _, c := range cases {
			n += c.Head.Unscored
		}
		return n
	}
	all := show.Filter(v.Report.Changes, func(c report.Change) bool { return c.Head != nil && c.Head.Unscored > 0 })
	causes := GroupBy(all, func(c report.Change) string { return MissingKind(c.Head).Plain(show.SentenceRunes) })
	slices.SortStableFunc(causes, func(a, b []report.Change) int { return countUnscored(b) - countUnscored(a) })
	for _, cases := range causes {
		links := show.MapPhrases(cases, func(c report.Change) show.Phrase { return show.Phrase{caseLink(v, c)} })
		p.Items = append(p.Items, show.Phrasef("%v × %v (%v)", show.WithCommas(countUnscored(cases)), MissingKind(cases[0].Head),
			show.JoinFirst(maxCaseNames, ", ", " and ", links)))
	}
	p.Title = show.Count(countUnscored(all), "answer") + " without a score"
	return p
}

// adviceOnRunner returns sentences that say how to get a verdict on results that another runner wrote.
func adviceOnRunner(v *Story) []string {
	hasError := func(r gate.Rule) bool { return v.Has(r.Code, report.LevelError) }
	switch {
	case hasError(gate.ResultsPaired):
		return []string{gate.ResultsPaired.NextStep}
	case v.Report.Unscored == 0 && (hasError(gate.MustPass) || hasError(gate.UnprovenFlips)):
		return []string{gate.UnprovenFlips.NextStep}
	}
	return []string{"Run the cases again that brought no answer: each line above says why; a score with answers missing would blame the change for an outage."}
}

// advice returns sentences that say how to get a verdict if answers are missing, for each cause.
func advice(v *Story) (out []string) {
	switch asked := v.Report.Calls.Provider > 0; {
	case v.Report.Runner != "":
		return adviceOnRunner(v)
	case v.Has(gate.JudgeControls.Code, report.LevelError):
		return []string{gate.JudgeControls.NextStep}
	case v.Has(model.ReasonShard, report.LevelError):
		return []string{"Run the jobs of the missing shards again, then this one."}
	case notAsked(v) > 0, v.Has(model.ReasonBudget, report.LevelError):
		return []string{"Raise the limit in the base branch’s configuration, or run fewer suites at once." +
			show.When(asked, " Answers that did come are kept with the cache.")}
	}
	out, unexplained := adviceOnCauses(v)
	switch {
	case unexplained > 0 && lostCases(v) > 0 && v.Report.Calls.Provider > 0:
		out = append(out, "Before, the answers came, and now they do not: see whether they have become too long for the target, then run the job again.")
	case unexplained > 0 && v.Report.Calls.Provider == 0:
		out = append(out, "The recordings hold an error in place of these answers, and running again reads it again: record these lines again, with `failproof record` if a live target is configured, else by hand, and commit them.")
	case unexplained > 0 || len(out) == 0:
		out = append(out, "Run the job again when the target answers; a score with answers missing would blame the prompt for an outage.")
	}
	return out
}

// adviceOnCauses returns what to do about the most frequent known causes of missing answers, at most maxStepNames, and
// the number of cases without a known cause.
func adviceOnCauses(v *Story) (out []string, unexplained int) {
	unexplained = len(v.Missing)
	causes := show.Filter(lossCauses, func(c lossCause) bool { return countFor(v.Missing, c) > 0 })
	for _, c := range causes {
		unexplained -= countFor(v.Missing, c)
	}
	slices.SortStableFunc(causes, func(a, b lossCause) int {
		return countFor(v.Missing, b) - countFor(v.Missing, a)
	})
	for _, c := range causes[:min(len(causes), maxStepNames)] {
		advice := c.advice
		switch c.reason {
		case model.ReasonStale:
			advice = cmp.Or(recordedEarly(v, "target", "recorded answer",
				func(c config.Change) int { return c.EarlyAnswers }), advice)
		case model.ReasonStaleVerdict:
			advice = cmp.Or(recordedEarly(v, "judge", "recorded verdict",
				func(c config.Change) int { return c.EarlyVerdicts }), advice)
		}
		if (c.reason == model.ReasonNoKey || c.reason == model.ReasonAuth) && v.Links.Fork &&
			fullSHA.MatchString(v.Links.PullSHA) {
			advice = "A pull request from a fork gets no secrets: if the bot is set up, a maintainer who has looked at " +
				"the change can comment `/failproof run " + v.Links.PullSHA + "`."
		}
		if !slices.Contains(out, advice) { // a fork lacks all keys
			out = append(out, advice)
		}
	}
	return out, unexplained
}

// mustMissing returns a sentence about the must-pass cases without an answer, or nil for an undecided run.
func mustMissing(v *Story) show.Phrase {
	var ids []string
	for _, c := range v.Missing {
		if c.MustPass {
			ids = append(ids, show.Case(c.SuiteID, c.CaseID))
		}
	}
	if len(ids) == 0 || v.Report.Verdict == report.Undecided {
		return nil
	}
	return show.Phrasef("%v must pass and %v no score.", namesOrCount(ids), show.Agree(len(ids), "has", "have"))
}

// recordAfterMerge returns the steps after the merge of a change that makes recorded answers or verdicts stale.
func recordAfterMerge(v *Story) (steps []string) {
	add := func(by, what string, count func(config.Change) int) {
		if n := sumOf(v, count); n > 0 {
			steps = append(steps, "The new "+by+" makes "+show.Count(n, what)+" stale. After the merge, record "+
				show.Agree(n, "it", "them")+" with `failproof record`, in a pull request of its own.")
		}
	}
	add("target", "recorded answer", func(c config.Change) int { return c.StaleAnswers })
	add("judge", "recorded verdict", func(c config.Change) int { return c.StaleVerdicts })
	return steps
}

// recordedEarly returns the step of a change that brings a new target or judge, called by, together with its answers or
// verdicts, called what. It returns "" if there are none.
func recordedEarly(v *Story, by, what string, count func(config.Change) int) string {
	n := sumOf(v, count)
	if n == 0 {
		return ""
	}
	return show.Count(n, what) + show.Agree(n, " is", " are") +
		" of the " + by + " that this change proposes, and the base’s " + by +
		" holds until the merge. Record them with that " + by + " here: " +
		"`failproof record --base REVISION`. After the merge, record them with the new " + by + ": " +
		"`failproof record`, in a pull request of its own."
}

func sumOf(v *Story, count func(config.Change) int) (n int) {
	for _, c := range v.Report.PolicyChanges {
		n += count(c)
	}
	return n
}

// staleBefore reports whether a case could not be compared because the base's recorded verdict is stale.
func staleBefore(v *Story) bool {
	return slices.ContainsFunc(v.Report.Changes, func(c report.Change) bool {
		return c.Change == report.Errored && c.Base != nil && c.Base.Details != nil &&
			c.Base.Details.Reason == model.ReasonStaleVerdict
	})
}
