package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// osFile is an opened regular file that notices when it changes under the reader.
type osFile struct {
	file *os.File
	name string
	info fs.FileInfo // when it was opened
	read int64       // bytes handed out
}

func (f *osFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *osFile) Close() error               { return f.file.Close() }

// Read hands out at most the bytes that Stat announced, and ends with io.EOF only if those were all there are.
func (f *osFile) Read(p []byte) (int, error) {
	if f.info.Size() > MaxFileSize {
		return 0, pathError("read", f.name, ErrTooLarge)
	}
	n, err := f.file.Read(p)
	f.read += int64(n)
	switch {
	case f.read > f.info.Size():
		n, err = 0, ErrChanged
	case err == io.EOF:
		err = f.unchanged()
	}
	if err != nil && err != io.EOF {
		err = pathError("read", f.name, err)
	}
	return n, err
}

// unchanged returns io.EOF if the file ends where it should and is still the one that was opened.
func (f *osFile) unchanged() error {
	now, err := f.file.Stat()
	if err != nil {
		return err
	}
	if f.read != f.info.Size() || !sameState(f.info, now) {
		return ErrChanged
	}
	return io.EOF
}

// readAll returns the whole content.
func (f *osFile) readAll() ([]byte, error) {
	if f.info.Size() > MaxFileSize {
		return nil, pathError("read", f.name, ErrTooLarge)
	}
	data := make([]byte, f.info.Size()+1) // the byte more makes io.ReadFull meet the end
	n, err := io.ReadFull(f, data)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return data[:n], nil
	}
	return nil, err
}

// sameState reports whether two looks at a path found the same file, not written to in between.
func sameState(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// regular returns nil for a regular file.
func regular(info fs.FileInfo) error {
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return ErrSymlink
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// absent turns "a component is no folder", which each system words differently, into fs.ErrNotExist.
func absent(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return err
}
