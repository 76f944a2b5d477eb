package evaluate_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// errUsedUp is why there is no time.
var errUsedUp = errors.New("limits.max_wall (2s) is used up")

// untimely reports a result of an answer that was kept and not judged.
func untimely(r report.Result, answer model.Untrusted) bool {
	d := r.Classification.Details
	return r.Classification.Primary == classify.Error && r.Classification.Unscored() && d.Reason == model.ReasonBudget &&
		d.ErrorDetails == model.Untrusted("not judged: "+errUsedUp.Error()) && r.RawResponse == answer
}

func TestAnAnswerThatThereIsNoTimeForIsKeptAndNotJudged(t *testing.T) {
	p := plan(suites(t, 2, 1), say("yes"))
	time, over := context.WithCancelCause(t.Context())
	over(errUsedUp)
	p.TimeLimit = time
	results := run(t, p)
	for _, r := range results {
		if !untimely(r, "yes") {
			t.Errorf("%s is %+v", r.CaseID, r.Classification)
		}
	}
	if len(results) != 4 {
		t.Errorf("%d results, want one for each of 4 answers", len(results))
	}
}

// stuck is an embedder that is done with what it learns, and then until it is free with nothing.
type stuck struct {
	embed.Embedder
	asked func()
	free  chan struct{}
}

func (s *stuck) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	if strings.Contains(strings.Join(texts, " "), "kettle") {
		s.asked()
		<-s.free
	}
	return s.Embedder.Embed(ctx, texts)
}

func TestAJudgementThatTakesLongerThanThereIsTimeHoldsNobodyUp(t *testing.T) {
	p := plan(compared(t, "vendor report incident"), say("kettle"))
	time, over := context.WithCancelCause(t.Context())
	free := make(chan struct{})
	defer close(free)
	p.TimeLimit, p.Evaluator.Similarity = time, evaluate.NewSimilarity(&stuck{tiny(t), func() { over(errUsedUp) }, free})
	if results := run(t, p); len(results) != 1 || !untimely(results[0], "kettle") {
		t.Errorf("the results are %+v", results)
	}
}
