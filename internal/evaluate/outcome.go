package evaluate

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// outcome judges one reading of an answer.
func (p *Plan) outcome(ctx context.Context, r *reading, a answered) (out outcome) {
	if a.err != nil {
		return outcome{err: a.err}
	}
	defer func() {
		if v := recover(); v != nil {
			out.err = &Bug{SuiteID: r.of.suite.ID, CaseID: r.of.c.ID, Value: v, Stack: debug.Stack()}
		}
	}()
	response := a.response
	if r.copy {
		response.Cached, response.Attempts = true, 0
	}
	if p.Judge == nil {
		return outcome{response: response}
	}
	judged, err := p.Judge.Judge(ctx, r.of.suite, r.of.c, response)
	if err != nil {
		return outcome{err: fmt.Errorf("judge case %s of suite %s: %w", r.of.c.ID, r.of.suite.ID, err)}
	}
	result := p.Judge.result(r.of.suite, r.of.c, response, judged)
	if r.of.live() && otherModel(r.of.c.Prompt.Model, response.Model) {
		result.Warnings = append(result.Warnings, report.WarnOtherModel)
	}
	result.RunID, result.Trial = p.RunID, r.trial
	result.Shared = len(a.question.readings) > 1
	result.TimestampUTC = p.Now().UTC().Format(time.RFC3339)
	if err := p.judgeUnderBase(ctx, &result, r, response); err != nil {
		return outcome{err: err}
	}
	return outcome{result: result, response: response, err: p.watch(ctx, r, response)}
}

// watch lets the self-check of the embeddings see the first answers of the head.
func (p *Plan) watch(ctx context.Context, r *reading, response model.Response) error {
	if p.Judge.Meaning == nil || r.at != suite.Head || r.trial != 1 || response.Failure != nil {
		return nil
	}
	return p.Judge.Meaning.watch(ctx, r.of.suite, r.of.c, p.Judge.Redactor.Text(string(response.Text)))
}

// otherModel reports whether another model answered than was asked. A provider may name the version of it that answered
// (gpt-5-mini as gpt-5-mini-2025-08-07), or leave out whose it is (openai/gpt-5-mini).
func otherModel(asked, answered string) bool {
	_, short, _ := strings.Cut(asked, "/")
	return asked != "" && answered != "" && !strings.HasPrefix(answered, asked) && (short == "" || !strings.HasPrefix(answered, short))
}

// judgeUnderBase says what a redefined case's answer would have been by the base's expectation.
func (p *Plan) judgeUnderBase(ctx context.Context, result *report.Result, r *reading, response model.Response) error {
	if !r.under.present() || r.under.c.ExpectationKey == r.of.c.ExpectationKey {
		return nil
	}
	judged, err := p.Judge.Judge(ctx, r.under.suite, r.under.c, response)
	if err != nil {
		return fmt.Errorf("judge case %s of suite %s by the base's expectation: %w", r.under.c.ID, r.under.suite.ID, err)
	}
	under := p.Judge.keepClassification(judged.Classification)
	result.UnderBase = &under
	return nil
}
