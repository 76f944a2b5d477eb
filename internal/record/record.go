// Package record writes the answers of live targets into the recordings of suites.
package record

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// defaultRecordings is the path of recordings if the configuration has no recorded target.
const defaultRecordings = "recordings/{suite}.jsonl"

// Inputs are the inputs of Record.
type Inputs struct {
	Inputs    sides.Inputs
	Against   *sides.Inputs // the base to compare the new recordings with; nil: none
	BaseName  string        // the caller's name of that base; "": its revision's name
	HeadRules bool          // the head's configuration applies, not the base's
	NoReruns  bool          // flipped cases are not rerun
	Target    string        // the live target to record; "": the suite's, else the only live one
	To        string        // the file to write, with {suite} for the suite's id; "": the path of the recorded target
}

// Suite is the result for one suite.
type Suite struct {
	Suite   string
	Path    string          // of the recordings
	Answers int             // requested answers
	Lost    int             // missing answers; above 0, nothing was written
	Why     model.Untrusted // why the first one is missing
	Graded  int             // recorded answers that got verdicts; then Answers is 0
	Settled int             // number of flipped cases that the reruns decide
	ByHand  int             // stale hand-written answers, which stay
	File    string          // of the suite
}

// Result is the result of Record.
type Result struct {
	Suites     []Suite
	Kept       int // current answers, which were not requested again
	Added      int // growth of the files of recordings in bytes, may be negative
	Unresolved []UnresolvedFlip
	Warnings   []report.Warning
}

// UnresolvedFlip is a flipped case that the reruns do not decide.
type UnresolvedFlip struct {
	SuiteID, CaseID string
	Why             model.Untrusted
}

// Record calls a live target and writes its answers as recordings. If a case flips by the new answers, Record reruns it
// on both sides. Errors in files are returned as diagnostics, those in the head's files before the first call.
func Record(ctx context.Context, in Inputs, to asking.Sinks) (Result, []document.Diagnostic, error) {
	r, faults, err := in.read()
	if err != nil || document.HasErrors(faults) {
		return Result{}, faults, err
	}
	if !r.sides.Live.HasTargets() {
		return Result{}, nil, fault.Inputf("no suite has a live target, so there is nothing to record")
	}
	if err := r.sides.ConfirmTargets(); err != nil {
		return Result{}, nil, err
	}
	open, warnings := asking.OpenSession(r.sides)
	out, faults, err := r.record(ctx, open, to)
	out.Warnings = slices.Concat(r.sides.Warnings, warnings, open.Close())
	return out, faults, err
}

// recording is the state of Record: the cases to record and their files.
type recording struct {
	// of the head only, with live targets in place of the recorded ones
	sides   *sides.Sides
	in      Inputs
	keys    map[[2]string]string // request keys of the recorded targets, by suite and case
	paths   map[string]string    // files of recordings, by suite
	stored  storedRecordings     // suites that may need verdicts only
	against *sides.Sides         // the base to find flips; nil: no reruns

	allSuites []*suite.Suite // suites with a live target, with all their cases; set by record
}

// effective returns the effective configuration and its tree: the base's, unless HeadRules is set.
func (in Inputs) effective() (own *config.Config, ruling *source.Tree, faults []document.Diagnostic) {
	effectiveInputs := in.Inputs
	if in.Against != nil && !in.HeadRules {
		effectiveInputs = *in.Against
		effectiveInputs.Head = in.Inputs.Head
	}
	return sides.Effective(effectiveInputs)
}

// read loads the suites twice: with the live targets to call, and with the recorded targets.
func (in Inputs) read() (r recording, faults []document.Diagnostic, err error) {
	own, ruling, faults := in.effective()
	if document.HasErrors(faults) {
		return r, faults, nil
	}
	if len(own.Results) > 0 {
		return r, nil, fault.Inputf("%s names results of another runner, which are not recorded; `failproof gate` compares them", own.Path)
	}
	asking, reading, err := in.targets(own)
	if err != nil {
		return r, nil, err
	}
	suites, more := suite.Load(in.Inputs.Head, asking, in.Inputs.SuiteGlobs(own.Suites))
	replayed, _ := suite.Load(in.Inputs.Head, reading, in.Inputs.SuiteGlobs(own.Suites)) // the same faults
	suites, faults = in.filterSuites(own, suites), append(faults, more...)
	if document.HasErrors(faults) {
		return r, faults, nil
	}
	keys, trials, paths := map[[2]string]string{}, map[[2]string]int{}, map[string]string{}
	for _, s := range replayed {
		paths[s.ID] = recorded.Path(reading.Targets[s.Target].Path, s.ID)
		for _, c := range s.Cases {
			keys[[2]string{s.ID, c.ID}], trials[[2]string{s.ID, c.ID}] = c.Keys().RequestKey.String(), c.Trials
		}
	}
	for _, s := range suites { // the recorded target says how many answers are read
		for _, c := range s.Cases {
			c.Trials = trials[[2]string{s.ID, c.ID}]
		}
	}
	var asked, unasked []*suite.Suite
	live := map[string]string{}
	for _, s := range suites {
		switch {
		case asking.Targets[s.Target].Provider == model.Recorded:
			unasked = append(unasked, s)
		case own.Targets[s.Target].Provider != "echo": // echo needs no recording
			asked, live[s.ID] = append(asked, s), asking.Targets[s.Target].Name
		}
	}
	if err := cmp.Or(in.checkOverwrite(asked, paths), checkSharedFiles(asked, paths)); err != nil {
		return r, nil, err
	}
	holds, faults := in.readStored(own, reading, replayed, live)
	if document.HasErrors(faults) {
		return r, faults, nil
	}
	for _, s := range unasked {
		if !holds.contains(s.ID) {
			return r, nil, in.noTargetError(own, s)
		}
	}
	both := &sides.Sides{Inputs: in.Inputs, Rules: own, RulesTree: ruling, Live: sides.NewTargets(in.Inputs, own)}
	both.Head, faults = sides.OpenSide(in.Inputs.Head, asking, asked, both.Live)
	both.Judge, more = both.OpenJudge(asked, holds.suites)
	both.Selected = map[suite.Side][]*suite.Suite{suite.Head: asked}
	both.Warnings = in.Inputs.Warnings
	return recording{sides: both, in: in, keys: keys, paths: paths, stored: holds}, append(faults, more...), nil
}

// recordedLines holds the new answers as lines of recordings.
type recordedLines struct {
	lines  map[[2]string][]byte       // by suite and case, with the kept lines of the case
	reruns map[[2]string][]byte       // by suite and case
	asked  map[string]int             // requested answers, by suite
	lost   map[string]int             // missing answers, by suite
	why    map[string]model.Untrusted // why the first one is missing, by suite
}

// record makes the calls and writes the answers and verdicts.
func (r recording) record(ctx context.Context, open asking.Session,
	to asking.Sinks) (out Result, faults []document.Diagnostic, err error) {
	defer r.sides.Live.StopOnCancel(ctx)()
	uncanceled := context.WithoutCancel(ctx)
	if r.in.Against != nil && !r.in.NoReruns { // flipped cases are rerun
		if r.against, err = sides.Read(*r.in.Against); err != nil {
			return out, nil, err
		}
		defer asking.Session{Live: r.against.Live}.Close()
	}
	panel := asking.NewPanel(r.sides, open, config.StaleAsk)
	lacking := r.stored.withoutVerdicts(r, panel)
	r.allSuites = slices.DeleteFunc(r.sides.Selected[suite.Head],
		func(s *suite.Suite) bool { return lacking.contains(s.ID) })
	r.sides.Selected[suite.Head] = r.allSuites
	kept, stale := r.stored.keptLines(r, panel)
	r.sides.Selected[suite.Head], out.Kept = r.withoutKept(kept), len(kept)
	if out.Suites, err = r.gradeRecorded(uncanceled, lacking, panel, to); err != nil {
		return out, nil, err
	}
	got, err := r.askCases(uncanceled, open, panel, kept, to)
	if err != nil {
		return out, nil, err
	}
	if out.Added, err = r.write(got); err != nil {
		return out, nil, err
	}
	var flips rerunOutcome
	if r.against != nil {
		if flips, faults, err = r.rerunFlips(ctx, open, got, to); err != nil || document.HasErrors(faults) {
			return out, faults, err
		}
	}
	for _, s := range r.allSuites {
		out.Kept -= stale[s.ID]
		if got.asked[s.ID]+flips.settled[s.ID]+stale[s.ID] > 0 {
			out.Suites = append(out.Suites, Suite{Suite: s.ID, Path: r.paths[s.ID], Answers: got.asked[s.ID],
				Lost: got.lost[s.ID], Why: got.why[s.ID], Settled: flips.settled[s.ID], ByHand: stale[s.ID],
				File: s.Path})
		}
	}
	out.Unresolved = flips.unresolved
	out.Added += flips.added
	return out, nil, nil
}

// withoutKept returns the suites without the cases whose answers are all kept. A suite without other cases is left out.
func (r recording) withoutKept(kept map[trial]string) (out []*suite.Suite) {
	for _, s := range r.allSuites {
		one := *s
		one.Cases = s.Cases.Where(func(c *suite.Case) bool {
			for number := 1; number <= c.Trials; number++ {
				if kept[trial{s.ID, c.ID, number}] == "" {
					return true
				}
			}
			return false
		})
		if len(one.Cases) > 0 {
			out = append(out, &one)
		}
	}
	return out
}

// askCases runs the trials of the remaining cases that are not kept, and returns their answers as redacted lines.
func (r recording) askCases(ctx context.Context, open asking.Session, panel *evaluate.Panel, kept map[trial]string,
	to asking.Sinks) (got recordedLines, err error) {
	questions := evaluate.Plan{Head: evaluate.Side{Suites: r.sides.Selected[suite.Head], Target: r.sides.Head.Target},
		RunID: r.in.Inputs.RunID, Now: r.in.Inputs.Time,
		Skip:                  func(q model.Request) bool { return kept[trialOf(q)] != "" },
		EvaluationConcurrency: asking.EvaluationConcurrency(r.sides, nil), Journal: open.Journal(), Panel: panel}
	priced := config.ResolveAlone(r.sides.Rules, config.CallNew)
	// the price is that of the live target, not of the recorded one
	for _, s := range r.sides.Selected[suite.Head] {
		priced.Targets[s.Target] = r.sides.Head.Config.Targets[s.Target]
	}
	if _, err := asking.Announce(r.sides, forecast.New(questions, r.maxReruns(), priced), to); err != nil {
		return got, err
	}
	asking.BeginProgress(r.sides)
	defer r.in.Inputs.Progress.Finish()
	hide := r.sides.Redactor()
	got = recordedLines{lines: map[[2]string][]byte{}, asked: map[string]int{}, lost: map[string]int{},
		why: map[string]model.Untrusted{}}
	lines := map[trial][]byte{}
	err = evaluate.Run(ctx, questions, func(a evaluate.Answer) error {
		r.in.Inputs.Progress.Advance()
		got.asked[a.Suite.ID]++
		if a.Response.Failure != nil {
			if got.lost[a.Suite.ID]++; got.lost[a.Suite.ID] == 1 {
				got.why[a.Suite.ID] = model.Untrusted(hide.Text(string(a.Response.Failure.Message)))
			}
			return nil
		}
		bound := recorded.LineFields{Key: r.keys[[2]string{a.Suite.ID, a.Case.ID}],
			Target: sides.RecordedTarget(r.sides.Head.Config.Targets[a.Suite.Target])}
		bound.Samples = r.stored.sampleCount(a, bound)
		lines[trialOf(a.Request)] = recorded.Line(a.Request, bound,
			asking.Redacted(hide, a.Response))
		return nil
	})
	for _, s := range r.sides.Selected[suite.Head] {
		for _, c := range s.Cases {
			id := [2]string{s.ID, c.ID}
			for number := 1; number <= c.Trials; number++ {
				at := trial{s.ID, c.ID, number}
				got.lines[id] = append(append(got.lines[id], lines[at]...), kept[at]...)
			}
		}
	}
	return got, err
}

// write writes the recordings of the suites without a missing answer, and returns their growth in bytes. The lines of
// other cases and suites in the same file stay.
func (r recording) write(got recordedLines) (added int, err error) {
	files := map[string][]string{}
	for _, s := range r.allSuites {
		isNew := func(c *suite.Case) bool {
			id := [2]string{s.ID, c.ID}
			return len(got.lines[id])+len(got.reruns[id]) > 0
		}
		if got.lost[s.ID] == 0 && s.Cases.Any(isNew) {
			files[r.paths[s.ID]] = append(files[r.paths[s.ID]], s.ID)
		}
	}
	_, err = output.WriteFiles(r.in.Inputs.Dir, slices.Sorted(maps.Keys(files)),
		func(root *os.Root, name string) ([]byte, error) {
			local := filepath.FromSlash(name)
			if !filepath.IsLocal(local) {
				return nil, errors.New("it is not below the current folder")
			}
			old, err := regular.ReadIn(root, local, source.MaxFileSize)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			lines := map[string][]byte{}
			for _, s := range r.allSuites {
				if slices.Contains(files[name], s.ID) {
					lines[suiteid.AuthorID(s.ID)] = r.suiteLines(old, s, got)
				}
			}
			text := recorded.Replace(old, lines)
			added += len(text) - len(old)
			return text, nil
		})
	return added, err
}

// suiteLines returns the lines of a suite: the new lines of each case, or its old lines if it has no new answer. A case
// keeps its reruns while they are current.
func (r recording) suiteLines(old []byte, s *suite.Suite, got recordedLines) (text []byte) {
	first, fresh := recorded.Lines(old, s.ID)
	for _, c := range s.Cases {
		id := [2]string{s.ID, c.ID}
		lines, more := got.lines[id], got.reruns[id]
		if more == nil && (lines == nil || r.hasCurrentReruns(s, c)) {
			more = fresh[c.ID]
		}
		if lines == nil {
			lines = first[c.ID]
		}
		text = append(append(text, lines...), more...)
	}
	return text
}

// hasCurrentReruns reports whether the recordings have reruns of a case's present request by the target to record.
func (r recording) hasCurrentReruns(s *suite.Suite, c *suite.Case) bool {
	found := r.stored.find(s.ID)
	if found == nil {
		return false
	}
	own := r.stored.side.Recordings[found.Target].OwnReruns(s.ID, c.ID, r.keys[[2]string{s.ID, c.ID}],
		sides.RecordedTargets(r.sides.Rules))
	return slices.Contains(own.TargetNames(), r.sides.Head.Config.Targets[s.Target].Name)
}
