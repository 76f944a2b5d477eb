package output

import (
	"math"

	"github.com/failproof/failproof/internal/report"
)

// Results is a log of results under way. They are written as they come, and stand in the order of their cases once it is whole.
type Results struct {
	Log    *report.Log
	file   *file
	places map[string]int // of the cases, by suite/case; nil: they come in order
	spans  []span         // of results that do not
}

// CreateResults begins a log of results whose cases stand at these places, by suite/case; nil: they come as they stand.
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
