package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// The largest files, in bytes. Parsing YAML costs far more than parsing JSON.
const (
	MaxYAML = 1 << 20
	MaxJSON = 64 << 20
)

// Read reads a whole data file: up to 64 MiB of *.json, *.jsonl and *.csv, and up to 1 MiB of anything else. It
// returns an error if the file cannot be read, is too large or is not UTF-8.
func Read(fsys fs.FS, name string) ([]byte, []Diagnostic) {
	limit := int64(MaxYAML)
	if isJSON(name) || strings.EqualFold(path.Ext(name), ".csv") {
		limit = MaxJSON
	}
	return read(fsys, name, limit)
}

// ReadText reads a plain text file, such as a prompt, of at most limit bytes. It must be UTF-8 and hold more than white
// space and no NUL.
func ReadText(fsys fs.FS, name string, limit int64) ([]byte, []Diagnostic) {
	data, ds := read(fsys, name, limit)
	if len(ds) == 0 && len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) == 0 {
		return nil, []Diagnostic{NewFault(name, Position{}, "empty", "the file has no text")}
	}
	return data, ds
}

func isJSON(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	return ending == ".json" || ending == ".jsonl"
}

// read reads a text file. It never reads more than limit+1 bytes, whatever size the file claims.
func read(fsys fs.FS, name string, limit int64) ([]byte, []Diagnostic) {
	f := NewFaults(name)
	file, size, err := open(fsys, name, limit+1)
	var data []byte
	if err == nil {
		defer file.Close()
		// The size only saves copies while the buffer grows.
		text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
		_, err = text.ReadFrom(io.LimitReader(file, limit+1))
		data = text.Bytes()
	}
	switch {
	case err != nil:
		f.unreadable(err, limit)
	case int64(len(data)) > limit:
		f.unreadable(errTooLarge, limit)
	default:
		f.encoding(data)
	}
	if len(f.list) > 0 {
		return nil, f.All()
	}
	return data, nil
}

// unreadable adds the reason why a file of at most limit bytes cannot be read.
func (f *Faults) unreadable(err error, limit int64) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.ErrorAt(Position{}, "unreadable", "the file does not exist")
	case errors.Is(err, errTooLarge):
		f.ErrorAt(Position{}, "too-large", "the file is larger than %s; split it", size(limit))
	case IsElsewhere(err):
		f.ErrorAt(Position{}, RuleElsewhere, "the file cannot be read: %s", Reason(err))
	default:
		f.ErrorAt(Position{}, "unreadable", "the file cannot be read: %s", Reason(err))
	}
}

// Rules of files whose content is missing in the tree and exists elsewhere: links, submodules and pointers of Git
// LFS. failproof cannot check them.
const (
	RuleElsewhere = "elsewhere"
	RulePointer   = "lfs-pointer"
)

// IsElsewhere reports whether an error means that the tree lacks the file's content, which may exist elsewhere.
func IsElsewhere(err error) bool {
	var at interface{ Elsewhere() }
	return errors.As(err, &at)
}

var (
	errFolder     = errors.New("it is a folder")
	errNotRegular = errors.New("it is not a regular file")
	errTooLarge   = errors.New("is too large")
)

// open opens a regular file of less than limit bytes, and returns its size.
func open(fsys fs.FS, name string, limit int64) (fs.File, int64, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = errFolder
	case !info.Mode().IsRegular():
		err = errNotRegular
	case info.Size() >= limit: // else the error would name the tree's own limit
		err = errTooLarge
	default:
		return file, info.Size(), nil
	}
	return nil, 0, errors.Join(err, file.Close())
}

// LinkOn returns the first symbolic link on a path. A file system without Lstat must reject links itself.
func LinkOn(fsys fs.FS, name string) (link string, found bool) {
	for i, b := range name + "/" {
		if b != '/' {
			continue
		}
		if info, err := fs.Lstat(fsys, name[:i]); err != nil {
			return "", false // opening the file reports this error
		} else if info.Mode().Type() == fs.ModeSymlink {
			return name[:i], true
		}
	}
	return "", false
}

// Reason returns the file system's message without the operation and the path, which the Diagnostic has.
func Reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return err.Error()
}

var bom = []byte("\uFEFF")

// encoding reports text that is not UTF-8, with the encoding that it seems to have.
func (f *Faults) encoding(data []byte) {
	wide := wideEncoding(data)
	switch {
	case IsPointer(data[:min(len(data), longestStart)]):
		f.ErrorAt(fileStart, RulePointer, Pointer)
	case wide != "":
		f.ErrorAt(fileStart, "encoding", "the file is %s; save it as UTF-8", wide)
	case !utf8.Valid(data):
		f.ErrorAt(placeOf(data, invalidByte(data)), "encoding",
			"this is not UTF-8 text; name a text file, and save it as UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		f.ErrorAt(placeOf(data, bytes.IndexByte(data, 0)), "control-character",
			"the file contains a NUL byte (U+0000); expected text")
	}
}

// longestStart is the number of bytes that show how a file begins.
const longestStart = 1024

// Pointer is the message about a pointer file of Git LFS.
const Pointer = "this is a pointer of Git LFS, not the file itself; fetch it with `git lfs pull`, or with `lfs: " +
	"true` in the checkout step"

// IsPointer reports whether data is a pointer file of Git LFS
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). As Git LFS does, it accepts leading white space and
// earlier versions.
func IsPointer(data []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(data), []byte("version http"))
	return ok && slices.ContainsFunc(pointerVersions, func(v string) bool { return bytes.HasPrefix(rest, []byte(v)) })
}

// pointerVersions are the beginnings of a pointer's version after "http".
var pointerVersions = []string{"s://git-lfs.github.com/spec/", "s://hawser.github.com/spec/", "://git-media.io/v/"}

// wideEncoding names UTF-16 or UTF-32, by the byte order mark or by the zero bytes of the first character; "" for
// neither.
func wideEncoding(data []byte) string {
	if len(data) < 4 {
		data = append(bytes.Clone(data), "xxxx"[len(data):]...)
	}
	zeros := [4]bool{data[0] == 0, data[1] == 0, data[2] == 0, data[3] == 0}
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xFE, 0xFF}),
		zeros == [4]bool{false, true, true, true}, zeros == [4]bool{true, true, true, false}:
		return "UTF-32"
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}),
		zeros == [4]bool{false, true, false, true}, zeros == [4]bool{true, false, true, false}:
		return "UTF-16"
	}
	return ""
}

// invalidByte returns the offset of the first byte that is not UTF-8; len(data) if there is none.
func invalidByte(data []byte) int {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

func placeOf(data []byte, offset int) Position {
	return fileStart.Behind(string(bytes.TrimPrefix(data[:offset], bom)))
}

func size(limit int64) string {
	if limit%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", limit>>20)
	}
	return fmt.Sprintf("%d bytes", limit)
}
