package show_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/failproof/failproof/internal/render/show"
)

func TestJSONOnALogHoldsNoCommandAndSaysTheSame(t *testing.T) {
	want := map[string]string{"a": "x ##[error]y ###[group]", "##[debug]": "\n::error::z"}
	var out bytes.Buffer
	if err := json.NewEncoder(show.JSONWriter(&out)).Encode(want); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("##[")) || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
		t.Errorf("JSON on a log = %s, want no command of the runner in it", out.Bytes())
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%q reads as %q, want %q", k, got[k], v)
		}
	}
}
