package safetensors_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/safetensors"
)

// header is a file whose header is written as text, followed by so many bytes of data.
func header(text string, data int) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), []byte(text), make([]byte, data))
}

func TestAFileThatIsNotWhatItSaysIsRefused(t *testing.T) {
	for _, c := range []struct {
		rule string
		file []byte
		want string
	}{
		{"shorter than the length of its header", []byte("short"), "has 5 bytes"},
		{"a header longer than the file", binary.LittleEndian.AppendUint64(nil, 1<<40), "length is 1099511627776 bytes"},
		{"a header of all ones", slices.Concat([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), make([]byte, 64)), "length is 18446744073709551615 bytes"},
		{"no JSON", header("hello", 0), "not a JSON object"},
		{"a list", header("[]", 0), "not a JSON object"},
		{"JSON that ends early", header(`{"a": {"dtype": "F32"`, 0), "unexpected EOF"},
		{"more after the object", header(`{} {}`, 0), "more after"},
		{"a name twice", header(`{"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, 1), `"a" is there twice`},
		{"a long name is cut", header(`{"`+strings.Repeat("a", 90)+`":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}}`, 1), `"` + strings.Repeat("a", 80) + "…\""},
		{"an unknown type", header(`{"a":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}}`, 1), `type "F4" is not known`},
		{"a tensor of null", header(`{"a":null}`, 0), `type "" is not known`},
		{"a negative size", header(`{"a":{"dtype":"I8","shape":[-1],"data_offsets":[0,1]}}`, 1), "cannot unmarshal"},
		{"a tensor beyond the data", header(`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}}`, 1), "do not lie in the 1 bytes"},
		{"a tensor that ends before it begins", header(`{"a":{"dtype":"I8","shape":[1],"data_offsets":[1,0]}}`, 1), "do not lie"},
		{"one offset", header(`{"a":{"dtype":"I8","shape":[1],"data_offsets":[1]}}`, 1), "do not lie"},
		{"a shape that is smaller than its bytes", header(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}`, 8), "does not fill its 8 bytes"},
		{"half a number", header(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,6]}}`, 6), "does not fill its 6 bytes"},
		{"a shape whose product overflows", header(`{"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}}`, 0), "does not fill its 0 bytes"},
		{"too many dimensions", header(`{"a":{"dtype":"I8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}}`, 1), "9 dimensions"},
		{"two tensors in one place", header(`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"I8","shape":[2],"data_offsets":[1,3]}}`, 3), "overlap or leave a gap"},
		{"a gap between tensors", header(`{"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"I8","shape":[1],"data_offsets":[2,3]}}`, 3), "overlap or leave a gap"},
		{"data that no tensor has", header(`{"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, 2), "end at byte 1 of 2"},
		{"metadata that is no text", header(`{"__metadata__":{"a":1}}`, 0), "__metadata__"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := safetensors.Parse(c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
}

// typed is a file with one tensor x of this type.
func typed(dtype string, shape []int, data []byte) []byte {
	return embedtest.RawSafetensors(map[string]any{"x": map[string]any{"dtype": dtype, "shape": shape, "data_offsets": []int{0, len(data)}},
		"__metadata__": map[string]string{"format": "pt"}}, data)
}

func TestNumbersAreReadAsTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		rule, dtype string
		data        []byte
		want        []float32
	}{
		{"F32", "F32", []byte{0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0}, []float32{1, -2.5}},
		{"BF16 is the upper half of F32", "BF16", []byte{0x80, 0x3f, 0x20, 0xc0}, []float32{1, -2.5}},
		{"I8 has a sign", "I8", []byte{0, 1, 127, 128, 255}, []float32{0, 1, 127, -128, -1}},
		{"F16: one, the largest, and minus two", "F16", []byte{0, 0x3c, 0xff, 0x7b, 0, 0xc0}, []float32{1, 65504, -2}},
		{"F16: the smallest normal and subnormal numbers", "F16", []byte{0, 4, 1, 0, 0xff, 0x83}, []float32{0x1p-14, 0x1p-24, -1023 * 0x1p-24}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f, err := safetensors.Parse(typed(c.dtype, []int{len(c.want)}, c.data))
			if err != nil {
				t.Fatal(err)
			}
			got, shape, err := f.Floats("x")
			if err != nil || !slices.Equal(got, c.want) || !slices.Equal(shape, []int{len(c.want)}) {
				t.Errorf("Floats() = %v of shape %v, %v; want %v", got, shape, err, c.want)
			}
		})
	}
}

func TestWhatIsNoNumberIsRefused(t *testing.T) {
	for _, c := range []struct {
		rule, dtype string
		data        []byte
	}{
		{"an F32 that is not a number", "F32", []byte{0, 0, 0xc0, 0x7f}},
		{"an infinite F16", "F16", []byte{0, 0x7c}},
		{"an infinite BF16", "BF16", []byte{0x80, 0x7f}},
		{"an infinite F64", "F64", binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(-1)))},
		{"BOOL", "BOOL", []byte{1}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f, err := safetensors.Parse(typed(c.dtype, []int{1}, c.data))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := f.Doubles("x"); err == nil {
				t.Errorf("Doubles() = %v, want an error", got)
			}
		})
	}
}

func TestWholeNumbersHaveOneDimension(t *testing.T) {
	read := func(dtype string, shape []int, data []byte) ([]int64, error) {
		f, err := safetensors.Parse(typed(dtype, shape, data))
		if err != nil {
			t.Fatal(err)
		}
		return f.Integers("x")
	}
	if got, err := read("I32", []int{2}, []byte{1, 0, 0, 0, 255, 255, 255, 255}); err != nil || !slices.Equal(got, []int64{1, -1}) {
		t.Errorf("I32: %v, %v", got, err)
	}
	if got, err := read("I64", []int{1}, []byte{7, 0, 0, 0, 0, 0, 0, 0}); err != nil || !slices.Equal(got, []int64{7}) {
		t.Errorf("I64: %v, %v", got, err)
	}
	if got, err := read("I32", []int{1, 1}, []byte{1, 0, 0, 0}); err == nil {
		t.Errorf("two dimensions: %v, want an error", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(embedtest.Safetensors(embedtest.Tensor{Name: "a", Shape: []int{2, 1}, Values: []float32{1, 2}}))
	f.Add(header(`{"a":{"dtype":"I8","shape":[0,9999999999],"data_offsets":[0,0]}}`, 0))
	f.Add(header(`{"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]}}`, 2))
	f.Fuzz(func(t *testing.T, file []byte) {
		read, err := safetensors.Parse(file)
		if err != nil {
			return
		}
		values, shape, err := read.Floats("a")
		size := 1
		for _, n := range shape {
			size *= n
		}
		if err == nil && size != len(values) {
			t.Errorf("shape %v for %d values", shape, len(values))
		}
		if len(values) > len(file) {
			t.Errorf("%d values from %d bytes", len(values), len(file))
		}
	})
}
