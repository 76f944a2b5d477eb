// Package record writes the answers of live targets into the recordings of suites.
package record

import (
	"bytes"
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
	Against   *sides.Inputs  // the base to compare the new recordings with; nil: none
	Earlier   []*source.Tree // further bases of ReadStamps
	BaseName  string         // the caller's name of that base; "": its revision's name
	HeadRules bool           // the head's configuration applies, not the base's
	NoReruns  bool           // flipped cases are not rerun
	Target    string         // the live target to record; "": the suite's, else the only live one
	To        string         // the file to write, with {suite} for the suite's id; "": the path of the recorded target
}

// Suite is the result for one suite.
type Suite struct {
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
// on both sides. Errors in files are document.Faults, those in the head's files before the first call.
func Record(ctx context.Context, in Inputs, to asking.Sinks) (Result, error) {
	r, err := in.read(to)
	if err != nil {
		return Result{}, err
	}
	switch {
	case r.sides.Live.HasTargets():
	case r.out.Kept > 0:
		return r.out, nil
	default:
		return Result{}, fault.Inputf("no suite has a live target, so there is nothing to record")
	}
	if err := r.sides.ConfirmTargets(); err != nil {
		return Result{}, err
	}
	var warnings []report.Warning
	r.session, warnings = asking.OpenSession(r.sides)
	r.panel = asking.NewPanel(r.sides, r.session, config.StaleAsk)
	err = r.record(ctx)
	r.out.Warnings = slices.Concat(r.sides.Warnings, warnings, r.session.Close())
	return r.out, err
}

// recording is the state of Record.
type recording struct {
	in      Inputs
	sides   *sides.Sides // of the head only, with live targets in place of the recorded ones
	against *sides.Sides // the base to find flips; nil: no reruns
	session asking.Session
	panel   *evaluate.Panel // nil: no case has criteria
	sinks   asking.Sinks

	stored *sides.Side // the head with its recordings; nil: no suite is recorded
	// suites that can lack nothing but verdicts: all their answers are current, and they have criteria or no live
	// target
	complete []*suite.Suite
	keys     map[suiteid.Name]string // request keys of the recorded targets
	suites   []*suite.Suite          // suites with a live target, with all their cases; set by record

	results map[string]*Suite // by suite
	lines   map[suiteid.Name]caseLines
	out     Result
}

// caseLines are new lines of the recordings of a case; nil: there are none.
type caseLines struct {
	first  []byte // with the kept lines of the case
	reruns []byte
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
func (in Inputs) read(to asking.Sinks) (r *recording, err error) {
	own, ruling, faults := in.effective()
	if err := document.AsError(faults); err != nil {
		return nil, err
	}
	if len(own.Results) > 0 {
		return nil, fault.Inputf("%s names results of another runner, which are not recorded; `failproof gate` compares them", own.Path)
	}
	live, reading, err := in.targets(own)
	if err != nil {
		return nil, err
	}
	suites, more := suite.Load(in.Inputs.Head, live, in.Inputs.SuiteGlobs(own.Suites))
	replayed, ofReplayed := suite.Load(in.Inputs.Head, reading, in.Inputs.SuiteGlobs(own.Suites))
	if !document.HasErrors(more) {
		more = ofReplayed
	}
	suites = in.filterSuites(own, suites)
	if err := document.AsError(append(faults, more...)); err != nil {
		return nil, err
	}
	r = &recording{in: in, sinks: to, keys: map[suiteid.Name]string{}, results: map[string]*Suite{}, lines: map[suiteid.Name]caseLines{}}
	r.setResults(reading, replayed, suites)
	var asked, unasked []*suite.Suite
	targets := map[string]string{}
	for _, s := range suites {
		switch {
		case live.Targets[s.Target].Provider == model.Recorded:
			unasked = append(unasked, s)
		case own.Targets[s.Target].Provider != "echo": // echo needs no recording
			asked, targets[s.ID] = append(asked, s), live.Targets[s.Target].Name
		}
	}
	asked, err = r.oneEachFile(own, asked, targets)
	if err := cmp.Or(err, r.checkOverwrite(asked)); err != nil {
		return nil, err
	}
	if err := r.readStored(own, reading, replayed, targets); err != nil {
		return nil, err
	}
	for _, s := range unasked {
		if !contains(r.complete, s.ID) {
			return nil, in.noTargetError(own, s)
		}
	}
	if ruling == in.Inputs.Head { // a person is asked about the head's own targets, also if readStored opened it anew
		ruling = r.in.Inputs.Head
	}
	r.sides = &sides.Sides{Inputs: r.in.Inputs, Rules: own, RulesTree: ruling, Live: sides.NewTargets(in.Inputs, own)}
	r.sides.Head, faults = sides.OpenSide(r.in.Inputs.Head, live, asked, r.sides.Live, nil)
	r.sides.Judge, more = r.sides.OpenJudge(asked, r.complete)
	r.sides.Selected = map[suite.Side][]*suite.Suite{suite.Head: asked}
	r.sides.Warnings = in.Inputs.Warnings
	return r, document.AsError(append(faults, more...))
}

// setResults sets the empty results and the keys of the replayed suites, which have recorded targets. It sets the
// trials of the live suites to theirs: the recorded target says how many answers are read.
func (r *recording) setResults(reading *config.Config, replayed, live []*suite.Suite) {
	trials := map[suiteid.Name]int{}
	for _, s := range replayed {
		r.results[s.ID] = &Suite{Path: recorded.Path(reading.Targets[s.Target].Path, s.ID), File: s.Path}
		for _, c := range s.Cases {
			name := suiteid.Name{Suite: s.ID, Case: c.ID}
			r.keys[name], trials[name] = c.Keys().RequestKey.String(), c.Trials
		}
	}
	for s, c := range suite.EachCase(live) {
		c.Trials = trials[suiteid.Name{Suite: s.ID, Case: c.ID}]
	}
}

// record makes the calls and writes the answers and verdicts.
func (r *recording) record(ctx context.Context) (err error) {
	defer r.sides.Live.StopOnCancel(ctx)()
	uncanceled := context.WithoutCancel(ctx)
	if r.in.Against != nil && !r.in.NoReruns { // flipped cases are rerun
		if r.against, err = sides.Read(*r.in.Against); err != nil {
			return err
		}
		defer asking.Session{Live: r.against.Live}.Close()
	}
	lacking := r.withoutVerdicts()
	r.suites = r.sides.Selected[suite.Head]
	asked := slices.DeleteFunc(slices.Clone(r.suites),
		func(s *suite.Suite) bool { return contains(lacking, s.ID) })
	kept := r.keptLines(asked)
	r.out.Kept += len(kept)
	r.sides.Selected[suite.Head] = withoutKept(asked, kept)
	if err := r.gradeRecorded(uncanceled, lacking); err != nil {
		return err
	}
	if err := r.askCases(uncanceled, kept); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	if r.against != nil {
		if err := r.rerunFlips(uncanceled); err != nil {
			return err
		}
	}
	for _, s := range slices.Concat(lacking, asked) {
		one := *r.results[s.ID]
		if one.Answers+one.Lost+one.Graded+one.Settled+one.ByHand > 0 {
			r.out.Suites = append(r.out.Suites, one)
		}
		r.out.Kept -= one.ByHand
	}
	return nil
}

// withoutKept returns suites without the cases whose answers are all kept. A suite without other cases is left out.
func withoutKept(suites []*suite.Suite, kept map[trial]string) (out []*suite.Suite) {
	for _, s := range suites {
		one := *s
		one.Cases = s.Cases.Where(func(c *suite.Case) bool {
			for number := 1; number <= c.Trials; number++ {
				if kept[trial{suiteid.Name{Suite: s.ID, Case: c.ID}, number}] == "" {
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

// askCases runs the trials of the remaining cases that are not kept, and sets their answers as redacted lines.
func (r *recording) askCases(ctx context.Context, kept map[trial]string) error {
	plan := r.plan(r.sides.Selected[suite.Head], r.sides.Head)
	plan.Journal = r.session.Journal()
	plan.Skip = func(q model.Request) bool { return kept[trialOf(q)] != "" }
	priced := config.ResolveAlone(r.sides.Rules, config.CallNew)
	// the price is that of the live target, not of the recorded one
	for _, s := range r.sides.Selected[suite.Head] {
		priced.Targets[s.Target] = r.sides.Head.Config.Targets[s.Target]
	}
	if _, err := asking.Announce(r.sides, forecast.New(plan, r.maxReruns(), priced), r.sinks); err != nil {
		return err
	}
	asking.BeginProgress(r.sides)
	defer r.in.Inputs.Progress.Finish()
	hide, lines := r.sides.Redactor(), map[trial][]byte{}
	err := evaluate.Run(ctx, plan, func(a evaluate.Answer) error {
		r.in.Inputs.Progress.Advance()
		r.results[a.Suite.ID].Answers++
		if a.Response.Failure != nil {
			r.lose(a)
			return nil
		}
		bound := recorded.LineFields{Key: r.keys[asking.NameOf(a.Request)],
			Target: sides.RecordedTarget(r.sides.Head.Config.Targets[a.Suite.Target])}
		bound.Samples = r.sampleCount(a, bound)
		lines[trialOf(a.Request)] = recorded.Line(a.Request, bound, asking.Redacted(hide, a.Response))
		return nil
	})
	for s, c := range suite.EachCase(r.sides.Selected[suite.Head]) {
		var all []byte
		name := suiteid.Name{Suite: s.ID, Case: c.ID}
		for number := 1; number <= c.Trials; number++ {
			at := trial{name, number}
			all = append(append(all, lines[at]...), kept[at]...)
		}
		r.lines[name] = caseLines{first: all}
	}
	return err
}

// lose counts an answer of a suite that did not come.
func (r *recording) lose(a evaluate.Answer) {
	one := r.results[a.Suite.ID]
	if one.Lost++; one.Lost == 1 {
		one.Why = model.Untrusted(r.sides.Redactor().Text(string(a.Response.Failure.Message)))
	}
}

// write writes the recordings of the suites without a missing answer, and adds their growth to the result. The lines of
// other cases and suites in the same file stay.
func (r *recording) write() error {
	files := map[string][]*suite.Suite{}
	for _, s := range r.suites {
		isNew := func(c *suite.Case) bool {
			lines := r.lines[suiteid.Name{Suite: s.ID, Case: c.ID}]
			return len(lines.first)+len(lines.reruns) > 0
		}
		if one := r.results[s.ID]; one.Lost == 0 && s.Cases.Any(isNew) {
			files[one.Path] = append(files[one.Path], s)
		}
	}
	_, err := output.WriteFiles(r.in.Inputs.Dir, slices.Sorted(maps.Keys(files)),
		func(root *os.Root, name string) ([]byte, error) {
			old, err := regular.ReadIn(root, filepath.FromSlash(name), source.MaxFileSize)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			old = bytes.TrimPrefix(old, []byte("\ufeff")) // its line may move
			lines := map[string][]byte{}
			for _, s := range files[name] {
				lines[suiteid.AuthorID(s.ID)] = r.suiteLines(old, s)
			}
			text := recorded.Replace(old, lines)
			r.out.Added += len(text) - len(old)
			return text, nil
		})
	return err
}

// suiteLines returns the lines of a suite: the new lines of each case, or its old lines if it has no new answer. A case
// keeps its reruns while they are current.
func (r *recording) suiteLines(old []byte, s *suite.Suite) (text []byte) {
	oldFirst, oldReruns := recorded.Lines(old, s.ID)
	for _, c := range s.Cases {
		lines := r.lines[suiteid.Name{Suite: s.ID, Case: c.ID}]
		if lines.reruns == nil && (lines.first == nil || r.hasCurrentReruns(s, c)) {
			lines.reruns = oldReruns[c.ID]
		}
		if lines.first == nil {
			lines.first = oldFirst[c.ID]
		}
		text = append(append(text, lines.first...), lines.reruns...)
	}
	return text
}

// hasCurrentReruns reports whether the recordings have reruns of a case's present request by the target to record.
func (r *recording) hasCurrentReruns(s *suite.Suite, c *suite.Case) bool {
	found := r.stored.Find(s.ID)
	if found == nil {
		return false
	}
	own := r.stored.Recordings[found.Target].OwnReruns(s.ID, c.ID, r.keys[suiteid.Name{Suite: s.ID, Case: c.ID}],
		sides.RecordedTargets(r.sides.Rules))
	return slices.Contains(own.TargetNames(), r.sides.Head.Config.Targets[s.Target].Name)
}
