package evaluate

import (
	"cmp"
	"context"
	"fmt"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// jury puts questions to a judge, vote by vote, and caches the replies. It is safe for concurrent use.
type jury struct {
	judge               judge.Judge
	client              model.Client
	address             string        // see PanelOptions
	journal             model.Journal // nil: no cache
	criteriaControls    controlRun    // control questions about criteria
	sufficiencyControls controlRun    // control questions about whether text suffices
}

// cachedVerdict returns the majority of the cached replies to an item's question, or nil if they have none.
func (j *jury) cachedVerdict(it *item) *verdict {
	var replies []judge.Reply
	for vote := 1; vote <= j.judge.Votes; vote++ {
		reply, found := j.cachedReply(j.cacheAddress(it, vote))
		if !found {
			return nil
		}
		replies = append(replies, reply)
		if v, ok := decided(replies, j.judge.Votes); ok {
			v.calls.Cached = 1
			return &v
		}
	}
	return nil
}

func (j *jury) cachedReply(address model.JournalKey) (reply judge.Reply, found bool) {
	if j.journal == nil {
		return reply, false
	}
	r, found := j.journal.Find(address)
	if !found {
		return reply, false
	}
	reply, err := judge.ParseReply(r)
	return reply, err == nil
}

func (j *jury) cacheAddress(it *item, vote int) model.JournalKey {
	return model.JournalKey{Request: hash(j.address, it.question.Key), Occurrence: vote, Trial: 1,
		Comparison: cmp.Or(it.grading.regrading.name, "verdict")}
}

// ask puts an item's question to the judge, vote by vote until there is a majority.
func (j *jury) ask(ctx context.Context, it *item) (out verdict, err error) {
	controls, err := j.runControls(ctx, it.asksSufficiency)
	if err != nil {
		return out, fmt.Errorf("ask the judge: %w", err)
	}
	if controls.Wrong != "" {
		return noVerdict(model.ReasonVerdict, "it got a control wrong three times running: "+controls.Wrong), nil
	}
	votes := max(j.judge.Votes, it.grading.regrading.votes)
	var replies []judge.Reply
	for vote := 1; vote <= votes; vote++ {
		reply, lost, err := j.vote(ctx, it, vote, &out.calls)
		if err != nil {
			return out, fmt.Errorf("ask the judge: %w", err)
		}
		if lost != nil {
			if out.Failure = it.hintedFailure(lost); lost.StopsTarget || lost.NotCompleted() {
				return out, nil
			}
			continue
		}
		replies = append(replies, reply)
		if v, ok := decided(replies, votes); ok {
			v.calls = out.calls
			return v, nil
		}
	}
	return out, nil
}

// hintedFailure returns the failure of a vote. If a recorded verdict would need no key, it says so.
func (i *item) hintedFailure(f *model.Failure) *model.Failure {
	r := i.grading.response
	if r.Attempts > 0 || r.Cached || f.Reason != model.ReasonAuth && f.Reason != model.ReasonNoKey {
		return f
	}
	hinted := *f
	hinted.Message += model.Untrusted("; with the key, `" +
		text.Command("failproof record", i.grading.suite.Path) + "` writes verdicts that need none")
	return &hinted
}

// maxAttempts is the largest number of calls to get one readable reply.
const maxAttempts = 2

// vote returns one reply of the judge to an item's question, from the cache or by a call. It adds the cost to spent.
// failure says why there is no readable reply.
func (j *jury) vote(ctx context.Context, it *item, vote int,
	spent *report.Calls) (reply judge.Reply, failure *model.Failure, err error) {
	address := j.cacheAddress(it, vote)
	if it.grading.regrading.name != "" { // an interrupted run continues
		if reply, found := j.cachedReply(address); found {
			spent.Cached++
			return reply, nil, nil
		}
	}
	for range maxAttempts {
		r, err := j.client.Answer(ctx, it.question.Request)
		if err != nil {
			return reply, nil, err
		}
		*spent = spent.Plus(callsOf(r))
		if r.Failure != nil {
			return reply, r.Failure, nil
		}
		reply, fault := judge.ParseReply(r)
		if fault == nil {
			if j.journal != nil {
				j.journal.Store(address, it.question.Request, r)
			}
			return reply, nil, nil
		}
		failure = &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted(fault.Error())}
	}
	return reply, failure, nil
}
