package source

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Errors of a tree that rejects a file. Trees return them inside an *fs.PathError, often with the name of the path
// component that caused the error.
var (
	ErrSymlink    = error(elsewhereError("is a symbolic link, and links are never followed: commit the file itself"))
	ErrSubmodule  = error(elsewhereError("is a submodule, whose files are not part of this revision"))
	ErrForbidden  = errors.New("may hold credentials and is never read")
	ErrNotRegular = errors.New("is a folder or a device, not a file")
	ErrOutside    = errors.New("leads out of the tree: write a path inside it")
	ErrName       = errors.New("is not a usable path")
	ErrTooLarge   = errors.New("is larger than 64 MiB")
	ErrTooMany    = fmt.Errorf("is one of more than %d files and folders that were listed: remove copies of folders "+
		"from the commit, or let `suites` name fewer folders", maxListed)
	ErrChanged = errors.New("changed while it was being read: run again when nothing writes to it")
)

// elsewhereError is the text of an error about a file whose content is not in the tree, but may exist elsewhere.
type elsewhereError string

func (e elsewhereError) Error() string { return string(e) }

// Elsewhere marks the error for document.IsElsewhere.
func (elsewhereError) Elsewhere() {}

// Errors of opening a revision.
var (
	// ErrNoRevision means that the name stands for no commit of the repository.
	ErrNoRevision = errors.New("no such revision")
	// ErrShallow means that the name or the history refers to objects that this clone lacks.
	ErrShallow = errors.New("the clone does not hold all of the history")
	// ErrSeveralBases means that two revisions have several best common ancestors. A comparison with one of them may
	// hide what the change took from another.
	ErrSeveralBases = errors.New("they have several nearest ancestors in common, and a part of the change may be hidden from each: merge the base into the branch first")
	// ErrNoRepository means that the folder is in no git repository.
	ErrNoRepository = errors.New("not in a git repository")
)

// maxShown limits the bytes of an invalid name that an error quotes.
const maxShown = 120

// pathError returns an *fs.PathError around err, or around the inner error if err is an *fs.PathError. It escapes and
// truncates an invalid name, which may have line breaks and end up in a log.
func pathError(op, name string, err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	if errors.Is(err, ErrName) || errors.Is(err, ErrOutside) {
		name = escapeText(name)
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// wrapPathError replaces *err, the error result of a function, by a pathError. It leaves nil as it is.
func wrapPathError(err *error, op, name string) {
	if *err != nil {
		*err = pathError(op, name, *err)
	}
}

// escapeText returns text as one line of printable ASCII, without what is beyond maxShown bytes.
func escapeText(text string) string {
	cut := ""
	if len(text) > maxShown {
		text, cut = text[:maxShown], "..."
	}
	return strings.Trim(strconv.QuoteToASCII(text), `"`) + cut
}

// addPart adds part to err: the part of a path that caused err. It returns err unchanged if part is name, the whole
// path, or if the file does not exist.
func addPart(part, name string, err error) error {
	if part == name || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%q %w", part, err)
}
