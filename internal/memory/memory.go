// Package memory holds the process to little memory: Go's collector lets it grow to twice what is held, which is cheap as long as that is little.
package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// soft is how far the process may grow by what is not held any more, in bytes. A run that holds more gets a third more than that.
const soft = 216 << 20

// Hold has the collector come more often where the process would grow beyond what is soft. An environment that says how often it is to come
// is obeyed.
func Hold() {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		follow()
	}
}

// follow sets the limit anew after each collection.
func follow() {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	if limit := limitOf(int64(held[0].Value.Uint64())); limit != debug.SetMemoryLimit(-1) {
		debug.SetMemoryLimit(limit)
	}
	runtime.SetFinalizer(new(collected), func(*collected) { follow() })
}

// collected is what nobody holds: the next collection finds it.
type collected struct{ _ [16]byte }

// limitOf is the limit of a process that holds so many bytes: one below what is held would have the collector never end.
func limitOf(held int64) int64 { return max(soft, held/3*4+16<<20) }
