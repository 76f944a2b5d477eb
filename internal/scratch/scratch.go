// Package scratch keeps bytes that are wanted again, each by its place: the first megabyte in memory, all others in a file. What
// was read of a repository and checked is kept here rather than read from the repository again, where it may have changed meanwhile.
package scratch

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
)

// inMemory is how many bytes are kept without a file.
const inMemory = 1 << 20

// File is where bytes go beyond those in memory.
type File interface {
	io.Writer
	io.ReaderAt
}

// Ref is the place of one text in a Store: where its length stands, in lengthBytes, and then the text. Whoever keeps a million texts holds as many
// of these.
type Ref struct {
	off int64 // in memory, else the complement of the offset in the file
}

const lengthBytes = 4

// Store keeps bytes. It may be used by several at once.
type Store struct {
	mu      sync.RWMutex
	open    func() (File, error)
	memory  []byte
	file    File
	written int64  // bytes in the file
	pending []byte // follow those

	reading sync.Mutex
	windows [8]window // of the file, that were read last: what is kept one after the other is mostly wanted so
}

// windowBytes is how much of the file is read at once, from a multiple of it on.
const windowBytes = 32 << 10

// window is a piece of the file.
type window struct {
	start int64
	text  []byte
}

// New makes a store. open makes its file, when it is first needed; where it is nil or fails, memory takes all.
func New(open func() (File, error)) *Store { return &Store{open: open} }

// Keeper is a file tree that keeps what was read of it.
type Keeper interface{ Scratch() *Store }

// Of is the store of a tree, one in memory where it has none.
func Of(tree any) *Store {
	if k, ok := tree.(Keeper); ok {
		return k.Scratch()
	}
	return New(nil)
}

// Keep copies text, of less than 2 GiB, into the store.
func (s *Store) Keep(text []byte) Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.memory)+lengthBytes+len(text) > inMemory && s.usesFile() {
		at := Ref{^(s.written + int64(len(s.pending)))}
		s.pending = appendText(s.pending, text)
		if len(s.pending) >= 1<<16 {
			s.flush()
		}
		return at
	}
	at := Ref{int64(len(s.memory))}
	s.memory = appendText(s.memory, text)
	return at
}

func appendText(to, text []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(to, uint32(len(text))), text...)
}

// usesFile opens the file at its first use.
func (s *Store) usesFile() bool {
	if s.file == nil && s.open != nil {
		var err error
		if s.file, err = s.open(); err != nil {
			s.file = nil
		}
		s.open = nil
	}
	return s.file != nil
}

// flush writes what is pending. On a full disk it stays where it is, in memory.
func (s *Store) flush() {
	n, _ := s.file.Write(s.pending)
	if n > 0 {
		s.written += int64(n)
		s.pending = append(s.pending[:0], s.pending[n:]...)
	}
}

// Get appends the text at a place of this store to buf, and returns that. That what the store itself wrote cannot be read any more is
// a panic: the disk is broken, and no caller could do better than to end.
func (s *Store) Get(at Ref, buf []byte) []byte { return s.GetFirst(at, buf, math.MaxInt) }

// GetFirst is Get of so many of the first bytes of a text, or of all where it has no more.
func (s *Store) GetFirst(at Ref, buf []byte, most int) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var length [lengthBytes]byte
	s.read(length[:], at.off, 0)
	begin, n := len(buf), min(int(binary.LittleEndian.Uint32(length[:])), most)
	buf = slices.Grow(buf, n)[:begin+n]
	s.read(buf[begin:], at.off, lengthBytes)
	return buf
}

// read fills text with what stands so many bytes behind a place.
func (s *Store) read(text []byte, place, behind int64) {
	if place >= 0 {
		copy(text, s.memory[place+behind:])
		return
	}
	off := ^place + behind
	if inFile := min(int64(len(text)), s.written-off); inFile > 0 { // what was written in part only goes on in what is pending
		s.readFile(text[:inFile], off)
		text, off = text[inFile:], off+inFile
	}
	if len(text) > 0 {
		copy(text, s.pending[off-s.written:])
	}
}

// readFile fills text with what was written at an offset.
func (s *Store) readFile(text []byte, off int64) {
	start := off / windowBytes * windowBytes
	if off+int64(len(text)) > start+windowBytes {
		s.mustRead(text, off)
		return
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	w := &s.windows[start/windowBytes%int64(len(s.windows))]
	if w.start != start || off+int64(len(text)) > start+int64(len(w.text)) {
		room := w.text[:0]
		if w.text = nil; room == nil {
			room = make([]byte, 0, windowBytes)
		}
		room = room[:min(windowBytes, s.written-start)]
		s.mustRead(room, start)
		w.start, w.text = start, room
	}
	copy(text, w.text[off-start:])
}

func (s *Store) mustRead(text []byte, off int64) {
	if n, err := s.file.ReadAt(text, off); n < len(text) {
		panic(fmt.Errorf("read a temporary file at byte %d: %w", off, err))
	}
}
