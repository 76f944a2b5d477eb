package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/report"
)

// storedReport is a report.json read back, with the results beside it.
type storedReport struct {
	report *report.Report
	head   *report.Side
}

// maxReport bounds report.json, in bytes.
const maxReport = 1 << 30

// readReport reads path, a report.json or the folder that holds one. Its results are read from the file beside it.
func readReport(path string) (*storedReport, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, reportFile)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputErrorf("read the report: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxReport {
		return nil, inputErrorf("read the report: %s is no file, or larger than %d bytes", path, maxReport)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, inputErrorf("read the report: %w", err)
	}
	rep, err := report.Unmarshal(text)
	if err != nil {
		return nil, inputErrorf("read the report %s: %w", path, err)
	}
	return &storedReport{report: rep}, nil
}

// readResults reads the results beside a report.
func (s *storedReport) readResults(path string) error {
	folder := path
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		folder = filepath.Dir(path)
	}
	f, err := os.Open(filepath.Join(folder, resultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return inputErrorf("the report in %s has no %s beside it, and a comparison needs the results of both sides", folder, resultsFile)
	}
	if err != nil {
		return inputErrorf("read the results: %w", err)
	}
	defer f.Close()
	side, err := report.ReadSide(s.report.Plans(), f)
	if err != nil {
		return inputError{fmt.Errorf("read %s: %w", f.Name(), err)}
	}
	s.head = side
	return nil
}

// readFull reads a report with its results.
func readFull(path string) (*storedReport, error) {
	stored, err := readReport(path)
	if err != nil {
		return nil, err
	}
	return stored, stored.readResults(path)
}
