package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Has reports whether the file has a tensor of this name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Floats returns a tensor of F32, F16, BF16 or I8 as float32, which holds each of them exactly, row by row, and its
// shape. A value that is not finite is refused.
func (f *File) Floats(name string) (values []float32, shape []int, err error) {
	t, raw, err := f.find(name)
	if err != nil {
		return nil, nil, err
	}
	read, known := numbers[t.Type]
	if !known {
		return nil, nil, fmt.Errorf("tensor %s: type %s is not read as numbers; expected F32, F16, BF16 or I8", quote(name), t.Type)
	}
	values = make([]float32, t.count)
	size := len(raw) / max(len(values), 1)
	for i := range values {
		if values[i] = read(raw[size*i:]); values[i]-values[i] != 0 { // an infinity, or no number
			return nil, nil, fmt.Errorf("tensor %s: number %d is not finite", quote(name), i)
		}
	}
	return values, t.shape(), nil
}

// Doubles is Floats as float64, and reads F64 too.
func (f *File) Doubles(name string) (values []float64, shape []int, err error) {
	t, raw, err := f.find(name)
	if err != nil {
		return nil, nil, err
	}
	if t.Type != "F64" {
		narrow, shape, err := f.Floats(name)
		for _, v := range narrow {
			values = append(values, float64(v))
		}
		return values, shape, err
	}
	for at := 0; at < len(raw); at += 8 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(raw[at:]))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("tensor %s: number %d is not finite", quote(name), at/8)
		}
		values = append(values, v)
	}
	return values, t.shape(), nil
}

// Integers returns a tensor of I64 or I32 with one dimension.
func (f *File) Integers(name string) ([]int64, error) {
	t, raw, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if (t.Type != "I64" && t.Type != "I32") || len(t.Shape) != 1 {
		return nil, fmt.Errorf("tensor %s: %s of shape %v; expected whole numbers, I64 or I32, in one dimension", quote(name), t.Type, t.Shape)
	}
	out := make([]int64, t.count)
	for i := range out {
		if t.Type == "I64" {
			out[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
		} else {
			out[i] = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
		}
	}
	return out, nil
}

func (f *File) find(name string) (tensor, []byte, error) {
	t, ok := f.tensors[name]
	if !ok {
		return tensor{}, nil, fmt.Errorf("tensor %s is missing", quote(name))
	}
	return t, f.data[t.Offsets[0]:t.Offsets[1]], nil
}

func (t tensor) shape() []int {
	out := make([]int, len(t.Shape))
	for i, n := range t.Shape {
		out[i] = int(n)
	}
	return out
}

// numbers read the number that raw begins with, by its type.
var numbers = map[string]func(raw []byte) float32{
	"F32":  func(raw []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(raw)) },
	"BF16": func(raw []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw)) << 16) },
	"F16":  func(raw []byte) float32 { return half(binary.LittleEndian.Uint16(raw)) },
	"I8":   func(raw []byte) float32 { return float32(int8(raw[0])) },
}

// half widens an IEEE 754 binary16: sign, 5 bits of exponent, 10 of fraction.
func half(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10)&31, uint32(bits)&1023
	switch exponent {
	case 0: // zero and subnormals are multiples of 2^-24
		v := float32(fraction) / (1 << 24)
		if sign != 0 {
			return -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
}
