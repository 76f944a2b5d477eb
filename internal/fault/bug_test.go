package fault_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fault"
)

func TestTheWordsOfTheRuntimeAreSaid(t *testing.T) {
	defer func() {
		b := fault.NewBug(recover(), "counting")
		if got := b.Error(); !strings.Contains(got, "bug_test.go:") || !strings.HasSuffix(got, ": runtime error: index out of range [3] with length 2") {
			t.Errorf("the bug says %q", got)
		}
	}()
	at := 3
	_ = []int{1, 2}[at]
}
