package disk

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/failproof/failproof/internal/embed"
)

// An entry is a mark, four counts of 4 bytes (tokens, words, unknown words, 1 if the text was cut), the vector as float32,
// and the CRC-32C of all that, little end first throughout.
const (
	mark     = "fpv1"
	counts   = 4
	head     = len(mark) + 4*counts
	maxEntry = 1 << 20 // bytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode narrows the vector to float32, which is what the embedders worth keeping compute with.
func encode(e embed.Embedding) []byte {
	out := make([]byte, 0, head+4*len(e.Vector)+4)
	out = append(out, mark...)
	truncated := 0
	if e.Truncated {
		truncated = 1
	}
	for _, n := range [counts]int{e.Tokens, e.Words, e.Unknown, truncated} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, v := range e.Vector {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// decode is false for bytes that encode did not make.
func decode(raw []byte) (embed.Embedding, bool) {
	end := len(raw) - 4
	if end < head || (end-head)%4 != 0 || string(raw[:len(mark)]) != mark ||
		crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return embed.Embedding{}, false
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(raw[len(mark)+4*i:])) }
	e := embed.Embedding{Tokens: number(0), Words: number(1), Unknown: number(2), Truncated: number(3) == 1}
	for at := head; at < end; at += 4 {
		e.Vector = append(e.Vector, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))))
	}
	return e, true
}
