package refusal

import "testing"

func TestRules(t *testing.T) {
	d := New(nil)
	for i := range d.rules {
		r := &d.rules[i]
		if len(r.yes) == 0 || len(r.no) == 0 || r.why == "" {
			t.Errorf("rule %s lacks a reason or an example", r.name)
		}
		for _, text := range r.yes {
			v := d.view(text)
			ok := false
			for _, p := range d.places(v) {
				for _, f := range r.find(v, p) {
					held, _ := d.holds(r, f)
					ok = ok || r.mayStandAt(&p) && held
				}
			}
			if !ok {
				t.Errorf("rule %s does not find %q", r.name, text)
			}
		}
		for _, text := range r.no {
			if m, ok := d.Find(text); ok {
				t.Errorf("Find(%q) = %q by %s, but it is a near miss of rule %s", text, m.Evidence, m.Rule, r.name)
			}
		}
	}
}

func TestExceptions(t *testing.T) {
	d := New(nil)
	for i, e := range d.exceptions {
		if len(e.no) == 0 || e.why == "" {
			t.Errorf("exception %s lacks a reason or an example", e.name)
		}
		without := *d
		without.exceptions = append(append([]compiledException(nil), d.exceptions[:i]...), d.exceptions[i+1:]...)
		needed := false
		for _, text := range e.no {
			if m, ok := d.Find(text); ok {
				t.Errorf("Find(%q) = %q by %s, want exception %s to hold", text, m.Evidence, m.Rule, e.name)
			}
			_, found := without.Find(text)
			needed = needed || found
		}
		if !needed {
			t.Errorf("no example of exception %s needs it", e.name)
		}
	}
}
