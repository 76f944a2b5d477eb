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

// Results is a log of results that is being written. Add writes each result when it arrives, and Commit sorts the
// results by case.
type Results struct {
	report.Builder
	file   *file
	places map[string]int // position of each case in the log, by suite/case; nil: results arrive in order
	spans  []span         // spans of the results written so far, if places is set
}

// CreateResults creates the log of results with the given file name. places has the position of each case in the
// finished log, by suite/case. If places is nil, the results stay in the order of arrival.
func (o *Folder) CreateResults(name string, places map[string]int) (*Results, error) {
	out, err := o.create(name)
	if err != nil {
		return nil, err
	}
	return &Results{Builder: report.Builder{Log: report.NewLog(out.f)}, file: out, places: places}, nil
}

// Add writes one result, and adds it to the side.
func (r *Results) Add(one report.Result) error {
	at, err := r.Log.Append(one)
	if err != nil {
		return err
	}
	if r.places != nil {
		place := r.places[one.SuiteID+"/"+one.CaseID]
		if one.RerunReason != "" {
			place = math.MaxInt
		}
		r.spans = append(r.spans, span{place, at})
	}
	return r.Builder.Add(one, at)
}

// span says where one result is in the unsorted log, and where it belongs in the sorted one.
type span struct {
	place int // position of the case in the sorted log; reruns follow all first answers, in the order of arrival
	at    report.Ref
}

func (s span) compare(b span) int { return cmp.Compare(s.place, b.place) }

// arrange rewrites the log in the order of its cases.
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
	ordered, err := recreate(f.root, f.name+".order")
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

// Commit sorts the log and gives it its final name. Later reads of the log read the file with this name.
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
	r.Log.SetReader(reopeningFile(func() (*os.File, error) { return regular.OpenIn(r.file.root, r.file.name) }))
	return nil
}

// OpenLog returns the log of results at path, from which single results can be read.
func OpenLog(path string) *report.Log {
	return report.OpenLog(reopeningFile(func() (*os.File, error) { return regular.Open(path) }))
}

// reopeningFile opens the file of a log. A reopeningFile opens its file again for every read, because a log is read
// long after it was written.
type reopeningFile func() (*os.File, error)

func (r reopeningFile) ReadAt(p []byte, off int64) (int, error) {
	f, err := r()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}
