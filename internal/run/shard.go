package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Sharded is a part of a run that was asked.
type Sharded struct {
	Part    shard.Part
	Faults  []document.Diagnostic // where one is an error nothing was asked
	Answers int                   // of live targets
	Ended   string                // why the part was not asked to its end; "": it was
}

// AskShard asks the part of a run that in names, and writes what was answered into the folder, for a run with these Shards to judge. The
// file is there only if the part was asked to its end, be that the end of its limits.
func AskShard(ctx context.Context, in sides.Inputs, to asking.Sinks) (done Sharded, err error) {
	done.Part = in.Part
	if err := to.Out.Clear(); err != nil {
		return done, err
	}
	p, err := ReadPlan(in)
	if done.Faults = p.Sides.Faults; err != nil || document.HasErrors(p.Sides.Faults) {
		return done, err
	}
	if p.Sides.Measuring() || p.Sides.Inputs.Stored != nil {
		return done, errors.New("a run that measures noise, or is compared with a stored report, is not divided")
	}
	if err := p.Sides.Vouch(); err != nil {
		return done, err
	}
	open, warnings := asking.Start(p.Sides)
	defer func() {
		for _, w := range append(warnings, open.End()...) {
			to.Say("%s", w.Message)
		}
	}()
	if p.Sides.Live.Asks() {
		defer p.Sides.Live.StopOnCancel(ctx)()
		ctx = context.WithoutCancel(ctx)
	}
	plan := asking.Questions(p.Sides, nil, open)
	plan.Broke = to.Bugs.Note
	if p.Sides.Live.Asks() {
		if why := p.forecast(plan).Refused(); why != "" { // the limits are known not to suffice for the whole
			p.Sides.Live.Run.Refuse(why)
		}
	}
	commit, err := to.Out.Prepare(output.ShardFile, func(w io.Writer) (err error) {
		done.Answers, err = askShare(p.Sides, ctx, plan, w)
		return err
	})
	if err == nil {
		err = commit()
	}
	if end, ended := p.Sides.Live.Run.Ended(); ended {
		done.Ended = end.Why
	}
	return done, err
}

// errCut keeps the file of a part from appearing that was told to stop.
var errCut = errors.New("the part was told to stop: run it again")

// askShare asks the part's questions and writes their answers. Secrets in them are hidden: the file leaves the machine.
func askShare(p *sides.Sides, ctx context.Context, plan evaluate.Plan, w io.Writer) (n int, err error) {
	to := shard.NewWriter(w, shard.Head{Version: p.Inputs.Version, Plan: digestOf(plan), Part: p.Inputs.Part})
	hide := p.Redactor()
	plan.Share, plan.Judge = p.Inputs.Part.Has, nil // whoever merges judges
	p.Inputs.Progress.Begin(asking.AnswersPlanned(p)/p.Inputs.Part.Of, p.Live.Run.Spent)
	defer p.Inputs.Progress.Finish()
	for _, turn := range []evaluate.Turn{evaluate.First, evaluate.Last} {
		plan.Turn = turn
		err := evaluate.Answers(ctx, plan, func(a evaluate.Answer) error {
			if a.Asked == "" {
				return nil
			}
			n++
			p.Inputs.Progress.Tell()
			return to.Add(placeOf(a.At, a.Asked, a.Request), asking.Redacted(hide, a.Response))
		})
		if err != nil {
			return n, err
		}
	}
	if end, ended := p.Live.Run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return n, errCut
	}
	return n, to.End(p.Live.Run.Spent())
}

func placeOf(at suite.Side, target string, q model.Request) shard.Place {
	return shard.Place{Side: string(at), Target: target, Suite: q.SuiteID, Case: q.CaseID, Trial: q.Trial, Key: q.Key()}
}

// digestOf tells apart what two runs ask: all questions to live targets, in their order.
func digestOf(plan evaluate.Plan) string {
	plan.Journal = nil // whether an answer is kept does not matter
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for q := range evaluate.Questions(plan) {
		if err := enc.Encode(placeOf("", q.Target, q.Request)); err != nil {
			panic("run: " + err.Error()) // strings always marshal
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// first is a plan as its first answers are asked. Where the run was divided they are those of its parts, and no others that are kept.
func first(p *sides.Sides, plan evaluate.Plan, of evaluate.Turn) evaluate.Plan {
	plan.Turn = of
	if p.Inputs.Shards != nil {
		plan.Journal = nil
	}
	return plan
}

// fromShards takes the first answers of a side from the parts of a run that was divided. What is asked again is asked now.
func fromShards(p *sides.Sides, at suite.Side, target func(string) evaluate.Target) func(string) evaluate.Target {
	return func(name string) evaluate.Target {
		t := target(name)
		if p.Inputs.Shards != nil && t.Live {
			t.Client = sharded{p.Inputs.Shards, at, name, t.Client}
		}
		return t
	}
}

// sharded answers first questions from what the parts of a run were told, and asks all others.
type sharded struct {
	parts  *shard.Answers
	at     suite.Side
	target string
	client model.Client
}

func (s sharded) Answer(ctx context.Context, q model.Request) (model.Response, error) {
	if q.Fresh > 0 {
		return s.client.Answer(ctx, q)
	}
	found, is, err := s.parts.Find(placeOf(s.at, s.target, q))
	if err != nil || is {
		return found, err
	}
	return model.Response{Failure: model.Ended(model.ReasonShard, model.EndUnasked, whichMissing(s.parts))}, nil
}

// whichMissing says which parts are not there.
func whichMissing(a *shard.Answers) string {
	var names []string
	for _, n := range a.Missing {
		names = append(names, strconv.Itoa(n))
	}
	if len(names) == 1 {
		return fmt.Sprintf("shard %s of %d is missing", names[0], a.Of)
	}
	return fmt.Sprintf("shards %s of %d are missing", strings.Join(names, ", "), a.Of)
}

// otherShards says what keeps the parts of a run from being those of this one; "" for nothing.
func otherShards(p *sides.Sides) string {
	switch {
	case p.Inputs.Shards == nil:
		return ""
	case p.Inputs.ShardsDir != "" && bringsOrUnknown(p.Inputs):
		return "the change brings shards of its own in " + p.Inputs.ShardsDir + ", which are not read"
	case p.Inputs.Shards.Of == 0:
		return "no shard is there: none was asked to its end"
	case p.Inputs.Shards.Version == p.Inputs.Version && p.Inputs.Shards.Plan == digestOf(asking.Questions(p, nil, asking.Session{})):
		return ""
	}
	return "the shards asked something else than this run would: another base, head, configuration, flags or version of failproof, as when the branch moves " +
		"on between them; run all of them again"
}

// bringsOrUnknown reports whether the change may have written the folder of shards.
func bringsOrUnknown(in sides.Inputs) bool {
	brings, err := in.Brings(in.ShardsDir)
	return brings || err != nil
}

// ShardFiles are the files of a run's parts. They are read while the run lasts.
type ShardFiles struct {
	*shard.Answers
	files []shard.File
}

// OpenShards opens and reads the files of parts at paths: each a file, or a folder that stands for those below it. Its error is a fault.Input.
func OpenShards(paths []string) (s ShardFiles, err error) {
	for _, path := range paths {
		if err = s.addBelow(path); err != nil {
			break
		}
	}
	if err == nil {
		s.Answers, err = shard.Read(s.files)
	}
	if err != nil {
		s.Close()
		return ShardFiles{}, fault.Inputf("the shards: %w", err)
	}
	return s, nil
}

// OpenShardsIn opens what lies in a folder; one that is not there holds nothing.
func OpenShardsIn(folder string) (ShardFiles, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return OpenShards(nil)
	}
	return OpenShards([]string{folder})
}

// Close closes the files.
func (s ShardFiles) Close() {
	for _, f := range s.files {
		_ = f.ReaderAt.(*os.File).Close() // it was only read
	}
}

// IsEmpty reports that there is no file.
func (s ShardFiles) IsEmpty() bool { return len(s.files) == 0 }

// addBelow opens the files of parts at a path: itself, or those below it.
func (s *ShardFiles) addBelow(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist; expected a file or a folder that `failproof run --shard` wrote", path)
	case err != nil:
		return err
	case !info.IsDir():
		return s.add(path)
	}
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == output.ShardFile && !entry.IsDir() {
			return s.add(name)
		}
		return err
	})
}

func (s *ShardFiles) add(name string) error {
	f, err := regular.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // it was only looked at
		return err
	}
	s.files = append(s.files, shard.File{Name: name, ReaderAt: f, Size: info.Size()})
	return nil
}
