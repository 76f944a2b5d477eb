// Package safetensors reads the tensors of a safetensors file (https://github.com/huggingface/safetensors, "Format").
// Bytes in, numbers out. A file that is not whole, overlaps or claims more than it holds is refused before anything is
// made of it.
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
)

// maxHeader is the format's own bound of the header, in bytes.
const maxHeader = 100_000_000

// maxDimensions and maxTensors bound what a header may claim; real models have 2 dimensions and some hundred tensors.
const (
	maxDimensions = 8
	maxTensors    = 10_000
)

// widths are the bytes of a number, by type.
var widths = map[string]int{
	"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1, "U16": 2, "U32": 4, "U64": 8,
}

// File is a read file. It shares its bytes with the ones that it was read from.
type File struct {
	tensors map[string]tensor
	data    []byte
}

type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`

	name  string
	count int // numbers in it
}

// Read reads the header and checks that the tensors lie in the file one after the other, without gap or overlap, each
// as long as its type and shape say.
func Read(file []byte) (*File, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("the file has %d bytes; a safetensors file begins with 8 bytes that tell the length of its header", len(file))
	}
	size := binary.LittleEndian.Uint64(file)
	if size > maxHeader || size > uint64(len(file)-8) {
		return nil, fmt.Errorf("the header claims %d bytes; the file has %d after its first 8, and a header at most %d", size, len(file)-8, maxHeader)
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

// readHeader reads the tensors in the order of the file. A decoder into a map would let the second of two equal names
// win in silence.
func readHeader(header []byte) ([]tensor, error) {
	d := json.NewDecoder(bytes.NewReader(header))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("it is not a JSON object")
	}
	var out []tensor
	seen := map[string]bool{}
	for d.More() {
		name, err := readName(d, seen)
		if err != nil {
			return nil, err
		}
		if name == "__metadata__" {
			err = d.Decode(&map[string]string{})
		} else {
			out = append(out, tensor{name: name})
			err = d.Decode(&out[len(out)-1])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", quote(name), err)
		}
		if len(out) > maxTensors {
			return nil, fmt.Errorf("it has more than %d tensors", maxTensors)
		}
	}
	return out, readEnd(d)
}

func readName(d *json.Decoder, seen map[string]bool) (string, error) {
	token, err := d.Token()
	name, isName := token.(string)
	switch {
	case err != nil:
		return "", err
	case !isName:
		return "", errors.New("a name is missing")
	case seen[name]:
		return "", fmt.Errorf("%s is there twice", quote(name))
	}
	seen[name] = true
	return name, nil
}

// readEnd checks that the object ends and that nothing but white space follows.
func readEnd(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more after the JSON object")
	}
	return nil
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
			return fmt.Errorf("tensor %s begins at byte %d, where %d was expected: tensors overlap or leave a gap", quote(t.name), t.Offsets[0], end)
		}
		end = t.Offsets[1]
	}
	if end != size {
		return fmt.Errorf("the tensors end at byte %d of %d: the file is cut or has more than its header tells", end, size)
	}
	return nil
}

// check compares type, shape and place with each other and with the size of the data.
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

// product is false where it would be beyond what a file can hold.
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

// quote shortens what a file says of itself for an error.
func quote(text string) string {
	const most = 80
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}
