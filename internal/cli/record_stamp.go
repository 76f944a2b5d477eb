package cli

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/text"
)

// namedAtMost is how many answers are named that stay as they were; the rest is counted.
const namedAtMost = 20

// stamp writes into recorded answers that somebody wrote which request they answer, and that they are by hand. Answers that
// are as they were although what is asked changed are named first, and stamped only if somebody says so.
func stamp(sys System, o recordOptions) error {
	in, err := stampInputs(sys, o)
	if err != nil {
		return err
	}
	found, faults, err := run.ReadStamps(in)
	if err != nil || document.HasErrors(faults) {
		return invalid(sys, faults, err)
	}
	if len(found.Renamed) > 0 {
		if err = writeNames(sys, o, found.Renamed); err != nil {
			return err
		}
		return stamp(sys, o) // of the files as they are now, in which none is to be renamed
	}
	unstamped := found.Unstamped
	kept := slices.DeleteFunc(slices.Clone(unstamped), func(u recorded.Unstamped) bool { return !u.Kept })
	left := len(kept) > 0 && !keeps(sys, o, kept)
	if left {
		unstamped = slices.DeleteFunc(unstamped, func(u recorded.Unstamped) bool { return u.Kept })
	}
	stamped, err := run.WriteStamps(sys.Dir, unstamped)
	if !o.Quiet {
		for _, f := range stamped {
			fmt.Fprintf(sys.Stdout, "%s: %s stamped\n", f.Path, text.Count(f.Answers, "answer"))
		}
	}
	if err != nil {
		return err
	}
	switch {
	case len(unstamped) > 0 || left || o.Quiet:
	case len(found.Unanswered) > 0:
		fmt.Fprintln(sys.Stdout, "nothing to stamp: answers that are missing have to be written first")
	default:
		fmt.Fprintln(sys.Stdout, "nothing to stamp: every recorded answer says what it answers")
	}
	for _, s := range found.Unanswered {
		instead := ""
		if n := len(s.Spare); n > 0 {
			instead = fmt.Sprintf("; there is one to %s, which no case is called", document.Quote(s.Spare[0]))
		}
		say(sys, "%s: no answer is recorded for %s, first %s%s", s.Path, text.Count(s.Cases, "case"), s.First, instead)
	}
	if left {
		return fault.Inputf("%s left without a stamp: write them anew, or stamp them with --yes if you looked at them and they stand", text.Count(len(kept), "answer"))
	}
	return nil
}

// writeNames has recorded answers follow their cases, which have other names by now: what was answered stays, and who answered it.
func writeNames(sys System, o recordOptions, all []recorded.Renamed) error {
	written, err := run.WriteNames(sys.Dir, all)
	for _, f := range written {
		if !o.Quiet {
			fmt.Fprintf(sys.Stdout, "%s: %s renamed as the cases are\n", f.Path, text.Count(f.Answers, "answer"))
		}
	}
	return err
}

// stampInputs opens the head and what its answers are held against: the last commit, unless a base is named.
func stampInputs(sys System, o recordOptions) (run.RecordInputs, error) {
	in, err := newInputs(sys, o.runOptions)
	if err != nil {
		return run.RecordInputs{}, err
	}
	if in.Stored != nil {
		return run.RecordInputs{}, fault.Inputf("--base names a report, and --stamp needs the recordings of the base: name a revision or a folder")
	}
	if o.Base == "" {
		in, err = in.WithLastCommit()
	}
	return run.RecordInputs{Inputs: in, To: o.To}, err
}

// keeps names the answers that stay as they were, and asks whether they are to.
func keeps(sys System, o recordOptions, kept []recorded.Unstamped) bool {
	for _, u := range kept[:min(len(kept), namedAtMost)] {
		say(sys, "%s:%d: the answer to case %s is as it was, and what is asked changed", u.File, u.Line, u.CaseID)
	}
	if more := len(kept) - namedAtMost; more > 0 {
		say(sys, "and %s", text.Count(more, "more answer"))
	}
	if o.Yes {
		return true
	}
	ask := askToGoOn(sys, o.runOptions)
	return ask != nil && ask("Would the model still say so? A stamp says that it would")
}
