package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/report"
)

// asked tells which cases were asked again and what came of it.
func asked(look *report.ConfirmLook) []phrase {
	states := map[string]int{}
	for _, s := range look.Suspects {
		states[s.State]++
	}
	if len(look.Suspects) == 0 {
		return nil
	}
	var came []string
	add := func(n int, one, many string) {
		switch {
		case n == 1 && len(look.Suspects) == 1:
			came = append(came, "it "+one)
		case n == 1:
			came = append(came, "1 "+one)
		case n > 1:
			came = append(came, grouped(n)+" "+many)
		}
	}
	cleared := states[report.SuspectCleared]
	switch {
	case states[report.SuspectConfirmed] > 0:
		add(states[report.SuspectConfirmed], "is confirmed", "are confirmed")
		add(cleared, "is not and does not block", "are not and do not block")
	case cleared == 1 && len(look.Suspects) == 1:
		came = append(came, "it is not confirmed")
	case cleared > 0:
		came = append(came, "none is confirmed")
	}
	add(states[report.SuspectIncomplete], "is still open, since answers are missing", "are still open, since answers are missing")
	add(states[report.SuspectNotRerun], "flipped and was not asked again: there were too many", "flipped and were not asked again: there were too many")
	add(states[report.SuspectUnprovable], "was not asked, since so few rounds could not prove it", "were not asked, since so few rounds could not prove any")
	again := len(look.Suspects) - states[report.SuspectNotRerun] - states[report.SuspectUnprovable]
	if rounds(look) == 0 && states[report.SuspectIncomplete] == len(look.Suspects) {
		return []phrase{{say("There are no fresh answers to say whether it is more than noise.")}}
	}
	lead := phrase{say(fmt.Sprintf("%s asked again, up to %s on both sides, and only those answers count: %s.",
		were(again), count(look.Rounds, "time"), strings.Join(came, ", ")))}
	return append([]phrase{lead}, confirmed(look.Suspects)...)
}

func were(n int) string {
	if n == 1 {
		return "The case that flipped was"
	}
	return "The " + grouped(n) + " cases that flipped were"
}

// rounds counts the fresh rounds of all cases.
func rounds(look *report.ConfirmLook) (n int) {
	for _, s := range look.Suspects {
		n += s.Rounds
	}
	return n
}

// confirmed tells the confirmed cases, those whose fresh runs came out alike together.
func confirmed(suspects []report.Suspect) (out []phrase) {
	type kind struct{ rounds, base, head int }
	var order []kind
	alike := map[kind][]report.Suspect{}
	for _, s := range suspects {
		if s.State != report.SuspectConfirmed {
			continue
		}
		k := kind{s.Rounds, s.BasePasses, s.HeadPasses}
		if alike[k] == nil {
			order = append(order, k)
		}
		alike[k] = append(alike[k], s)
	}
	for _, k := range order[:min(len(order), kindsTold)] {
		out = append(out, freshRuns(alike[k]))
	}
	return out
}

// freshRuns tells the fresh runs of cases that came out alike.
func freshRuns(suspects []report.Suspect) (p phrase) {
	named := min(len(suspects), alikeNamed)
	for i, s := range suspects[:named] {
		switch {
		case i == 0:
		case i == len(suspects)-1:
			p = append(p, say(" and "))
		default:
			p = append(p, say(", "))
		}
		p = append(p, quote(s.CaseID))
	}
	if more := len(suspects) - named; more > 0 {
		p = append(p, say(" and "+grouped(more)+" more"))
	}
	s := suspects[0]
	p = append(p, say(fmt.Sprintf(" passed %d of %d fresh runs on the base and failed %d of %d here", s.BasePasses, s.Rounds, s.Rounds-s.HeadPasses, s.Rounds)))
	switch {
	case s.P == nil:
		return append(p, say("."))
	case len(suspects) > 1:
		return append(p, say(" (each "+oneIn(*s.P)+" if nothing changed)."))
	}
	return append(p, say(" ("+oneIn(*s.P)+" if nothing changed)."))
}
