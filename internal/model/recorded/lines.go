package recorded

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/failproof/failproof/internal/document"
)

// maxLine bounds one recorded answer, in bytes. The tree bounds the file.
const maxLine = 16 << 20

// lines takes the lines of the file, and returns what is wrong with them. A file that is missing has none.
func (r *reading) lines(fsys fs.FS, name string) []document.Diagnostic {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		r.of.mu.Lock()
		defer r.of.mu.Unlock()
		r.of.absent[name] = true
		return nil
	}
	switch {
	case document.IsElsewhere(err):
		return []document.Diagnostic{fault(name, 0, document.RuleElsewhere, err.Error())}
	case err != nil:
		return []document.Diagnostic{fault(name, 0, "unreadable", err.Error())}
	}
	defer f.Close()
	var faults []document.Diagnostic
	in := bufio.NewReaderSize(f, 64<<10)
	for number := 1; ; number++ {
		line, size, err := nextLine(in)
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimSpace(line)
		switch {
		case number == 1 && document.IsPointer(line):
			return []document.Diagnostic{fault(name, number, document.RulePointer, document.Pointer)}
		case size > maxLine:
			faults = append(faults, fault(name, number, "recording", fmt.Sprintf(
				"the line is %.1f MiB long; a recorded answer may be at most %d MiB: shorten it, or leave the case out", float64(size)/(1<<20), maxLine>>20)))
		case len(line) > 0:
			if why := r.add(line, number); why != "" {
				faults = append(faults, fault(name, number, "recording", why))
			}
		}
		if err == io.EOF {
			return faults
		}
		if err != nil {
			return append(faults, fault(name, number, "unreadable", err.Error()))
		}
	}
}

// nextLine returns the next line, which holds until the one after it, and its length in bytes; of one that is longer than maxLine the length alone.
// Its error is io.EOF with the last line.
func nextLine(in *bufio.Reader) (line []byte, size int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		switch size += len(part); {
		case size == len(part) && err != bufio.ErrBufferFull:
			return part, size, err // nearly always
		case size <= maxLine:
			line = append(line, part...)
		default:
			line = nil
		}
		if err != bufio.ErrBufferFull {
			return line, size, err
		}
	}
}

func fault(name string, line int, rule, message string) document.Diagnostic {
	d := document.Diagnostic{Severity: document.Error, Path: name, Line: line, Rule: rule, Message: message}
	if line > 0 {
		d.Column = 1
	}
	return d
}
