package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// mostTrials is how often a case is asked at most, as the schema of the configuration has it.
const mostTrials = 100

// limits says what the run could have found: absence of proof is not proof of absence.
func (v *view) limits() string {
	n := v.noise()
	if n == nil || n.Planning == nil || v.r.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	var text strings.Builder
	if len(v.regressed) == 0 && v.r.Verdict == report.Passed && !v.suspected() && !v.looksBroken() {
		text.WriteString("No regression found. ")
	}
	finds := "a drop of every case alike is out of this run's reach"
	if p.Detectable < 1 {
		finds = "this run finds a drop of every case alike from about " + wholePoints(p.Detectable) + " points on"
	}
	fmt.Fprintf(&text, "With %s and %s on each side, %s; %s. ", count(p.Cases, "case"), count(p.Trials, "answer"), finds, provable(n.Confirm))
	fmt.Fprintf(&text, "To find %s points, plan about %s on each side", wholePoints(p.Drop), count(p.Needed, "answer"))
	if p.Needed > p.Trials && p.Cases > 0 {
		if trials := (p.Needed + p.Cases - 1) / p.Cases; trials <= mostTrials {
			fmt.Fprintf(&text, " (%s × %s)", count(p.Cases, "case"), count(trials, "trial"))
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
	return "single broken cases are usually found regardless, up to " + grouped(look.Provable) + " at once"
}

// foldLimits tells what the run could have found, and the score's range.
func (w *writer) foldLimits() {
	text := w.limits()
	if text == "" || w.otherRows == 0 {
		return
	}
	w.fold(false, "How much this run could have seen", func() {
		w.para(text)
		all := w.noise().Overall
		w.para(fmt.Sprintf("Like for like over %s: %s. Asked again, the difference would lie between %s and %s in 95 of 100 runs.",
			count(w.noisyCases(), "common case"), soft(points(all.Delta)), soft(points(all.Interval.Low)), soft(points(all.Interval.High))))
	})
}

// noisyCases counts the cases that the looks at noise compared.
func (v *view) noisyCases() (n int) {
	for _, s := range v.noise().Suites {
		n += s.Cases
	}
	return n
}

// looksBroken reports a case that alone would be proven broken.
func (v *view) looksBroken() bool {
	look := v.noise().Confirm
	return look != nil && slices.ContainsFunc(look.Suspects, func(s report.Suspect) bool { return s.Broken })
}

func wholePoints(v float64) string { return score.Fixed(100*v, 0, 0, 100) }
