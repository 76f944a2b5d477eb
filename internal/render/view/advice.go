package view

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// MissingKind is the phrase for the trials without an answer; the shown trial may be another one.
func MissingKind(o *report.Outcome) show.Phrase {
	switch o.Primary {
	case classify.Error, classify.Timeout, classify.Crash:
		return append(show.Phrase{show.Say("**" + show.WordOf(o) + "**: ")}, show.Happened(o)...)
	}
	return show.Phrase{show.Say("no answer")}
}

// Advice says how to come to a verdict where answers are missing: each kind of cause has its own.
func (v *View) Advice() (out []show.Phrase) {
	add := func(text string) { out = append(out, show.Phrase{show.Say(text)}) }
	switch {
	case v.NotAsked() > 0 && v.Has(model.ReasonCancelled, report.LevelError):
		add("Run the job again: it goes on where this one stopped, if its cache was kept.")
		return out
	case v.Has(model.ReasonShard, report.LevelError):
		add("Run the jobs of the shards again that are missing, then this one.")
		return out
	case v.NotAsked() > 0:
		add("Raise the limit in the base branch’s configuration, or run fewer suites at once. Answers that did come are kept with the cache.")
		return out
	}
	asked := v.Report.Calls.Provider > 0
	if v.lost() > 0 && asked {
		add("Before, the answers came, and now they do not: see whether they have become longer than the target’s `timeout` or what the command bears, then run the job again.")
	}
	left := len(v.Missing)
	for _, c := range causesMissing {
		if n := v.missingFor(c.reason); n > 0 {
			left -= n
			add(c.advice)
			if c.reason == model.ReasonAuth && v.Links.Fork && fullSHA.MatchString(v.Links.Pull) {
				add("A pull request from a fork has no secrets. Where the bot is set up, somebody with write access who has looked at the change asks for the run: `/failproof run " + v.Links.Pull + "`.")
			}
		}
	}
	if left > 0 && !asked {
		add("The recordings hold an error in place of these answers, and running again reads it again: make these lines anew, with `failproof record` where a live target is configured, else by hand, and commit them.")
		return out
	}
	if left > 0 && v.lost() == 0 || len(out) == 0 {
		add("Run the job again when the target answers; a score with answers missing would blame the prompt for an outage.")
	}
	return out
}

// causesMissing are the causes that running again does not mend.
var causesMissing = []struct{ reason, advice string }{
	{model.ReasonAuth, "The target takes no key, or another one: set the variable that `api_key_env` names; on GitHub, make it a secret and hand it to the job in `env`."},
	{model.ReasonNotFound, "The target knows no such model or address: see `model` and `base_url` of the target."},
	{model.ReasonQuota, "The account has no money left, or has reached its spending limit: raise that, then run the job again."},
	{model.ReasonStale, "What is asked changed, and recorded answers did not follow: make them anew as each line says, and commit them with the change. " +
		"`failproof record` asks a live target, where one is configured; `failproof record --stamp` writes down that a person wrote the answers for what is asked now."},
	{model.ReasonUnrecorded, "Answers are not recorded: make them as each line says, and commit them with the change. `failproof record` asks a live target for them, where one is configured; " +
		"`failproof record --stamp` takes what you wrote yourself."},
}

// MustMissing names the cases that must pass and have no answer, where the run was decided without them; empty for none.
func (v *View) MustMissing() show.Phrase {
	var ids []string
	for _, c := range v.Missing {
		if c.MustPass {
			ids = append(ids, show.Case(c.SuiteID, c.CaseID))
		}
	}
	if len(ids) == 0 || v.Report.Verdict == report.Undecided {
		return nil
	}
	return names(ids, nil, " must pass and "+show.Agree(len(ids), "has", "have")+" no answer: nothing is known of "+show.Agree(len(ids), "it", "them")+".")
}

// missingFor counts the cases that have no answer for a reason of that name.
func (v *View) missingFor(reason string) int {
	return show.Tally(v.Missing, func(c report.Change) bool { return c.Head.Details != nil && c.Head.Details.Reason == reason })
}

// Cause is what came in place of answers, and the cases to which it came.
type Cause struct {
	Text    string
	Cases   []report.Change
	Answers int // that it stands for
}

// Causes brings the cases together of which the same is said, in the order of the first of them.
func Causes(cases []report.Change, say func(report.Change) string) (out []Cause) {
	for _, alike := range grouped(cases, say) {
		one := Cause{Text: say(alike[0]), Cases: alike}
		for _, c := range alike {
			one.Answers += c.Head.Unscored
		}
		out = append(out, one)
	}
	return out
}

// grouped brings together what has the same key, in the order of the first of each.
func grouped[T any, K comparable](all []T, key func(T) K) (out [][]T) {
	at := map[K]int{}
	for _, one := range all {
		k := key(one)
		if _, known := at[k]; !known {
			at[k], out = len(out), append(out, nil)
		}
		out[at[k]] = append(out[at[k]], one)
	}
	return out
}

// Came are the causes for which answers of the head are missing, the most frequent first.
func (v *View) Came(say func(*report.Outcome) string) []Cause {
	var missing []report.Change
	for _, c := range v.Report.Changes.All() {
		if c.Head != nil && c.Head.Unscored > 0 {
			missing = append(missing, c)
		}
	}
	out := Causes(missing, func(c report.Change) string { return say(c.Head) })
	slices.SortStableFunc(out, func(a, b Cause) int { return b.Answers - a.Answers })
	return out
}
