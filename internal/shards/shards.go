// Package shards runs one shard of a run, and merges the answers of all shards.
package shards

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Result is the result of running one shard.
type Result struct {
	Part    shard.Part
	Faults  []document.Diagnostic // problems of files; after an error, nothing was asked
	Answers int                   // number of answers that live targets gave
	Ended   string                // why the shard ended early; "" if it did not
}

// Ask runs one shard and writes its answers into the output folder, for the run that merges all shards. A canceled
// shard writes no file, but a shard that reaches its limits does. whyRefused returns why the limits are too low for the
// whole run, or "".
func Ask(ctx context.Context, p *sides.Sides, whyRefused func(evaluate.Plan) string,
	sinks asking.Sinks) (done Result, err error) {
	done.Part = p.Inputs.Part
	if p.MeasuresNoise() || p.Inputs.Stored != nil {
		return done, fault.Inputf("a run that measures noise or compares with a stored report cannot be divided")
	}
	if err := p.ConfirmTargets(); err != nil {
		return done, err
	}
	open, warnings := asking.OpenSession(p)
	defer func() {
		for _, w := range append(warnings, open.Close()...) {
			sinks.Say("%s", w.Message)
		}
	}()
	if p.Live.HasTargets() {
		defer p.Live.StopOnCancel(ctx)()
		ctx = context.WithoutCancel(ctx)
	}
	plan := asking.NewPlan(p, nil, open)
	if p.Live.HasTargets() {
		if why := whyRefused(plan); why != "" {
			p.Live.Run.Refuse(why)
		}
	}
	err = sinks.Out.Print(output.ShardFile, func(w io.Writer) (err error) {
		done.Answers, err = askPart(ctx, p, plan, w)
		return err
	})
	if end, ended := p.Live.Run.Ended(); ended {
		done.Ended = end.Why
	}
	return done, err
}

// errCut is the error of a canceled shard, which must not leave a file.
var errCut = errors.New("the shard was stopped: run it again")

// askPart makes the calls of the shard, writes their answers to w, and returns the number of answers. It redacts the
// answers, because the file leaves the machine.
func askPart(ctx context.Context, p *sides.Sides, plan evaluate.Plan, w io.Writer) (n int, err error) {
	to := shard.NewWriter(w, shard.Header{Version: p.Inputs.Version, Plan: digestOf(plan), Part: p.Inputs.Part})
	hide := p.Redactor()
	plan.InShard, plan.Evaluator = p.Inputs.Part.Includes, nil // the run that merges the shards judges
	p.Inputs.Progress.Begin(asking.AnswersPlanned(p)/p.Inputs.Part.Total, p.Live.Run.Usage)
	defer p.Inputs.Progress.Finish()
	for _, turn := range []evaluate.Part{evaluate.PartMain, evaluate.PartOneSided} {
		plan.Part = turn
		err := evaluate.Run(ctx, plan, func(a evaluate.Answer) error {
			if a.TargetName == "" {
				return nil
			}
			n++
			p.Inputs.Progress.Advance()
			return to.Add(placeOf(a.Side, a.TargetName, a.Request), asking.Redacted(hide, a.Response))
		})
		if err != nil {
			return n, err
		}
	}
	if p.Live.WhyCancelled() != "" {
		return n, errCut
	}
	return n, to.End(p.Live.Run.Usage())
}

func placeOf(at suite.Side, target string, q model.Request) shard.AnswerID {
	return shard.AnswerID{Side: string(at), Target: target, Suite: q.SuiteID, Case: q.CaseID, Trial: q.Trial,
		Key: q.Key()}
}

// digestOf returns a hash of all questions to live targets, in order. It is the same for all shards of one run.
func digestOf(plan evaluate.Plan) string {
	plan.Journal = nil // cached answers make no difference
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for q := range evaluate.Questions(plan) {
		_ = enc.Encode(placeOf("", q.Target, q.Request)) // strings always marshal
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// WithPart returns a copy of plan that makes only the given part of its calls. If the run merges shards, the copy
// ignores the response cache.
func WithPart(p *sides.Sides, plan evaluate.Plan, part evaluate.Part) evaluate.Plan {
	plan.Part = part
	if p.Inputs.Shards != nil {
		plan.Journal = nil
	}
	return plan
}

// WithShardAnswers returns target for a run without shards. For a run with shards, it returns a function that wraps
// each live target that target returns. A wrapped target takes first answers from the shards, and makes calls only for
// reruns.
func WithShardAnswers(p *sides.Sides, side suite.Side,
	target func(string) evaluate.Target) func(string) evaluate.Target {
	return func(name string) evaluate.Target {
		t := target(name)
		if p.Inputs.Shards != nil && t.Live {
			t.Client = sharded{p.Inputs.Shards, p.Inputs.ShardsDir, side, name, t.Client}
		}
		return t
	}
}

// sharded is a client that takes the first answer to each trial from the shards. It calls client only for reruns.
type sharded struct {
	answers *shard.Answers
	folder  string // where the shards are; "" if several places were named
	side    suite.Side
	target  string
	client  model.Client
}

func (s sharded) Answer(ctx context.Context, q model.Request) (model.Response, error) {
	if q.Rerun > 0 {
		return s.client.Answer(ctx, q)
	}
	if found, ok := s.answers.Find(placeOf(s.side, s.target, q)); ok {
		return found, nil
	}
	return model.Response{Failure: model.EndFailure(model.ReasonShard, model.EndNotCalled,
		missingShards(s.answers, s.folder))}, nil
}

// missingShards returns a clause that names the missing shards. If there are none at all, it names their folder.
func missingShards(a *shard.Answers, folder string) string {
	if a.Total == 0 {
		return strings.TrimSuffix("no shard of the run was found below "+folder, " below ")
	}
	var names []string
	for _, n := range a.Missing {
		names = append(names, strconv.Itoa(n))
	}
	if len(names) == 1 {
		return fmt.Sprintf("shard %s of %d is missing", names[0], a.Total)
	}
	return fmt.Sprintf("shards %s of %d are missing", strings.Join(names, ", "), a.Total)
}

// WhyUnusable returns why the run must not use its shards, such as a difference in their questions. It returns "" if
// the shards belong to the run, or if there are none.
func WhyUnusable(p *sides.Sides) string {
	switch {
	case p.Inputs.Shards == nil:
		return ""
	case p.Inputs.ShardsDir != "" && mayContainShards(p.Inputs):
		return "the change contains shards in " + p.Inputs.ShardsDir + ", which are not read"
	case p.Inputs.Shards.Total == 0: // its answers are missing
		return ""
	case p.Inputs.Shards.Version == p.Inputs.Version &&
		p.Inputs.Shards.Plan == digestOf(asking.NewPlan(p, nil, asking.Session{})):
		return ""
	}
	return "the shards asked something else than this run would: another base, head, configuration, flags or " +
		"version of " +
		"failproof, as when the branch moves on between them; run all of them again"
}

// mayContainShards reports whether the judged commit contains the folder of shards, so that the change may have written
// its own answers. It also returns true if that is unknown.
func mayContainShards(in sides.Inputs) bool {
	brings, err := in.CommitContains(in.ShardsDir)
	return brings || err != nil
}
