package view

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// mostTrials is how often a case is asked at most, as the schema of the configuration has it.
const mostTrials = 100

// Limits says what the run could have found: absence of proof is not proof of absence.
func (v *View) Limits() string {
	n := v.Noise()
	if n == nil || n.Planning == nil || v.Report.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	var text strings.Builder
	if len(v.Regressed) == 0 && v.Report.Verdict == report.Passed && !v.suspected() && len(v.LookBroken()) == 0 {
		text.WriteString("No regression found. ")
	}
	finds := "a drop of every case alike is out of this run's reach"
	if p.Detectable < 1 {
		finds = "this run finds a drop of every case alike from about " + wholePoints(p.Detectable) + " points on"
	}
	fmt.Fprintf(&text, "With %s and %s on each side, %s; %s. ", show.Count(p.Cases, "case"), show.Count(p.Trials, "answer"), finds, provable(n.Confirm))
	fmt.Fprintf(&text, "To find %s points, plan about %s on each side", wholePoints(p.Drop), show.Count(p.Needed, "answer"))
	if p.Needed > p.Trials && p.Cases > 0 {
		if trials := (p.Needed + p.Cases - 1) / p.Cases; trials <= mostTrials {
			fmt.Fprintf(&text, " (%s × %s)", show.Count(p.Cases, "case"), show.Count(trials, "trial"))
		} else {
			text.WriteString(": that takes more cases")
		}
	}
	text.WriteString(".")
	return text.String()
}

// provable says what the fresh answers to cases that flip can prove.
func provable(look *report.ConfirmLook) string {
	switch {
	case look == nil:
		return "single broken cases are not asked again (`confirm: 0`)"
	case look.Provable == 1:
		return "one broken case is usually found regardless, and no more at once"
	}
	return "single broken cases are usually found regardless, up to " + show.Grouped(look.Provable) + " at once"
}

// NoisyCases counts the cases that the looks at noise compared.
func (v *View) NoisyCases() (n int) {
	for _, s := range v.Noise().Suites {
		n += s.Cases
	}
	return n
}

// LookBroken are the cases that alone would be proven broken, and among so many are not.
func (v *View) LookBroken() (out []report.Suspect) {
	if n := v.Noise(); n != nil && n.Confirm != nil {
		for _, s := range n.Confirm.Suspects {
			if s.Broken {
				out = append(out, s)
			}
		}
	}
	return out
}

func wholePoints(v float64) string { return score.Fixed(100*v, 0, 0, 100) }
