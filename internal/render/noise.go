package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
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
	var all []report.Suspect
	if n := v.noise(); n != nil && n.Confirm != nil {
		all = n.Confirm.Suspects
	}
	if s := v.r.Statistics; s != nil && s.Redrawn != nil {
		all = slices.Concat(all, s.Redrawn.Suspects)
	}
	for _, s := range all {
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
	s := v.r.Statistics
	switch {
	case s == nil:
		return nil
	case s.Measured != nil:
		return measured(s.Measured)
	}
	out := v.howStrict(s)
	if s.Redrawn != nil && v.compared {
		out = append(out, redrawn(s.Redrawn)...)
	}
	if n := v.noise(); n != nil && n.Overall != nil {
		out = append(out, v.howNoisy(n)...)
	}
	return out
}

// howStrict tells of the cases whose answers count as they are, and what such answers cannot know.
func (v *view) howStrict(s *report.Statistics) (out []phrase) {
	if s.StrictLive > 0 {
		out = append(out, phrase{say("`mode: strict` takes the answers of live targets as they are: a flip may be noise, and is not asked again.")})
	}
	if !v.compared {
		return out
	}
	fell, rose, single, several := 0, 0, 0, 0
	for _, c := range v.r.Changes {
		switch {
		case c.Noisy || c.Quarantined || c.Head != nil && c.Head.UnderBase != nil: // a redefined one is not common
		case c.Change == report.Fixed:
			rose++
		case c.Change == report.Regressed && once(c.Base) && once(c.Head):
			fell++
			if s, again := v.suspect(c); c.Drawn && !(again && s.Rounds > 0) {
				single++
			}
		case c.Change == report.Regressed:
			fell++
			several++
		}
	}
	if fell == 0 {
		return out
	}
	verb := "fail"
	if fell == 1 {
		verb = "fails"
	}
	what := "common case"
	if s.Noisy > 0 {
		what = "recorded case"
	}
	text := fmt.Sprintf("%s of %s passed on the base and %s here, %s went the other way.", grouped(fell), count(s.Strict, what), verb, none(rose))
	if several > 0 {
		text += " Where several answers are recorded, most of them decide."
	}
	if single > 0 {
		text += " What was recorded once a side from a model may flip by itself; `failproof record --base` asks such cases again."
	}
	return append(out, phrase{say(text)})
}

func once(o *report.Outcome) bool { return o != nil && o.Trials == 1 }

func (v *view) howNoisy(n *report.Noise) (out []phrase) {
	if n.Overall.Worse > 0 {
		out = append(out, phrase{say(v.seen(n))})
	}
	if n.Confirm != nil {
		out = append(out, asked(n.Confirm)...)
	}
	switch {
	case n.Recheck == nil:
	case n.Recheck.Skipped != "":
		out = append(out, phrase{say("The score had fallen, and no second look at all cases was taken: "), tell(n.Recheck.Skipped), say(". What the first answers show stands.")})
	case n.Recheck.Triggered:
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
	times := "again"
	if n.Recheck.Asked > 1 {
		times = count(n.Recheck.Asked, "time") + " more"
	}
	text := "The score had fallen, so every case of the suites that fell was asked " + times + " on both sides"
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

// lost counts the cases of which the head loses every answer, and the base does not.
func (v *view) lost() (n int) {
	if look := v.noise(); look != nil && look.Confirm != nil {
		for _, s := range look.Confirm.Suspects {
			if s.State == report.SuspectLost {
				n++
			}
		}
	}
	return n
}

// excused reports a run bar that nobody named, and that noise alone may have kept from being met.
func (v *view) excused() bool {
	return v.r.Gate != nil && v.r.Gate.MinRunScore.Level == config.Err && v.has("min_run_score", report.LevelWarn)
}

// suspected reports a drop that is suspicious and not proven.
func (v *view) suspected() bool {
	return v.has("on_inconclusive", report.LevelWarn) || v.has("on_inconclusive", report.LevelError)
}

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
		case report.SuspectCleared:
			if s.Broken {
				return "looks broken, not proven"
			}
		}
	case c.Noisy && c.Change == report.Fixed && once(c.Head):
		return "fixed (1 run)"
	}
	return strings.ReplaceAll(string(c.Change), "_", " ")
}

// fresh adds what fresh runs of a case came to.
func (v *view) fresh(c report.Change) string {
	s, ok := v.suspect(c)
	switch {
	case ok && s.State == report.SuspectUnprovable && s.Rounds > 0:
		return fmt.Sprintf("re-run %s, too few to prove anything", count(s.Rounds, "time"))
	case ok && (s.State == report.SuspectNotRerun || s.State == report.SuspectUnprovable):
		return "not re-run"
	case !ok || s.Rounds == 0:
		return ""
	}
	if s.State == report.SuspectLost {
		return fmt.Sprintf("no answer in %d of %d fresh runs (%d on the base)", s.HeadLost, s.Rounds, s.BaseLost)
	}
	return fmt.Sprintf("%ss: %d/%d on the base, %d/%d here", s.Runs(), s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds)
}

// explained is why a case's shown answer was judged as it was, and what fresh runs made of that.
func (v *view) explained(c report.Change) phrase {
	p := happened(c.Head)
	if c.Change == report.Regressed && c.Head != nil && c.Head.UnderBase != nil {
		neither := "redefined, and meets neither the new expectation nor the old one"
		if len(p) > 0 {
			neither += ": "
		}
		p = append(phrase{say(neither)}, p...)
	}
	again := v.fresh(c)
	switch {
	case again == "":
		return p
	case len(p) == 0:
		return phrase{say(again)}
	}
	return append(p[:len(p):len(p)], say("; "+again))
}
