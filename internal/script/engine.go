package script

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

//go:embed quickjs/quickjs.wasm
var quickJS []byte

//go:embed prelude.js
var prelude string

// Limits of one evaluation, and sizes of the module's memory.
const (
	maxSteps     = 20_000_000 // steps of an evaluation, without those of stepsPerByte
	stepsPerByte = 20         // further steps for each byte of the input; reading a byte takes about 8
	maxHeap      = 32 << 20   // bytes of all values of a script
	maxStack     = 256 << 10
	pageBytes    = 64 << 10
	minPages     = 96   // pages of memory at the start, slightly more than the module needs
	maxPages     = 1024 // largest number of pages; more than maxHeap, so that a script reaches maxHeap first
)

// maxIdle is the largest number of idle machines.
const maxIdle = 4

// The module's stack is between its data and its heap and grows down. A script that exceeds maxStack is stopped, so
// memory below stackEnd-stackUsed is never written.
const (
	stackStart = 90_208
	stackEnd   = 5_333_088
	stackUsed  = 2 * maxStack
)

// Names of the functions in the embedded build of the module.
const (
	fnStart      = "u"
	fnAllocate   = "v"
	fnLimitHeap  = "y"
	fnLimitStack = "D"
	fnUndefined  = "E"
	fnNewRuntime = "K"
	fnNewContext = "N"
	fnNewString  = "_"
	fnText       = "$"
	fnCall       = "ma"
	fnException  = "na"
	fnEvaluate   = "pa"

	importGrowHeap  = "k"
	importLocalTime = "m"
)

// everyIntrinsic is the flag for a context with the whole language: regular expressions, JSON, Proxy and so on.
const everyIntrinsic = 0

// engine is the compiled module and a snapshot of its memory, taken before any script runs.
type engine struct {
	runtime   wazero.Runtime
	compiled  wazero.CompiledModule
	memory    []byte
	context   uint32 // address in the module of the JavaScript context
	entry     uint32 // address of the function that prelude.js evaluates to
	undefined uint32 // address of the value undefined
	idle      chan *machine
}

// machine is an instance of the module.
type machine struct {
	api.Module
	fuel api.MutableGlobal
	err  error // error of the first call that failed
}

// sharedEngine returns the engine. It starts the engine at its first call.
var sharedEngine = sync.OnceValues(func() (*engine, error) { return newEngine(wazero.NewRuntimeConfig()) })

// newEngine compiles the module and returns an engine with a snapshot. config selects the compiler or the interpreter.
func newEngine(config wazero.RuntimeConfig) (*engine, error) {
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	module, err := addMeter(quickJS, minPages, maxPages)
	if err != nil {
		return nil, err
	}
	e := &engine{idle: make(chan *machine, maxIdle)}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if e.compiled, err = e.runtime.CompileModule(ctx, module); err != nil {
		return nil, err
	}
	host := e.runtime.NewHostModuleBuilder("a")
	for _, f := range e.compiled.ImportedFunctions() {
		_, name, _ := f.Import()
		var do api.GoModuleFunc = stubImport
		switch name {
		case importGrowHeap:
			do = growMemory
		case importLocalTime:
			do = zeroTime
		}
		host.NewFunctionBuilder().WithGoModuleFunction(do, f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	if _, err = host.Instantiate(ctx); err != nil {
		return nil, err
	}
	m, err := e.newMachine()
	if err != nil {
		return nil, err
	}
	return e, e.prepare(m)
}

// stubImport replaces those imports of the module that have no function of their own here, such as the clock, files and
// the environment. It returns 0.
func stubImport(_ context.Context, _ api.Module, stack []uint64) {
	if len(stack) > 0 {
		stack[0] = 0
	}
}

// zeroTime fills C's struct tm with zeros. The module reads only the offset from UTC in it.
func zeroTime(_ context.Context, m api.Module, stack []uint64) {
	const size = 44
	m.Memory().Write(uint32(stack[1]), make([]byte, size))
}

// growMemory grows the memory of the module to the requested size. It returns 1, or 0 if that is impossible.
func growMemory(_ context.Context, m api.Module, stack []uint64) {
	size := m.Memory().Size()
	more := (uint64(uint32(stack[0])) - uint64(size) + pageBytes - 1) / pageBytes
	_, ok := m.Memory().Grow(uint32(more))
	stack[0] = 0
	if ok {
		stack[0] = 1
	}
}

func (e *engine) newMachine() (*machine, error) {
	mod, err := e.runtime.InstantiateModule(context.Background(), e.compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	return &machine{Module: mod, fuel: mod.ExportedGlobal(fuelName).(api.MutableGlobal)}, nil
}

// prepare makes a context on m, compiles the prelude, and takes the snapshot of the memory.
func (e *engine) prepare(m *machine) error {
	m.fuel.Set(1 << 40)
	m.call(fnStart)
	rt := uint64(m.call(fnNewRuntime))
	m.call(fnLimitHeap, rt, maxHeap)
	m.call(fnLimitStack, rt, maxStack)
	e.context = m.call(fnNewContext, rt, everyIntrinsic)
	code, file := m.write(prelude), m.write("prelude.js")
	e.entry = m.call(fnEvaluate, uint64(e.context), uint64(code), uint64(len(prelude)), uint64(file), 0, 0)
	e.undefined = m.call(fnUndefined)
	wrong := m.call(fnException, uint64(e.context), uint64(e.entry))
	if m.err != nil {
		return m.err
	}
	if wrong != 0 {
		return fmt.Errorf("the prelude: %s", m.stringOf(e.context, wrong))
	}
	all, _ := m.Memory().Read(0, m.Memory().Size())
	e.memory = bytes.Clone(all)
	return nil
}

// call calls the named function of the module. After an error, every call does nothing and returns 0, and the machine
// is not used again.
func (m *machine) call(name string, args ...uint64) uint32 {
	if m.err != nil {
		return 0
	}
	out, err := m.ExportedFunction(name).Call(context.Background(), args...)
	if m.err = err; err != nil || len(out) == 0 {
		return 0
	}
	return uint32(out[0])
}

// write copies s with a terminating zero into the memory of the module, and returns its address there.
func (m *machine) write(s string) uint32 {
	at := m.call(fnAllocate, uint64(len(s)+1))
	if m.err == nil && (at == 0 || !m.Memory().WriteString(at, s+"\x00")) {
		m.err = errMemory
	}
	return at
}

// stringOf returns the text of a JavaScript value. context and value are addresses in the module.
func (m *machine) stringOf(context, value uint32) string {
	at := m.call(fnText, uint64(context), uint64(value))
	from, _ := m.Memory().Read(at, m.Memory().Size()-at)
	out, _, ended := bytes.Cut(from, []byte{0})
	if m.err == nil && (at == 0 || !ended) {
		m.err = errMemory
	}
	return string(out)
}

// run calls the function of prelude.js with input and returns its result.
func (e *engine) run(input string) (string, error) {
	m, err := e.takeMachine()
	if err != nil {
		return "", err
	}
	m.fuel.Set(maxSteps + stepsPerByte*uint64(len(input)))
	out := e.callEntry(m, input)
	err = m.stopError()
	if err == nil && m.Memory().Size() == uint32(len(e.memory)) {
		select {
		case e.idle <- m:
			return out, nil
		default:
		}
	}
	_ = m.Close(context.Background()) // frees memory and nothing else
	return out, err
}

// takeMachine returns an idle or a new machine, with its memory as in the snapshot.
func (e *engine) takeMachine() (*machine, error) {
	var m *machine
	select {
	case m = <-e.idle:
	default:
		var err error
		if m, err = e.newMachine(); err != nil {
			return nil, err
		}
		m.Memory().Grow((uint32(len(e.memory)) - m.Memory().Size()) / pageBytes)
	}
	if !m.Memory().Write(0, e.memory[:stackStart]) || !m.Memory().Write(stackEnd-stackUsed,
		e.memory[stackEnd-stackUsed:]) {
		return nil, errMemory
	}
	return m, nil
}

// callEntry calls the function of prelude.js on the machine m and returns its result.
func (e *engine) callEntry(m *machine, input string) string {
	arg := m.call(fnNewString, uint64(e.context), uint64(m.write(input)))
	args := m.call(fnAllocate, 4)
	m.Memory().WriteUint32Le(args, arg)
	result := m.call(fnCall, uint64(e.context), uint64(e.entry), uint64(e.undefined), 1, uint64(args))
	return m.stringOf(e.context, result)
}
