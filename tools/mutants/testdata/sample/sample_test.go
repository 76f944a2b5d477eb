package sample

import "testing"

func TestClamp(t *testing.T) {
	for n, want := range map[int]int{-1: 0, 0: 0, 3: 3, 5: 5, 7: 5} {
		if got := Clamp(n, 5); got != want {
			t.Errorf("Clamp(%d, 5) = %d, want %d", n, got, want)
		}
	}
}
