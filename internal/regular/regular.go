// Package regular reads files of the machine whole: regular ones alone, since a device or a pipe might never end, and none beyond a
// size.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read returns a file's content, of at most so many bytes. What is wrong with a file is an *fs.PathError.
func Read(path string, most int64) ([]byte, error) {
	wrong := func(why error) ([]byte, error) { return nil, &fs.PathError{Op: "read", Path: path, Err: why} }
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return wrong(errors.New("is not a regular file"))
	case info.Size() > most:
		return wrong(fmt.Errorf("has %d bytes; at most %d are read", info.Size(), most))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, info.Size()+1) // the byte more shows a file that grew
	n, err := io.ReadFull(file, data)
	switch {
	case err == nil:
		return wrong(errors.New("changed while it was being read"))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	}
	return nil, err
}
