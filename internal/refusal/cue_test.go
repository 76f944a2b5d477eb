package refusal

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCuesOf(t *testing.T) {
	tests := []struct {
		rule, pattern string
		want          []choice
	}{
		{"a literal is its own cue", `refuse`, []choice{{"refuse"}}},
		{"an alternation is one cue", `refuse|decline`, []choice{{"refuse", "decline"}}},
		{"neighbours are multiplied out", `can(?:not|'t)`, []choice{{"can't", "cannot"}}},
		{"what contains another literal is left out", `refus(?:e|ed)`, []choice{{"refuse"}}},
		{"what may be absent is no cue", `(?:help)?`, nil},
		{"unknown text separates cues", `refuse .*decline`, []choice{{"refuse "}, {"decline"}}},
		{"what must be repeated is a cue", `(?:help )+`, []choice{{"help "}}},
		{"single letters are no cue", `a|b`, nil},
		{"a branch without a cue leaves none", `refuse|.*`, nil},
		{"long literals are cut", `confidentiality`, []choice{{"confident"}}},
		{"phrases that are dull give none", `{adv} decline{serves}`, []choice{{" decline"}}},
		{"a pattern that matches nothing known has none", ``, nil},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, cuesOf(tt.pattern)); diff != "" {
				t.Errorf("cuesOf(%q), -want +got:\n%s", tt.pattern, diff)
			}
		})
	}
}

func TestDullPhrasesExist(t *testing.T) {
	for _, name := range dull {
		if !slices.ContainsFunc(phrases, func(p phrase) bool { return p.name == name }) {
			t.Errorf("dull names %q, which is no phrase", name)
		}
	}
}

// TestCuesChangeNoJudgement holds the cues against the patterns themselves: where one matches, its cues must stand.
func TestCuesChangeNoJudgement(t *testing.T) {
	d := New(nil)
	matched := 0
	for _, text := range exampleTexts(t) {
		v := newView(text)
		for _, at := range sentences(v.lower) {
			s := d.sentence(v, at)
			for _, r := range d.rules {
				if !r.pattern.regexp().MatchString(s.text) {
					continue
				}
				matched++
				if !s.cues.hold(r.pattern.needs) {
					t.Errorf("rule %s matches %q, which lacks its cues", r.name, s.text)
				}
			}
		}
	}
	if matched == 0 {
		t.Error("no rule matched any text")
	}
}

// exampleTexts returns every rule's examples and, unless tests are to be short, a part of the corpus.
func exampleTexts(t *testing.T) []string {
	var out []string
	for _, r := range newRulebook().rules {
		out = append(append(out, r.yes...), r.no...)
	}
	if testing.Short() {
		return out
	}
	for i, text := range readCorpus(t, "refusals.txt") {
		if i%4 == 0 {
			out = append(out, text)
		}
	}
	return out
}

func TestScanner(t *testing.T) {
	var book cueBook
	she, he, hers := book.add(`she`), book.add(`he`), book.add(`hers`)
	s := book.scanner()
	tests := []struct {
		rule, text string
		want       []cued
	}{
		{"a literal inside another is found too", "ushers", []cued{she, he, hers}},
		{"after a wrong start the search goes on", "sshe", []cued{she, he}},
		{"letters of no literal break one off", "sxhe", []cued{he}},
		{"nothing is found in nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var want cueSet
			for _, c := range tt.want {
				want.join(c.needs)
			}
			if got := s.scan(tt.text); got != want {
				t.Errorf("scan(%q) = %b, want %b", tt.text, got, want)
			}
		})
	}
}

func BenchmarkNewRulebook(b *testing.B) {
	for b.Loop() {
		newRulebook()
	}
}
