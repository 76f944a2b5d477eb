// Package shard writes the answers of one shard of a run to a file, and reads the files of all shards. The machine that
// reads these files judges the run.
package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

// MaxParts is the largest number of shards of a run.
const MaxParts = 256

// Part is a shard: one of the equal parts of a run. The zero Part is the whole run.
type Part struct {
	Number int `json:"part"` // 1, 2, … up to Total
	Total  int `json:"of"`
}

func (p Part) String() string { return strconv.Itoa(p.Number) + "/" + strconv.Itoa(p.Total) }

// Includes reports whether the part includes the item at index, counted from 0.
func (p Part) Includes(index int) bool { return p.Total <= 1 || index%p.Total == p.Number-1 }

var partForm = regexp.MustCompile(`^([1-9][0-9]{0,2})/([1-9][0-9]{0,2})$`)

// ParsePart parses a part in the form 2/8.
func ParsePart(text string) (Part, error) {
	m := partForm.FindStringSubmatch(text)
	if m == nil {
		return Part{}, errors.New("expected a shard and the number of shards, such as 2/8")
	}
	number, _ := strconv.Atoi(m[1]) // three digits fit
	total, _ := strconv.Atoi(m[2])
	if number > total || total > MaxParts {
		return Part{}, fmt.Errorf("expected a shard from 1 to the number of shards, which is at most %d", MaxParts)
	}
	return Part{number, total}, nil
}

// formVersion is the version of the file format.
const formVersion = 2

// Header is the first line of a file. It names the part and identifies its run.
type Header struct {
	Form    int    `json:"failproof_shard"`
	Version string `json:"version"` // of failproof
	Plan    string `json:"plan"`    // digest of all requests of the run, including those of other parts
	Part
}

// trailer is the last line of a file. Without it the part is incomplete.
type trailer struct {
	Answers        int `json:"answers"` // number of lines between head and tail
	schedule.Usage     // of the part
}

// AnswerID identifies an answer of a run. Answers to reruns have none.
type AnswerID struct {
	Side   string `json:"side"`
	Target string `json:"target"`
	Suite  string `json:"suite"`
	Case   string `json:"case"`
	Trial  int    `json:"trial"`
	Key    string `json:"key"` // of the request
}

// record is a line of a file: an answer, or its failure after all retries.
type record struct {
	AnswerID
	Answer model.Response `json:"answer"`
}

// Writer writes the file of one part.
type Writer struct {
	w     io.Writer
	count int
	err   error
}

// NewWriter returns a writer of the file of one part, and writes h as its first line.
func NewWriter(dst io.Writer, h Header) *Writer {
	h.Form = formVersion
	w := &Writer{w: dst}
	w.encode(h)
	return w
}

// Add writes the answer or failure r at the place p.
func (w *Writer) Add(p AnswerID, r model.Response) error {
	w.count++
	w.encode(record{p, r})
	return w.err
}

// End completes the file. used is what the part used.
func (w *Writer) End(used schedule.Usage) error {
	w.encode(map[string]trailer{"end": {w.count, used}})
	return w.err
}

// encode writes v as a line of JSON.
func (w *Writer) encode(v any) {
	if w.err == nil {
		w.err = json.NewEncoder(w.w).Encode(v)
	}
}

// File is one part's file.
type File struct{ Name, Text string }

// Answers holds the answers of all parts of a run.
type Answers struct {
	Plan    string // the digest of all requests, the same for all parts
	Version string // of failproof, the same for all parts
	Total   int
	Missing []int          // numbers of the missing and incomplete parts
	Spent   schedule.Usage // what the complete parts used

	answers   map[AnswerID]answer
	partFiles map[int]string // name of the file, by number of the part
	complete  map[int]bool   // whether a part is complete, by its number
}

// answer is an answer with its place, which is a line of a file.
type answer struct {
	model.Response
	file   string
	number int
}

// Read reads the files of the parts of a run, in any order. It returns an error if a file is invalid, belongs to
// another run, or repeats a part or an answer. Without files, even the number of parts stays unknown.
func Read(files []File) (*Answers, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	a := &Answers{answers: map[AnswerID]answer{}, partFiles: map[int]string{}, complete: map[int]bool{}}
	for _, f := range files {
		if err := a.read(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	for n := 1; n <= a.Total; n++ {
		if !a.complete[n] {
			a.Missing = append(a.Missing, n)
		}
	}
	return a, nil
}

// errOtherRun is the error for parts of different runs.
var errOtherRun = errors.New("it is a shard of another run: base, head, configuration, flags or version of " +
	"failproof differ")

// read reads the first line of a file, and adds its answers.
func (a *Answers) read(f File) error {
	first, rest, _ := strings.Cut(f.Text, "\n")
	var h Header
	if err := decodeStrict(first, &h); err != nil || h.Form == 0 {
		return errors.New("it is not a file that `failproof run --shard` wrote")
	}
	if h.Form != formVersion {
		return fmt.Errorf("its version is %d; this failproof reads %d", h.Form, formVersion)
	}
	if _, err := ParsePart(h.String()); err != nil {
		return err
	}
	if a.Total == 0 {
		a.Plan, a.Version, a.Total = h.Plan, h.Version, h.Total
	}
	if a.Plan != h.Plan || a.Total != h.Total || a.Version != h.Version {
		return errOtherRun
	}
	if other, twice := a.partFiles[h.Number]; twice {
		return fmt.Errorf("shard %s is also in %s: remove one of the two", h.Part, other)
	}
	a.partFiles[h.Number] = f.Name
	return a.add(f.Name, h, rest)
}

// add adds the answers in the lines of text, which follow the header h of a file. If the last line is not a tail, the
// part is incomplete, and add adds nothing.
func (a *Answers) add(file string, h Header, text string) error {
	answers, number := map[AnswerID]answer{}, 1
	for one := range strings.Lines(text) {
		number++
		switch {
		case !strings.HasSuffix(one, "\n"):
			return nil // the file was cut off
		case strings.HasPrefix(one, `{"end":`):
			var last map[string]trailer
			err := decodeStrict(one, &last)
			end := last["end"]
			if err != nil || end.Answers != len(answers) || min(end.Calls, end.TokensIn, end.TokensOut) < 0 ||
				end.CostUSD < 0 {
				return fmt.Errorf("line %d: the end does not match the lines before it", number)
			}
			a.complete[h.Number] = true
			maps.Copy(a.answers, answers)
			a.Spent = a.Spent.Plus(end.Usage)
			return nil
		}
		var r record
		if err := decodeStrict(one, &r); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if other, twice := a.answers[r.AnswerID]; twice {
			return fmt.Errorf("line %d: line %d of %s answers the same request", number, other.number, other.file)
		}
		if other, twice := answers[r.AnswerID]; twice {
			return fmt.Errorf("line %d: line %d answers the same request", number, other.number)
		}
		answers[r.AnswerID] = answer{r.Answer, file, number}
	}
	return nil
}

// Find returns the answer at the place p. It returns false if no part has it.
func (a *Answers) Find(p AnswerID) (model.Response, bool) {
	found, ok := a.answers[p]
	return found.Response, ok
}

// decodeStrict decodes text, which must be exactly one JSON value without unknown fields.
func decodeStrict(text string, dst any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(dst); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind its end")
	}
	return nil
}
