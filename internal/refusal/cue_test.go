package refusal

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

func TestCuesOf(t *testing.T) {
	tests := []struct {
		rule, pattern string
		want          []literal.Choice
	}{
		{"a literal is its own cue", `refuse`, []literal.Choice{{"refuse"}}},
		{"an alternation is one cue", `refuse|decline`, []literal.Choice{{"refuse", "decline"}}},
		{"neighbours are multiplied out", `can(?:not|'t)`, []literal.Choice{{"can't", "cannot"}}},
		{"what contains another literal is left out", `refus(?:e|ed)`, []literal.Choice{{"refuse"}}},
		{"what may be absent is no cue", `(?:help)?`, nil},
		{"unknown text separates cues", `refuse .*decline`, []literal.Choice{{"refuse "}, {"decline"}}},
		{"what must be repeated is a cue", `(?:help )+`, []literal.Choice{{"help "}}},
		{"single letters are no cue", `a|b`, nil},
		{"a branch without a cue leaves none", `refuse|.*`, nil},
		{"long literals are cut", `confidentiality`, []literal.Choice{{"confident"}}},
		{"phrases that are dull give none", `{adv} decline{serves}`, []literal.Choice{{" decline"}}},
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
		if !slices.ContainsFunc(slices.Concat(phrases, roles), func(p phrase) bool { return p.name == name }) {
			t.Errorf("dull names %q, which is no phrase", name)
		}
	}
}

// TestCuesChangeNoJudgement holds the cues against the patterns themselves: where one matches, its cues must stand.
func TestCuesChangeNoJudgement(t *testing.T) {
	t.Parallel()
	d := New(nil)
	var sample []string
	for i, text := range readCorpus(t, "refusals.txt") {
		if i%15 == 0 {
			sample = append(sample, text)
		}
	}
	for _, r := range d.rules {
		matched := 0
		for _, s := range sentencesOf(d, append(sample, r.yes...)) {
			found := r.pattern.regexp().MatchString(s.text)
			if got := s.findAll(&r.pattern, 1); (len(got) > 0) != found {
				t.Errorf("rule %s is found in %q: %v, its whole pattern: %v", r.name, s.text, got, found)
			}
			if !found {
				continue
			}
			matched++
			if !s.cues.hold(&r.pattern.needs) {
				t.Errorf("rule %s matches %q, which lacks its cues", r.name, s.text)
			}
		}
		if matched == 0 {
			t.Errorf("rule %s matches none of its own examples", r.name)
		}
	}
}

func sentencesOf(d *Detector, texts []string) []sentence {
	var out []sentence
	for _, text := range texts {
		v := d.view(text)
		for _, at := range english.Sentences(v.Lower) {
			out = append(out, d.sentence(v, at))
		}
	}
	return out
}

func TestScan(t *testing.T) {
	var book cueBook
	she, he, hers := book.add(`she`), book.add(`he`), book.add(`hers`)
	finder := book.Finder()
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
				for i, bits := range c.needs {
					want[i] |= bits
				}
			}
			if got := scan(finder, tt.text); got != want {
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
