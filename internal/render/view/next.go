package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
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
	case v.measuring():
		say("One revision was measured: there is no change to mend. What is advised belongs into `gate` of the configuration.")
		return out
	case v.Report.Acceptable:
		for _, step := range v.nextSteps() {
			if step != gate.Removed.NextStep { // the review is the other way
				say(step)
			}
		}
		say("If this is meant, a review with `Approve` by somebody with write access, who has neither opened it nor made or pushed a commit of it, accepts it as it is; then run the job again." + v.acceptLine())
		return out
	}
	if v.Has(gate.Drift.Code, report.LevelError) {
		say(gate.Drift.NextStep)
		return out
	}
	must, free := v.broken(true), v.broken(false)
	request, others := v.nextOfRequests()
	out = append(out, request...)
	switch {
	case len(request) > 0 && others == 0:
	case len(must)+len(free)+len(v.Fell) > 0 || v.FellAsWhole():
		fixable := "the change"
		if n := v.changedPrompts(); n > 0 {
			fixable = show.Agree(n, "the prompt", "the prompts")
		}
		say("Fix " + fixable + ".")
	}
	if len(free) > 0 && others > 0 {
		out = append(out, names(free, show.Phrase{show.Say("If a new answer is meant, edit what ")},
			show.Agree(len(free), " expects", " expect")+": reviewers will see that it was redefined."))
	}
	if len(must) > 0 && others > 0 {
		out = append(out, names(must, nil, " must pass: changing what "+show.Agree(len(must), "it expects", "they expect")+" takes the approval of somebody with write access."))
	}
	lowered := len(v.Missing) > 0 && len(v.Failing) == 0 // by answers that are missing, alone
	if len(out) == 0 && !lowered && (v.BelowRunBar() || v.Has(gate.SuiteScore.Code, report.LevelError)) {
		say("A better prompt or a truer expectation lifts the score.")
	}
	if v.Report.Unscored > 0 && v.Has(gate.Unscored.Code, report.LevelError) {
		out = append(out, v.Advice()...)
	}
	if v.Report.Histogram[classify.Refusal] > v.Report.BaseHistogram[classify.Refusal] {
		say("Where it is right that the model declines, `expected_classification: refusal` says so.")
	}
	steps := v.nextSteps()
	if len(must)+len(free) > 0 { // what is broken is to be mended first
		steps = slices.DeleteFunc(steps, func(step string) bool { return step == gate.Removed.NextStep })
	}
	for _, step := range steps {
		say(step)
	}
	switch {
	case len(must)+len(free) > 0:
	case len(steps) > 0: // perhaps beside other things
		say("If it is meant, the approval of somebody with write access accepts it.")
	case v.Compared:
		say("The gate’s settings are read from the base branch: they change when they are merged.")
	default:
		say("The gate’s settings stand in the configuration.")
	}
	return out
}

func (v *View) nextUndecided() []show.Phrase {
	switch {
	case v.Has(gate.NoMerge.Code, report.LevelError), v.Has(gate.BaseFault.Code, report.LevelError): // the reason says it
		return nil
	case v.Has(gate.BaseMoved.Code, report.LevelError):
		return []show.Phrase{{show.Say(gate.BaseMoved.NextStep)}}
	case v.otherShards():
		return []show.Phrase{{show.Say("Run all shards again, all of them and the merge with one version and the same flags, such as `--base`, `--scope` and `--trials`.")}}
	case v.Report.Unscored+v.NotAsked() > 0:
		return v.Advice()
	}
	if v.neverAsked() {
		return []show.Phrase{{show.Say("No case that flipped was asked again: `failproof run --base REVISION` does that, of both sides, while the target answers.")}}
	}
	return []show.Phrase{{show.Say("Run the job again when the target answers.")}}
}

// nextSteps returns what to do about the rules that decided, a sentence each.
func (v *View) nextSteps() []string {
	return v.ruleTexts(report.LevelError, func(r gate.Rule) string { return r.NextStep })
}

// otherShards reports shards that are there and are those of another run.
func (v *View) otherShards() bool {
	return v.Has(model.ReasonShard, report.LevelError) && v.NotAsked() == 0
}

// nextPassed says of a pass with doubts what a person should look at before it is merged.
func (v *View) nextPassed() []show.Phrase {
	look := v.ruleTexts(report.LevelWarn, func(r gate.Rule) string { return r.Look })
	if n := len(v.Regressed) + len(v.Fell) + len(v.Worse) + len(v.Review) + len(v.LookBroken()); n > 0 && !slices.Contains(look, gate.LookAtAnswers) {
		look = append(look, gate.LookAtAnswers)
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
			about = []string{"rule:" + r.Code}
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

// broken are the names of the wrong answers that must pass, or of the other broken ones.
func (v *View) broken(must bool) (ids []string) {
	known := map[[2]string]bool{} // several targets may answer a case wrong
	var all [][2]string
	called := map[string]int{} // suites that have a case of the id
	for i, c := range slices.Concat(v.Regressed, v.Failing) {
		name := [2]string{suiteid.Written(c.SuiteID), c.CaseID}
		if known[name] {
			continue
		}
		known[name] = true
		if called[c.CaseID]++; c.MustPass == must && (must || i < len(v.Regressed)) {
			all = append(all, name)
		}
	}
	for _, name := range all {
		ids = append(ids, show.When(called[name[1]] > 1, name[0]+"/")+name[1])
	}
	return ids
}

// measuring reports a run of one revision against itself.
func (v *View) measuring() bool {
	return v.Report.Statistics != nil && v.Report.Statistics.Measured != nil
}

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
	case r.Code == gate.Unscored.Code && v.Report.Verdict == report.Undecided && r.Level == report.LevelError:
		return v.Report.Unscored > 0
	case r.Code == gate.RunScore.Code && r.Level == report.LevelWarn:
		return v.Excused()
	case r.Code == gate.KeptByHand.Code:
		return len(v.Review) > 0
	case r.Code == gate.ParseRepairs.Code: // what is broken comes first
		return v.Report.Verdict == report.Failed
	case v.Report.Verdict != report.Failed || r.Level != report.LevelError:
		return false
	}
	switch r.Code {
	case gate.Regressions.Code:
		return len(v.Regressed) > 0
	case gate.RunScore.Code:
		return v.Report.RunScore != nil && v.heldNote() == ""
	case gate.MustPass.Code:
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing)
	case gate.Drop.Code:
		return v.FellAsWhole()
	}
	return false
}

// InForce says whose setting holds, and of a policy that is announced what it will catch. name writes the name of a case.
func InForce(c config.Change, name func(string) string) string {
	if c.InForce {
		return "the one now"
	}
	return "the one before, until this is merged" + show.When(len(c.Caught) > 0, "; then it will catch the answers to "+show.Count(len(c.Caught), "case")+": "+
		strings.Join(Listed(c.Caught, caughtNames, "case", name), ", "))
}

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
		add("Raise the limit in the base branch’s configuration, or run fewer suites at once." + show.When(v.Report.Calls.Provider > 0, " Answers that did come are kept with the cache."))
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
	{model.ReasonAuth, "Each line says why the target could not be asked, or that it turned its key down. Where it is the key: set the variable that `api_key_env` names to one that the target takes; " +
		"on GitHub, make it a secret and hand it to the job in `env`."},
	{model.ReasonNotFound, "The target knows no such model or address: see `model` and `base_url` of the target."},
	{model.ReasonQuota, "The account has no money left, or has reached its spending limit: raise that, then run the job again."},
	{model.ReasonStale, "What is asked changed, and recorded answers did not follow: make them anew as each line says, and commit them with the change. " +
		"`failproof record` asks a live target, where one is configured; `failproof record --stamp` writes down that a person wrote the answers for what is asked now."},
	{model.ReasonUnrecorded, "Answers are not recorded: make them as each line says, and commit them with the change. `failproof record` asks a live target for them, where one is configured; " +
		"`failproof record --stamp` takes what you wrote yourself."},
	{model.ReasonVerdict, "The judge gave no verdict that counts, and each line says why. Running again seldom mends that: let another model judge, or, where its replies are no JSON, set `structured_output: true` " +
		"of its target if its endpoint knows that."},
	{model.ReasonStaleVerdict, "Recorded verdicts are of another judge, criterion, question or answer: `failproof record` has the judge grade these answers anew. Commit what it writes with the change."},
	{model.ReasonProtocol, "What came is no answer of such a target: a command prints JSON, such as `{\"text\": \"…\"}`, and behind `base_url` an API of the target’s kind answers. Mend that, or wait where it is an outage, " +
		"then run the job again."},
	{model.ReasonCrash, "The command of the target died: mend what it says, then run the job again."},
	{model.ReasonTransport, "Nobody could be reached: see that the target’s address is right and that somebody listens there, then run the job again."},
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
			if c.Head != nil { // it is not removed
				one.Answers += c.Head.Unscored
			}
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
	for _, c := range v.Report.Changes {
		if c.Head != nil && c.Head.Unscored > 0 {
			missing = append(missing, c)
		}
	}
	out := Causes(missing, func(c report.Change) string { return say(c.Head) })
	slices.SortStableFunc(out, func(a, b Cause) int { return b.Answers - a.Answers })
	return out
}
