package view

import (
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

// Advice says how to come to a verdict where answers are missing.
func (v *View) Advice() string {
	switch {
	case v.NotAsked() > 0 && v.Has(model.ReasonCancelled, report.LevelError):
		return "Run the job again: it goes on where this one stopped, if its cache was kept."
	case v.NotAsked() > 0:
		return "Raise the limit in the base branch’s configuration, or run fewer suites at once. Answers that did come are kept with the cache."
	}
	switch {
	case v.lost() > 0:
		return "The base gets its answers and this change does not: see whether its answers have become longer than the target’s `timeout` or what the command bears, then run the job again."
	case v.missingFor(model.ReasonStale) > 0:
		return "What is asked changed, and recorded answers did not follow: make them anew as each line says, and commit them with the change. " +
			"`failproof record` asks the live target; `failproof record --stamp` writes down that a person wrote the answers for what is asked now."
	case v.missingFor(model.ReasonUnrecorded) > 0:
		return "Answers are not recorded: `failproof record` asks a live target for them. Or write them yourself, then run `failproof record --stamp`."
	}
	return "Run the job again when the target answers; a score with answers missing would blame the prompt for an outage."
}

// missingFor counts the cases that have no answer for a reason of that name.
func (v *View) missingFor(reason string) (n int) {
	for _, c := range v.Missing {
		if c.Head.Details != nil && c.Head.Details.Reason == reason {
			n++
		}
	}
	return n
}
