package embed

import "testing"

func TestAMemoryForgetsBeforeItGrowsWithoutEnd(t *testing.T) {
	m := &memory{known: map[digest]Embedding{}}
	half := Embedding{Vector: make([]float64, maxNumbers/2)}
	for _, text := range []string{"a", "b", "c"} {
		m.Put(text, half)
	}
	if _, known := m.Get("a"); known || len(m.known) != 1 || m.numbers != maxNumbers/2 {
		t.Errorf("%d texts with %d numbers are kept", len(m.known), m.numbers)
	}
	if _, known := m.Get("c"); !known {
		t.Error("the last text is forgotten")
	}
}
