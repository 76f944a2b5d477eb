package recorded

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/lookup"
	"github.com/failproof/failproof/internal/scratch"
	"github.com/failproof/failproof/internal/suiteid"
)

// answered are the lines of one suite. Of each the store keeps its entry, the id of its case, and then the line itself.
type answered struct {
	store scratch.Writer
	lines []scratch.Ref // in the order in which they were read
	files []int32       // that they stand in
	ids   lookup.Table  // of the cases: the places of their first lines
	all   map[int][]int // of the cases with several lines: their places in the order of their names, by that of the first
	buf   []byte        // for keep
}

type entry struct {
	place      int         // in answered.lines
	at         scratch.Ref // of all that is kept of it
	text       int         // where the line begins there
	target     int32       // whom the answer was recorded from, in Client.targets; 0: it does not say
	file, line int32
	entryName
}

// entryName tells the answers to one case apart.
type entryName struct {
	trial int32
	fresh freshSide
}

// freshSide is the side that an answer of a flip was asked for again; 0 for an answer to a trial.
type freshSide uint8

var freshSides = [...]string{"", FreshBase, FreshHead}

// headBytes is how long an entry is where it is kept, the length of the id and of what stands before the id with it.
const headBytes = 4*5 + 1

// idRead is how much of what is kept is read to know an entry: more than its head and most ids take.
const idRead = headBytes + 64

func (a *answered) keep(e entry, id string, text []byte) {
	head := a.buf[:0]
	for _, n := range []int32{e.target, e.file, e.line, e.trial, int32(len(id))} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	head = append(append(head, byte(e.fresh)), id...)
	a.buf = append(head, text...)
	a.lines = append(a.lines, a.store.Keep(a.buf))
}

// and joins the lines of another file; a may be nil.
func (a *answered) and(more *answered) *answered {
	if a == nil {
		return more
	}
	a.lines, a.files = append(a.lines, more.lines...), append(a.files, more.files...)
	return a
}

// read reads an entry back, and the id of its case, in room of idRead bytes or more where that is long.
func (a *answered) read(place int, room []byte) (e entry, id []byte) {
	head := a.store.GetFirst(a.lines[place], room[:0], idRead)
	var n [5]int32
	for i := range n {
		n[i] = int32(binary.LittleEndian.Uint32(head[4*i:]))
	}
	e = entry{place, a.lines[place], headBytes + int(n[4]), n[0], n[1], n[2], entryName{n[3], freshSide(head[headBytes-1])}}
	if e.text > len(head) {
		head = a.store.GetFirst(e.at, head[:0], e.text)
	}
	return e, head[headBytes:e.text]
}

func (a *answered) id(place int) string {
	var room [idRead]byte
	_, id := a.read(place, room[:])
	return string(id)
}

func (c *Client) text(e entry) []byte { return c.lines.Get(e.at, nil)[e.text:] }

// index finds the lines of each case, and returns those that were read twice.
func (c *Client) index() (faults []document.Diagnostic) {
	c.named = nil
	type again struct {
		entry
		suite string
		first int // line of its case
	}
	var twice []again
	for name, suite := range c.suites {
		suite.buf, suite.lines, suite.all = nil, slices.Clone(suite.lines), map[int][]int{} // without the room that they grew by
		suite.ids.Reserve(len(suite.lines))
		for i := range suite.lines {
			id := suite.id(i)
			first, found := suite.ids.Find(id, suite.id)
			switch {
			case !found:
				suite.ids.Add(id, i, suite.id)
			case suite.all[first] == nil:
				suite.all[first] = []int{first, i}
			default:
				suite.all[first] = append(suite.all[first], i)
			}
		}
		for first := range suite.all {
			for _, e := range suite.order(first) {
				twice = append(twice, again{e, name, first})
			}
		}
	}
	slices.SortFunc(twice, func(a, b again) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	for len(twice) > 0 {
		file := twice[0].file
		of := document.NewFaults(c.files[file])
		for ; len(twice) > 0 && twice[0].file == file; twice = twice[1:] {
			e := twice[0]
			of.Add(fault(c.files[file], int(e.line), "recording",
				fmt.Sprintf("case %s of suite %s, trial %d, is recorded twice; keep one of them", c.suites[e.suite].id(e.first), e.suite, e.trial)))
		}
		faults = append(faults, of.All()...)
	}
	return faults
}

// order brings the lines of a case into the order of their names. Of those of one name it keeps the one that was read first, and returns the others.
func (a *answered) order(first int) (again []entry) {
	entries := a.entries(first)
	slices.SortStableFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.fresh, y.fresh), cmp.Compare(x.trial, y.trial))
	})
	var kept []int
	for i, e := range entries {
		if i > 0 && e.entryName == entries[i-1].entryName {
			again = append(again, e)
			continue
		}
		kept = append(kept, e.place)
	}
	a.all[first] = kept
	return again
}

// entries returns those of the case whose first line stands at a place.
func (a *answered) entries(first int) (out []entry) {
	places := a.all[first]
	if places == nil {
		places = []int{first}
	}
	var room [idRead]byte
	for _, place := range places {
		one, _ := a.read(place, room[:])
		out = append(out, one)
	}
	return out
}

// of returns the entries of a case, in the order of their names.
func (c *Client) of(suite, id string) []entry {
	all := c.suites[suiteid.Written(suite)]
	if all == nil {
		return nil
	}
	var looked entry
	var room [idRead]byte
	first, found := all.ids.Find(id, func(place int) string {
		var name []byte
		looked, name = all.read(place, room[:])
		return string(name)
	})
	switch {
	case !found:
		return nil
	case all.all[first] == nil: // the line that was looked at is the only one
		return []entry{looked}
	}
	return all.entries(first)
}

// trials returns the recorded trials of a case, ascending; counting begins at 1, or at 0 if there is a 0.
func (c *Client) trials(suite, id string) []entry {
	all := c.of(suite, id)
	for i := range all {
		if all[i].fresh != 0 {
			return all[:i]
		}
	}
	return all
}

// Same reports whether the recorded answers to a case of one client are those to a case of the other. Where an answer stands, how long it
// took and what it is bound by change nothing that is judged; which trial it is does.
func (c *Client) Same(suite, id string, other *Client, otherSuite, otherID string) bool {
	ours, theirs := c.Answers(suite, id), other.Answers(otherSuite, otherID)
	return slices.EqualFunc(ours.entries, theirs.entries, func(a, b entry) bool {
		return ours.trial(a) == theirs.trial(b) && (bytes.Equal(c.text(a), other.text(b)) || reflect.DeepEqual(c.record(a).judged(), other.record(b).judged()))
	})
}

func (a Answers) trial(e entry) int {
	if fromZero(a.entries) {
		return int(e.trial) + 1
	}
	return int(e.trial)
}

// judged is what of a line is judged.
func (r record) judged() record {
	r.SuiteID, r.CaseID, r.Trial, r.LatencyMS, r.CostUSD, r.Tokens, r.Place = "", "", nil, 0, nil, nil, Place{}
	r.RequestKey, r.Target, r.ByHand = "", nil, false
	return r
}
