package view

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// redrawn tells which recorded cases that flipped have fresh answers, what those came to, and where they stand.
func redrawn(look *report.RedrawnLook) []show.Phrase {
	states, most := map[string]int{}, 0
	for _, s := range look.Suspects {
		states[s.State]++
		most = max(most, s.Rounds)
	}
	n := len(look.Suspects)
	lead := "1 recorded case flipped and was asked again when it was recorded"
	if look.Flips > 1 {
		lead = fmt.Sprintf("%s recorded cases flipped; %s of them %s asked again when they were recorded", show.Grouped(look.Flips), show.Grouped(n), show.Agree(n, "was", "were"))
	}
	only := ""
	if states[report.SuspectConfirmed]+states[report.SuspectCleared] > 0 {
		only = "; only those answers count"
	}
	came := outcomes{all: look.Flips}
	came.add(states[report.SuspectConfirmed], "is confirmed", "are confirmed")
	came.add(states[report.SuspectCleared], "is not confirmed", "are not confirmed")
	came.add(states[report.SuspectUnprovable], "has too few of them to prove anything and counts as it flipped", "have too few of them to prove anything and count as they flipped")
	if rest := look.Flips - n; rest > 0 {
		came.words = append(came.words, "the other "+show.Agree(rest, "one counts as it is", show.Grouped(rest)+" count as they are"))
	}
	out := []show.Phrase{{show.Say(fmt.Sprintf("%s, %s on both sides%s: %s.", lead, show.Count(most, "time"), only, strings.Join(came.words, ", ")))}}
	out = append(out, confirmed(look.Suspects)...)
	if len(look.Files) == 0 {
		return out
	}
	where := show.Phrase{show.Say("The fresh answers stand in ")}
	for i, name := range look.Files[:min(len(look.Files), filesTold)] {
		if i > 0 {
			where = append(where, show.Say(", "))
		}
		where = append(where, show.Quote(name))
	}
	if more := len(look.Files) - filesTold; more > 0 {
		where = append(where, show.Say(" and "+show.Count(more, "more file")))
	}
	return append(out, append(where, show.Say(", and are their author’s word.")))
}

// filesTold is how many files are named in which fresh answers stand.
const filesTold = 3
