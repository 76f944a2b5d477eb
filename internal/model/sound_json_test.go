package model_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
)

func TestWhatSoundJSONIs(t *testing.T) {
	for _, c := range []struct{ rule, data, want string }{
		{"an object is one value", `{"a":[1,{"b":null}],"c":"x"}`, ""},
		{"white space around a value is nothing", " [1]\n", ""},
		{"a key may stand in two objects", `[{"a":1},{"a":{"a":2}}]`, ""},
		{"a text that equals a key is no key", `{"a":"b","b":"a"}`, ""},
		{"both halves of a surrogate pair are a letter", `"\ud83d\ude00"`, ""},
		{"an escaped backslash before a u is no escape", `"\\u0000 \\ud800"`, ""},
		{"nothing is no value", " ", "empty"},
		{"two values are not one", `{} {}`, "more behind its end"},
		{"trailing text is refused", `{"a":1}]`, "more behind its end"},
		{"a value that is cut off is refused", `{"choices":[{"mess`, "ends too early"},
		{"bytes that are no UTF-8 are refused", "{\"a\":\"\xff\"}", "not UTF-8"},
		{"a byte order mark is refused", "\ufeff{}", "byte order mark"},
		{"a raw NUL is refused", "{\"a\":\"\x00\"}", "invalid character"},
		{"an escaped NUL is refused", `{"a":"\u0000"}`, "NUL"},
		{"a high surrogate alone is refused", `"\ud800"`, "surrogate"},
		{"a high surrogate before another letter is refused", `"\ud800\u0041"`, "surrogate"},
		{"a low surrogate alone is refused", `"\udc00"`, "surrogate"},
		{"NaN is no number", `{"a":NaN}`, "invalid character"},
		{"a number beyond float64 is refused", `[1e400]`, "1e400"},
		{"a key that stands twice is refused", `{"a":1,"b":2,"a":3}`, `"a" is there twice`},
		{"a long key is cut", `{"` + strings.Repeat("k", 99) + `":1,"` + strings.Repeat("k", 99) + `":2}`, `"` + strings.Repeat("k", 60) + `" is there twice`},
		{"a deep nest is refused", strings.Repeat("[", 20000), "deeper than 64"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			err := model.CheckJSON([]byte(c.data))
			if c.want == "" {
				if err != nil {
					t.Errorf("SoundJSON(%.60q) = %v, want nil", c.data, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("SoundJSON(%.60q) = %v, want %q", c.data, err, c.want)
			}
		})
	}
}

func FuzzWhatIsTakenIsValidAndWithoutReplacedText(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\ud83d\ude00"]}`, `"\ud800"`, `{"a":1,"a":2}`, `[[[]]]`, `{} 1`, `"\`, `{"a"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if model.CheckJSON(data) != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is taken and is not valid", data)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%q is taken and not decoded: %v", data, err)
		}
		text, err := json.Marshal(v)
		if err == nil && strings.Contains(string(text), "\ufffd") && !strings.Contains(string(data), "\ufffd") &&
			!strings.Contains(strings.ToLower(string(data)), `\ufffd`) {
			t.Fatalf("%q is decoded with a replaced letter", data)
		}
	})
}
