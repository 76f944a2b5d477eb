package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/failproof/failproof/internal/report"
)

// How many confirmed cases are named of those whose fresh runs came out alike, how many such kinds are told, and from where on
// a chance is only said to be smaller.
const (
	alikeNamed = 5
	kindsTold  = 3
	mostOneIn  = 1_000_000
)

// noise is what a report says of a live model's answers; nil where none was compared.
func (v *view) noise() *report.Noise {
	if v.r.Statistics == nil || !v.compared {
		return nil
	}
	return v.r.Statistics.Noise
}

// suspect is what became of a case that flipped; false if it did not.
func (v *view) suspect(c report.Change) (report.Suspect, bool) {
	n := v.noise()
	if n == nil || n.Confirm == nil {
		return report.Suspect{}, false
	}
	for _, s := range n.Confirm.Suspects {
		if s.SuiteID == c.SuiteID && s.CaseID == c.CaseID {
			return s, true
		}
	}
	return report.Suspect{}, false
}

// cleared reports a case whose wrong answer fresh runs did not confirm.
func (v *view) cleared(c report.Change) bool {
	s, ok := v.suspect(c)
	return ok && s.State == report.SuspectCleared
}

// how says in a few sentences how noise was told from a regression: what was seen, what chance makes of it, what was asked
// again and what came of that. It never calls unlikely what chance explains.
func (v *view) how() []phrase {
	n := v.noise()
	switch {
	case v.r.Statistics != nil && v.r.Statistics.Measured != nil:
		return measured(v.r.Statistics.Measured)
	case n != nil && n.Overall != nil:
		return v.howNoisy(n)
	case v.r.Statistics != nil && v.r.Statistics.Mode == report.ModeStrict && len(v.regressed) > 0:
		return []phrase{v.howStrict()}
	}
	return nil
}

// mixedTold is how many cases are named that answer now so and now so.
const mixedTold = 5

// measured tells how noisy a suite is of itself, and what to set the gate to.
func measured(m *report.Measured) (out []phrase) {
	if m.Cases == 0 {
		return []phrase{{say("Nothing was measured: no case has two answers.")}}
	}
	out = append(out, phrase{say(fmt.Sprintf("%s to %s of one revision: two answers to a case are judged differently in %.1f of 100 pairs.",
		count(m.Answers, "answer"), count(m.Cases, "case"), 100*m.Flake))})
	if m.Mixed > 0 {
		p := phrase{say(count(m.Mixed, "case") + " answered now right and now wrong: ")}
		for i, c := range m.MostMixed[:min(len(m.MostMixed), mixedTold)] {
			if i > 0 {
				p = append(p, say(", "))
			}
			p = append(p, quote(c.CaseID), say(fmt.Sprintf(" %d of %d", c.Passed, c.Trials)))
		}
		if more := m.Mixed - min(len(m.MostMixed), mixedTold); more > 0 {
			p = append(p, say(" and "+grouped(more)+" more"))
		}
		out = append(out, append(p, say(".")))
	}
	a := m.Advice
	out = append(out, phrase{say(fmt.Sprintf("Advised: `trials: %d`, `confirm: %d`, `recheck: %d`.", a.Trials, a.Confirm, a.Recheck))})
	finds := "A drop of every case alike is out of reach of such a run's first answers"
	if a.Detectable < 1 {
		finds = "The first answers of such a run find a drop of every case alike from about " + wholePoints(a.Detectable) + " points on"
	}
	return append(out, phrase{say(fmt.Sprintf("%s; for 10 points set `trials: %d`. Single broken cases are found by asking them again.", finds, a.ForTen))})
}

func (v *view) howStrict() phrase {
	verb := "fail"
	if len(v.regressed) == 1 {
		verb = "fails"
	}
	return phrase{say(fmt.Sprintf("%s of %s passed on the base and %s here, %s went the other way. The answers are recorded, so this is no noise.",
		grouped(len(v.regressed)), count(v.r.DeltaCases, "common case"), verb, none(v.r.Counts[report.Fixed])))}
}

func (v *view) howNoisy(n *report.Noise) (out []phrase) {
	if n.Overall.Worse > 0 {
		out = append(out, phrase{say(v.seen(n))})
	}
	if n.Confirm != nil {
		out = append(out, asked(n.Confirm)...)
	}
	if n.Recheck != nil && n.Recheck.Triggered {
		out = append(out, phrase{say(rechecked(n))})
	}
	return append(out, v.conclusion(n)...)
}

// seen tells the first run: how many cases fell, how many rose, and how often chance alone does that.
func (v *view) seen(n *report.Noise) string {
	all := n.Overall
	verb := "got worse"
	if n.Trials == 1 {
		verb = "flipped from pass to fail"
	}
	text := fmt.Sprintf("%s of %s %s, %s the other way. If nothing changed, a result at least this bad happens %s",
		grouped(all.Worse), count(all.Cases, "case"), verb, none(all.Better), inRuns(all.PWorse))
	if v.proven(all.PWorse, n) {
		return text + "."
	}
	return text + ", so by itself it proves nothing."
}

func (v *view) proven(p float64, n *report.Noise) bool { return p <= n.AlphaPerLook }

func none(n int) string {
	if n == 0 {
		return "none"
	}
	return grouped(n)
}

// inRuns writes a chance as a share of runs: in 1 of 8 runs.
func inRuns(p float64) string {
	switch {
	case p > 0.5:
		return "in more than half of all runs"
	case !(p > 1.0/mostOneIn):
		return "in less than 1 of a million runs"
	}
	return "in 1 of " + grouped(oneOf(p)) + " runs"
}

func oneOf(p float64) int { return int(math.Floor(1/p + 1e-9)) }

func oneIn(p float64) string {
	if !(p > 1.0/mostOneIn) {
		return "less than 1 in a million"
	}
	return "1 in " + grouped(oneOf(p))
}

// rechecked tells the second look at all cases.
func rechecked(n *report.Noise) string {
	text := fmt.Sprintf("The score had fallen, so every case was asked %s more on both sides", count(n.Recheck.Trials, "time"))
	all := n.Recheck.Overall
	switch {
	case !n.Recheck.Complete || all == nil:
		return text + "; too many of those answers are missing to say."
	case all.Delta < 0:
		return fmt.Sprintf("%s: %s, %s worse, %s better. That happens %s if nothing changed.",
			text, soft(points(all.Delta)), count(all.Worse, "case"), none(all.Better), inRuns(all.PWorse))
	}
	return text + ", and the drop did not come back."
}

// conclusion says what follows, in the words of the verdict.
func (v *view) conclusion(n *report.Noise) (out []phrase) {
	all := n.Overall
	if n.Recheck != nil && n.Recheck.Triggered && n.Recheck.Complete && n.Recheck.Overall != nil {
		all = n.Recheck.Overall
	}
	moved := fmt.Sprintf("Score %s (asked again, it would lie between %s and %s)", soft(points(all.Delta)), soft(points(all.Interval.Low)), soft(points(all.Interval.High)))
	switch {
	case v.has("max_drop", report.LevelError) && len(v.regressed) == 0:
		out = append(out, phrase{say("No single case is clearly broken, but the suite as a whole got worse. " + moved + ".")})
	case v.has("max_drop", report.LevelError):
		out = append(out, phrase{say(moved + ".")})
	case v.suspected():
		advice := ". Add trials or set `recheck: 5` to be sure."
		if n.Recheck != nil {
			advice = ". Add trials to be sure."
		}
		out = append(out, phrase{say(moved + advice)})
	}
	return out
}

// limits says what the run could have found: absence of proof is not proof of absence.
func (v *view) limits() string {
	n := v.noise()
	if n == nil || n.Planning == nil || v.r.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	var text strings.Builder
	if len(v.regressed) == 0 && v.r.Verdict == report.Passed && !v.suspected() {
		text.WriteString("No regression found. ")
	}
	finds := "a drop of every case alike is out of this run's reach"
	if p.Detectable < 1 {
		finds = "this run finds a drop of every case alike from about " + wholePoints(p.Detectable) + " points on"
	}
	fmt.Fprintf(&text, "With %s and %s on each side, %s; a single broken case is usually found regardless. ",
		count(p.Cases, "case"), count(p.Trials, "answer"), finds)
	fmt.Fprintf(&text, "To find %s points, plan about %s on each side", wholePoints(p.Drop), count(p.Needed, "answer"))
	if p.Needed > p.Trials && p.Cases > 0 {
		fmt.Fprintf(&text, " (%s × %s)", count(p.Cases, "case"), count((p.Needed+p.Cases-1)/p.Cases, "trial"))
	}
	text.WriteString(".")
	return text.String()
}

// suspected reports a drop that is suspicious and not proven.
func (v *view) suspected() bool {
	return v.has("on_inconclusive", report.LevelWarn) || v.has("on_inconclusive", report.LevelError)
}

func wholePoints(v float64) string { return fmt.Sprintf("%.0f", 100*v) }

// soft replaces the hard space of a table in running text.
func soft(text string) string { return strings.ReplaceAll(text, hard, " ") }

// writeHow tells how noise was told from a regression: below the reasons, before any table.
func (w *writer) writeHow() {
	var sentences []string
	for _, p := range w.how() {
		sentences = append(sentences, p.markdown(w.phraseRunes))
	}
	w.para(strings.Join(sentences, " "))
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
			count(w.r.DeltaCases, "common case"), soft(points(all.Delta)), soft(points(all.Interval.Low)), soft(points(all.Interval.High))))
	})
}

// changeWord names what happened to a case, as far as it is known.
func (v *view) changeWord(c report.Change) string {
	if c.Quarantined {
		return "in quarantine"
	}
	switch s, ok := v.suspect(c); {
	case ok && c.Change == report.Flaky:
		switch s.State {
		case report.SuspectNotRerun, report.SuspectUnprovable:
			return "flipped, not re-run"
		case report.SuspectIncomplete:
			return "flipped, re-run incomplete"
		}
	case v.noise() != nil && c.Change == report.Fixed && c.Head != nil && c.Head.Trials == 1:
		return "fixed (1 run)"
	}
	return strings.ReplaceAll(string(c.Change), "_", " ")
}

// fresh adds what fresh runs of a case came to.
func (v *view) fresh(c report.Change) string {
	s, ok := v.suspect(c)
	if !ok || s.Rounds == 0 {
		return ""
	}
	return fmt.Sprintf("fresh runs: %d/%d on the base, %d/%d here", s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds)
}

// explained is why a case's shown answer was judged as it was, and what fresh runs made of that.
func (v *view) explained(c report.Change) phrase {
	p := happened(c.Head)
	again := v.fresh(c)
	switch {
	case again == "":
		return p
	case len(p) == 0:
		return phrase{say(again)}
	}
	return append(p[:len(p):len(p)], say("; "+again))
}
