package models

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/regular"
)

// Cache stores embeddings of a model in a folder, so that no text is computed or paid for twice. The name of an entry
// is a hash of model and text. An entry that cannot be read counts as missing. Cached embeddings decide scores, so no
// pull request may be able to write to the folder.
type Cache struct {
	// Dir is created when it is first needed. If it cannot be written, nothing is cached.
	Dir         string
	Fingerprint string // of the model
}

// path returns the path of the file with the entry for text.
func (c Cache) path(text string) string {
	h := sha256.New()
	io.WriteString(h, c.Fingerprint)
	h.Write([]byte{0})
	io.WriteString(h, text)
	name := hex.EncodeToString(h.Sum(nil))
	return filepath.Join(c.Dir, name[:2], name[2:])
}

// Get returns the embedding in the entry for text. It returns false if there is no valid entry.
func (c Cache) Get(text string) (embed.Embedding, bool) {
	raw, err := regular.Read(c.path(text), maxEntry)
	if err != nil {
		return embed.Embedding{}, false
	}
	return decode(raw)
}

// Put writes the entry for text, under a temporary name first, so that no reader sees a part of it. It ignores an
// embedding without a vector, because the endpoint may have had an error.
func (c Cache) Put(text string, e embed.Embedding) {
	if e.Vector == nil {
		return
	}
	path := c.path(text)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return
	}
	_, err = f.Write(encode(e))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// An entry is a mark, four counts of 4 bytes, the vector as float32, and the CRC-32C of everything before. The counts
// are tokens, words, unknown words, and 1 if the text was truncated. All numbers are little-endian.
const (
	entryMagic  = "fpv1"
	entryCounts = 4
	entryHeader = len(entryMagic) + 4*entryCounts
	maxEntry    = 1 << 20 // bytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the entry with e. It rounds the vector to float32, the precision of cached embedders.
func encode(e embed.Embedding) []byte {
	out := append(make([]byte, 0, entryHeader+4*len(e.Vector)+4), entryMagic...)
	truncated := 0
	if e.Truncated {
		truncated = 1
	}
	for _, n := range [entryCounts]int{e.Tokens, e.Words, e.UnknownWords, truncated} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, v := range e.Vector {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// decode returns the embedding in an entry. It returns false if raw is not an entry as encode writes it.
func decode(raw []byte) (embed.Embedding, bool) {
	end := len(raw) - 4
	if end < entryHeader || (end-entryHeader)%4 != 0 || string(raw[:len(entryMagic)]) != entryMagic ||
		crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return embed.Embedding{}, false
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(raw[len(entryMagic)+4*i:])) }
	e := embed.Embedding{Tokens: number(0), Words: number(1), UnknownWords: number(2), Truncated: number(3) == 1}
	for at := entryHeader; at < end; at += 4 {
		e.Vector = append(e.Vector, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))))
	}
	return e, true
}
