package record

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Stamps lists the head's recordings to rename or to stamp, and the suites with missing ones. Answers that belong to
// another case by their request are listed alone: the others are known when they have their names.
type Stamps struct {
	Renamed    []recorded.RenamedAnswer // answers under another name than that of their case
	Unstamped  []recorded.UnstampedAnswer
	OfOthers   []recorded.UnstampedAnswer // those that answer another case, which has its answer
	Unanswered []Unanswered
}

// Unanswered is a suite that has cases without a recorded answer.
type Unanswered struct {
	Path  string
	Cases int
	First string // the first such case
	Other string // which answers the suite's file has in place of it; "" if none
	// the file with answers under the names of the base, if it is not To, the suite's file now; "" if there is none
	From, To string
}

// ReadStamps reads the suites and recordings of the head, and compares them with the base's, and with those of
// in.Earlier. What the base has with the current request's key was confirmed there, and is not compared again. A base
// with errors counts as missing. Errors in the head's files are document.Faults.
func ReadStamps(in Inputs) (out Stamps, err error) {
	out, err = in.readStamps()
	for _, tree := range in.Earlier {
		if err != nil || len(out.Renamed) > 0 {
			break
		}
		var before Stamps
		in.Inputs.Base = tree
		if before, err = in.readStamps(); len(before.Renamed) > 0 {
			return before, err
		}
		// Without renamed answers, both have the same answers and suites.
		for i, u := range before.Unstamped {
			one := &out.Unstamped[i]
			one.Unchanged = one.Unchanged || u.Unchanged && !one.OnBase
			one.Target = cmp.Or(one.Target, u.Target)
		}
		for i, u := range before.Unanswered {
			out.Unanswered[i].From = cmp.Or(out.Unanswered[i].From, u.From)
		}
	}
	return out, err
}

func (in Inputs) readStamps() (out Stamps, err error) {
	p, err := in.readRecorded()
	if err != nil {
		return out, err
	}
	if out.Renamed = p.Head.Moves(); len(out.Renamed) > 0 {
		return out, nil
	}
	taken := namesOf(p.Head)
	for _, s := range p.Head.Suites {
		none := Unanswered{Path: s.Path, To: recorded.Path(p.Rules.Targets[s.Target].Path, s.ID)}
		for _, c := range s.Cases {
			for _, u := range p.Head.Recordings[s.Target].UnstampedAnswers(c.Open().Prompt) {
				if u.Of.Case != "" {
					out.OfOthers = append(out.OfOthers, u)
				} else {
					out.Unstamped = append(out.Unstamped, u)
				}
			}
			if p.Rules.Targets[s.Target].Provider == model.Recorded && p.Head.AnswersOf(s, c.ID).Len() == 0 {
				none.From = cmp.Or(none.From, oldFile(p, p.Pairs.Find(s.ID, c.ID), taken))
				none.Cases++
				none.First = cmp.Or(none.First, c.ID)
			}
		}
		if none.Cases > 0 {
			none.Other = p.Head.Recordings[s.Target].OtherAnswers(s.ID)
			out.Unanswered = append(out.Unanswered, none)
		}
	}
	return out, nil
}

// readRecorded reads both sides with recorded targets, and pairs their cases.
func (in Inputs) readRecorded() (p *sides.Sides, err error) {
	own, faults := sides.RequireConfig(in.Inputs.Dir, in.Inputs.Head, in.Inputs.Config)
	if err := document.AsError(faults); err != nil {
		return nil, err
	}
	p = &sides.Sides{Inputs: in.Inputs, Rules: own}
	if p.Head, faults, err = in.recordedSide(in.Inputs.Head, own); err != nil {
		return nil, err
	}
	if err := document.AsError(faults); err != nil {
		return nil, err
	}
	if in.Inputs.Base != nil {
		theirs := in
		theirs.To = ""
		if before, faults := sides.ReadConfig(in.Inputs.Base, in.Inputs.Config); before != nil &&
			!document.HasErrors(faults) {
			if p.Base, _, err = theirs.recordedSide(in.Inputs.Base, before); err != nil {
				return nil, err
			}
		}
	}
	p.Pairs = sides.NewPairs(suite.Join(p.Base.All(), p.Head.Suites).Matches, p.Base, p.Head)
	p.Head.Bind(recorded.Binding{Targets: sides.RecordedTargets(own), BaseCase: p.BaseFinder(),
		BaseAnswers: p.Base.AnswersUnder, CaseIDs: p.Head.CaseIDs, OnBase: answersOn(p.Base)})
	return p, nil
}

// oldFile returns the file in which the base has the answers to a case, if it is still there and the case's suite does
// not read it; otherwise "". taken has the names of the head's cases.
func oldFile(p *sides.Sides, both suite.Pair, taken map[suiteid.Name]bool) string {
	if both.Base == nil || both.Head == nil || taken[suiteid.Name{Suite: suiteid.AuthorID(both.BaseSuite.ID), Case: both.Base.ID}] {
		return ""
	}
	from := p.Base.AnswersOf(both.BaseSuite, both.Base.ID).File()
	if _, err := fs.Stat(p.Inputs.Head, from); err != nil ||
		from == recorded.Path(p.Head.Config.Targets[both.HeadSuite.Target].Path, both.HeadSuite.ID) {
		return ""
	}
	return from
}

// answersOn returns a function that finds the answers on the base by the key of their request. It returns nil if there
// is no base.
func answersOn(base *sides.Side) func(key string) recorded.Answers {
	if base == nil {
		return nil
	}
	all := sync.OnceValue(func() map[string]recorded.Answers {
		out := map[string]recorded.Answers{}
		for _, client := range base.Recordings {
			for key, answers := range client.ByRequest() {
				out[key] = append(out[key], answers...)
			}
		}
		return out
	})
	return func(key string) recorded.Answers { return all()[key] }
}

// Moved says what WriteNames did to answers.
const Moved = "moved to the present case names"

// WriteNames renames recorded answers to the current names of their cases. It returns the written files, also with an
// error.
func WriteNames(dir string, renamed []recorded.RenamedAnswer) (out []WrittenFile, err error) {
	files := edits[suiteid.Name]{}
	for _, r := range renamed {
		files.put(r.Place, r.NewName)
	}
	return files.write(dir, recorded.Rename)
}

// recordedSide loads the suites of a tree with a recorded target, and their recordings.
func (in Inputs) recordedSide(tree *source.Tree, own *config.Config) (*sides.Side, []document.Diagnostic, error) {
	_, reading, err := in.targets(own)
	if err != nil {
		return nil, nil, err
	}
	suites, faults := suite.Load(tree, reading, in.Inputs.SuiteGlobs(own.Suites))
	suites = slices.DeleteFunc(suites, func(one *suite.Suite) bool { return reading.Targets[one.Target].Provider != model.Recorded })
	s, more := sides.OpenSide(tree, reading, suites, sides.NewTargets(in.Inputs, reading), nil)
	faults = append(faults, more...)
	document.Sort(faults)
	return s, faults, nil
}

// WrittenFile is a written file with its number of stamped or renamed answers.
type WrittenFile struct {
	Path    string
	Answers int
}

// WriteStamps marks recorded answers as hand-written for their current request. It returns the written files, also with
// an error.
func WriteStamps(dir string, unstamped []recorded.UnstampedAnswer) (out []WrittenFile, err error) {
	files := edits[string]{}
	for _, u := range unstamped {
		files.put(u.Place, u.Key)
	}
	return files.write(dir, recorded.Stamp)
}

// edits holds the changes of lines, by file.
type edits[V any] map[string]map[recorded.Place]V

func (e edits[V]) put(at recorded.Place, what V) {
	if e[at.File] == nil {
		e[at.File] = map[recorded.Place]V{}
	}
	e[at.File][at] = what
}

// write changes the files in the folder dir. A file with a line that is not as it was read stays, and is an error:
// somebody edited it while a model or a person was asked. write returns the written files, also with an error.
func (e edits[V]) write(dir string, change func([]byte, map[int]V) []byte) (out []WrittenFile, err error) {
	written, err := output.WriteFiles(dir, slices.Sorted(maps.Keys(e)),
		func(root *os.Root, name string) ([]byte, error) {
			old, err := regular.ReadIn(root, filepath.FromSlash(name), source.MaxFileSize)
			if err != nil {
				return nil, err
			}
			values, err := byLine(old, e[name])
			if err != nil {
				return nil, err
			}
			return change(old, values), nil
		})
	for _, name := range written {
		out = append(out, WrittenFile{name, len(e[name])})
	}
	return out, err
}

// byLine returns changes by line number, from 1. It returns an error if a line of text is not as it was read.
func byLine[V any](text []byte, changes map[recorded.Place]V) (map[int]V, error) {
	lines := bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))
	out := map[int]V{}
	for _, at := range slices.SortedFunc(maps.Keys(changes),
		func(a, b recorded.Place) int { return a.Line - b.Line }) {
		if at.Line > len(lines) || string(bytes.TrimSpace(lines[at.Line-1])) != at.Text {
			return nil, fmt.Errorf("line %d is not as it was read: run the command again", at.Line)
		}
		out[at.Line] = changes[at]
	}
	return out, nil
}

// namesOf returns the names that recordings use for the side's cases.
func namesOf(s *sides.Side) map[suiteid.Name]bool {
	out := map[suiteid.Name]bool{}
	for one, c := range suite.EachCase(s.Suites) {
		out[suiteid.Name{Suite: suiteid.AuthorID(one.ID), Case: c.ID}] = true
	}
	return out
}
