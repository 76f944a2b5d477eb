package schedule_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

// perToken is a price of a dollar per thousand tokens, in and out.
var perToken = &config.Price{InputPerMillion: 1000, OutputPerMillion: 1000}

// biller is a target that says how many tokens each of its answers took, adds up what they cost, and takes a second for
// each.
type biller struct {
	tokens func(n int) (in, out int) // of the n-th call, from 1 on
	tells  func(in, out int) model.Usage

	mu       sync.Mutex
	calls    int
	underWay int
	most     int // under way at a time
	widths   []int
	billed   float64
	dearest  float64
}

func (b *biller) Answer(ctx context.Context, _ model.Request) (model.Response, error) {
	b.mu.Lock()
	b.calls++
	in, out := b.tokens(b.calls)
	cost := schedule.Cost(*perToken, in, out)
	b.underWay++
	b.most = max(b.most, b.underWay)
	b.widths = append(b.widths, b.underWay)
	b.billed, b.dearest = b.billed+cost, max(b.dearest, cost)
	b.mu.Unlock()
	time.Sleep(time.Second)
	b.mu.Lock()
	b.underWay--
	b.mu.Unlock()
	told := model.Usage{TokensIn: in, TokensOut: out}
	if b.tells != nil {
		told = b.tells(in, out)
	}
	return model.Response{Text: "yes", Usage: told}, nil
}

// askMany asks a target with a price n times, eight at once, and returns what was answered and what the run has spent.
func askMany(t *testing.T, c model.Client, n int, q model.Request) (answers []model.Response) {
	t.Helper()
	var mu sync.Mutex
	var lanes sync.WaitGroup
	todo := make(chan struct{}, n)
	for range n {
		todo <- struct{}{}
	}
	close(todo)
	for range 8 {
		lanes.Go(func() {
			for range todo {
				r, err := c.Answer(t.Context(), q)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				answers = append(answers, r)
				mu.Unlock()
			}
		})
	}
	lanes.Wait()
	return answers
}

func limitedTo(tokens int) model.Request {
	q := question
	q.Parameters.MaxTokens = &tokens
	return q
}

func TestALimitOfDollarsIsNotExceeded(t *testing.T) {
	steady := func(in, out int) func(int) (int, int) { return func(int) (int, int) { return in, out } }
	for _, c := range []struct {
		rule    string
		tokens  func(n int) (in, out int)
		request model.Request
		limit   float64
		over    func(b *biller) float64 // by how much, at most
		calls   [2]int                  // at least and at most
	}{
		{"max_tokens: the price of the longest answer is set aside", steady(6, 50), limitedTo(50), 1, nil, [2]int{16, 17}},
		{"max_tokens: nor where answers are as short as they like", func(n int) (int, int) { return 6, n % 51 }, limitedTo(50), 1, nil, [2]int{25, 40}},
		{"max_tokens: nor where every byte is a token", steady(22, 50), limitedTo(50), 1, nil, [2]int{12, 13}},
		{"max_tokens: nor where the target adds words of its own: one answer tells", steady(206, 50), limitedTo(50), 1, nil, [2]int{3, 3}},
		{"max_tokens: of a target that does not keep it one answer tells", steady(6, 294), limitedTo(50), 1, nil, [2]int{3, 3}},
		{"none: one answer tells how much the next ones may take", steady(6, 294), question, 1, nil, [2]int{3, 3}},
		{"none: answers that are short are asked for side by side", steady(6, 4), question, 1, nil, [2]int{49, 99}},
		{"none: the first alone may be beyond it", steady(6, 4600), question, 1, func(b *biller) float64 { return b.dearest }, [2]int{1, 1}},
		{"none: else the answers under way, however they grow", func(n int) (int, int) { return 6, 4 + 200*(n/10) }, question, 1,
			func(b *biller) float64 { return 8 * b.dearest }, [2]int{9, 20}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &biller{tokens: c.tokens}
				run := newRun(schedule.Limits{CostUSD: c.limit}, noWait)
				answers := askMany(t, run.Target(config.Target{Price: perToken}).Client(b), 200, c.request)
				over := 0.0
				if c.over != nil {
					over = c.over(b)
				}
				if b.billed > c.limit+over+1e-9 || b.calls < c.calls[0] || b.calls > c.calls[1] {
					t.Errorf("$%.3f in %d calls, want at most $%g and $%.3f, in %v calls", b.billed, b.calls, c.limit, over, c.calls)
				}
				if spent := run.Usage().CostUSD; math.Abs(spent-b.billed) > 1e-9 {
					t.Errorf("spent $%.3f, billed $%.3f", spent, b.billed)
				}
				told := 0.0
				for _, a := range answers {
					told += a.Usage.Cost.USD
				}
				if math.Abs(told-b.billed) > 1e-9 {
					t.Errorf("the answers say $%.3f, billed $%.3f", told, b.billed)
				}
			})
		})
	}
}

func TestSizesAreLearntFromOneAnswerBeforeAWaveIsSent(t *testing.T) {
	for _, c := range []struct {
		rule   string
		target config.Target
		limits schedule.Limits
		usage  model.Usage
		alone  bool
	}{
		{"of a target with a price", config.Target{Price: perToken}, schedule.Limits{CostUSD: 5}, model.Usage{TokensIn: 6, TokensOut: 4}, true},
		{"not where the limit bears the longest answers", config.Target{Price: &config.Price{InputPerMillion: 1, OutputPerMillion: 2}}, schedule.Limits{CostUSD: 8}, model.Usage{TokensIn: 6, TokensOut: 4}, false},
		{"of a command, which may tell a cost", config.Target{Provider: "exec"}, schedule.Limits{CostUSD: 5}, model.Usage{Cost: model.USD(0.25)}, true},
		{"of any target where tokens are limited", config.Target{}, schedule.Limits{Tokens: 1e6}, model.Usage{TokensIn: 6, TokensOut: 4}, true},
		{"not of one without a price", config.Target{Provider: "openai"}, schedule.Limits{CostUSD: 5}, model.Usage{}, false},
		{"not without a limit", config.Target{Price: perToken}, schedule.Limits{}, model.Usage{}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &biller{tokens: func(int) (int, int) { return 6, 4 }, tells: func(int, int) model.Usage { return c.usage }}
				askMany(t, newRun(c.limits, noWait).Target(c.target).Client(b), 16, question)
				if alone := b.widths[0] == 1 && b.widths[1] == 1; alone != c.alone || b.most != 8 {
					t.Errorf("calls under way: %v, want one at first: %v, and then 8", b.widths, c.alone)
				}
			})
		})
	}
}

func TestACallThatNoBudgetAllowsIsNamed(t *testing.T) {
	for _, c := range []struct {
		limits schedule.Limits
		want   string
	}{
		{schedule.Limits{CostUSD: 1}, "not asked: one call can cost $9.04, more than limits.max_cost_usd (1) allows"},
		{schedule.Limits{Tokens: 100}, "not asked: one call can take 9006 tokens, more than limits.max_tokens (100) allows"},
	} {
		s := scripted(yes)
		r, err := newRun(c.limits, noWait).Target(config.Target{Price: perToken}).Client(s).Answer(t.Context(), limitedTo(9000))
		if err != nil || r.Failure == nil || string(r.Failure.Message) != c.want || s.times() != "" {
			t.Errorf("asked at %q: %s, want %s", s.times(), describe(r), c.want)
		}
	}
}

func TestACommandsOwnCostIsHeldByTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &biller{tokens: func(int) (int, int) { return 0, 0 }, tells: func(int, int) model.Usage { return model.Usage{Cost: model.USD(0.3)} }}
		run := newRun(schedule.Limits{CostUSD: 1}, noWait)
		askMany(t, run.Target(config.Target{Provider: "exec"}).Client(b), 50, question)
		if spent := run.Usage().CostUSD; b.calls != 3 || math.Abs(spent-0.9) > 1e-9 {
			t.Errorf("%d calls for $%.2f, want 3 for $0.90", b.calls, spent)
		}
	})
}

// A call of "Is it?" is 6 tokens about and 38 at most, and its answer 50 at most: $0.088.
func TestWhatNobodyTellsCountsAsTheEstimate(t *testing.T) {
	const most = "$0.088 estimated"
	failure := func(reason string) *model.Failure { return &model.Failure{Reason: reason} }
	usage := func(in, out int) model.Usage { return model.Usage{TokensIn: in, TokensOut: out} }
	for _, c := range []struct {
		rule   string
		answer model.Response
		price  *config.Price
		want   string
	}{
		{"a usage that is told counts", model.Response{Text: "yes", Usage: usage(11, 7)}, perToken, "$0.018"},
		{"none", model.Response{Text: "yes"}, perToken, most},
		{"none for the answer", model.Response{Text: "yes", Usage: usage(11, 0)}, perToken, most},
		{"none for the request", model.Response{Text: "yes", Usage: usage(0, 7)}, perToken, most},
		{"an answer of nothing may have taken nothing", model.Response{Usage: usage(11, 0)}, perToken, "$0.011"},
		{"a timeout, which may have been paid for", model.Response{Failure: failure(model.ReasonTimeout), MayCost: true}, perToken, most},
		{"a failure that cost nothing", model.Response{Failure: failure(model.ReasonServer)}, perToken, "$0"},
		{"a failure that tells what it cost", model.Response{Failure: failure(model.ReasonProtocol), MayCost: true, Usage: usage(11, 7)}, perToken, "$0.018"},
		{"a cost that the target tells counts", model.Response{Text: "yes", Usage: model.Usage{Cost: model.USD(0.25)}}, perToken, "$0.25"},
		{"and without a price too", model.Response{Text: "yes", Usage: model.Usage{Cost: model.USD(0.25)}}, nil, "$0.25"},
		{"a cost of nothing is not told where there is a price", model.Response{Text: "yes", Usage: model.Usage{Cost: model.USD(0)}}, perToken, most},
		{"without a price nothing is known", model.Response{Text: "yes", Usage: usage(11, 7)}, nil, "not known"},
		{"nor reckoned", model.Response{Text: "yes"}, nil, "not known"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r, err := newRun(schedule.Limits{}, noWait).Target(config.Target{Price: c.price}).Client(scripted(c.answer)).Answer(t.Context(), limitedTo(50))
			if err != nil {
				t.Fatal(err)
			}
			got := "not known"
			if r.Usage.Cost.Known {
				got = fmt.Sprintf("$%g", math.Round(r.Usage.Cost.USD*1e6)/1e6)
			}
			if r.Usage.Cost.Estimated {
				got += " estimated"
			}
			if got != c.want {
				t.Errorf("cost %s, want %s", got, c.want)
			}
		})
	}
}

func TestAnAnswerCostsAllItsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := failing(model.ReasonTimeout, &model.Retry{Max: 1})
		late.MayCost = true
		s := scripted(late, model.Response{Text: "yes", Usage: model.Usage{TokensIn: 11, TokensOut: 7}})
		run := newRun(schedule.Limits{}, noWait)
		r := ask(t, run.Target(config.Target{Price: perToken}).Client(s), 1)[0]
		want := (38+500)/1000.0 + 18/1000.0
		if c := r.Usage.Cost; math.Abs(c.USD-want) > 1e-9 || !c.Known || !c.Estimated || r.Usage.TokensIn != 11 ||
			math.Abs(run.Usage().CostUSD-want) > 1e-9 {
			t.Errorf("usage %+v, spent %+v, want $%g, estimated", r.Usage, run.Usage(), want)
		}
	})
}

func TestACallThatIsCutOffCountsAsTheEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(yes)
		s.takes = time.Minute
		run := newRun(schedule.Limits{Wall: time.Second}, noWait)
		r := ask(t, run.Target(config.Target{Price: perToken}).Client(s), 1)[0]
		if c := r.Usage.Cost; c != (model.Cost{USD: 0.538, Known: true, Estimated: true}) || run.Usage().CostUSD != 0.538 {
			t.Errorf("usage %+v, spent %+v", r.Usage, run.Usage())
		}
	})
}
