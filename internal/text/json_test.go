package text_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestAStringIsWrittenAsTheStandardLibraryWritesIt(t *testing.T) {
	all := []string{"", "plain text, 12 %", `"quoted" \ and /`, "<b>&amp;</b>", "line\nbreak\ttab\x00", "é ü 😀", "\u2028\u2029", "\x7f", "broken \xff", "~ `"}
	for c := range 256 {
		all = append(all, "x"+string([]byte{byte(c)})+"y")
	}
	for _, s := range all {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := text.AppendJSON([]byte("z"), s); !bytes.Equal(got[1:], want) {
			t.Errorf("%q is written as %s, want %s", s, got[1:], want)
		}
	}
}
