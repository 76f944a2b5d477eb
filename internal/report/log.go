package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Ref is the place of one result in a Log, in bytes.
type Ref struct {
	Off int64
	Len int
}

// File is the file of a Log.
type File interface {
	io.Writer
	io.ReaderAt
}

// Log is a results.jsonl in which each result is found by its place. It stores the texts of results, which may not fit
// in memory. What was decided about a case is in its Case, and is not read back. Reading skips validation: results were
// validated when they were made or read by ReadSide. It is not safe for concurrent use.
type Log struct {
	out    *countingWriter // nil: the log is only read
	lines  *json.Encoder   // writes to out
	last   Result          // what Append writes; it is kept here, so that no call allocates one
	reader io.ReaderAt
	moved  map[int64]int64 // after Arrange: the new offset of each old one
}

// countingWriter counts the bytes that are written to it.
type countingWriter struct {
	*bufio.Writer
	n int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += int64(n)
	return n, err
}

// NewLog returns an empty log that is written to file.
func NewLog(file File) *Log {
	out := &countingWriter{Writer: bufio.NewWriterSize(file, 64<<10)}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	return &Log{out: out, lines: lines, reader: file}
}

// OpenLog returns a log that reads an existing file by the places that ReadSide found.
func OpenLog(file io.ReaderAt) *Log { return &Log{reader: file} }

// Append writes one result as a line and returns its place. It does not escape text for HTML.
func (l *Log) Append(r Result) (Ref, error) {
	begin := l.out.n
	l.last = r
	if err := l.lines.Encode(&l.last); err != nil {
		return Ref{}, fmt.Errorf("write result %s/%s: %w", r.SuiteID, r.CaseID, err)
	}
	return Ref{begin, int(l.out.n - begin)}, nil
}

// Flush writes buffered results to the file.
func (l *Log) Flush() error { return l.out.Flush() }

// Arrange copies the results to another file, in the given order. From then on, the log reads that file. The places
// that Append returned stay valid.
func (l *Log) Arrange(file File, order []Ref) error {
	if err := l.out.Flush(); err != nil {
		return err
	}
	out, end := bufio.NewWriterSize(file, 64<<10), int64(0)
	moved := make(map[int64]int64, len(order))
	for _, at := range order {
		if _, err := io.Copy(out, io.NewSectionReader(l.reader, at.Off, int64(at.Len))); err != nil {
			return err
		}
		moved[at.Off] = end
		end += int64(at.Len)
	}
	l.out.Writer, l.reader, l.moved = out, file, moved
	return out.Flush()
}

// SetReader makes the log read from another handle of its file.
func (l *Log) SetReader(file io.ReaderAt) { l.reader = file }

// Read reads the result at a place that Append or ReadSide returned.
func (l *Log) Read(place Ref) (r Result, err error) {
	if l.out != nil && l.out.Buffered() > 0 {
		if err := l.out.Flush(); err != nil {
			return r, fmt.Errorf("write the results: %w", err)
		}
	}
	if to, ok := l.moved[place.Off]; ok {
		place.Off = to
	}
	line := make([]byte, place.Len)
	if n, err := l.reader.ReadAt(line, place.Off); n < place.Len {
		return Result{}, fmt.Errorf("read the result at byte %d: %w", place.Off, err)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return Result{}, fmt.Errorf("read the result at byte %d: the file was changed meanwhile: %w", place.Off,
			rewordJSONError(err))
	}
	return r, nil
}
