package output

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// span is one result of a log that results are written to as they come.
type span struct {
	place int // of its case; the answers of further looks stand behind all first ones, as they came
	at    report.Ref
}

func (a span) compare(b span) int { return cmp.Compare(a.place, b.place) }

// arrange writes the log anew, in the order of its cases.
func (r *Results) arrange() error {
	f, list := r.file, r.spans
	if slices.IsSortedFunc(list, span.compare) {
		return nil
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, span.compare)
	order := make([]report.Ref, len(list))
	for i, s := range list {
		order[i] = s.at
	}
	ordered, err := f.root.OpenFile(f.name+".order", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
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
	r.Log.From(readAt(func() (*os.File, error) { return r.file.root.Open(r.file.name) }))
	return nil
}
