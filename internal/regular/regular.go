// Package regular opens and reads regular files of the machine. It rejects devices and pipes, which might block or
// never end.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a file for reading. The error is an *fs.PathError.
func Open(path string) (*os.File, error) {
	return open(path, os.Stat, func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|NoWait, 0) })
}

// OpenIn is Open for a file below a root.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(name, root.Stat, func(name string) (*os.File, error) {
		return root.OpenFile(name,
			os.O_RDONLY|NoWait, 0)
	})
}

// open opens a regular file. It checks the file before opening it, because opening a device may have an effect. It
// checks the opened file again, because the file may have been replaced in between.
func open(path string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	if err := Check(path, info); err != nil {
		return nil, err
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = Check(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Check returns an error if a file is not regular.
func Check(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return wrong(path, "is a folder, not a file")
	}
	if !info.Mode().IsRegular() {
		return wrong(path, "is not a regular file")
	}
	return nil
}

func wrong(path, format string, args ...any) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf(format, args...)}
}

// Read returns the content of a file. The error is an *fs.PathError if the file is larger than a limit in bytes.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	return readAll(file, err, path, limit)
}

// ReadIn is Read for a file below a root.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	file, err := OpenIn(root, name)
	return readAll(file, err, name, limit)
}

// readAll reads and closes an opened file.
func readAll(file *os.File, err error, path string, limit int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, wrong(path, "has %d bytes; at most %d are read", info.Size(), limit)
	}
	data := make([]byte, info.Size()+1) // one more byte shows whether the file grew
	n, err := io.ReadFull(file, data)
	switch {
	case err == nil:
		return nil, wrong(path, "changed while it was being read")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	}
	return nil, err
}
