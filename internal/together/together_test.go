package together

import (
	"context"
	"strings"
	"testing"
)

func TestAllAreDoneAtOnce(t *testing.T) {
	there, back := make(chan int), make(chan int)
	got := 0
	Do(func() { there <- 3; got = <-back }, func() { back <- 2 * <-there })
	if got != 6 {
		t.Errorf("got %d, want what both made together", got)
	}
}

func breaks() { panic("second") }

func TestAPanicGoesOnInTheCaller(t *testing.T) {
	done := false
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != "second" || len(p.Callers) == 0 || !strings.Contains(string(p.Stack), "together.breaks") {
			t.Errorf("the panic is %+v, want that of the second, with its stack", p)
		}
		if !done {
			t.Error("the others are not done when the panic goes on")
		}
	}()
	Do(func() { done = true }, breaks, func() { panic("third") })
	t.Error("nothing panicked")
}

func TestWhatIsDoneInTimeCounts(t *testing.T) {
	if got, done := Within(t.Context(), func() int { return 3 }); got != 3 || !done {
		t.Errorf("Within = %d, %v", got, done)
	}
	time, over := context.WithCancel(t.Context())
	late := make(chan int, 1)
	if got, done := Within(time, func() int { over(); late <- <-late; return 3 }); got != 0 || done {
		t.Errorf("beyond its time, Within = %d, %v", got, done)
	}
	late <- 1
	if _, done := Within(time, func() int { t.Error("it is begun when there is no time"); return 3 }); done {
		t.Error("it is done when there is no time")
	}
	defer func() {
		if p, ok := recover().(*Panic); !ok || !strings.Contains(string(p.Stack), "together.breaks") {
			t.Errorf("the panic is %+v, want that of what was done", p)
		}
	}()
	Within(t.Context(), func() int { breaks(); return 0 })
	t.Error("nothing panicked")
}

func TestAWorkerGoesOnAfterAPanicAndAfterACallThatTookTooLong(t *testing.T) {
	var w Worker[int]
	defer w.Stop()
	func() {
		defer func() {
			if p, ok := recover().(*Panic); !ok || p.Value != "second" {
				t.Errorf("the panic is %+v, want that of what was done", p)
			}
		}()
		w.Within(t.Context(), func() int { breaks(); return 0 })
	}()
	if got, done := w.Within(t.Context(), func() int { return 3 }); got != 3 || !done {
		t.Errorf("after a panic, Within = %d, %v", got, done)
	}
	time, over := context.WithCancel(t.Context())
	late := make(chan int)
	if got, done := w.Within(time, func() int { over(); return <-late }); got != 0 || done {
		t.Errorf("beyond its time, Within = %d, %v", got, done)
	}
	if got, done := w.Within(t.Context(), func() int { return 4 }); got != 4 || !done {
		t.Errorf("beside the late call, Within = %d, %v", got, done)
	}
	late <- 5
	if got, done := w.Within(t.Context(), func() int { return 6 }); got != 6 || !done {
		t.Errorf("after the late call, Within = %d, %v", got, done)
	}
}
