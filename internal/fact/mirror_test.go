package fact_test

import "testing"

func TestWhatChangesPlacesTurnsAFactRound(t *testing.T) {
	for _, c := range []struct {
		fact, answer string
		want         bool
	}{
		{"The dog bit the postman.", "The postman bit the dog.", false},
		{"Mr. Tanaka sold the house to Mrs. Weber.", "In 2015 Mrs. Weber sold the house to Mr. Tanaka for 310,000 euros.", false},
		{"The letter is from Anna to Paul.", "The letter is from Paul to Anna.", false},
		{"Install Docker before Kubernetes.", "Install Kubernetes before Docker.", false},
		{"Paris lies north of Lyon.", "Lyon lies north of Paris.", false},
		{"Ben is the son of Anna.", "Anna is the son of Ben.", false},

		{"Google owns YouTube.", "YouTube is owned by Google.", true},
		{"Google owns YouTube.", "YouTube, which Google owns, is large.", true},
		{"Install Docker before Kubernetes.", "Before Kubernetes, install Docker.", true},
		{"The train goes from Bonn to Köln.", "From Bonn, the train goes to Köln.", true},
		{"Anna and Paul signed.", "Paul and Anna signed.", true},
		{"Anna married Paul.", "Paul married Anna.", true},
		{"The largest city in Australia is Sydney.", "Sydney is Australia's largest city.", true},
	} {
		if got := covers(t, c.fact, c.answer); got != c.want {
			t.Errorf("%q covers %q: %v, want %v", c.answer, c.fact, got, c.want)
		}
	}
}
