package compare

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Join gives each suite that only a stored base has the id of the one that it is in the head, where that goes by another: it has equal
// cases with equal keys and only changed its name, or is answered by the same target; and its cases theirs. Trees say the same (package
// suite), and more: which variables nobody reads, and so change nothing. Results do not tell that.
func Join(base, head *report.Side) {
	joined := suiteid.Join(ones(base), ones(head))
	for _, s := range base.Suites {
		if id := joined[s.ID]; id != s.ID {
			s.As = id
		}
	}
	JoinCases(base, head)
}

// KeepByHand names the cases whose recorded answer somebody wrote, and left as it was although what is asked changed, against a stored base. Against a tree
// the recordings themselves tell. recorded reports a target that answers from recordings.
func KeepByHand(base, head *report.Side, recorded func(target string) bool) {
	before := base.CaseFinder()
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			_, was := before(suiteid.Name{Suite: s.ID, Case: c.ID})
			if was == nil || !was.Replayed || !c.Replayed || c.Drawn || !recorded(s.Target) || was.RequestKey == c.RequestKey || was.AnswerKey != c.AnswerKey {
				continue
			}
			c.KeptByHand, c.Unverified = true, true
		}
	}
}

// JoinCases says what the head calls the cases of a stored base whose suites are joined.
func JoinCases(base, head *report.Side) {
	before := map[string]*report.SuiteSide{}
	for _, s := range base.Suites {
		before[s.HeadID()] = s
	}
	names := suiteid.Rename(unmatched(base, head.Suite), unmatched(head, func(id string) *report.SuiteSide { return before[id] }))
	for _, s := range base.Suites {
		s.Names = names
	}
}

// unmatched returns the cases of a side that the other side does not have under the same name and key.
func unmatched(side *report.Side, other func(id string) *report.SuiteSide) (out []suiteid.Some[identity]) {
	for _, s := range side.Suites {
		if cases := without(s, other(s.HeadID())); len(cases) > 0 {
			out = append(out, suiteid.Some[identity]{Suite: s.HeadID(), Target: s.Target, Cases: cases})
		}
	}
	return out
}

// without are the cases of a suite of which the other, which may be nil, has none of that id and with that key.
func without(s, other *report.SuiteSide) (out []suiteid.Case[identity]) {
	for _, c := range s.Cases {
		if same := find(other, c.ID); same == nil || same.ExpectationKey != c.ExpectationKey {
			out = append(out, suiteid.Case[identity]{ID: c.ID, Key: identityOf(c), Own: identityOf(c), Sent: identity{request: c.RequestKey}})
		}
	}
	return out
}

// identity is equal for what is one case, whatever it is called.
type identity struct{ expectation, request report.Key }

// noInput is the key of a case that has no variables or turns of its own. Such a one is known by what is sent as well.
var noInput = report.ParseKey(fmt.Sprintf("%x", sha256.Sum256([]byte("{}"))))

func identityOf(c *report.Case) identity {
	if c.InputKey == noInput {
		return identity{c.ExpectationKey, c.RequestKey}
	}
	return identity{c.ExpectationKey, 0}
}

func ones(side *report.Side) []suiteid.One[identity] {
	out := make([]suiteid.One[identity], len(side.Suites))
	for i, s := range side.Suites {
		out[i] = suiteid.One[identity]{ID: s.ID, Target: s.Target, Lines: func(sent bool) []string { return contentLines(s, sent) },
			Cases: func() []suiteid.Case[identity] { return without(s, nil) }}
	}
	return out
}

// contentLines are the cases of a suite by their ids and keys.
func contentLines(s *report.SuiteSide, sent bool) []string {
	lines := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		var request report.Key
		if sent {
			request = c.RequestKey
		}
		line := binary.LittleEndian.AppendUint64(make([]byte, 0, 16+len(c.ID)), uint64(request))
		lines = append(lines, string(append(binary.LittleEndian.AppendUint64(line, uint64(c.ExpectationKey)), c.ID...)))
	}
	return lines
}
