package text

import "testing"

func TestMustPanicsOnAnError(t *testing.T) {
	if got := MustParse[[]int]([]byte("[1]")); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown field is read")
		}
	}()
	MustParse[struct{}]([]byte(`{"a":1}`))
}
