package recorded

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// maxLine bounds one recorded answer, in bytes. The tree bounds the file.
const maxLine = 16 << 20

// read takes the lines of one file, and returns what is wrong with them. A file that is missing has no lines.
func (c *Client) read(fsys fs.FS, name string) []document.Diagnostic {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.absent[name] = true
		return nil
	}
	switch {
	case document.IsElsewhere(err):
		return []document.Diagnostic{fault(name, 0, document.RuleElsewhere, err.Error())}
	case err != nil:
		return []document.Diagnostic{fault(name, 0, "unreadable", err.Error())}
	}
	defer f.Close()
	c.files = append(c.files, name)
	var faults []document.Diagnostic
	in := bufio.NewReaderSize(f, 64<<10)
	for number := 1; ; number++ {
		line, size, err := text.ReadLine(in, maxLine)
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
			if why := c.add(line, number); why != "" {
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

func fault(name string, line int, rule, message string) document.Diagnostic {
	d := document.Diagnostic{Severity: document.Error, Path: name, Line: line, Rule: rule, Message: message}
	if line > 0 {
		d.Column = 1
	}
	return d
}
