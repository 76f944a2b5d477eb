package refusal

import "testing"

func TestEachRuleFindsItsExamplesAndLeavesItsCounterexamples(t *testing.T) {
	d := New(nil)
	for i := range d.rules {
		r := &d.rules[i]
		if len(r.Examples) == 0 || len(r.Counterexamples) == 0 || r.About == "" {
			t.Errorf("rule %s lacks a reason, an example or a counterexample", r.Name)
		}
		for _, text := range r.Examples {
			if !d.findsBy(r, text) {
				t.Errorf("rule %s does not find %q", r.Name, text)
			}
		}
		for _, text := range r.Counterexamples {
			if m, ok := d.Find(text); ok {
				t.Errorf("Find(%q) = %q by %s, a counterexample of rule %s", text, m.Evidence, m.Rule, r.Name)
			}
		}
	}
}

// findsBy reports whether a rule finds a refusal in a text, whatever the rules before it find.
func (d *Detector) findsBy(r *rule, text string) bool {
	v := d.view(text)
	for _, p := range d.places(&v) {
		for _, h := range r.hits(&v, &p) {
			if refuses, _ := d.weigh(r, h); refuses {
				return true
			}
		}
	}
	return false
}

func TestEachExceptionIsNeededByItsCounterexamples(t *testing.T) {
	d := New(nil)
	for i, e := range d.exceptions {
		b := *d.book
		b.exceptions = append(append([]rule(nil), d.exceptions[:i]...), d.exceptions[i+1:]...)
		without := &Detector{book: &b}
		needed := false
		for _, text := range e.Counterexamples {
			if m, ok := d.Find(text); ok {
				t.Errorf("Find(%q) = %q by %s, want exception %s to hold", text, m.Evidence, m.Rule, e.Name)
			}
			_, found := without.Find(text)
			needed = needed || found
		}
		if !needed {
			t.Errorf("no counterexample of exception %s needs it", e.Name)
		}
	}
}

func TestEachSignHasAPattern(t *testing.T) {
	d := New(nil)
	d.signs.each(func(name string, p *pattern) {
		if p.Regexp == nil {
			t.Errorf("rules.json has no sign %s", name)
		} else {
			p.Regexp()
		}
	})
}

// TestCuesChangeNoReading compares the cues with the patterns themselves: what a pattern matches has its cues.
func TestCuesChangeNoReading(t *testing.T) {
	t.Parallel()
	d := New(nil)
	sample := readCorpus(t, "refusals.txt")[:40]
	for i := range d.rules {
		r, matched := &d.rules[i], 0
		for _, text := range append(sample, r.Examples...) {
			v := d.view(text)
			for _, p := range d.places(&v) {
				matches := r.Pattern.Regexp().MatchString(p.Text)
				if got := len(p.findAll(&r.Pattern, 1)) > 0; got != matches {
					t.Errorf("rule %s is found in %q: %v, its whole pattern: %v", r.Name, p.Text, got, matches)
				}
				if matches {
					matched++
				}
			}
		}
		if matched == 0 {
			t.Errorf("rule %s matches none of its own examples", r.Name)
		}
	}
}

func BenchmarkNewBook(b *testing.B) {
	for b.Loop() {
		newBook(rulesFile)
	}
}
