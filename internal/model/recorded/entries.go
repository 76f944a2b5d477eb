package recorded

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// entry is one line, whose answer is parsed again when needed. It is small because a pull request may have very many.
type entry struct {
	id   string // of the case
	text string // the line
	*origin
	line  int32 // number of the line in the file
	trial int32
}

// origin is what most lines of a file share.
type origin struct {
	file      string
	side      string  // of a rerun: RerunOnBase or RerunOnHead; "" for a first answer
	resampled bool    // sampled more than once
	target    *Target // the target that gave the answer; nil if not named
}

func (e entry) place() Place { return Place{e.file, int(e.line), e.text} }

// record parses the line of an entry again.
func (e entry) record() record {
	r := record{Place: e.place()}
	_ = json.Unmarshal([]byte(e.text), &r) // it was parsed before
	return r
}

// sortEntries sorts the entries of every suite by case, side and trial. If several entries of a case have the same
// side and trial, it keeps the first and adds an error for each other one.
func (c *Client) sortEntries(faults map[string]*document.Diagnostics) {
	for _, suite := range slices.Sorted(maps.Keys(c.suites)) {
		entries := c.suites[suite]
		slices.SortStableFunc(entries, func(x, y entry) int {
			return cmp.Or(strings.Compare(x.id, y.id), strings.Compare(x.side, y.side), cmp.Compare(x.trial, y.trial))
		})
		kept := entries[:0]
		for _, e := range entries {
			if n := len(kept); n > 0 && kept[n-1].id == e.id && kept[n-1].side == e.side && kept[n-1].trial == e.trial {
				faults[e.file].ErrorAt(document.Position{Line: int(e.line), Column: 1}, "recording",
					"case %s of suite %s, trial %d, is recorded twice; keep one of them", e.id, suite, e.trial)
				continue
			}
			kept = append(kept, e)
		}
		c.suites[suite] = slices.Clone(kept) // frees the spare capacity
	}
}

// entriesOf returns the entries of the case with the given id in the given suite: first the answers by trial, then the
// reruns of the base and of the head. c may be nil.
func (c *Client) entriesOf(suite, id string) Answers {
	if c == nil {
		return nil
	}
	all := c.suites[suiteid.AuthorID(suite)]
	first, _ := slices.BinarySearchFunc(all, id, func(e entry, id string) int { return strings.Compare(e.id, id) })
	end := first
	for end < len(all) && all[end].id == id {
		end++
	}
	return all[first:end]
}

// Answers returns the recorded first answers to a case. A nil client has none.
func (c *Client) Answers(suite, id string) Answers { return c.entriesOf(suite, id).ofSide("") }

// AllReruns returns the recorded reruns of a case, whether they fit or not. A nil client has none.
func (c *Client) AllReruns(suite, id string) Answers {
	all := c.entriesOf(suite, id)
	return all[len(all.ofSide("")):]
}

// ofSide returns the answers of one side, by trial.
func (a Answers) ofSide(side string) Answers {
	first := slices.IndexFunc(a, func(e entry) bool { return e.side == side })
	if first < 0 {
		return nil
	}
	end := first
	for end < len(a) && a[end].side == side {
		end++
	}
	return a[first:end]
}

// HasSameAnswers reports whether two clients have the same recorded answers to a case, trial by trial, with the same
// reruns, and whether the same models and targets gave them, as far as c names these. Places, tokens and the keys of
// requests are ignored.
func (c *Client) HasSameAnswers(suite, id string, other *Client, otherSuite, otherID string) (answers, models bool) {
	models = true
	answers = slices.EqualFunc(c.Answers(suite, id), other.Answers(otherSuite, otherID), func(a, b entry) bool {
		if a.trial != b.trial || a.text == b.text {
			return a.trial == b.trial
		}
		was, now := a.record(), b.record()
		models = models && (was.ModelID == "" || was.ModelID == now.ModelID) &&
			(was.Target == nil || reflect.DeepEqual(was.Target, now.Target))
		return was.samples() == now.samples() && reflect.DeepEqual(was.answer(), now.answer()) &&
			reflect.DeepEqual(was.Verdicts, now.Verdicts)
	}) && slices.EqualFunc(c.AllReruns(suite, id), other.AllReruns(otherSuite, otherID),
		func(a, b entry) bool { return a.text == b.text })
	return answers, models
}

// HasNewWords reports whether other has an answer to the case in words that no answer of c to it has.
func (c *Client) HasNewWords(suite, id string, other *Client, otherSuite, otherID string) bool {
	was := c.Answers(suite, id)
	return slices.ContainsFunc(other.Answers(otherSuite, otherID), func(e entry) bool { return !was.contains(e.record()) })
}

// answer returns a line reduced to the answer, which is what assertions read.
func (r record) answer() record {
	return record{RawResponse: r.RawResponse, ToolCalls: r.ToolCalls, Error: r.Error, LimitSeconds: r.LimitSeconds,
		Refusal: r.Refusal, FinishReason: r.FinishReason, LatencyMS: r.LatencyMS, CostUSD: r.CostUSD}
}
