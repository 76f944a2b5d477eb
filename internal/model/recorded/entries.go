package recorded

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
)

// suiteEntries holds the recordings of one suite's cases, sorted by case and entryName.
type suiteEntries struct {
	entries []entry
	files   []int32 // files of the entries
}

// entry is one line, whose answer is parsed again when needed.
type entry struct {
	id         string  // of the case
	text       string  // the line
	target     *Target // the target that gave the answer; nil if not named
	file, line int32
	resampled  bool // sampled more than once
	entryName
}

// entryName identifies an answer among the answers to one case.
type entryName struct {
	trial int32
	side  rerunSide
}

// rerunSide is the side of a rerun; 0 for a first answer.
type rerunSide uint8

var rerunSides = [...]string{"", RerunOnBase, RerunOnHead}

// merge appends the entries of more to the entries of a. The two come from different files. If a is nil, it returns
// more.
func (a *suiteEntries) merge(more *suiteEntries) *suiteEntries {
	if a == nil {
		return more
	}
	a.entries, a.files = append(a.entries, more.entries...), append(a.files, more.files...)
	return a
}

// sortUnique sorts the entries by case and entryName. If several entries of a case have the same entryName, it keeps
// the first and returns the others.
func (a *suiteEntries) sortUnique() (repeated []entry) {
	slices.SortStableFunc(a.entries, func(x, y entry) int {
		return cmp.Or(strings.Compare(x.id, y.id), cmp.Compare(x.side, y.side), cmp.Compare(x.trial, y.trial))
	})
	kept := a.entries[:0]
	for _, e := range a.entries {
		if n := len(kept); n > 0 && kept[n-1].id == e.id && kept[n-1].entryName == e.entryName {
			repeated = append(repeated, e)
			continue
		}
		kept = append(kept, e)
	}
	a.entries = slices.Clone(kept) // frees the spare capacity
	return repeated
}

// entriesOf returns the entries of the case with the given id, sorted by entryName.
func (a *suiteEntries) entriesOf(id string) []entry {
	first, _ := slices.BinarySearchFunc(a.entries, id,
		func(e entry, id string) int { return strings.Compare(e.id, id) })
	end := first
	for end < len(a.entries) && a.entries[end].id == id {
		end++
	}
	return a.entries[first:end]
}

// sortLines sorts the lines of every suite. It returns an error for each line that repeats another one.
func sortLines(c *Client) (faults []document.Diagnostic) {
	type again struct {
		entry
		suite string
	}
	var repeated []again
	for name, suite := range c.suites {
		for _, e := range suite.sortUnique() {
			repeated = append(repeated, again{e, name})
		}
	}
	slices.SortFunc(repeated, func(a, b again) int {
		return cmp.Or(cmp.Compare(a.file, b.file),
			cmp.Compare(a.line, b.line))
	})
	for len(repeated) > 0 {
		file := repeated[0].file
		errors := document.NewDiagnostics(c.files[file])
		for ; len(repeated) > 0 && repeated[0].file == file; repeated = repeated[1:] {
			e := repeated[0]
			errors.Add(newDiagnostic(c.files[file], int(e.line), "recording",
				fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them",
					e.id, e.suite, e.trial)))
		}
		faults = append(faults, errors.All()...)
	}
	return faults
}

// entriesOf returns the entries of the case with the given id in the given suite, sorted by entryName.
func (c *Client) entriesOf(suite, id string) []entry {
	all := c.suites[suiteid.AuthorID(suite)]
	if all == nil {
		return nil
	}
	return all.entriesOf(id)
}

// rerunsOf returns the entries of the reruns of a case, sorted by entryName. c may be nil.
func rerunsOf(c *Client, suite, id string) []entry {
	if c == nil {
		return nil
	}
	all := c.entriesOf(suite, id)
	return all[len(firstAnswers(all)):]
}

// firstAnswers returns the first answers among the entries of a case, without reruns, by trial. Trials count from 1, or
// from 0 if there is a trial 0.
func firstAnswers(entries []entry) []entry {
	for i := range entries {
		if entries[i].side != 0 {
			return entries[:i]
		}
	}
	return entries
}

// HasSameAnswers reports whether two clients have the same recorded answers to a case, trial by trial, with the same
// reruns, and whether the same models and targets gave them, as far as c names these. Places, tokens and the keys of
// requests are ignored.
func (c *Client) HasSameAnswers(suite, id string, other *Client, otherSuite, otherID string) (answers, models bool) {
	ours, theirs := c.Answers(suite, id), other.Answers(otherSuite, otherID)
	models = true
	answers = slices.EqualFunc(ours.entries, theirs.entries, func(a, b entry) bool {
		if ours.trial(a) != theirs.trial(b) || a.text == b.text {
			return ours.trial(a) == theirs.trial(b)
		}
		was, now := c.record(a), other.record(b)
		models = models && (was.ModelID == "" || was.ModelID == now.ModelID) &&
			(was.Target == nil || reflect.DeepEqual(was.Target, now.Target))
		return was.samples() == now.samples() && reflect.DeepEqual(was.answer(), now.answer()) &&
			reflect.DeepEqual(was.Verdicts, now.Verdicts)
	}) && slices.EqualFunc(rerunsOf(c, suite, id), rerunsOf(other, otherSuite, otherID),
		func(a, b entry) bool { return a.text == b.text })
	return answers, models
}

func (a Answers) trial(e entry) int {
	if countsFromZero(a.entries) {
		return int(e.trial) + 1
	}
	return int(e.trial)
}

// answer returns a line reduced to the answer, which is what assertions read.
func (r record) answer() record {
	return record{RawResponse: r.RawResponse, ToolCalls: r.ToolCalls, Error: r.Error, LimitSeconds: r.LimitSeconds,
		Refusal: r.Refusal, FinishReason: r.FinishReason, StopReason: r.StopReason, LatencyMS: r.LatencyMS,
		CostUSD: r.CostUSD}
}
