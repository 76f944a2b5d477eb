package output

import "github.com/failproof/failproof/internal/report"

// Results is a log of results under way. They are written as they come, and stand in the order of their cases once it is whole.
type Results struct {
	Log   *report.Log
	file  *file
	spans spans
}

// CreateResults begins a log of results whose cases stand at these places, by suite/case; nil: they come as they stand.
func (o *Folder) CreateResults(name string, places map[string]int) (*Results, error) {
	out, err := o.create(name)
	if err != nil {
		return nil, err
	}
	return &Results{file: out, Log: report.NewLog(out.f), spans: spans{places: places}}, nil
}

// Add writes one result and returns its place.
func (r *Results) Add(one report.Result) (report.Ref, error) {
	at, err := r.Log.Append(one)
	if err == nil {
		r.spans.note(one, at)
	}
	return at, err
}
