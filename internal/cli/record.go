package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
)

type recordOptions struct {
	runOptions
	Target   string
	To       string
	Again    bool // record every case again
	NoSettle bool // do not rerun flipped cases
	Stamp    bool // bind hand-written answers to the current requests; call no model
}

func newRecord(sys System) *cobra.Command {
	var o recordOptions
	cmd := &cobra.Command{
		Use:   "record [SUITE…]",
		Short: "Call a live target and write its answers as recordings",
		Long: `Calls a live target for every recorded answer that is missing or stale, and writes the answers where
the recorded target reads them (default: recordings/{suite}.jsonl). Answers in the response cache are
used first. Each answer is bound to its request and target: a later change of prompt or model makes
it stale. Current recordings stay; with --again every case is recorded again, and its line counts
the draws.

On a branch, a case that flips against the recordings of the default branch (or of --base) is rerun
on both sides, at most 16 calls a case. The reruns are written beside the first answer; they tell a
worse prompt from an unsteady model.

If a case has criteria, the judge's verdicts are written beside its answers. If all answers of a
suite are current and a verdict is not, only the judge is called.

With --stamp no model is called: answers that you wrote yourself are bound to the current requests
and marked as hand-written. Answers that did not change although the request did, or that a model
gave, are listed, and stamped only if you confirm. Answers that are recorded under another name than that of the case whose
request they answer are moved to that case first.`,
		Example: `  failproof record
  failproof record --target fast suites/refund.yaml
  failproof record --again
  failproof record --base release
  failproof record --stamp`,
		RunE: func(cmd *cobra.Command, suites []string) error {
			o.Suites, o.Scope = suites, sides.ScopeAll
			sys := sys.inConfigFolder(&o.runOptions)
			if o.Stamp {
				return stamp(sys, o)
			}
			return recordAnswers(cmd.Context(), sys, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Target, "target", "", "the live `target` to call (default: the suite's, else the only live one)")
	flags.StringVar(&o.To, "to", "", "the `file` to write, with {suite} for the suite's id (default: the path of "+
		"the recorded target)")
	addAskFlags(flags, &o.runOptions)
	flags.BoolVar(&o.Again, "again", false, "record every case again, also if its request did not change; the "+
		"comment lists these cases")
	flags.BoolVar(&o.Stamp, "stamp", false, "call no model; bind hand-written answers to the current requests, "+
		"and rename answers with their cases")
	flags.StringVar(&o.Base, "base", "", "a git `revision` or folder: call its targets, and compare with its "+
		"recordings (default: the default branch's recordings, and the head's targets); with --stamp: compare "+
		"with its answers (default: those of the last commit and of the default branch)")
	flags.BoolVar(&o.NoSettle, "no-settle", false, "record every case once, without reruns of flipped cases")
	flags.BoolVar(&o.Yes, "yes", false, yesToAll+"; with --stamp: also stamp unchanged answers and a model's")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no progress and no list")
	return cmd
}

// recordAnswers calls the live target and writes its answers, then prints what was written and what is missing. If
// answers are missing, it keeps the others and returns the verdict undecided. The next run of the command asks for the
// rest.
func recordAnswers(ctx context.Context, sys System, o recordOptions) error {
	in, err := recordInputs(sys, o)
	if err != nil {
		return err
	}
	made, err := record.Record(ctx, in, newSinks(sys, o.runOptions, nil))
	if err != nil {
		return asVerdict(sys, err)
	}
	printRecordings(sys, made, o.Quiet)
	if len(made.Unresolved) > 0 || slices.ContainsFunc(made.Suites, func(s record.Suite) bool { return s.Lost > 0 }) {
		return verdictError{verdict: report.Undecided}
	}
	return nil
}

const unknownBranch = "the default branch is not known here; name it with --base"

// recordInputs returns the inputs for recording. If --base is not given and the default branch cannot be read, flipped
// cases are not rerun.
func recordInputs(sys System, o recordOptions) (in record.Inputs, err error) {
	base := o.Base
	in = record.Inputs{BaseName: base, Target: o.Target, To: o.To, NoReruns: o.NoSettle}
	if base == "" && !o.NoSettle && o.To == "" {
		var unknown error
		if base, unknown = sides.BranchedFrom(sys.Dir); unknown != nil {
			logf(sys, "flipped cases are not rerun: %s", unknownBranch)
		}
		in.HeadRules = true
	}
	o.Base = ""
	if in.Inputs, err = newInputs(sys, o.runOptions); err != nil {
		return in, err
	}
	in.Inputs.Afresh = o.Again
	in.Inputs.ConfirmTargets = targetConfirmer(sys, o.runOptions) // newInputs does not set it in a pipeline
	if base == "" {
		return in, nil
	}
	// The new answers are compared with the recordings of the base that `failproof run --base` would open.
	against, err := newInputs(sys, runOptions{Base: base, Config: o.Config, Suites: o.Suites, Scope: sides.ScopeChanged, Quiet: true, NoCache: true})
	if err == nil && against.Stored != nil {
		err = fault.Inputf("--base names a report, which cannot be rerun: name a revision or a folder")
	}
	switch {
	case err == nil:
		against.ConfirmTargets = in.Inputs.ConfirmTargets
		in.Against = &against
	case in.HeadRules:
		logf(sys, "flipped cases are not rerun: %v", err)
	default:
		return in, err
	}
	return in, nil
}

// printRecordings prints which recordings were written, and logs which answers are missing.
func printRecordings(sys System, made record.Result, quiet bool) {
	out := sys.Stdout
	if quiet {
		out = io.Discard
	}
	for _, w := range made.Warnings {
		logf(sys, "%s", w.Message)
	}
	for _, s := range made.Suites {
		if s.ByHand > 0 {
			logf(sys, "%s: %s hand-written and stale, and kept: write the answers again, then `failproof record "+
				"--stamp`, or take the model's with `%s`", s.Path, text.Count(s.ByHand, "answer is", "answers are"),
				text.Command("failproof record --again", s.File))
		}
		if s.Lost > 0 {
			what := text.Count(s.Lost, "answer")
			if s.Answers == 0 {
				what = "verdicts on " + what
			}
			logf(sys, "%s: not written, %s missing: %s", s.Path, what, strings.TrimSpace(string(s.Why)))
			continue
		}
		if s.Answers+s.Graded+s.Settled > 0 {
			fmt.Fprintf(out, "%s: %s\n", s.Path, recordedSummary(s))
		}
	}
	if made.Added > 0 {
		fmt.Fprintf(out, "The recordings grew by %d kB.\n", (made.Added+999)/1000)
	}
	for _, c := range made.Unresolved {
		logf(sys, "case %s of suite %s flipped, and some of its reruns are missing, so it is undecided (%s)", c.CaseID, c.SuiteID,
			strings.TrimSpace(string(c.Why)))
	}
	if made.Kept > 0 {
		fmt.Fprintf(out, "kept %s as recorded: the requests did not change; `failproof record --again` records "+
			"all again\n",
			text.Count(made.Kept, "answer"))
	}
}

// recordedSummary returns in words how many answers, verdicts and reruns were recorded for a suite.
func recordedSummary(s record.Suite) string {
	line := text.Count(s.Answers, "answer")
	if s.Graded > 0 {
		line = "verdicts on " + text.Count(s.Graded, "answer")
	}
	if s.Settled > 0 {
		line += fmt.Sprintf(", and reruns on both sides of %s that flipped", text.Count(s.Settled, "case"))
	}
	return line
}

// asVerdict returns err. If err has errors in files, asVerdict prints them and returns the verdict invalid.
func asVerdict(sys System, err error) error {
	if faults, ok := errors.AsType[document.Faults](err); ok {
		printFaultsWithLines(sys, faults)
		return verdictError{verdict: report.Invalid}
	}
	return err
}

// namedAtMost is the largest number of doubtful answers that are listed one by one. Further answers are only counted.
const namedAtMost = 20

// stamp binds hand-written answers to the current requests of their cases. It first lists the answers that did not
// change although their request did, and those that a model gave. It stamps these only after a confirmation.
func stamp(sys System, o recordOptions) error {
	found, err := moveAnswers(sys, o)
	if err != nil {
		return err
	}
	left, err := writeStamps(sys, o, found.Unstamped)
	if err != nil {
		return err
	}
	problem := leftError(found, left)
	if len(found.Unstamped) == 0 && problem == nil && !o.Quiet {
		why := "every recorded answer is bound to its request"
		if len(found.Unanswered) > 0 {
			why = "write the missing answers first"
		}
		fmt.Fprintln(sys.Stdout, "nothing to stamp: "+why)
	}
	for _, s := range found.Unanswered {
		logf(sys, "%s: no answer is recorded for %s, first %s%s", s.Path, text.Count(s.Cases, "case"), s.First, s.Other)
	}
	for _, u := range found.OfOthers {
		logf(sys, "%s:%d: the line of case %s has the request_key of case %s, which has an answer: write an answer to "+
			"case %[3]s, without request_key", u.File, u.Line, u.CaseID, u.Of.Case)
	}
	return problem
}

// maxMoves is how often answers are moved. Each base that they are compared with may know other names.
const maxMoves = 4

// moveAnswers moves answers to the names of their cases, and returns what is to be stamped. This changes only the case
// name of an answer, not its text or its author.
func moveAnswers(sys System, o recordOptions) (found record.Stamps, err error) {
	for round := range maxMoves {
		in, alone, err := stampInputs(sys, o)
		if err != nil {
			return found, err
		}
		if alone != nil && round == 0 {
			logf(sys, "answers are compared with the last commit only: %v", alone)
		}
		if found, err = record.ReadStamps(in); err != nil {
			return found, asVerdict(sys, err)
		}
		if len(found.Renamed) == 0 {
			return found, nil
		}
		written, err := record.WriteNames(sys.Dir, found.Renamed)
		if printWritten(sys, o, written, record.Moved); err != nil {
			return found, err
		}
	}
	first := found.Renamed[0]
	return found, fault.Inputf("%s:%d: this answer does not keep the name of a case: correct its `case_id`", first.File, first.Line)
}

// writeStamps stamps the answers, and returns those that it left. It asks before it stamps answers that did not change
// although their request did, or that a model gave.
func writeStamps(sys System, o recordOptions, all []recorded.UnstampedAnswer) (left []recorded.UnstampedAnswer,
	err error) {
	var sure []recorded.UnstampedAnswer
	for _, u := range all {
		if u.Unchanged || u.Target != "" {
			left = append(left, u)
		} else {
			sure = append(sure, u)
		}
	}
	if len(left) > 0 && confirmDoubtful(sys, o, left) {
		sure, left = all, nil
	}
	stamped, err := record.WriteStamps(sys.Dir, sure)
	printWritten(sys, o, stamped, "stamped")
	return left, err
}

// leftError returns the error that answers were left without a stamp, or in a file that their suite does not read; nil
// if none were.
func leftError(found record.Stamps, left []recorded.UnstampedAnswer) error {
	byModel := 0
	for _, u := range left {
		if u.Target != "" {
			byModel++
		}
	}
	moved := slices.IndexFunc(found.Unanswered, func(s record.Unanswered) bool { return s.From != "" })
	switch others := len(found.OfOthers); {
	case byModel > 0:
		return fault.Inputf("%s not stamped (%d of a model): ask the model with `failproof record`, or, if a person "+
			"wrote what is right, run `failproof record --stamp --yes`",
			text.Count(len(left), "answer is", "answers are"), byModel)
	case len(left) > 0:
		return fault.Inputf("%s did not change although the request did: update them, or run `failproof record "+
			"--stamp --yes` if they are still right", text.Count(len(left), "answer"))
	case others > 0:
		return fault.Inputf("%s", text.Count(others, "answer is not stamped: it answers another case",
			"answers are not stamped: they answer other cases"))
	case moved >= 0:
		s := found.Unanswered[moved]
		return fault.Inputf("the answers of %s are still in %s: move them to %s, then run `failproof record --stamp` "+
			"again", s.Path, s.From, s.To)
	}
	return nil
}

func printWritten(sys System, o recordOptions, files []record.WrittenFile, what string) {
	if o.Quiet {
		return
	}
	for _, f := range files {
		fmt.Fprintf(sys.Stdout, "%s: %s %s\n", f.Path, text.Count(f.Answers, "answer"), what)
	}
}

// stampInputs returns the inputs for stamping, with the head and the base opened. Without --base, the base is the last
// commit. On a branch the answers are then compared with the default branch's too, now and at the merge base: an answer
// that a merge brought is not new. alone says why the default branch cannot be read.
func stampInputs(sys System, o recordOptions) (out record.Inputs, alone, err error) {
	in, err := newInputs(sys, o.runOptions)
	out = record.Inputs{Inputs: in, To: o.To}
	switch {
	case err != nil || o.Base != "" && in.Stored == nil:
		return out, nil, err
	case in.Stored != nil:
		return out, nil, fault.Inputf("--base names a report, which has no recordings to stamp against: name a " +
			"revision or a folder")
	}
	if out.Inputs, err = in.WithLastCommit(); err != nil || out.Inputs.Base == nil {
		return out, nil, err
	}
	branch, unknown := sides.BranchedFrom(sys.Dir)
	if unknown != nil {
		return out, errors.New(unknownBranch), nil
	}
	if branch == "" {
		return out, nil, nil
	}
	before, alone := in.WithBase(branch)
	if alone == nil {
		out.Earlier = []*source.Tree{before.Base}
		if before.Rules != nil {
			out.Earlier = append(out.Earlier, before.Rules)
		}
	}
	return out, alone, nil
}

// confirmDoubtful logs answers that did not change although their requests did, or that a model gave. It reports
// whether they may be stamped: --yes is given, or a person says that they are right.
func confirmDoubtful(sys System, o recordOptions, all []recorded.UnstampedAnswer) bool {
	for _, u := range all[:min(len(all), namedAtMost)] {
		why := "did not change although its request did"
		if u.Target != "" {
			why = "is target " + u.Target + "'s, and a stamp makes it hand-written"
		}
		logf(sys, "%s:%d: the answer to case %s %s", u.File, u.Line, u.CaseID, why)
	}
	if more := len(all) - namedAtMost; more > 0 {
		logf(sys, "and %s", text.Count(more, "more answer"))
	}
	if o.Yes {
		return true
	}
	ask := confirmPrompt(sys, o.runOptions)
	return ask != nil && ask("Are these answers right? A stamp says so, and that a person wrote them")
}
