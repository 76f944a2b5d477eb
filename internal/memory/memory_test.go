package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestTheLimitLeavesRoomBesideWhatIsHeld(t *testing.T) {
	for held, want := range map[int64]int64{0: soft, 100 << 20: soft, 150 << 20: soft, 300 << 20: 416 << 20, 3 << 30: 4<<30 + 16<<20} {
		if got := limitOf(held); got != want {
			t.Errorf("the limit of %d MiB is %d MiB, want %d", held>>20, got>>20, want>>20)
		}
	}
}

func TestTheLimitIsSetAndFollowsEachCollection(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	t.Setenv("GOGC", "100")
	t.Setenv("GOMEMLIMIT", "")
	debug.SetMemoryLimit(math.MaxInt64)
	Hold()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("the limit is %d although the environment says when to collect", got)
	}
	t.Setenv("GOGC", "")
	Hold()
	if got := debug.SetMemoryLimit(-1); got != soft {
		t.Errorf("the limit is %d, want %d", got, soft)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	for debug.SetMemoryLimit(-1) != soft { // a finalizer comes after a collection, and nobody knows how soon
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
