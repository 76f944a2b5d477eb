package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Marshal returns report.json as Write writes it.
func (r *Report) Marshal() ([]byte, error) {
	var out bytes.Buffer
	err := r.Write(&out)
	return out.Bytes(), err
}

// noChanges is the encoded empty list of changes. No JSON string can contain it, because line feeds are escaped.
const noChanges = "\n  \"changes\": [],\n"

// Write writes report.json. It is indented, except that each change has one line, because there may be a change for
// every case. Keys have a fixed order, text is not escaped for HTML, and one newline ends the file. Equal reports give
// equal bytes.
func (r *Report) Write(w io.Writer) error {
	f := r.withDefaults()
	f.Changes = []Change{}
	var rest bytes.Buffer
	enc := json.NewEncoder(&rest)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(f); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	before, after, _ := bytes.Cut(rest.Bytes(), []byte(noChanges))
	out := bufio.NewWriter(w) // keeps the first write error for Flush
	out.Write(before)
	out.WriteString("\n  \"changes\": [")
	if err := r.writeChanges(out); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	out.WriteString("],\n")
	out.Write(after)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// writeChanges writes the elements of the list of changes. If the results are beside the report, it omits cases that
// still pass.
func (r *Report) writeChanges(out *bufio.Writer) error {
	separator, end := "\n    ", ""
	for i := range r.Changes {
		c := &r.Changes[i]
		if r.ResultsBeside && c.Change == StillPassing {
			continue
		}
		one, err := text.JSON(c)
		if err != nil {
			return err
		}
		out.WriteString(separator)
		out.Write(one)
		separator, end = ",\n    ", "\n  "
	}
	out.WriteString(end)
	return nil
}

// withDefaults returns a copy of r with an empty list for each nil one and an entry for every category.
func (r *Report) withDefaults() *Report {
	f := *r
	f.SchemaVersion = SchemaVersion
	f.Reasons = nonNil(f.Reasons)
	f.Suites = nonNil(f.Suites)
	f.PolicyChanges = nonNil(f.PolicyChanges)
	f.Warnings = nonNil(f.Warnings)
	f.Diagnostics = nonNil(f.Diagnostics)
	f.Metrics = nonNil(f.Metrics)
	f.Histogram = f.Histogram.withAllCategories()
	if f.BaseHistogram != nil {
		f.BaseHistogram = f.BaseHistogram.withAllCategories()
	}
	if f.Counts == nil {
		f.Counts = map[Status]int{}
	}
	if f.Scoring.Weights == nil {
		f.Scoring.Weights = map[string]float64{}
	}
	f.Scoring.Semantic = cmp.Or(f.Scoring.Semantic, SemanticNone)
	f.Suites = slices.Clone(f.Suites)
	for i := range f.Suites {
		f.Suites[i].Histogram = f.Suites[i].Histogram.withAllCategories()
		f.Suites[i].Metrics = nonNil(f.Suites[i].Metrics)
	}
	return &f
}

func nonNil[T MetricSummary | Reason | SuiteSummary | config.Change | Warning | document.Diagnostic](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func (h Histogram) withAllCategories() Histogram {
	f := Histogram{}
	for _, c := range classify.Categories {
		f[c] = h[c]
	}
	return f
}

// Unmarshal reads report.json strictly: another schema version, and what its schema does not allow, are
// errors.
func Unmarshal(data []byte) (*Report, error) {
	var r Report
	err := json.Unmarshal(data, &r)
	switch {
	case r.SchemaVersion != "" && r.SchemaVersion != SchemaVersion: // its types may differ, too
		return nil, fmt.Errorf("schema version %q is not known, expected %q", r.SchemaVersion, SchemaVersion)
	case err != nil:
		return nil, rewordJSONError(err)
	case r.SchemaVersion == "":
		return nil, errors.New("it has no schema_version, so it is no report.json of failproof")
	}
	if line, err := reportSchema().check(data); err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return &r, nil
}

// GateOr returns the gate settings of the report, or def if it has none.
func (r *Report) GateOr(def config.Gate) config.Gate {
	if r.Gate == nil {
		return def
	}
	return *r.Gate
}

// Plans returns the suite plans of the report, for reading its results.jsonl.
func (r *Report) Plans() []SuitePlan {
	var plans []SuitePlan
	for _, s := range r.Suites {
		plans = append(plans, SuitePlan{ID: s.SuiteID, Target: s.Target, Path: s.Path, Line: s.Line, Weight: s.Weight,
			MinScore: s.MinScore, Cases: s.Cases})
	}
	return plans
}

// HeadIDs returns the head's ids of the base's suites by the base's, where the two differ.
func (r *Report) HeadIDs() map[string]string {
	ids := map[string]string{}
	for _, row := range r.Suites {
		if row.BaseSuiteID != "" {
			ids[row.BaseSuiteID] = row.SuiteID
		}
	}
	return ids
}
