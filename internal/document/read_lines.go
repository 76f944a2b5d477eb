package document

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"unicode/utf8"
)

// ReadLines hands the lines of a file of JSON lines to take, from number 1 on, each without its line end and until the next one. It refuses
// what Read refuses, and so may find out what the file is when lines of it were taken, which are worth nothing then.
func ReadLines(fsys fs.FS, name string, take func(line []byte, number int)) []Diagnostic {
	f := &faults{path: name}
	file, _, err := open(fsys, name, MaxJSON+1)
	if err != nil {
		f.unreadable(err, MaxJSON)
		return f.all()
	}
	defer file.Close()
	in := lineReader{Reader: bufio.NewReaderSize(file, 64<<10), left: MaxJSON}
	if start, _ := in.Peek(longestStart); !f.start(start) {
		return f.all()
	}
	number := 0
	nul := Position{}
	for {
		line, err := in.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			f.unreadable(err, MaxJSON)
			return f.all()
		}
		number++
		if !utf8.Valid(line) {
			f.notUTF8(placeIn(line, invalidByte(line), number))
			return f.all()
		}
		if at := bytes.IndexByte(line, 0); at >= 0 && nul.Line == 0 {
			nul = placeIn(line, at, number)
		}
		if nul.Line == 0 {
			take(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), number)
		}
	}
	if nul.Line > 0 {
		f.holdsNUL(nul)
	}
	return f.all()
}

// placeIn is where the byte at an offset of a line of that number stands. A byte order mark takes no column at the beginning of a file alone.
func placeIn(line []byte, offset, number int) Position {
	if number > 1 {
		line, offset = append([]byte("\n"), line...), offset+1
	}
	at := placeOf(line, offset)
	at.Line = number
	return at
}

// lineReader reads the lines of a file of which so many bytes are left at most.
type lineReader struct {
	*bufio.Reader
	left int64
	long []byte // a line that is longer than the buffer
}

// line returns the next line with its end, until the next call; io.EOF behind the last.
func (r *lineReader) line() (line []byte, err error) {
	r.long = r.long[:0]
	for {
		part, err := r.ReadSlice('\n')
		if r.left -= int64(len(part)); r.left < 0 {
			return nil, errTooLarge
		}
		switch {
		case err == nil && len(r.long) == 0:
			return part, nil
		case err != nil && err != bufio.ErrBufferFull && (err != io.EOF || len(r.long)+len(part) == 0):
			return nil, err
		}
		if r.long = append(r.long, part...); err != bufio.ErrBufferFull {
			return r.long, nil
		}
	}
}
