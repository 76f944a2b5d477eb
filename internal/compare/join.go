package compare

import (
	"crypto/sha256"
	"fmt"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// JoinSuites returns base, a side of a stored report, with the names that its suites and cases have in head. Two suites
// match if they have cases with equal ids and keys, or the same target. Package suite does the same for a base that is
// a file tree, with more information.
func JoinSuites(base, head *report.Side) *report.Side {
	return JoinCases(base, head, suiteid.Join(joinInput(base), joinInput(head)))
}

// MarkKeptByHand marks the hand-written recordings of head whose requests changed and whose answers did not. base is a
// stored report. For a base that is a file tree, package recorded decides this by its recordings, when it answers.
// recorded reports whether a target answers from recordings.
func MarkKeptByHand(base, head *report.Side, recorded func(target string) bool) {
	before := base.CaseFinder()
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			_, was := before(suiteid.Name{Suite: s.ID, Case: c.ID})
			if was == nil || !was.Replayed || !c.Replayed || c.Sampled || !recorded(s.Target) || was.RequestKey == c.RequestKey || was.AnswerKey != c.AnswerKey {
				continue
			}
			c.KeptByHand, c.Unverified = true, true
		}
	}
}

// JoinCases is like JoinSuites, for suites that are joined already. headIDs has their ids in head by those in base; a
// suite that it lacks has the same id.
func JoinCases(base, head *report.Side, headIDs map[string]string) *report.Side {
	out := new(*base)
	out.Matches = suiteid.Matches{SuiteIDs: headIDs}
	byHead := map[string]*report.SuiteSide{}
	for _, s := range base.Suites {
		byHead[out.Matches.HeadID(s.ID)] = s
	}
	onBase := func(id string) *report.SuiteSide { return byHead[id] }
	out.Matches.Names = suiteid.FindRenamed(unmatched(out, head.Suite), unmatched(head, onBase))
	return out
}

// unmatched returns the cases of side that no suite of the other side has under the same id and expectation key. find
// returns the other side's suite with the given id on the head, or nil.
func unmatched(side *report.Side, find func(id string) *report.SuiteSide) (out []suiteid.SuiteCases[identity]) {
	for _, s := range side.Suites {
		id := side.Matches.HeadID(s.ID)
		if cases := unmatchedCases(s, find(id)); len(cases) > 0 {
			out = append(out, suiteid.SuiteCases[identity]{Suite: id, Target: s.Target, Cases: cases})
		}
	}
	return out
}

// unmatchedCases returns the cases of s that the suite counterpart does not have under the same id and expectation key.
// counterpart may be nil.
func unmatchedCases(s, counterpart *report.SuiteSide) (out []suiteid.Case[identity]) {
	for _, c := range s.Cases {
		if same := counterpart.Case(c.ID); same == nil || same.ExpectationKey != c.ExpectationKey {
			own := identityOf(c)
			out = append(out, suiteid.Case[identity]{ID: c.ID, Key: own, SuiteKey: own,
				RequestKey: identity{request: c.RequestKey}, Question: questionOf(c)})
		}
	}
	return out
}

// identity identifies a case by the key of its expectation or input, and by its request, whatever its id is.
type identity struct{ content, request report.Key }

// noInput is the input key of a case that has no variables and no turns of its own. The identity of such a case
// includes its request.
var noInput = report.ParseKey(fmt.Sprintf("%x", sha256.Sum256([]byte("{}"))))

func identityOf(c *report.Case) identity {
	if c.InputKey == noInput {
		return identity{c.ExpectationKey, c.RequestKey}
	}
	return identity{c.ExpectationKey, 0}
}

// questionOf identifies what a case asks, whatever it expects. It is zero for a case of another runner, which has names
// for its tests and not always their input.
func questionOf(c *report.Case) identity {
	if c.ByRunner {
		return identity{}
	}
	return identity{c.InputKey, identityOf(c).request}
}

// joinInput returns the suites of side in the form that package suiteid joins.
func joinInput(side *report.Side) []suiteid.Suite[identity] {
	out := make([]suiteid.Suite[identity], len(side.Suites))
	for i, s := range side.Suites {
		out[i] = suiteid.Suite[identity]{ID: s.ID, Target: s.Target, Lines: func(sent bool) []string { return contentLines(s, sent) },
			Cases: func() []suiteid.Case[identity] { return unmatchedCases(s, nil) }}
	}
	return out
}

// contentLines returns a string for each case, made of its id and expectation key. If sent is set, the string also
// contains the request key.
func contentLines(s *report.SuiteSide, sent bool) []string {
	lines := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		var request report.Key
		if sent {
			request = c.RequestKey
		}
		lines = append(lines, fmt.Sprint(c.ID, " ", request, " ", c.ExpectationKey))
	}
	return lines
}
