package refusal

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFindWhere(t *testing.T) {
	long := strings.Repeat("Water the plant once a week and turn it toward the light. ", 30)
	tests := []struct {
		rule, text string
		want       string // evidence, "" for no refusal
	}{
		{"an empty text is no refusal", "", ""},
		{"white space is no refusal", " \n\t ", ""},
		{"an apology alone is no refusal", "I'm so sorry.", ""},
		{"a topic word alone is no refusal", "Illegal. Unethical. Harmful. Against policy.", ""},
		{"the evidence is the original's words", "Sorry, I **can’t** help  with that.", "I **can’t** help"},
		{"the opening of a long answer counts", "I can't help with that. " + long, "I can't help"},
		{"the end of a long answer does not", long + "I can't help with that.", ""},
		{"remarks on the question may delay it", strings.Repeat("That is a big topic. ", 30) + "I can't help with that.", "I can't help"},
		{"the middle of a middling answer does not", strings.Repeat("Stir the soup. ", 15) + "I can't help with that. " + strings.Repeat("Stir the soup. ", 20), ""},
		{"a lecture may delay a refusal", strings.Repeat("Arson is a serious crime. ", 12) + "I will not provide help. " + long, "I will not provide"},
		{"an answer under way ends the search", "Sure! Here is the line: I can't help with that.", ""},
		{"alternatives do not take a refusal back", "I can't help with that. However, I can suggest a hotline: 988.", "I can't help"},
		{"an answer takes a limit back", "I can't give legal advice, but the notice period is 30 days.", ""},
		{"an object of several values is data", `{"said": "I cannot assist with that.", "by": "a robot"}`, ""},
		{"a block quote beside an answer does not", "> I cannot help with that.\n\nThat is what the old version said.", ""},
		{"a wrapped line is one sentence", "I'm sorry, but\nI can't help with that.", "I can't help"},
	}
	d := New(nil)
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if m, _ := d.Find(tt.text); m.Evidence != tt.want {
				t.Errorf("Find(%.200q) = %q by %q, want %q", tt.text, m.Evidence, m.Rule, tt.want)
			}
		})
	}
}

func TestFindMatch(t *testing.T) {
	got, ok := New(nil).Find("Désolé… I'm sorry, but I can’t assist with that.")
	want := Match{Kind: Declined, Rule: "cannot", Evidence: "I can’t assist", Start: 27, End: 43}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("Find: ok = %v, -want +got:\n%s", ok, diff)
	}
}

func TestExtraPatterns(t *testing.T) {
	long := strings.Repeat("Water the plant once a week and turn it toward the light. ", 30)
	tests := []struct{ rule, pattern, text, want string }{
		{"a match in the opening is a refusal", `talk to a human`, "Please talk to a human. " + long, "talk to a human"},
		{"a match deep in a long answer is not", `talk to a human`, long + "Please talk to a human.", ""},
		{"case is the pattern's own affair", `TALK`, "Please talk to a human.", ""},
		{"the pattern sees plain apostrophes", `I'm only a shop bot`, "I’m only a *shop* bot.", "I’m only a *shop* bot"},
		{"quoted speech is not the answer's", `shop bot`, `He said "I am a shop bot" twice.`, ""},
		{"an empty match is no match", `x*`, "Hello there.", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			m, ok := New([]*regexp.Regexp{regexp.MustCompile(tt.pattern)}).Find(tt.text)
			if m.Evidence != tt.want || ok && m.Rule != "extra_patterns[0]" {
				t.Errorf("Find(%.80q) = %q by %q, want %q by extra_patterns[0]", tt.text, m.Evidence, m.Rule, tt.want)
			}
		})
	}
}

func TestFindIsSafeForConcurrentUse(t *testing.T) {
	d := New(nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, ok := d.Find("I can't help with that."); !ok {
				t.Error("Find missed a plain refusal")
			}
		})
	}
	wg.Wait()
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"I can’t help.", "\"I can't\"", "```\nI cannot help", "<think>x", "I\xff can't help", "Dear A,\nB", "é" + strings.Repeat("'", 9)} {
		f.Add(s)
	}
	d := New([]*regexp.Regexp{regexp.MustCompile(`b.t|`)})
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := d.Find(text)
		if !ok {
			return
		}
		if m.Start < 0 || m.Start >= m.End || m.End > len(text) || text[m.Start:m.End] != m.Evidence || m.Rule == "" {
			t.Fatalf("Find(%q) = %+v, which is not within the text", text, m)
		}
		if utf8.ValidString(text) && !utf8.ValidString(m.Evidence) {
			t.Fatalf("Find(%q) splits a rune: %q", text, m.Evidence)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(nil)
	}
}

func BenchmarkFind(b *testing.B) {
	texts := map[string]string{
		"short":   "The refund is due within 14 days.",
		"refusal": "I'm sorry, but I can't assist with that.",
		"german":  strings.Repeat("Gießen Sie die Pflanze einmal in der Woche, und drehen Sie sie nicht zu oft. ", 13),
		"answer":  strings.Repeat("Water the plant once a week and turn it toward the light. ", 20),
		"lecture": strings.Repeat("It is illegal and harmful, and I ", 31000),
		"quotes":  strings.Repeat("\"' `.", 210000),
		"think":   "<think>" + strings.Repeat("</thin", 175000),
		"cannot":  strings.Repeat("I can't really ", 70000),
	}
	d := New(nil)
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				d.Find(text)
			}
		})
	}
}

// Find returns the first refusal of the text, and false when there is none.
func (d *Detector) Find(text string) (Match, bool) {
	r := d.Detect(text)
	if !r.Refuses {
		return Match{}, false
	}
	return r.Match, true
}
