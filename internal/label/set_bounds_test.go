package label

import (
	"fmt"
	"testing"
	"time"
)

// Each label is held to all others, and read once for that: not once for each of them.
func TestManyLabelsAreReadOnce(t *testing.T) {
	var labels []string
	for i := range 1000 {
		labels = append(labels, fmt.Sprintf("Class L%d", i))
	}
	start := time.Now()
	if s := New("Class L1", labels); s.expected != 1 {
		t.Errorf("the expected label is number %d", s.expected)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a set of 1000 labels took %v", took)
	}
}
