package script

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Sections of a WebAssembly module that meter rewrites.
const (
	sectionImport = 2
	sectionMemory = 5
	sectionGlobal = 6
	sectionExport = 7
	sectionCode   = 10
)

// Names of the exports that meter adds.
const (
	memoryName = "memory"
	fuelName   = "fuel"
)

// errModule is the error of a module that meter cannot read.
var errModule = errors.New("this is no module that can be metered")

// addMeter returns module with a memory of minPages to maxPages and a count of its steps. A step is a function call, an
// iteration of a loop, or 64 bytes that are copied or filled at once. Each step reduces the new global variable fuel.
// The module traps if fuel is negative. The count depends only on the module and its input.
func addMeter(module []byte, minPages, maxPages uint32) (out []byte, err error) {
	defer func() { // reader panics at the end of a truncated module
		if recover() != nil {
			err = errModule
		}
	}()
	if string(module[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errModule
	}
	r := &reader{data: module, offset: 8}
	out = append(out, module[:8]...)
	var globals uint64
	for r.offset < len(module) {
		id := r.byte()
		body := &reader{data: r.bytes(r.uvarint())}
		changed := body.data
		switch id {
		case sectionImport:
			changed = withoutMemory(body)
		case sectionGlobal: // the memory section must come before this one
			limits := binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, uint64(minPages)), uint64(maxPages))
			out = appendSection(out, sectionMemory, limits)
			changed, globals = withFuel(body)
		case sectionExport:
			changed = withExports(body, globals)
		case sectionCode:
			if changed, err = meteredCode(body, globals); err != nil {
				return nil, err
			}
		}
		out = appendSection(out, id, changed)
	}
	return out, nil
}

// Codes of WebAssembly that meter reads or writes: kinds of imports and exports, types of values, and instructions.
const (
	kindFunction = 0
	kindMemory   = 2
	kindGlobal   = 3

	typeI32, typeI64 = 0x7f, 0x7e
	variable         = 1

	opUnreachable, opLoop, opIf, opEnd = 0x00, 0x03, 0x04, 0x0b
	opGlobalGet, opGlobalSet           = 0x23, 0x24
	opI32Const, opI64Const             = 0x41, 0x42
	opI64LessThan, opI64Subtract       = 0x53, 0x7d
	opI64ShiftRight, opI64FromI32      = 0x88, 0xad
	noResult                           = 0x40
)

func appendSection(out []byte, id byte, body []byte) []byte {
	return append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
}

func appendName(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

// withoutMemory returns the import section without the import of a memory.
func withoutMemory(r *reader) []byte {
	count, left := r.uvarint(), uint64(0)
	var all []byte
	for range count {
		start := r.offset
		r.bytes(r.uvarint())
		r.bytes(r.uvarint())
		switch r.byte() {
		case kindFunction:
			r.uvarint()
			all = append(all, r.data[start:r.offset]...)
			left++
		case kindMemory:
			if r.byte()&1 != 0 { // the memory has an upper limit
				r.uvarint()
			}
			r.uvarint()
		default:
			panic(errModule)
		}
	}
	return append(binary.AppendUvarint(nil, left), all...)
}

// withFuel returns the global section with two more variables: the fuel, and the size of a copy or fill. fuel is the
// index of the first; the size has the next index.
func withFuel(r *reader) (out []byte, fuel uint64) {
	count := r.uvarint()
	out = append(binary.AppendUvarint(nil, count+2), r.rest()...)
	out = append(out, typeI64, variable, opI64Const, 0xff, 0xff, 0xff, 0xff, 0x07, opEnd) // enough to start the module
	return append(out, typeI32, variable, opI32Const, 0, opEnd), count
}

// withExports returns the export section with two more exports: the memory and the variable with the index fuel.
func withExports(r *reader, fuel uint64) []byte {
	out := append(binary.AppendUvarint(nil, r.uvarint()+2), r.rest()...)
	out = append(appendName(out, memoryName), kindMemory, 0)
	return binary.AppendUvarint(append(appendName(out, fuelName), kindGlobal), fuel)
}

// meteredCode returns the code section with functions that count their steps. fuel is the index of the fuel variable.
// The variable for sizes has the next index.
func meteredCode(r *reader, fuel uint64) ([]byte, error) {
	get := binary.AppendUvarint([]byte{opGlobalGet}, fuel)
	set := binary.AppendUvarint([]byte{opGlobalSet}, fuel)
	step := slices.Concat(get, []byte{opI64Const, 1, opI64Subtract}, set,
		get, []byte{opI64Const, 0, opI64LessThan, opIf, noResult, opUnreachable, opEnd})
	getSize := binary.AppendUvarint([]byte{opGlobalGet}, fuel+1)
	setSize := binary.AppendUvarint([]byte{opGlobalSet}, fuel+1)
	bulk := slices.Concat(setSize, get, getSize,
		[]byte{opI64FromI32, opI64Const, 6, opI64ShiftRight, opI64Subtract}, set, getSize)

	count := r.uvarint()
	all := binary.AppendUvarint(nil, count)
	for range count {
		f := &reader{data: r.bytes(r.uvarint())}
		for range f.uvarint() { // groups of local variables
			f.uvarint()
			f.byte()
		}
		body := slices.Concat(f.data[:f.offset], step)
		for f.offset < len(f.data) {
			start := f.offset
			op, err := f.instruction()
			if err != nil {
				return nil, err
			}
			if op == opBulk {
				body = append(body, bulk...)
			}
			body = append(body, f.data[start:f.offset]...)
			if op == opLoop {
				body = append(body, step...)
			}
		}
		all = append(binary.AppendUvarint(all, uint64(len(body))), body...)
	}
	return all, nil
}

// reader reads parts of a module. It panics at the end of the data.
type reader struct {
	data   []byte
	offset int
}

func (r *reader) byte() byte {
	r.offset++
	return r.data[r.offset-1]
}

func (r *reader) bytes(n uint64) []byte {
	r.offset += int(n)
	return r.data[r.offset-int(n) : r.offset : r.offset]
}

func (r *reader) rest() []byte { return r.data[r.offset:] }

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.data[r.offset:])
	if size <= 0 {
		panic(errModule)
	}
	r.offset += size
	return n
}

// skipNumber skips one number, which may be negative.
func (r *reader) skipNumber() {
	for r.byte()&0x80 != 0 {
	}
}

// opBulk stands for the instructions that copy or fill memory.
const opBulk = 0xff

// instruction skips an instruction with its operands. It returns the first byte of the instruction, or opBulk.
func (r *reader) instruction() (op byte, err error) {
	switch op = r.byte(); {
	case op >= 0x02 && op <= 0x04: // block, loop, if
		r.skipNumber()
	case op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x26, op == 0x3f, op == 0x40, op == 0x41, op == 0x42,
		op == 0xd2:
		r.skipNumber()
	case op == 0x0e: // a table of branches
		for range r.uvarint() + 1 {
			r.skipNumber()
		}
	case op == 0x11, op >= 0x28 && op <= 0x3e: // an indirect call; loads and stores
		r.skipNumber()
		r.skipNumber()
	case op == 0x44:
		r.bytes(8)
	case op == 0xfc:
		return r.prefixed()
	case op == 0x1c, op == 0x43, op > 0xc4 && op != 0xd1: // the engine has none of them
		return op, fmt.Errorf("%w: it has the instruction %#x", errModule, op)
	}
	return op, nil
}

// prefixed skips the rest of an instruction that begins with the byte 0xfc. It returns that byte, or opBulk.
func (r *reader) prefixed() (op byte, err error) {
	switch op := r.uvarint(); op {
	case 0, 1, 2, 3, 4, 5, 6, 7: // conversions of numbers
		return 0xfc, nil
	case 10: // memory.copy
		r.bytes(2)
		return opBulk, nil
	case 11: // memory.fill
		r.bytes(1)
		return opBulk, nil
	default:
		return 0xfc, fmt.Errorf("%w: it has the instruction 0xfc %#x", errModule, op)
	}
}
