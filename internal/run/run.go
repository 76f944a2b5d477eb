// Package run does one run. ReadPlan reads both sides. The run then asks for the answers and judges them, reruns
// flipped cases, compares, and assembles the report. Write writes the files.
package run

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/layout"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/together"
)

// Result is what a finished run returns.
type Result struct {
	Report   *report.Report
	Answers  report.ResultFinders // of both sides, from this run or a stored one
	Redactor *redact.Redactor     // redacts the run's secrets
	// InSeveralSuites reports whether several suites have a case with the given id. It is nil if nothing was judged.
	InSeveralSuites func(id string) bool
}

// Judge does a whole run, writes the results and returns the report. After an internal error, the report is undecided
// and describes the error.
func Judge(ctx context.Context, in sides.Inputs, sinks asking.Sinks) (Result, error) {
	started := in.Time()
	in.AcceptsResults = true
	in.RunID = cmp.Or(in.RunID, strconv.FormatInt(started.Unix(), 10))
	if err := sinks.Out.Clear(); err != nil {
		return Result{}, err
	}
	plan, judged := Plan{Sides: sides.New(in)}, Result{}
	err := fault.CallRecovering("judging the run", func() (err error) {
		// Compile the built-in rules while the files are read.
		together.Do(func() { plan, err = ReadPlan(in) }, func() { refusal.New(nil) })
		switch {
		case err != nil:
		case plan.Sides.HasResults():
			judged, err = plan.judgeResults(started, sinks)
		default:
			judged, err = plan.judgeLive(ctx, started, sinks)
		}
		return err
	})
	if bug, ok := errors.AsType[*fault.Bug](err); ok {
		sinks.Bugs.Add(bug)
		why := bug.Error() + ": a bug of failproof, not of the prompts"
		judged, err = Result{Report: undecidedReport(plan.Sides, started, gate.Internal.Code, why)}, nil
	}
	judged.Redactor = plan.Sides.Redactor()
	return judged, err
}

// judgeLive does all steps of a run after ReadPlan, and returns its report.
func (p Plan) judgeLive(ctx context.Context, started time.Time, sinks asking.Sinks) (out Result, err error) {
	meaning, faults, err := meaning.Open(p.Sides, ctx)
	if err != nil {
		return out, err
	}
	if document.HasErrors(faults) {
		return Result{Report: invalidReport(p.Sides, started, meaning, faults)}, nil
	}
	p.Sides.BaseFaults = slices.Concat(p.Sides.BaseFaults, meaning.Faults)
	if why := shards.WhyUnusable(p.Sides); why != "" {
		return Result{Report: undecidedReport(p.Sides, started, model.ReasonShard, why)}, nil
	}
	a := p.open(meaning, sinks)
	end := sync.OnceValue(a.end)
	defer end() // even after a panic: answers that were paid for are written
	if err := a.ask(ctx); err != nil {
		return out, err
	}
	input, err := a.gateRun()
	if err != nil {
		return out, err
	}
	p.Sides.Head.DropRecordings()
	p.Sides.Base.DropRecordings()
	out.Report, out.Answers = a.assemble(input, end(), started), answerFinders(a.base, a.head)
	out.InSeveralSuites = p.Sides.Pairs.InSeveralSuites
	finder := func() layout.CaseFinder {
		return layout.CaseFinder{Find: p.Sides.Pairs.Find, Redact: p.Sides.Redactor().Text}
	}
	return out, layout.Add(out.Report, out.Answers, finder, sinks.Bugs.Add)
}

// AskShard requests the first answers of one shard, a part of the cases. If the result has an error in Faults, it
// requested none.
func AskShard(ctx context.Context, in sides.Inputs, sinks asking.Sinks) (shards.Result, error) {
	if err := sinks.Out.Clear(); err != nil {
		return shards.Result{Part: in.Part}, err
	}
	p, err := ReadPlan(in)
	if err != nil || document.HasErrors(p.Sides.Faults) {
		return shards.Result{Part: in.Part, Faults: p.Sides.Faults}, err
	}
	done, err := shards.Ask(ctx, p.Sides,
		func(plan evaluate.Plan) string { return p.forecast(plan).WhyRefused() }, sinks)
	done.Faults = p.Sides.Faults
	return done, err
}

// Write writes all files of a report concurrently. It gives the report its final name last, so that a program that
// finds the report also finds the other files. A file whose printing panics is left out.
func Write(out *output.Folder, rep *report.Report, links show.Links, answers report.ResultFinders) error {
	var v *story.Story
	// without v, only report.json is written
	bug := fault.CallRecovering("sorting the report", func() error { v = story.New(rep, links); return nil })
	type file struct {
		name   string
		print  func(io.Writer) error
		commit func() error
		err    error
	}
	var files []*file
	for _, o := range render.Outputs {
		if o.File != "" {
			files = append(files, &file{name: o.File, print: func(w io.Writer) error { return o.Print(w, v, answers) }})
		}
	}
	files = append(files, &file{name: output.ReportFile, print: rep.Write})
	together.Each(len(files), len(files), func(i int) {
		f := files[i]
		f.commit, f.err = out.Prepare(f.name, func(w io.Writer) error {
			return fault.CallRecovering("writing "+f.name, func() error { return f.print(w) })
		})
	})
	for _, f := range files {
		err := f.err
		if err == nil {
			err = f.commit()
		}
		switch _, isBug := errors.AsType[*fault.Bug](err); {
		case isBug:
			bug = errors.Join(bug, err)
		case err != nil:
			return err
		}
	}
	return bug
}
