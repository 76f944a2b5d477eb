package run

import (
	"errors"
	"fmt"
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
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

// judgeResults holds what another runner wrote of both sides to the gate. Nobody is asked.
func (p *Plan) judgeResults(in sides.Inputs, started time.Time, to asking.Sinks) (out Result, err error) {
	if p.Sides, err = sides.ReadRules(in); err != nil {
		return out, err
	}
	both, faults := readResults(in.Results)
	p.Sides.Faults = append(p.Sides.Faults, faults...)
	if document.HasErrors(p.Sides.Faults) {
		return Result{Report: invalidReport(p.Sides, started, meaning.Meaning{}, p.Sides.Faults)}, nil
	}
	paired := results.Pair("", both[0], both[1])
	policy := resultsGate(p.Sides.Rules.Gate, paired)
	told := results.Meaning{RunID: in.RunID, Time: sides.Timestamp(started), Hide: p.Sides.Redactor().Text, Strict: policy.Mode == config.ModeStrict}
	head, ofHead, err := p.takeSide(to, output.ResultsFile, paired, paired.Head, told)
	if err != nil {
		return out, err
	}
	run := gate.Run{Head: head, BaseState: p.Sides.BaseState, PolicyChanges: slices.Clone(p.Sides.Changes),
		BaseFaults: faultsBefore(in, p.Sides.BaseFaults), Pairing: gate.Pairing{Of: paired.Of, Joined: paired.Joined}}
	answers := page.Answers{Head: asking.AnswerFinder(ofHead, head)}
	if paired.Base != nil {
		var ofBase *report.Log
		if run.Base, ofBase, err = p.takeSide(to, output.BaseFile, paired, paired.Base, told); err != nil {
			return out, err
		}
		answers.Base = asking.AnswerFinder(ofBase, run.Base)
	}
	if run.Comparison, err = compare.RerunAndCompare(policy, compare.Sides{Head: head, Base: run.Base}, compare.Asker{}); err != nil {
		return out, err
	}
	rep := p.Sides.NewReport(started)
	rep.Runner = paired.Head.Format
	if in.Base == nil { // no commits are compared, but files
		rep.Run.Head = report.Revision{Name: in.Results.Head.Name}
		if paired.Base != nil {
			rep.Run.Base = &report.Revision{Name: in.Results.Base.Name}
		}
	}
	rep.Warnings = append(rep.Warnings, resultsNotes(in.Results, paired)...)
	decide(rep, policy, p.Sides.Rules.Phase, run)
	rep.Beside = run.Base != nil
	rep.Run.FinishedAt = sides.Timestamp(in.Time())
	out = Result{Report: rep, Answers: answers, Shared: paired.Shared}
	return out, layout.Add(rep, answers, func() layout.Questions { return layout.Questions{Redact: p.Sides.Redactor().Text} }, to.Bugs.Note)
}

// readResults reads the files of base and head; the base is nil where there are none of it.
func readResults(r *sides.Results) (both [2]*results.Side, faults []document.Diagnostic) {
	for i, files := range []sides.ResultFiles{r.Base, r.Head} {
		if files.Tree == nil {
			continue
		}
		side, err := results.Read(files.Tree, files.Path, results.Options{Format: r.Format, Runs: r.Runs})
		if wrong, is := errors.AsType[results.Fault](err); is {
			name := files.Name + strings.TrimPrefix(wrong.Path, files.Path)
			faults = append(faults, document.NewFault(name, document.Position{}, "results", "%s", wrong.Why))
		}
		both[i] = side
	}
	if len(faults) == 0 && both[0] != nil && both[0].Format != both[1].Format {
		faults = append(faults, document.NewFault(r.Head.Name, document.Position{}, "results",
			"its format is %s, and that of the base %s; expected one format", both[1].Format, both[0].Format))
	}
	return both, faults
}

// takeSide writes the results of a side, and reduces them.
func (p *Plan) takeSide(to asking.Sinks, file string, paired *results.Pairing, of *results.Side, m results.Meaning) (*report.Side, *report.Log, error) {
	out, err := to.Out.CreateResults(file, nil)
	if err != nil {
		return nil, nil, err
	}
	b := report.Builder{Log: out.Log}
	b.Plan(paired.Plans(of))
	err = paired.Each(of, m, func(r report.Result) error {
		at, err := out.Add(r)
		if err != nil {
			return err
		}
		return b.Add(r, at)
	})
	if err == nil {
		err = out.Commit()
	}
	return b.Side(), out.Log, err
}

// resultsGate is the gate as it holds for another runner's results: two tests in place of asking again, and no threshold of a
// score that nobody named, since a runner's cases need not be meant to pass.
func resultsGate(g config.Gate, paired *results.Pairing) config.Gate {
	none := 0
	g.Confirm, g.Recheck, g.Pooled = 0, &none, config.PooledOff
	if g.Mode == config.ModeAuto && paired.Head.Strict {
		g.Mode = config.ModeStrict
	}
	if s := &g.Settings[config.MinRunScore]; !s.Set {
		s.Level = config.Off
	}
	return g
}

// namesListed is how many names a note lists.
const namesListed = 10

// resultsNotes say what a reader has to know of results that another runner made.
func resultsNotes(r *sides.Results, paired *results.Pairing) (notes []report.Warning) {
	say := func(format string, args ...any) {
		notes = append(notes, report.Warning{Code: "results", Message: fmt.Sprintf(format, args...)})
	}
	say("results of %s, judged by their runner; failproof asks nothing again, and its judge, policies, refusals, metrics and probes do not apply", paired.Head.Format)
	if r.Made != "" {
		say("%s", r.Made)
	}
	if !paired.Head.Shows {
		say("%s does not show what a case is held to: that an expectation was changed cannot be seen", paired.Head.Format)
	}
	if n := len(paired.Renamed); n > 0 {
		say("%s found by the input alone, under another name: %s", text.Count(n, "case is", "cases are"),
			strings.Join(paired.Renamed[:min(n, namesListed)], ", "))
	}
	if paired.ByOrder > 0 {
		say("%s equal variables and other assertions, and nothing but the order tells them apart; give each a description",
			text.Count(paired.ByOrder, "case has", "cases have"))
	}
	return notes
}
