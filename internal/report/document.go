package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// Verdicts lists every verdict.
var Verdicts = [...]Verdict{Passed, Failed, Undecided, Invalid}

// Marshal writes report.json: indented, keys in fixed order, text not escaped for HTML, one newline at the end. Equal
// reports give equal bytes.
func (r *Report) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.filled()); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return out.Bytes(), nil
}

// filled returns r with an empty list wherever it has none, and an entry for every category, so that a reader of the
// document need not tell null from empty.
func (r *Report) filled() *Report {
	f := *r
	f.SchemaVersion = SchemaVersion
	f.Reasons = list(f.Reasons)
	f.Suites = list(f.Suites)
	f.Changes = list(f.Changes)
	f.PolicyChanges = list(f.PolicyChanges)
	f.Warnings = list(f.Warnings)
	f.Diagnostics = list(f.Diagnostics)
	f.Histogram = f.Histogram.filled()
	if f.BaseHistogram != nil {
		f.BaseHistogram = f.BaseHistogram.filled()
	}
	if f.Counts == nil {
		f.Counts = map[Status]int{}
	}
	if f.Scoring.Weights == nil {
		f.Scoring.Weights = map[string]float64{}
	}
	f.Suites = slices.Clone(f.Suites)
	for i := range f.Suites {
		f.Suites[i].Histogram = f.Suites[i].Histogram.filled()
	}
	return &f
}

func list[T Reason | SuiteSummary | Change | config.Change | Warning | document.Diagnostic](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func (h Histogram) filled() Histogram {
	f := Histogram{}
	for _, c := range classify.Categories {
		f[c] = h[c]
	}
	return f
}

// Unmarshal reads report.json. It is strict: another schema version, and an unknown, misspelt or repeated key, is an
// error, and so is a figure that failproof does not write.
func Unmarshal(text []byte) (*Report, error) {
	var version struct {
		SchemaVersion string `json:"schema_version"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&version); err != nil {
		return nil, fmt.Errorf("read report: %w", explain(err))
	}
	if version.SchemaVersion != SchemaVersion {
		return nil, fmt.Errorf("read report: schema version %q is not known, expected %q", version.SchemaVersion, SchemaVersion)
	}
	var r Report
	if err := decodeStrict(text, reportShape, &r); err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	return &r, nil
}

// GateOr returns the gate that the report was held to, or def if it tells none.
func (r *Report) GateOr(def config.Gate) config.Gate {
	if r.Gate == nil {
		return def
	}
	return *r.Gate
}

// Plans returns what the report's suites counted for, to read its results.jsonl by.
func (r *Report) Plans() []SuitePlan {
	var plans []SuitePlan
	for _, s := range r.Suites {
		plans = append(plans, SuitePlan{ID: s.SuiteID, Path: s.Path, Line: s.Line, Weight: s.Weight, MinScore: s.MinScore, Cases: s.Cases})
	}
	return plans
}
