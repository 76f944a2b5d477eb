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

	"github.com/failproof/failproof/internal/text"
)

// The largest sizes of files, in bytes. Parsing YAML costs far more than parsing JSON.
const (
	MaxYAML = 1 << 20
	MaxJSON = 64 << 20
)

// Read returns the content of a data file. *.json, *.jsonl and *.csv may have 64 MiB, and any other file 1 MiB. Read
// returns an error if the file cannot be read, is too large or is not UTF-8.
func Read(fsys fs.FS, name string) ([]byte, []Diagnostic) {
	limit := int64(MaxYAML)
	if isJSON(name) || strings.EqualFold(path.Ext(name), ".csv") {
		limit = MaxJSON
	}
	return read(fsys, name, limit)
}

// ReadText returns the content of a plain text file, such as a prompt, of at most limit bytes. It returns an error if
// the file is not UTF-8, has a NUL byte, or has only white space.
func ReadText(fsys fs.FS, name string, limit int64) ([]byte, []Diagnostic) {
	data, ds := read(fsys, name, limit)
	if len(ds) == 0 && len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) == 0 {
		return nil, []Diagnostic{NewError(name, Position{}, "empty", "the file has no text")}
	}
	return data, ds
}

func isJSON(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	return ending == ".json" || ending == ".jsonl"
}

// read returns the content of a text file of at most limit bytes.
func read(fsys fs.FS, name string, limit int64) ([]byte, []Diagnostic) {
	f := NewDiagnostics(name)
	data, err := readBytes(fsys, name, limit)
	switch {
	case err == nil:
		f.checkEncoding(data)
	case errors.Is(err, fs.ErrNotExist):
		f.ErrorAt(Position{}, "unreadable", "the file does not exist")
	case errors.Is(err, errTooLarge):
		f.tooLarge(limit)
	case IsElsewhere(err):
		f.ErrorAt(Position{}, RuleElsewhere, "the file cannot be read: %s", Reason(err))
	default:
		f.ErrorAt(Position{}, "unreadable", "the file cannot be read: %s", Reason(err))
	}
	if len(f.list) > 0 {
		return nil, f.All()
	}
	return data, nil
}

// tooLarge adds the error of a file that is larger than limit bytes. Only a file of data can be split.
func (f *Diagnostics) tooLarge(limit int64) {
	advice := "shorten it"
	switch ending := strings.ToLower(path.Ext(f.Path)); {
	case isJSON(f.Path), ending == ".csv":
		advice = "split it"
	case ending == ".yaml", ending == ".yml":
		advice = "split it; a suite's cases may stand in a file of CSV or JSON lines of up to " + size(MaxJSON)
	}
	f.ErrorAt(Position{}, "too-large", "the file is larger than %s; %s", size(limit), advice)
}

// Rules of diagnostics about files whose content is not in the tree, but elsewhere: links, submodules and pointers of
// Git LFS. failproof cannot check such files.
const (
	RuleElsewhere = "elsewhere"
	RulePointer   = "lfs-pointer"
)

// IsElsewhere reports whether err says that a file's content is not in the tree and may exist elsewhere.
func IsElsewhere(err error) bool {
	var at interface{ Elsewhere() }
	return errors.As(err, &at)
}

var errTooLarge = errors.New("is too large")

// readBytes returns the content of a regular file. It never reads more than limit+1 bytes, whatever size the file
// claims. A larger file is errTooLarge.
func readBytes(fsys fs.FS, name string, limit int64) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit: // otherwise the error would name the limit of the tree
		return nil, errTooLarge
	}
	// The size only saves copies while the buffer grows.
	text := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err = text.ReadFrom(io.LimitReader(file, limit+1)); err == nil && int64(text.Len()) > limit {
		err = errTooLarge
	}
	return text.Bytes(), err
}

// Reason returns the message of err without the operation and the path. The Diagnostic already has the path.
func Reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return err.Error()
}

var bom = []byte("\uFEFF")

// checkEncoding reports data that is no UTF-8 text: a Git LFS pointer, another encoding, an invalid byte or a NUL byte.
func (f *Diagnostics) checkEncoding(data []byte) {
	switch {
	case IsLFSPointer(data[:min(len(data), pointerPrefix)]):
		f.ErrorAt(fileStart, RulePointer, PointerMessage)
	case IsUTF16(string(data[:min(len(data), 2)])):
		f.ErrorAt(fileStart, "encoding", UTF16Message)
	case !utf8.Valid(data):
		f.ErrorAt(positionOf(data, text.InvalidUTF8(string(data))), "encoding",
			"this is not UTF-8 text; name a text file, and save it as UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		f.ErrorAt(positionOf(data, bytes.IndexByte(data, 0)), "control-character",
			"the file contains a NUL byte (U+0000); expected text in UTF-8")
	}
}

// UTF16Message is the message about a file in UTF-16.
const UTF16Message = "the file is UTF-16; save it as UTF-8"

// IsUTF16 reports whether text begins with the mark of UTF-16.
func IsUTF16(text string) bool {
	return strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff")
}

// pointerPrefix is the number of bytes at the beginning of a file that are checked for a Git LFS pointer.
const pointerPrefix = 1024

// PointerMessage is the message about a pointer file of Git LFS.
const PointerMessage = "this is a pointer of Git LFS, not the file itself; fetch it with `git lfs pull`, or with `lfs: " +
	"true` in the checkout step"

// IsLFSPointer reports whether data is a pointer file of Git LFS
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). It accepts leading white space and earlier versions, as
// Git LFS does.
func IsLFSPointer(data []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(data), []byte("version http"))
	return ok && slices.ContainsFunc(pointerVersions, func(v string) bool { return bytes.HasPrefix(rest, []byte(v)) })
}

// pointerVersions are the possible continuations of a pointer that begins with "version http".
var pointerVersions = []string{"s://git-lfs.github.com/spec/", "s://hawser.github.com/spec/", "://git-media.io/v/"}

func positionOf(data []byte, offset int) Position {
	return fileStart.Behind(string(bytes.TrimPrefix(data[:offset], bom)))
}

func size(limit int64) string {
	if limit%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", limit>>20)
	}
	return fmt.Sprintf("%d bytes", limit)
}
