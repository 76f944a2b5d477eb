package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Next says what to do now, a sentence each; nothing where all is well.
func (v *View) Next() (out []show.Phrase) {
	say := func(text string) { out = append(out, show.Phrase{show.Say(text)}) }
	switch {
	case v.Report.Verdict == report.Invalid:
		again := "validate"
		if slices.ContainsFunc(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Rule == "recording" }) {
			again = "run" // validate reads no recordings
		}
		say("Mend the files: no prompt was run and nothing was scored. `failproof " + again + "` shows the same list without a pull request.")
		return out
	case v.Report.Verdict == report.Undecided:
		return v.nextUndecided()
	case v.Report.Verdict != report.Failed:
		return v.nextPassed()
	case v.Report.Acceptable:
		say("If this is meant, a review with `Approve` by somebody with write access, who is not the author, accepts it as it is; then run the job again." + v.acceptLine())
		return out
	}
	if v.Has(report.CodeDrift, report.LevelError) {
		say("The prompts did not change: the model behind them answers otherwise than it did. Pin a dated version of it if the provider has one, or adapt the prompts.")
		return out
	}
	must, free := v.broken(true), v.broken(false)
	if len(must)+len(free)+len(v.Fell) > 0 || v.FellAsWhole() {
		say("Fix " + v.fixable() + ".")
	}
	if len(free) > 0 {
		out = append(out, names(free, show.Phrase{show.Say("If a new answer is meant, edit what ")},
			show.Agree(len(free), " expects", " expect")+": reviewers will see that it was redefined."))
	}
	if len(must) > 0 {
		out = append(out, names(must, nil, " must pass: changing what "+show.Agree(len(must), "it expects", "they expect")+" takes the approval of somebody with write access."))
	}
	if len(out) == 0 && (v.BelowRunBar() || v.Has("min_score", report.LevelError)) {
		say("A better prompt or a truer expectation lifts the score.")
	}
	if v.Report.Histogram[classify.Refusal] > v.Report.BaseHistogram[classify.Refusal] {
		say("Where it is right that the model declines, `expected_classification: refusal` says so.")
	}
	switch {
	case len(must)+len(free) > 0:
	case v.takesAway():
		say("Put back what was removed or changed. If it is meant, the approval of somebody with write access accepts it.")
	case v.Compared:
		say("The gate’s settings are read from the base branch: they change when they are merged.")
	default:
		say("The gate’s settings stand in the configuration.")
	}
	return out
}

// takesAway reports that the run failed by what an approving review accepts, perhaps beside other things.
func (v *View) takesAway() bool {
	return slices.ContainsFunc([]string{"on_must_pass_change", "on_removed", "on_redefined", report.CodeDeserted, report.CodeCut}, func(code string) bool { return v.Has(code, report.LevelError) })
}

// nextUndecided says how to come to a verdict.
func (v *View) nextUndecided() []show.Phrase {
	switch {
	case v.Has(report.CodeNoMerge, report.LevelError), v.Has("base_fault", report.LevelError): // the reason says it
		return nil
	case v.Has(report.CodeBaseMoved, report.LevelError):
		return []show.Phrase{{show.Say("Update the branch: the run that this starts judges by the rules of today.")}}
	case v.Report.Unscored+v.NotAsked() > 0:
		return v.Advice()
	}
	return []show.Phrase{{show.Say("Run the job again when the target answers.")}}
}

// nextPassed says of a pass with doubts what a person should look at before it is merged.
func (v *View) nextPassed() []show.Phrase {
	var look []string
	announced := func(code string) bool { return v.Has(code, report.LevelWarn) }
	if slices.ContainsFunc([]string{"on_removed", "on_redefined", "on_must_pass_change", "on_policy_change", report.CodeDeserted, report.CodeCut}, announced) {
		look = append(look, "see that what was removed, redefined or set is meant")
	}
	if len(v.Regressed)+len(v.Fell)+len(v.Worse)+len(v.Review)+len(v.LookBroken()) > 0 {
		look = append(look, "look at the answers that are named here")
	}
	if v.suspected() || v.Excused() {
		look = append(look, "ask more often to be sure (`trials`)")
	}
	if len(look) == 0 {
		return nil
	}
	return []show.Phrase{{show.Say("Nothing is blocked. Before you approve, " + strings.Join(look, ", and ") + ".")}}
}

var plainNames = regexp.MustCompile(`^[A-Za-z0-9._/@-]+$`)

// isPlainName reports a name that a line to copy may hold.
func isPlainName(name string) bool { return len(name) <= 200 && plainNames.MatchString(name) }

// acceptLine is the comment that accepts what decided, to be copied; "" where nobody would read it.
func (v *View) acceptLine() string {
	if !fullSHA.MatchString(v.Links.Pull) {
		return ""
	}
	var what []string
	for _, r := range v.Report.Reasons {
		about := r.About()
		if len(about) == 0 || len(about) > namesTold || show.Tally(about, isPlainName) < len(about) {
			about = []string{r.Code}
		}
		for _, name := range about {
			if r.Level == report.LevelError && !slices.Contains(what, name) {
				what = append(what, name)
			}
		}
	}
	return " Or comment: `/failproof accept " + v.Links.Pull + " " + strings.Join(what, " ") + " because …`"
}

// fullSHA is a commit as a command names it.
var fullSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// fixable is what the change touches and may be mended.
func (v *View) fixable() string {
	if n := v.changedPrompts(); n > 0 {
		return show.Agree(n, "the prompt", "the prompts")
	}
	return "the change"
}

// broken are the names of the wrong answers that must pass, or of the other broken ones.
func (v *View) broken(must bool) (ids []string) {
	known := map[[2]string]bool{} // several targets may answer a case wrong
	for i, c := range slices.Concat(v.Regressed, v.Failing) {
		name := [2]string{suiteid.Written(c.SuiteID), c.CaseID}
		if c.MustPass == must && (must || i < len(v.Regressed)) && !known[name] {
			known[name] = true
			ids = append(ids, c.CaseID)
		}
	}
	return ids
}

// namesTold is how many cases a sentence names.
const namesTold = 3

// names puts the names of cases between the beginning and the end of a sentence.
func names(ids []string, before show.Phrase, after string) show.Phrase {
	if len(ids) > namesTold {
		return append(before, show.Say(show.Count(len(ids), "case")+after))
	}
	return append(append(before, enumerated(ids, namesTold)...), show.Say(after))
}

// enumerated quotes names as a sentence lists them, “a”, “b” and “c”; behind so many the rest are counted.
func enumerated(names []string, most int) (p show.Phrase) {
	shown := min(len(names), most)
	for i, name := range names[:shown] {
		p = append(p, show.Say(joint(i, len(names), "and")), show.Quote(name))
	}
	if more := len(names) - shown; more > 0 {
		p = append(p, show.Say(" and "+show.Grouped(more)+" more"))
	}
	return p
}

// joint stands before the i-th of n things.
func joint(i, n int, last string) string {
	switch {
	case i == 0:
		return ""
	case i == n-1:
		return " " + last + " "
	}
	return ", "
}

// Told reports a reason that title, score, cases or a sentence say already, in words and not in settings: such a one stands where the numbers
// are looked up.
func (v *View) Told(r report.Reason) bool {
	switch {
	case r.Code == "max_unscored" && v.Report.Verdict == report.Undecided && r.Level == report.LevelError:
		return v.Report.Unscored > 0
	case r.Code == "min_run_score" && r.Level == report.LevelWarn:
		return v.Excused()
	case r.Code == "kept_by_hand":
		return len(v.Review) > 0
	case v.Report.Verdict != report.Failed || r.Level != report.LevelError:
		return false
	}
	switch r.Code {
	case "max_regressions":
		return len(v.Regressed) > 0
	case "min_run_score":
		return v.Report.RunScore != nil && v.heldNote() == ""
	case "must_pass":
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing)
	case report.CodeDrop:
		return v.FellAsWhole()
	}
	return false
}

// InForce says whose setting holds, and of a policy that is announced what it will catch. name writes the name of a case.
func InForce(c config.Change, name func(string) string) string {
	if c.InForce {
		return "the one now"
	}
	text := "the one before, until this is merged"
	if n := len(c.Caught); n > 0 {
		names := Listed(c.Caught, caughtNames, "case", name)
		text += "; then it will catch the answers to " + show.Count(n, "case") + ": " + strings.Join(names, ", ")
	}
	return text
}

// caughtNames is how many of them are named.
const caughtNames = 5

// Listed shows the first of all and counts the rest.
func Listed[T any](all []T, limit int, noun string, line func(T) string) []string {
	var items []string
	for _, x := range all[:min(len(all), limit)] {
		items = append(items, line(x))
	}
	if left := len(all) - len(items); left > 0 {
		items = append(items, "… and "+show.Count(left, "more "+noun))
	}
	return items
}
