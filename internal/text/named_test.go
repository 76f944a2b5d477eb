package text

import "testing"

func TestASingleRestIsNamedToo(t *testing.T) {
	for n, want := range map[int]int{0: 0, 5: 5, 6: 6, 7: 5} {
		if got := Named(n, 5); got != want {
			t.Errorf("Named(%d, 5) = %d, want %d", n, got, want)
		}
	}
}
