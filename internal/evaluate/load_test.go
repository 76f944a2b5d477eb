package evaluate_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
)

// mebibyteAnswers returns a client that answers with a mebibyte, half of it in a tool call. The first case waits for
// let; asked counts the others.
func mebibyteAnswers(asked *atomic.Int64, let <-chan struct{}) answers {
	half := model.Untrusted(strings.Repeat("x", 1<<19))
	return func(_ context.Context, r model.Request) (model.Response, error) {
		if r.CaseID == "c0" && r.SuiteID == "s0" {
			<-let
		} else {
			asked.Add(1)
		}
		return model.Response{Text: half, ToolCalls: []model.ToolCall{{Name: "f", Arguments: half}}}, nil
	}
}

func TestLongAnswersAreNotPiledUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		let := make(chan struct{})
		p := plan(suites(t, 20, 1), mebibyteAnswers(&asked, let)) // 400 cases
		p.Head.Target = func(string) evaluate.Target {
			return evaluate.Target{Client: mebibyteAnswers(&asked, let), Concurrency: 8}
		}
		p.Evaluator = nil
		done, n := make(chan error, 1), 0
		go func() {
			done <- evaluate.Run(t.Context(), p, func(evaluate.Answer) error {
				n++
				return nil
			})
		}()
		synctest.Wait()
		if held := asked.Load(); held < 16 || held > 32+8 {
			t.Errorf("%d answers of a mebibyte are held while the first is waited for, want at most 32 and those that were under way", held)
		}
		close(let)
		if err := <-done; err != nil || n != 400 {
			t.Errorf("%d answers, error %v", n, err)
		}
	})
}

func TestACancelEndsTheWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		let := make(chan struct{})
		p := plan(suites(t, 20, 1), mebibyteAnswers(&asked, let))
		p.Evaluator = nil
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- evaluate.Run(ctx, p, func(evaluate.Answer) error { return nil })
		}()
		synctest.Wait()
		cancel()
		close(let)
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that it was canceled", err)
		}
	})
}
