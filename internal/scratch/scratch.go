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

// blockBytes is how much of the file is written and read at once, from a multiple of it on, and inMemory how many blocks are kept without a file.
const (
	blockBytes = 16 << 10
	inMemory   = 64
)

// File is where bytes go beyond those in memory.
type File interface {
	io.WriterAt
	io.ReaderAt
}

// Ref is the place of one text in a Store: where its length stands, in lengthBytes, and then the text. Whoever keeps a million texts holds as many
// of these.
type Ref struct{ off int64 }

// RefBytes is how long a Ref is within another text, where Append writes and ReadRef reads it.
const RefBytes = 8

// Append appends a place to a text.
func (r Ref) Append(text []byte) []byte { return binary.LittleEndian.AppendUint64(text, uint64(r.off)) }

// ReadRef reads the place that a text begins with.
func ReadRef(text []byte) Ref { return Ref{int64(binary.LittleEndian.Uint64(text))} }

const lengthBytes = 4

// Store keeps bytes. It may be used by several at once.
type Store struct {
	mu      sync.Mutex
	open    func() (File, error)
	file    File
	end     int64            // of all blocks
	memory  map[int64][]byte // blocks that are not in the file, by their offsets
	writers int
	filling [inMemory]int64 // the blocks that writers fill, and 1 more; 0: none

	windows [16]window // of the file, that were read last: what is kept one after the other is mostly wanted so
	reads   int
}

// window is a block of the file.
type window struct {
	start int64
	text  []byte
	used  int // when it was, in reads
}

// New makes a store. open makes its file, when it is first needed; where it is nil or fails, memory takes all.
func New(open func() (File, error)) *Store { return &Store{open: open, memory: map[int64][]byte{}} }

// Keeper is a file tree that keeps what was read of it.
type Keeper interface{ Scratch() *Store }

// Of is the store of a tree, one in memory where it has none.
func Of(tree any) *Store {
	if k, ok := tree.(Keeper); ok {
		return k.Scratch()
	}
	return New(nil)
}

// Writer keeps texts that are wanted one after the other in blocks of their own, whatever others keep meanwhile; so it is unless there are
// many writers, who share the blocks.
type Writer struct {
	*Store
	block *int64 // one of Store.filling
}

// Writer makes a writer.
func (s *Store) Writer() Writer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers++
	return Writer{s, &s.filling[s.writers%len(s.filling)]}
}

// Keep copies text, of less than 2 GiB, into the store.
func (w Writer) Keep(text []byte) Ref {
	w.mu.Lock()
	defer w.mu.Unlock()
	size := lengthBytes + len(text)
	start := *w.block - 1
	if start < 0 || len(w.memory[start])+size > blockBytes {
		block := w.settle(start)
		start = w.end
		w.end += int64(size+blockBytes-1) / blockBytes * blockBytes
		w.memory[start] = slices.Grow(block, max(size, blockBytes))
		*w.block = start + 1
	}
	block := w.memory[start]
	w.memory[start] = append(binary.LittleEndian.AppendUint32(block, uint32(len(text))), text...)
	return Ref{start + int64(len(block))}
}

// settle writes a block that is full, and returns its room. The first ones stay in memory, and all that a full disk does not take.
func (s *Store) settle(start int64) (room []byte) {
	if start < 0 || len(s.memory) <= inMemory || !s.usesFile() {
		return nil
	}
	if _, err := s.file.WriteAt(s.memory[start], start); err == nil {
		room = s.memory[start][:0]
		delete(s.memory, start)
	}
	return room
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

// Get appends the text at a place of this store to buf, and returns that. That what the store itself wrote cannot be read any more is
// a panic: the disk is broken, and no caller could do better than to end.
func (s *Store) Get(at Ref, buf []byte) []byte { return s.GetFirst(at, buf, math.MaxInt) }

// GetFirst is Get of so many of the first bytes of a text, or of all where it has no more.
func (s *Store) GetFirst(at Ref, buf []byte, most int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := at.off / blockBytes * blockBytes
	block, held := s.memory[start]
	if !held {
		block = s.window(start)
	}
	text := block[at.off-start:]
	n := min(int(binary.LittleEndian.Uint32(text)), most)
	text = text[lengthBytes:min(len(text), lengthBytes+n)]
	buf = append(slices.Grow(buf, n), text...)
	if n > len(text) { // one that is longer than a block, and has several
		rest := make([]byte, n-len(text))
		if read, err := s.file.ReadAt(rest, start+blockBytes); read < len(rest) {
			broken(start+blockBytes, err)
		}
		buf = append(buf, rest...)
	}
	return buf
}

// window is a block of the file.
func (s *Store) window(start int64) []byte {
	s.reads++
	oldest := &s.windows[0]
	for i := range s.windows {
		w := &s.windows[i]
		if w.start == start && w.text != nil {
			w.used = s.reads
			return w.text
		}
		if w.used < oldest.used {
			oldest = w
		}
	}
	if oldest.text == nil {
		oldest.text = make([]byte, blockBytes)
	}
	oldest.start = -1
	n, err := s.file.ReadAt(oldest.text[:blockBytes], start)
	if n == 0 { // the last block may be a shorter one
		broken(start, err)
	}
	oldest.start, oldest.used, oldest.text = start, s.reads, oldest.text[:n]
	return oldest.text
}

func broken(off int64, err error) {
	panic(fmt.Errorf("read a temporary file at byte %d: %w", off, err))
}
