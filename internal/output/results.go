package output

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/report"
)

// Results is a log of results being written. They are written as they come, and sorted by case once the log is whole.
type Results struct {
	Log    *report.Log
	file   *file
	places map[string]int // of the cases, by suite/case; nil: they come in order
	spans  []span         // of results that do not
}

// CreateResults creates a log of results. places are the places of its cases, by suite/case; nil keeps the order in
// which they come.
func (o *Folder) CreateResults(name string, places map[string]int) (*Results, error) {
	out, err := o.create(name)
	if err != nil {
		return nil, err
	}
	return &Results{file: out, Log: report.NewLog(out.f), places: places}, nil
}

// Add writes one result and returns its place.
func (r *Results) Add(one report.Result) (report.Ref, error) {
	at, err := r.Log.Append(one)
	if err == nil && r.places != nil {
		place := r.places[one.SuiteID+"/"+one.CaseID]
		if one.Look != "" {
			place = math.MaxInt
		}
		r.spans = append(r.spans, span{place, at})
	}
	return at, err
}

// span is one result of a log that results are written to as they come.
type span struct {
	place int // of its case; the answers of further looks stand behind all first ones, as they came
	at    report.Ref
}

func (a span) compare(b span) int { return cmp.Compare(a.place, b.place) }

// arrange writes the log anew, in the order of its cases.
func (r *Results) arrange() error {
	f := r.file
	if slices.IsSortedFunc(r.spans, span.compare) {
		return nil
	}
	slices.SortStableFunc(r.spans, span.compare)
	order := make([]report.Ref, len(r.spans))
	for i, s := range r.spans {
		order[i] = s.at
	}
	ordered, err := anew(f.root, f.name+".order")
	if err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	if err := r.Log.Arrange(ordered, order); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", f.name, err), ordered.Close())
	}
	err = errors.Join(f.f.Close(), f.root.Rename(f.name+".order", f.name+".part"))
	if f.f = ordered; err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	return nil
}

// Commit gives the log its name, under which it is read from now on.
func (r *Results) Commit() error {
	if err := r.arrange(); err != nil {
		return err
	}
	if err := r.Log.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", r.file.name, err)
	}
	if err := r.file.commit(); err != nil {
		return err
	}
	r.Log.From(readAt(func() (*os.File, error) { return regular.OpenIn(r.file.root, r.file.name) }))
	return nil
}

// OpenLog opens the log of results at a path, to read single ones of them.
func OpenLog(path string) *report.Log {
	return report.OpenLog(readAt(func() (*os.File, error) { return regular.Open(path) }))
}

// readAt is a file that is opened for every read, since a log is read a few times, long after it was written.
type readAt func() (*os.File, error)

func (open readAt) ReadAt(p []byte, off int64) (int, error) {
	f, err := open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}
