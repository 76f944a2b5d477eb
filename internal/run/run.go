// Package run does one run. ReadPlan reads both sides, Ask has their answers judged, RerunAndCompare compares them,
// Assemble makes the report, and Write writes the files. Each step hands a value to the next. RerunAndCompare asks once
// more: the comparison tells which cases flipped, and only fresh answers tell whether that was noise.
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
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/layout"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/together"
)

// Result is what a finished run returns.
type Result struct {
	Report  *report.Report
	Answers page.Answers     // of both sides, in this run or in the stored one that it was compared with
	Hide    *redact.Redactor // of the run's secrets
	// reports whether several suites, run or not, have a case of an id; nil where nothing was judged
	Shared func(id string) bool
}

// Judge does a whole run, writes its results, and returns its report. If failproof itself breaks, the report says so,
// and decides nothing.
func Judge(ctx context.Context, in sides.Inputs, to asking.Sinks) (Result, error) {
	started := in.Time()
	in.TakesResults = true
	in.RunID = cmp.Or(in.RunID, strconv.FormatInt(started.Unix(), 10))
	if err := to.Out.Clear(); err != nil {
		return Result{}, err
	}
	plan, judged := Plan{Sides: sides.Unread(in)}, Result{}
	err := evaluate.Guarded("judging the run", func() (err error) {
		// The built-in rules are compiled, once, while the files are read.
		together.Do(func() { plan, err = ReadPlan(in) }, func() { refusal.New(nil) })
		switch {
		case err != nil:
		case plan.Sides.HasResults():
			judged, err = plan.judgeResults(started, to)
		default:
			judged, err = plan.conclude(ctx, started, to)
		}
		return err
	})
	if bug, is := errors.AsType[*evaluate.Bug](err); is {
		to.Bugs.Note(bug)
		why := bug.Error() + ": a bug of failproof, not of the prompts"
		judged, err = Result{Report: undecidedReport(plan.Sides, started, gate.Internal.Code, why)}, nil
	}
	judged.Hide = plan.Sides.Redactor()
	return judged, err
}

// conclude does what comes after the reading.
func (p Plan) conclude(ctx context.Context, started time.Time, to asking.Sinks) (out Result, err error) {
	meaning, faults, err := meaning.Learn(p.Sides, ctx)
	if err != nil {
		return out, err
	}
	if document.HasErrors(faults) {
		return Result{Report: invalidReport(p.Sides, started, meaning, faults)}, nil
	}
	p.Sides.BaseFaults = slices.Concat(p.Sides.BaseFaults, meaning.Faults)
	if why := shards.Differ(p.Sides); why != "" {
		return Result{Report: undecidedReport(p.Sides, started, model.ReasonShard, why)}, nil
	}
	answered, err := p.Ask(ctx, meaning, to)
	if err != nil {
		return out, err
	}
	end := sync.OnceValue(answered.End)
	defer end() // also where failproof breaks: what was answered is paid for
	sides, err := answered.RerunAndCompare()
	if err != nil {
		return out, err
	}
	out.Report, out.Answers = Assemble(p, meaning, answered, sides, end(), started), sides.Answers
	p.Sides.Head.Forget()
	p.Sides.Base.Forget()
	out.Shared = p.Sides.Joined.Shared
	asked := func() layout.Questions {
		return layout.Questions{Of: p.Sides.Joined.Of, Redact: p.Sides.Redactor().Text}
	}
	return out, layout.Add(out.Report, out.Answers, asked, to.Bugs.Note)
}

// AskShard asks one shard of a run. If the faults hold an error, nothing was asked.
func AskShard(ctx context.Context, in sides.Inputs, to asking.Sinks) (shards.Done, error) {
	if err := to.Out.Clear(); err != nil {
		return shards.Done{Part: in.Part}, err
	}
	p, err := ReadPlan(in)
	if err != nil || document.HasErrors(p.Sides.Faults) {
		return shards.Done{Part: in.Part, Faults: p.Sides.Faults}, err
	}
	done, err := shards.Ask(ctx, p.Sides, func(plan evaluate.Plan) string { return p.forecast(plan).Refused() }, to)
	done.Faults = p.Sides.Faults
	return done, err
}

// Write writes all files concurrently and gives the report its name last, so that whoever sees it finds the others. A
// file on which failproof itself breaks is left out.
func Write(out *output.Folder, rep *report.Report, links show.Links, answers page.Answers) error {
	var v *story.Story
	// without it report.json is all there is
	broken := evaluate.Guarded("sorting the report", func() error { v = story.Of(view.New(rep, links)); return nil })
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
			return evaluate.Guarded("writing "+f.name, func() error { return f.print(w) })
		})
	})
	for _, f := range files {
		err := f.err
		if err == nil {
			err = f.commit()
		}
		switch _, isBug := errors.AsType[*evaluate.Bug](err); {
		case isBug:
			broken = errors.Join(broken, err)
		case err != nil:
			return err
		}
	}
	return broken
}
