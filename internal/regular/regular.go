// Package regular opens and reads regular files of the local machine. It rejects devices and pipes, which might block
// or never end.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens the regular file at path for reading. The error wraps an *fs.PathError.
func Open(path string) (*os.File, error) {
	return open(path, os.Stat, func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|NoWait, 0) })
}

// OpenIn opens the named regular file below root, like Open.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(name, root.Stat, func(name string) (*os.File, error) {
		return root.OpenFile(name,
			os.O_RDONLY|NoWait, 0)
	})
}

// open opens a regular file by the functions stat and open. It checks the file before opening it, because opening a
// device may have an effect. It checks the opened file again, because the file may have been replaced in between.
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

// Check returns an error if info does not describe a regular file. path is the name of the file in the error.
func Check(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return pathError(path, "is a folder, not a file")
	}
	if !info.Mode().IsRegular() {
		return pathError(path, "is not a regular file")
	}
	return nil
}

func pathError(path, format string, args ...any) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf(format, args...)}
}

// Read returns the content of the regular file at path. If the file has more than limit bytes, the error is an
// *fs.PathError.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	return readAll(file, err, path, limit)
}

// ReadIn returns the content of the named regular file below root, like Read.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	file, err := OpenIn(root, name)
	return readAll(file, err, name, limit)
}

// readAll reads and closes file, the result of opening path. err is the error of opening it.
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
		return nil, pathError(path, "has %d bytes; at most %d are read", info.Size(), limit)
	}
	data := make([]byte, info.Size()+1) // one more byte shows whether the file grew
	n, err := io.ReadFull(file, data)
	switch {
	case err == nil:
		return nil, pathError(path, "changed while it was being read")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	}
	return nil, err
}
