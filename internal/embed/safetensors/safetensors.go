// Package safetensors reads the tensors of a safetensors file (https://github.com/huggingface/safetensors, "Format").
// Before it reads numbers, it rejects a file that is incomplete, that has overlapping tensors, or whose tensors need
// more bytes than the file has.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// maxHeader is the largest size of a header, in bytes, that the format allows.
const maxHeader = 100_000_000

// Limits of this package, besides those of the format. Real models have 2 dimensions and some hundred tensors.
const (
	maxDimensions = 8
	maxTensors    = 10_000
)

// widths maps the type of a number to its size in bytes.
var widths = map[string]int{
	"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1,
	"U16": 2, "U32": 4, "U64": 8,
}

var le = binary.LittleEndian

// decoders maps a type to the function that decodes the number in raw. A float64 represents exactly every number of
// these types, and every whole number that a model can have.
var decoders = map[string]func(raw []byte) float64{
	"F64":  func(raw []byte) float64 { return math.Float64frombits(le.Uint64(raw)) },
	"F32":  func(raw []byte) float64 { return float64(math.Float32frombits(le.Uint32(raw))) },
	"BF16": func(raw []byte) float64 { return float64(math.Float32frombits(uint32(le.Uint16(raw)) << 16)) },
	"F16":  func(raw []byte) float64 { return float16(le.Uint16(raw)) },
	"I8":   func(raw []byte) float64 { return float64(int8(raw[0])) },
	"I64":  func(raw []byte) float64 { return float64(int64(le.Uint64(raw))) },
	"I32":  func(raw []byte) float64 { return float64(int32(le.Uint32(raw))) },
}

// float16 converts the bits of an IEEE 754 binary16 number: one bit for the sign, 5 for the exponent, 10 for the
// fraction.
func float16(bits uint16) float64 {
	exponent, fraction := int(bits>>10)&31, float64(bits&1023)
	value := math.Ldexp(1024+fraction, exponent-25)
	switch exponent {
	case 0: // zero and subnormals
		value = math.Ldexp(fraction, -24)
	case 31:
		value = math.Inf(1)
	}
	if bits>>15 == 1 {
		return -value
	}
	return value
}

// File is a parsed file. It shares the bytes that it was read from.
type File struct {
	tensors map[string]tensor
	data    []byte
}

type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`

	name  string
	count int // the number of values
}

// Parse parses a file and reads its header. It checks that the tensors follow each other without gap or overlap. It
// also checks that each tensor is as long as its type and shape require.
func Parse(file []byte) (*File, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("the file has %d bytes; a safetensors file begins with 8 bytes for the length of its "+
			"header", len(file))
	}
	size := le.Uint64(file)
	if size > maxHeader || size > uint64(len(file)-8) {
		return nil, fmt.Errorf("the header's length is %d bytes; the file has %d after its first 8, and the maximum "+
			"is %d", size, len(file)-8, maxHeader)
	}
	header, data := file[8:8+size], file[8+size:]
	tensors, err := readHeader(header)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := checkLayout(tensors, uint64(len(data))); err != nil {
		return nil, err
	}
	f := &File{tensors: map[string]tensor{}, data: data}
	for _, t := range tensors {
		f.tensors[t.name] = t
	}
	return f, nil
}

// readHeader returns the tensors that the header lists, in the header's order. It does not decode into a map, because
// that would ignore repeated names.
func readHeader(header []byte) ([]tensor, error) {
	d := json.NewDecoder(bytes.NewReader(header))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("it is not a JSON object")
	}
	var out []tensor
	err := text.Members(d, func(name string) (err error) {
		if name == "__metadata__" {
			err = d.Decode(&map[string]string{})
		} else {
			out = append(out, tensor{name: name})
			err = d.Decode(&out[len(out)-1])
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", quote(name), err)
		case len(out) > maxTensors:
			return fmt.Errorf("it has more than %d tensors", maxTensors)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after the JSON object")
	}
	return out, nil
}

func checkLayout(tensors []tensor, size uint64) error {
	for i := range tensors {
		if err := tensors[i].check(size); err != nil {
			return fmt.Errorf("tensor %s: %w", quote(tensors[i].name), err)
		}
	}
	slices.SortStableFunc(tensors, func(a, b tensor) int { return slices.Compare(a.Offsets, b.Offsets) })
	end := uint64(0)
	for _, t := range tensors {
		if t.Offsets[0] != end {
			return fmt.Errorf("tensor %s begins at byte %d, where %d was expected: tensors overlap or leave a gap",
				quote(t.name), t.Offsets[0], end)
		}
		end = t.Offsets[1]
	}
	if end != size {
		return fmt.Errorf("the tensors end at byte %d of %d: the file is truncated, or has more than its header says",
			end, size)
	}
	return nil
}

// check sets t.count. It returns an error if the type, shape and offsets do not fit each other, or if the offsets
// exceed size, the length of the data.
func (t *tensor) check(size uint64) error {
	width, known := widths[t.Type]
	switch {
	case !known:
		return fmt.Errorf("type %s is not known", quote(t.Type))
	case len(t.Shape) > maxDimensions:
		return fmt.Errorf("it has %d dimensions; at most %d are read", len(t.Shape), maxDimensions)
	case len(t.Offsets) != 2 || t.Offsets[0] > t.Offsets[1] || t.Offsets[1] > size:
		return fmt.Errorf("data_offsets %v do not lie in the %d bytes of data", t.Offsets, size)
	}
	count, ok := product(t.Shape)
	if bytes := t.Offsets[1] - t.Offsets[0]; !ok || count != bytes/uint64(width) || bytes%uint64(width) != 0 {
		return fmt.Errorf("shape %v of %s does not fill its %d bytes", t.Shape, t.Type, bytes)
	}
	t.count = int(count)
	return nil
}

// product returns the product of the dimensions in shape, or false if the product overflows.
func product(shape []uint64) (uint64, bool) {
	out := uint64(1)
	for _, n := range shape {
		if n != 0 && out > math.MaxInt/n {
			return 0, false
		}
		out *= n
	}
	return out, true
}

// quote returns name in quotes for an error message. A long name is cut.
func quote(name string) string { return strconv.Quote(text.TruncateBytes(name, 80+len("…"))) }

// Has reports whether the file has a tensor with the given name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Floats returns the values and the shape of the tensor with the given name. The tensor's type is F32, F16, BF16 or I8,
// and a float32 represents all their values exactly. A value that is not finite is an error.
func (f *File) Floats(name string) (values []float32, shape []int, err error) {
	values, t, err := numbers[float32](f, name, "F32", "F16", "BF16", "I8")
	for _, n := range t.Shape {
		shape = append(shape, int(n))
	}
	return values, shape, err
}

// Doubles returns the values of the tensor with the given name as float64. It accepts F64 and the types of Floats.
func (f *File) Doubles(name string) ([]float64, error) {
	values, _, err := numbers[float64](f, name, "F64", "F32", "F16", "BF16", "I8")
	return values, err
}

// Integers returns the values of the tensor with the given name. The tensor must have type I64 or I32, and one
// dimension.
func (f *File) Integers(name string) ([]int64, error) {
	values, t, err := numbers[int64](f, name, "I64", "I32")
	if err == nil && len(t.Shape) != 1 {
		err = fmt.Errorf("tensor %s: shape %v; expected one dimension", quote(name), t.Shape)
	}
	return values, err
}

// numbers returns the values of the tensor with the given name, which must have one of the given types. A value that is
// not finite is an error.
func numbers[T float32 | float64 | int64](f *File, name string, types ...string) ([]T, tensor, error) {
	t, ok := f.tensors[name]
	switch {
	case !ok:
		return nil, t, fmt.Errorf("tensor %s is missing", quote(name))
	case !slices.Contains(types, t.Type):
		return nil, t, fmt.Errorf("tensor %s: type %s is not supported; expected one of %s", quote(name), t.Type,
			strings.Join(types, ", "))
	}
	width := widths[t.Type]
	values, decode, raw := make([]T, t.count), decoders[t.Type], f.data[t.Offsets[0]:]
	for i := range values {
		value := decode(raw[i*width:])
		if value-value != 0 { // an infinity, or no number
			return nil, t, fmt.Errorf("tensor %s: number %d is not finite", quote(name), i)
		}
		values[i] = T(value)
	}
	return values, t, nil
}
