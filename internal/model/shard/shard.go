// Package shard writes the answers of one shard of a run to a file, and reads the files of all shards. The machine that
// reads these files judges the run.
package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
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
	"github.com/failproof/failproof/internal/text"
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

// File is one part's file, opened for reading.
type File struct {
	Name string // for messages
	io.ReaderAt
	Size int64
}

// Answers holds the answers of all parts of a run.
type Answers struct {
	Plan    string // the digest of all requests, the same for all parts
	Version string // of failproof, the same for all parts
	Total   int
	Missing []int          // numbers of the missing and incomplete parts
	Spent   schedule.Usage // what the complete parts used

	files     []File
	locations map[[sha256.Size]byte]location
	partFiles map[int]int  // index in files, by number of the part
	complete  map[int]bool // whether a part is complete, by its number
}

type location struct {
	file   int
	line   int
	offset int64
	length int
}

// maxLine is the largest length of a line in bytes. An answer has at most 4 MiB, and escaping can turn each byte into
// six.
const maxLine = 32 << 20

// Read reads the files of the parts of a run, in any order. It returns an error if a file is invalid, belongs to
// another run, or repeats a part or an answer. Without files, even the number of parts stays unknown.
func Read(files []File) (*Answers, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	a := &Answers{files: files, locations: map[[sha256.Size]byte]location{}, partFiles: map[int]int{},
		complete: map[int]bool{}}
	for i := range files {
		if err := a.read(i); err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Name, err)
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

// read reads the first line of the file with the given index, and indexes its answers.
func (a *Answers) read(file int) error {
	in := bufio.NewReaderSize(io.NewSectionReader(a.files[file], 0, a.files[file].Size), 256<<10)
	first, _, err := readLine(in)
	if err != nil {
		return err
	}
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
		return fmt.Errorf("shard %s is also in %s: remove one of the two", h.Part, a.files[other].Name)
	}
	a.partFiles[h.Number] = file
	return a.index(file, h, in, int64(len(first))+1)
}

// index records where the answers of a file are. It reads the lines from in, which begins at offset. If the file has no
// tail, the part is incomplete, and index records nothing.
func (a *Answers) index(file int, h Header, in *bufio.Reader, offset int64) error {
	locations := map[[sha256.Size]byte]location{}
	for number := 2; ; number++ {
		line, complete, err := readLine(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil // incomplete
		case err != nil:
			return fmt.Errorf("line %d: %w", number, err)
		case !complete:
			return nil
		}
		if bytes.HasPrefix(line, []byte(`{"end":`)) {
			var last map[string]trailer
			err := decodeStrict(line, &last)
			end := last["end"]
			if err != nil || end.Answers != len(locations) || min(end.Calls, end.TokensIn, end.TokensOut) < 0 ||
				end.CostUSD < 0 {
				return fmt.Errorf("line %d: the end does not match the lines before it", number)
			}
			a.complete[h.Number] = true
			maps.Copy(a.locations, locations)
			a.Spent = a.Spent.Plus(end.Usage)
			return nil
		}
		var r record
		if err := decodeStrict(line, &r); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		digest := r.digest()
		if other, twice := a.locations[digest]; twice {
			return fmt.Errorf("line %d: line %d of %s answers the same request", number, other.line,
				a.files[other.file].Name)
		}
		if other, twice := locations[digest]; twice {
			return fmt.Errorf("line %d: line %d answers the same request", number, other.line)
		}
		locations[digest] = location{file, number, offset, len(line)}
		offset += int64(len(line)) + 1
	}
}

func (p AnswerID) digest() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d %q", p.Side, p.Target, p.Suite, p.Case, p.Trial, p.Key))
}

// Find returns the answer at the place p. It returns false if no part has it.
func (a *Answers) Find(p AnswerID) (model.Response, bool, error) {
	loc, ok := a.locations[p.digest()]
	if !ok {
		return model.Response{}, false, nil
	}
	line := make([]byte, loc.length)
	if _, err := a.files[loc.file].ReadAt(line, loc.offset); err != nil {
		return model.Response{}, false, fmt.Errorf("read %s: %w", a.files[loc.file].Name, err)
	}
	var r record
	if err := decodeStrict(line, &r); err != nil {
		return model.Response{}, false, fmt.Errorf("read %s: %w", a.files[loc.file].Name, err)
	}
	return r.Answer, true, nil
}

// readLine returns the next line without its line end. complete is false if the file ends without a line end.
func readLine(in *bufio.Reader) (line []byte, complete bool, err error) {
	line, size, err := text.ReadLine(in, maxLine)
	switch {
	case size > maxLine:
		return nil, false, fmt.Errorf("it is longer than %d MiB", maxLine>>20)
	case errors.Is(err, io.EOF) && size > 0:
		return line, false, nil
	}
	line, complete = bytes.CutSuffix(line, []byte("\n"))
	return line, complete, err
}

// decodeStrict decodes data, which must be exactly one JSON value without unknown fields.
func decodeStrict(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(dst); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind its end")
	}
	return nil
}
