package observe

import "math/bits"

// chance deals numbers out that are the same in every run and on every machine: PCG XSL RR 128/64 would need 128 bits,
// SplitMix64 (Steele, Lea and Flood, 2014) does with 64 and is good enough for starts and shuffles.
type chance struct{ state uint64 }

// newChance returns the sequence of a purpose and a turn of it.
func newChance(purpose, turn int) *chance {
	c := &chance{uint64(purpose)<<32 ^ uint64(turn)}
	c.next()
	return c
}

func (c *chance) next() uint64 {
	c.state += 0x9E3779B97F4A7C15
	z := c.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below returns a number from 0 to n-1. Its bias is below n / 2^64.
func (c *chance) below(n int) int {
	hi, _ := bits.Mul64(c.next(), uint64(n))
	return int(hi)
}

// unit returns a number in [0, 1).
func (c *chance) unit() float64 { return float64(c.next()>>11) / (1 << 53) }

// Purposes of chance.
const (
	forStarts = iota + 1
	forShuffles
	forEvenly
)
