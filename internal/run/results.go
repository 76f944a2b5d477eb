package run

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/layout"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

// judgeResults judges the results of another runner on both sides. It makes no calls.
func (p Plan) judgeResults(started time.Time, sinks asking.Sinks) (out Result, err error) {
	in := p.Sides.Inputs
	invalid := func() (Result, error) {
		return Result{Report: invalidReport(p.Sides, started, meaning.Model{}, p.Sides.Faults)}, nil
	}
	if document.HasErrors(p.Sides.Faults) {
		return invalid()
	}
	all := p.Sides.Results
	paired, faults := pairResults(all)
	if p.Sides.Faults = append(p.Sides.Faults, faults...); document.HasErrors(p.Sides.Faults) {
		return invalid()
	}
	policy := resultsGate(p.Sides.Rules.Gate)
	info := results.RunInfo{RunID: in.RunID, Time: sides.Timestamp(started), Hide: p.Sides.Redactor().Text}
	head, err := writeSide(sinks, output.ResultsFile, paired, paired.Head, info)
	if err != nil {
		return out, err
	}
	var base *report.Side
	if paired.Base != nil {
		if base, err = writeSide(sinks, output.BaseFile, paired, paired.Base, info); err != nil {
			return out, err
		}
	}
	run := p.gateInput(head, base)
	run.Pairing = gate.Pairing{BaseCases: paired.BaseCases, PairedCases: paired.PairedCases}
	if run.Comparison, err = compare.Begin(policy, compare.Sides{Head: head, Base: base}).Comparison(); err != nil {
		return out, err
	}
	rep := p.Sides.NewReport(started)
	rep.Scoring.RulesVersion = rulesVersion
	rep.Runner, rep.ResultsBeside = strings.Join(paired.Formats, ", "), base != nil
	if in.Base == nil { // the base is files, not a commit
		rep.Run.Head, rep.Run.Base = filesCompared(all)
	}
	rep.Warnings = append(rep.Warnings, resultsNotes(in.ResultsOrigin, all, paired)...)
	rep.Warnings = append(rep.Warnings, unusedQuarantines(policy, head, base)...)
	decide(rep, policy, p.Sides.Rules.Phase, run)
	rep.Run.FinishedAt = sides.Timestamp(in.Time())
	out = Result{Report: rep, Answers: answerFinders(base, head), InSeveralSuites: paired.InSeveralSuites}
	return out, layout.Add(rep, out.Answers, nil, sinks.Bugs.Add)
}

// filesCompared returns revisions whose names are those of the files of head and base. base is nil if there are no
// files of the base.
func filesCompared(all []sides.Results) (head report.Revision, base *report.Revision) {
	var names [2][]string
	for _, r := range all {
		names[0] = append(names[0], r.Head.Name)
		if r.Base.Tree != nil {
			names[1] = append(names[1], r.Base.Name)
		}
	}
	if len(names[1]) > 0 {
		base = &report.Revision{Name: strings.Join(names[1], ", ")}
	}
	return report.Revision{Name: strings.Join(names[0], ", ")}, base
}

// pairResults reads the results of base and head and pairs their cases. It returns no pairing if there are errors. The
// warnings are about files that are read all the same.
func pairResults(all []sides.Results) (*results.Pairing, []document.Diagnostic) {
	var pairs []*results.Pairing
	var faults []document.Diagnostic
	for _, r := range all {
		options := results.Options{Format: r.Format, Runs: r.RunPattern, PassAt: r.PassThreshold}
		base, wrong := readSide(r.Base, options)
		head, more := readSide(r.Head, options)
		faults = slices.Concat(faults, wrong, more)
		switch {
		case head == nil, base == nil && r.Base.Tree != nil:
			continue
		case base != nil && base.Format.Name != head.Format.Name:
			faults = append(faults, document.NewError(r.Head.Name, document.Position{}, "results",
				"its format is %s, and that of the base %s; expected one format", head.Format.Name, base.Format.Name))
			continue
		}
		strict := r.Mode == config.ModeStrict || r.Mode == "" && head.Format.Strict
		pairs = append(pairs, results.Pair(results.Rules{Name: r.Results.Name, Strict: strict, MustPass: r.MustPass}, base, head))
	}
	if document.HasErrors(faults) {
		return nil, faults
	}
	return results.Merge(pairs), faults
}

// readSide reads the results of a side. It returns nil if the side has none, or has errors.
func readSide(files sides.ResultFiles, options results.Options) (side *results.Side, faults []document.Diagnostic) {
	if files.Tree == nil {
		return nil, nil
	}
	name := func(f results.Fault) string {
		return path.Join(files.Name, strings.TrimPrefix(strings.TrimPrefix(f.Path, files.Path), "/"))
	}
	side, err := results.Read(files.Tree, files.Path, options)
	if wrong, ok := errors.AsType[results.Fault](err); ok {
		return nil, []document.Diagnostic{document.NewError(name(wrong), document.Position{}, "results", "%s", wrong.Why)}
	}
	for _, note := range side.Notes[:min(len(side.Notes), namesListed)] {
		faults = append(faults, document.NewWarning(name(note), document.Position{}, "results", "%s", note.Why))
	}
	if more := len(side.Notes) - namesListed; more > 0 {
		faults = append(faults, document.NewWarning(files.Name, document.Position{}, "results", "its files have %s", text.Count(more, "more note")))
	}
	return side, faults
}

// writeSide writes the results of side to a file in the output folder, and returns these results as a side of the
// report.
func writeSide(sinks asking.Sinks, file string, paired *results.Pairing, side *results.Side, m results.RunInfo) (*report.Side, error) {
	out, err := sinks.Out.CreateResults(file, nil)
	if err != nil {
		return nil, err
	}
	out.Plan(paired.Plans(side))
	err = paired.Each(side, m, out.Add)
	side.DropRuns()
	if err == nil {
		err = out.Commit()
	}
	return out.Side(), err
}

// resultsGate returns the gate for the results of another runner. It turns off reruns, because failproof cannot run the
// cases. It also turns off the default score threshold, because some cases may be meant to fail.
func resultsGate(g config.Gate) config.Gate {
	none := 0
	g.Confirm, g.Recheck, g.Pooled = 0, &none, config.PooledOff
	if s := &g.Settings[config.MinRunScore]; !s.Set {
		s.Level = config.Off
	}
	return g
}

// unusedQuarantines returns a note for each quarantine of a case that no side has. A side may be nil.
func unusedQuarantines(g config.Gate, all ...*report.Side) (notes []report.Warning) {
	for _, q := range g.UnusedQuarantines(func(yield func(suiteID, caseID string)) {
		for _, side := range all {
			if side == nil {
				continue
			}
			for _, s := range side.Suites {
				for _, c := range s.Cases {
					yield(s.ID, c.ID)
				}
			}
		}
	}) {
		notes = append(notes, report.Warning{Code: report.WarnResults, Message: q.UnusedText()})
	}
	return notes
}

// namesListed is the largest number of names in a note.
const namesListed = 10

// resultsNotes returns notes about the results of another runner. made says how the results of the head were made, or
// is "".
func resultsNotes(made string, all []sides.Results, paired *results.Pairing) (notes []report.Warning) {
	warn := func(format string, args ...any) {
		notes = append(notes, report.Warning{Code: report.WarnResults, Message: fmt.Sprintf(format, args...)})
	}
	list := func(one, several, what string, names []string) {
		if n := len(names); n > 0 {
			warn("%s %s: %s", text.Count(n, one, several), what, strings.Join(names[:min(n, namesListed)], ", "))
		}
	}
	warn("results of %s, judged by their runner; failproof asks nothing again, and its judge, policies, refusals, metrics and probes do not apply",
		text.List(paired.Formats, "and"))
	if made != "" {
		warn("%s", made)
	}
	for _, r := range all {
		for _, note := range r.Notes {
			warn("%s", note)
		}
	}
	// the base's results are of another run, which may have used another model
	aged := slices.ContainsFunc(all, func(r sides.Results) bool { return r.Base.Tree != nil && len(r.Notes) > 0 })
	if was, now := paired.Models[0], paired.Models[1]; aged && len(was) > 0 {
		warn("asked on the base: %s; here: %s", text.List(was[:min(len(was), namesListed)], "and"), text.List(now[:min(len(now), namesListed)], "and"))
	}
	if !paired.ShowsAssertions {
		warn("the results do not show what a case is held to: that an expectation was changed cannot be seen")
	}
	list("case that the base ran is", "cases that the base ran are", "skipped here, as if removed", paired.Skipped)
	list("case is", "cases are", "found by the input alone, under another name", paired.Renamed)
	list("case has", "cases have", "another input than on the base, and the gate compares answers to different questions", paired.OtherInput)
	list("case passed before, and fails", "cases passed before, and fail", "by assertions that are others now", paired.Edited)
	list("provider or prompt is", "providers or prompts are", "found by the place alone", paired.PairedByOrder)
	list("case has", "cases have", "several results of one name and no number of a run, which count as its runs; name cases apart, or number the runs",
		paired.Repeated)
	list("case lacks", "cases lack", "answers of some runs on the base", paired.Incomplete[0])
	list("case lacks", "cases lack", "answers of some runs", paired.Incomplete[1])
	if was, now := paired.Runs[0], paired.Runs[1]; now < was {
		warn("a case has %s at most here, and %d on the base: fewer runs prove less", text.Count(now, "run"), was)
	}
	if paired.NoRunFound {
		warn("no test has a name in which the expression of the runs finds a run; correct the expression, or leave it out")
	}
	for _, pattern := range paired.UnusedMustPass {
		warn("no case is called %s, as `must_pass` of `results` says; correct the pattern", document.Quote(pattern))
	}
	if paired.OrderedCases > 0 {
		warn("%s equal variables and other assertions, and nothing but the order tells them apart; give each a description",
			text.Count(paired.OrderedCases, "case has", "cases have"))
	}
	return notes
}
