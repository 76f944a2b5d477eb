package document

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
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
	in := bufio.NewReaderSize(io.LimitReader(file, MaxJSON+1), 64<<10)
	if start, _ := in.Peek(longestStart); !f.start(start) {
		return f.all()
	}
	nul := Position{}
	for number, left := 1, MaxJSON; ; number++ {
		line, size, err := text.ReadLine(in, MaxJSON)
		if left -= size; left < 0 {
			err = errTooLarge
		}
		if err == io.EOF && size == 0 {
			break
		}
		if err != nil && err != io.EOF {
			f.unreadable(err, MaxJSON)
			return f.all()
		}
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
