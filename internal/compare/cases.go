package compare

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Names that one reason lists, and cases that get a reason of their own; the rest is counted. The changes name them all.
const (
	namesListed = 10
	casesListed = 50
)

// all yields every case of the comparison with its suite.
func (c Comparison) all() iter.Seq2[*suitePair, casePair] {
	return func(yield func(*suitePair, casePair) bool) {
		for _, s := range c.pairs {
			for p := range s.all() {
				if !yield(s, p) {
					return
				}
			}
		}
	}
}

// tally counts the cases of a sort.
func (c Comparison) tally(of func(casePair) bool) (n int) {
	for _, p := range c.all() {
		if of(p) {
			n++
		}
	}
	return n
}

// uncompared counts the cases that only the base's missing answers keep from being compared.
func (c Comparison) uncompared() int {
	return c.tally(func(p casePair) bool { return p.status() == report.Errored && !sideOf(p.head).Lacking() })
}

func (j *judgement) regressions() {
	r := j.gate.MaxRegressions
	if n := j.in.Comparison.Regressions(); !score.Meets(r.Value, float64(n)) {
		what := text.Count(n, "regression")
		switch fresh := j.in.Comparison.regressions(casePair.isRedrawn); {
		case fresh == 0:
		case fresh == n:
			what += " confirmed by " + j.in.Comparison.runs()
		case fresh > 0:
			what += fmt.Sprintf(", %d of them confirmed by %s", fresh, j.in.Comparison.runs())
		}
		j.add(r.Level, fails, report.Reason{Code: report.CodeRegressions, Message: fmt.Sprintf("%s, max_regressions is %s", what, text.Decimal(r.Value))})
	}
}

// runs names what confirms a flip.
func (c Comparison) runs() string {
	for _, s := range c.suspects {
		if s.Stored {
			return s.Runs() + "s"
		}
	}
	return "fresh runs"
}

// Regressions counts the regressed cases that are judged.
func (c Comparison) Regressions() int { return c.regressions(everyCase) }

func (c Comparison) regressions(of func(casePair) bool) int {
	return c.tally(func(p casePair) bool { return p.status() == report.Regressed && !p.quarantined && of(p) })
}

func (j *judgement) minCases() {
	r := j.gate.MinCases
	n := cmp.Or(j.in.AllCases, j.in.Head.Cases())
	if !score.Meets(float64(n), r.Value) {
		j.add(r.Level, fails, report.Reason{Code: report.CodeMinCases, Message: fmt.Sprintf("%s, min_cases is %s", text.Count(n, "case"), text.Decimal(r.Value))})
	}
}

func (j *judgement) unverified() {
	r := j.gate.MaxUnverified
	n, kept := j.head.Unverified(), j.keptByHand()
	if score.Meets(r.Value, float64(n)) {
		return
	}
	what := text.Count(n, "case") + " passed with nothing to verify"
	if kept > 0 {
		what = fmt.Sprintf("%s unverified, %d of them kept by hand", text.Count(n, "case is", "cases are"), kept)
	}
	j.add(r.Level, fails, report.Reason{Code: report.CodeUnverified, Message: fmt.Sprintf("%s, max_unverified is %s", what, text.Decimal(r.Value))})
}

// keptByHand names the cases whose recorded answers somebody wrote, and left as they are on the base although what is asked
// changed: nothing shows that a model would still say so.
func (j *judgement) keptByHand() int {
	var kept names
	for s, p := range j.in.Comparison.all() {
		if p.head != nil && p.head.KeptByHand && !p.quarantined {
			kept.add(s, p)
		}
	}
	j.tell(config.Warn, warns, report.CodeKeptByHand, kept, text.Count(kept.n, "case is", "cases are")+" unverified: kept by hand although the prompt changed")
	return kept.n
}

// stale names the cases whose recording is no answer to what is asked: those that were asked live, and those that count as they are.
func (j *judgement) stale() {
	var asked, kept names
	for s, p := range j.in.Comparison.all() {
		switch {
		case p.head == nil || !p.head.Stale || p.quarantined:
		case p.head.Live:
			asked.add(s, p)
		default:
			kept.add(s, p)
		}
	}
	if asked.n > 0 {
		j.add(config.Warn, warns, asked.reason(report.CodeStale,
			text.Count(asked.n, "case was", "cases were")+" asked live, what is recorded being no answer to what is asked: "+asked.text()+"; "+j.patched(asked.n)))
	}
	j.tell(config.Warn, warns, report.CodeStale, kept, text.Count(kept.n, "recording is stale, and counted as it is", "recordings are stale, and counted as they are"))
}

// patched says where the new answers are to so many cases that were asked live.
func (j *judgement) patched(asked int) string {
	switch n := j.in.Patched; {
	case n == 0:
		return "their new answers did not all come, so no recordings.patch was written"
	case n < asked:
		return fmt.Sprintf("the new answers to %d of them are in recordings.patch, to be committed; those to the others did not all come", n)
	}
	return "the new answers are in recordings.patch, to be committed"
}

// verified names the recorded cases that the model was asked, and got wrong every time, and says of how many nothing is known.
func (j *judgement) verified() {
	var gone names
	least, most := math.MaxInt, 0 // times that one of them was asked: an answer may have been lost
	for s, p := range j.in.Comparison.all() {
		if p.head == nil {
			continue
		}
		asked, right := 0, 0
		for _, t := range p.head.Fresh() {
			if t.Look == report.LookVerify {
				asked++
				if t.Passed {
					right++
				}
			}
		}
		if asked > 1 && right == 0 { // asked again, since the first answer was wrong
			gone.add(s, p)
			least, most = min(least, asked), max(most, asked)
		}
	}
	if v := j.in.Verified; v.Answered < v.Wanted {
		j.add(config.Warn, warns, report.Reason{Code: report.CodeVerify,
			Message: fmt.Sprintf("%d of %s could be verified: %s", v.Answered, text.Count(v.Wanted, "recorded case"), v.Why)})
	}
	j.tell(config.Warn, warns, report.CodeVerify, gone, "the model no longer says what is recorded, asked "+times(least, most))
}

// times says how often each of several was asked.
func times(least, most int) string {
	if least < most {
		return fmt.Sprintf("%d to %d times", least, most)
	}
	return text.Count(most, "time")
}

func (j *judgement) policyChanges() {
	l := j.gate.OnPolicyChange
	var announced, inForce, asked names
	for _, c := range j.in.PolicyChanges {
		name := c.Key
		if n := len(c.Caught); n > 0 {
			name += fmt.Sprintf(" (it would catch the answers to %s)", text.Count(n, "case"))
		}
		switch {
		case !c.InForce:
			announced.put(name)
		case c.OfTarget():
			asked.put(name)
		default:
			inForce.put(name)
		}
	}
	n := len(j.in.Deserted)
	j.tell(l, fails, report.CodeDeserted, listed(j.in.Deserted), fmt.Sprintf("this change edits %s that cases are asked by, and asks these by something else than %s",
		text.Count(n, "prompt"), map[bool]string{true: "it", false: "them"}[n == 1]))
	edits := func(keys names) string { return "this change edits " + text.Count(keys.n, "setting") + ", announced" }
	j.tell(l, fails, report.CodePolicyChange, announced, edits(announced)+" and not obeyed until merged")
	j.tell(l, fails, report.CodePolicyChange, inForce, edits(inForce)+", and in force for this run")
	if l == config.Err { // another model is what the change wants judged
		l = config.Warn
	}
	j.tell(l, fails, report.CodePolicyChange, asked, edits(asked)+", and in force for this run")
}

// unasked names the prompts that change and that nobody judges.
func (j *judgement) unasked() {
	j.tell(j.gate.OnUnaskedPrompt, fails, report.CodeUnasked, listed(j.in.Unasked),
		text.Count(len(j.in.Unasked), "prompt that this change edits or adds is asked", "prompts that this change edits or adds are asked")+" by no suite")
}

// told names the variables that tell a prompt the answers by which it is judged.
func (j *judgement) told() {
	var all names
	for _, t := range j.in.Told {
		all.put(fmt.Sprintf("%s to %s (%d of %s)", strconv.Quote(t.Variable), t.Suite, t.Cases, text.Count(t.Looked, "case")))
	}
	j.tell(config.Warn, warns, report.CodeTold, all, "this change begins to send a variable whose value passes the case as an answer by itself")
}

func (j *judgement) noBase() {
	switch j.in.BaseState {
	case report.BaseFirst:
		j.add(config.Warn, warns, report.Reason{Code: report.CodeFirstRun, Message: "first run: judged by its own gate, and compared with nothing"})
	case report.BaseMissing:
		j.add(config.Warn, warns, report.Reason{Code: report.CodeNoBase, Message: "no base to compare with: bars were judged, regressions were not"})
	case report.BaseIncomparable:
		j.add(config.Warn, warns, report.Reason{Code: report.CodeNoBase, Message: "the base was judged in another way: bars were judged, regressions were not"})
	}
}

// tell files a reason that lists what it is about behind its message; none where that is nothing.
func (j *judgement) tell(level config.Level, w weight, code string, about names, message string) {
	if about.n > 0 {
		j.add(level, w, about.reason(code, message+": "+about.text()))
	}
}

// names lists what a reason is about, as far as it has room.
type names struct {
	n      int
	listed []string
	cases  []string // all of them, as SUITE/CASE
	suite  string   // of the first
	id     string
}

func (l *names) add(s *suitePair, p casePair) { l.addCase(s.id, s.name(p), "") }

// addCase adds a case by its names, with what is said of it behind.
func (l *names) addCase(suite, id, said string) {
	if l.n == 0 {
		l.suite, l.id = suite, id
	}
	name := suite + "/" + id
	if l.put(name + said); l.n <= casesListed {
		l.cases = append(l.cases, name)
	}
}

func (l *names) put(name string) {
	if l.n++; l.n <= namesListed {
		l.listed = append(l.listed, name)
	}
}

func listed(all []string) (out names) {
	for _, name := range all {
		out.put(name)
	}
	return out
}

func (l *names) text() string {
	text := strings.Join(l.listed, ", ")
	if more := l.n - len(l.listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// reason names the case itself where there is only one, and all of them where they are not too many.
func (l *names) reason(code, message string) report.Reason {
	r := report.Reason{Code: code, Message: message}
	switch {
	case l.n == 1:
		r.SuiteID, r.CaseID = l.suite, l.id
	case l.n == len(l.cases):
		r.Cases = l.cases
	}
	return r
}
