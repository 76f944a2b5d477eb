package together

import (
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
