package models

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
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

// path returns the path of the file with the entry for a text.
func (c Cache) path(text string) string {
	sum := sha256.Sum256([]byte(c.Fingerprint + "\x00" + text))
	name := hex.EncodeToString(sum[:])
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
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// entryHeader begins an entry. The vector follows as float32, and the CRC-32C of everything before. All numbers are
// little-endian.
type entryHeader struct {
	Magic                       [4]byte
	Tokens, Words, UnknownWords uint32
	Truncated                   bool
}

var entryMagic = [4]byte{'f', 'p', 'v', '2'}

const maxEntry = 1 << 20 // bytes

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the entry with e. It rounds the vector to float32, the precision of cached embedders.
func encode(e embed.Embedding) []byte {
	h := entryHeader{entryMagic, uint32(e.Tokens), uint32(e.Words), uint32(e.UnknownWords), e.Truncated}
	out, _ := binary.Append(nil, binary.LittleEndian, h) // its size is fixed
	for _, v := range e.Vector {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// decode returns the embedding in an entry. It returns false if raw is not an entry as encode writes it.
func decode(raw []byte) (embed.Embedding, bool) {
	var h entryHeader
	start, err := binary.Decode(raw, binary.LittleEndian, &h)
	end := len(raw) - 4
	if err != nil || end < start || (end-start)%4 != 0 || h.Magic != entryMagic ||
		crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return embed.Embedding{}, false
	}
	e := embed.Embedding{Tokens: int(h.Tokens), Words: int(h.Words), UnknownWords: int(h.UnknownWords), Truncated: h.Truncated}
	for ; start < end; start += 4 {
		e.Vector = append(e.Vector, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[start:]))))
	}
	return e, true
}
