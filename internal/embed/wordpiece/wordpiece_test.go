package wordpiece_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/wordpiece"
	"github.com/failproof/failproof/internal/sharedtest"
)

var pieces = []string{"un", "##aff", "##able", "hello", "world", "[", "]", "sep", "!", "$", "strasse", "ß", "cafe", "你", "好", "i", "a", "##a",
	"b", "##b", "c", "##c", "muller", "ﬁ", "`"}

func tokenizer(t testing.TB, text []byte) *wordpiece.Tokenizer {
	t.Helper()
	tok, err := wordpiece.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// names turns ids back into pieces.
func names(ids []int) []string {
	all := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, pieces...)
	out := []string{}
	for _, id := range ids {
		out = append(out, all[id])
	}
	return out
}

func TestTextsAreCutAsBERTDoes(t *testing.T) {
	tok := tokenizer(t, embedtest.Tokenizer(pieces...))
	for _, c := range []struct{ rule, text, want string }{
		{"the longest piece first", "unaffable", "un ##aff ##able"},
		{"a word with a part that no piece fits is unknown as a whole", "unaffablez", "[UNK]"},
		{"letters are made small", "HELLO World", "hello world"},
		{"accents are taken off where letters are made small", "Café MÜLLER", "cafe muller"},
		{"an accent of its own is taken off too", "cafe\u0301", "cafe"},
		{"a dotted capital I is an i", "İ", "i"},
		{"a ligature stays one", "ﬁ", "ﬁ"},
		{"a sharp s is no ss", "ß strasse", "ß strasse"},
		{"a mark is a word", "hello!world", "hello ! world"},
		{"a sign of ASCII is a mark too", "$a", "$ a"},
		{"a control token in a text is text", "[SEP] hello", "[ sep ] hello"},
		{"Chinese characters are words", "你好", "你 好"},
		{"controls vanish, white space divides", "he\x00l\u200blo\tworld\u00a0!\ufeff", "hello world !"},
		{"what Unicode has not assigned stays, and no piece has it", "hello\u0378 world", "[UNK] world"},
		{"a byte that is no UTF-8 vanishes", "hel\xfflo", "hello"},
		{"the 100th letter is the last that is looked at", strings.Repeat("a", 101), "[UNK]"},
		{"a hundred letters are read", strings.Repeat("a", 100), "a" + strings.Repeat(" ##a", 99)},
		{"a decomposition that is a mark divides", "a\u1fefa", "a ` a"},
		{"nothing is nothing", " \n\t", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := strings.Join(names(ids(tok, c.text)), " "); got != c.want {
				t.Errorf("%q: %s; want %s", c.text, got, c.want)
			}
		})
	}
}

func TestAWordThatIsKnownLetterByLetterSaysSo(t *testing.T) {
	tok := tokenizer(t, embedtest.Tokenizer(pieces...))
	for _, c := range []struct {
		rule, text     string
		known, letters bool
	}{
		{"a word", "hello", true, false},
		{"a word of pieces", "unaffable", true, false},
		{"three letters", "abc", true, true},
		{"two letters may be a symbol", "ab", true, false},
		{"an unknown word", "xyz", false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for w := range tok.Words(c.text) {
				if w.Known != c.known || w.SingleLetters != c.letters {
					t.Errorf("%q: known %v, letters %v; want %v, %v", c.text, w.Known, w.SingleLetters, c.known, c.letters)
				}
			}
		})
	}
}

func TestAnotherTokenizerIsRefused(t *testing.T) {
	good := string(embedtest.Tokenizer("a"))
	for _, c := range []struct{ rule, old, new, want string }{
		{"no JSON", good, "{", "cannot be read"},
		{"not UTF-8", good, "\"\xff\"", "is not UTF-8"},
		{"another model", `"WordPiece"`, `"BPE"`, `type "BPE"`},
		{"another normaliser", `"BertNormalizer"`, `"NFC"`, "no BertNormalizer"},
		{"another pre-tokenizer", `"BertPreTokenizer"`, `"ByteLevel"`, "no BertPreTokenizer"},
		{"an added word", `"content":"[UNK]","id":1,"special":true`, `"content":"e-mail","id":1,"special":false`, "is not special"},
		{"a sequence of two", `{"type":"BertPreTokenizer"}`, `{"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"BertPreTokenizer"}]}`, "no BertPreTokenizer"},
		{"no unknown piece", `"unk_token":"[UNK]"`, `"unk_token":"?"`, "names no unk_token"},
		{"an id below 0", `"a":4`, `"a":-4`, "an id that is not from 0"},
		{"an id beyond all tables", `"a":4`, `"a":40000000000`, "an id that is not from 0"},
		{"an id that is a text", `"a":4`, `"a":"4"`, "cannot be read"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			_, err := wordpiece.Parse([]byte(text))
			if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != embed.ReasonUnsupportedTokenizer || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Read() = %#v, want %s with %q", err, embed.ReasonUnsupportedTokenizer, c.want)
			}
		})
	}
}

func TestWhatMeansTheSameIsReadTheSame(t *testing.T) {
	good := string(embedtest.Tokenizer(pieces...))
	for _, c := range []struct{ rule, old, new string }{
		{"a sequence of one pre-tokenizer", `{"type":"BertPreTokenizer"}`, `{"type":"Sequence","pretokenizers":[{"type":"BertPreTokenizer"}]}`},
		{"a sequence of one normaliser", `"normalizer":{`, `"normalizer":{"type":"Sequence","normalizers":[{"type":"BertNormalizer"}]},"x":{`},
		{"a control token that is not marked as one", `"special":true`, `"special":false`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			if got := strings.Join(names(ids(tokenizer(t, []byte(text)), "Café [SEP]!")), " "); got != "cafe [ sep ] !" {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestAccentsFollowTheSettings(t *testing.T) {
	for _, c := range []struct{ rule, strip, lower, want string }{
		{"null follows lower case: off", "null", "false", "[UNK]"},
		{"null follows lower case: on", "null", "true", "cafe"},
		{"off although letters are made small", "false", "true", "[UNK]"},
		{"on although they are not", "true", "false", "cafe"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text := strings.NewReplacer(`"strip_accents":null`, `"strip_accents":`+c.strip, `"lowercase":true`, `"lowercase":`+c.lower).
				Replace(string(embedtest.Tokenizer(pieces...)))
			if got := strings.Join(names(ids(tokenizer(t, []byte(text)), "café")), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestPublishedIDsAreReproduced(t *testing.T) {
	text, expected := sharedtest.Read(t, "vectors/semantic/static_tiny/tokenizer.json"), sharedtest.Read(t, "vectors/semantic/static_tiny/expected.json")
	var want struct {
		Cases []struct {
			Text string
			IDs  []int
		}
	}
	if err := json.Unmarshal(expected, &want); err != nil || len(want.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(want.Cases), err)
	}
	tok := tokenizer(t, text)
	unknown, _ := tok.ID("[UNK]")
	for _, c := range want.Cases {
		if got := ids(tok, c.Text); !slices.Equal(got, c.IDs) {
			t.Errorf("%q: %v, want %v (%d is unknown)", c.Text, got, c.IDs, unknown)
		}
	}
}

// Whatever a model writes: ids are of the vocabulary, and no control token is made.
func FuzzIDs(f *testing.F) {
	f.Add("unaffable hello! [SEP] 你好 é É İ ﬁ")
	f.Add("\u0345\u0301a\u1fefq\xff\x00")
	tok := tokenizer(f, embedtest.Tokenizer(pieces...))
	f.Fuzz(func(t *testing.T, text string) {
		words := 0
		for w := range tok.Words(text) {
			words++
			for _, id := range w.IDs {
				if id < 0 || id >= tok.Size() || id == 0 || id == 2 || id == 3 {
					t.Errorf("%q has the id %d", text, id)
				}
			}
			if len(w.IDs) == 0 || w.Known == (w.IDs[0] == 1) {
				t.Errorf("%q has the word %+v", text, w)
			}
		}
		if words > 4*utf8.RuneCountInString(text) {
			t.Errorf("%q has %d words", text, words)
		}
	})
}

// ids are the pieces of a whole text.
func ids(t *wordpiece.Tokenizer, text string) (all []int) {
	for w := range t.Words(text) {
		all = append(all, w.IDs...)
	}
	return all
}
