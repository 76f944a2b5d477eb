package label_test

import "testing"

// A label whose symbols belong to it is found whole and by itself: a longer number, a longer row of signs, an arrow and
// the mark of a list are none.
func TestALabelWithSignsIsNoPartOfSomethingElse(t *testing.T) {
	votes, bands, grades, marks, shares := []string{"-1", "0", "1"}, []string{"<10", "10-20", ">20"}, []string{"A+", "A-", "A", "B"}, []string{"+", "-", "0"}, []string{"5%", "50%"}
	languages, platforms := []string{"C++", "C", "Java"}, []string{".NET", "Java"}
	run(t, []labelCase{
		{"a sign of its own", votes, "-1", "It is -1.", 1},
		{"the end of a score", votes, "-1", "The sentiment is 5-1.", 0},
		{"the beginning of a longer number", votes, "-1", "It is -12.", 0},
		{"the beginning of a number with a fraction", votes, "-1", "It scores -1.5.", 0},
		{"a bound", bands, "<10", "It is <10.", 1},
		{"the beginning of a longer bound", bands, "<10", "It is <100.", 0},
		{"a row of signs before it", bands, "<10", "It is <<10.", 0},
		{"an arrow before a number", bands, ">20", "It follows => 20 people came.", 0},
		{"a grade", grades, "A+", "The grade is A+.", 1},
		{"one sign more", grades, "A+", "The grade is A++.", 0},
		{"an arrow behind a letter", grades, "A-", "A-> the best.", 0},
		{"a name that goes on", languages, "C++", "It is C++x.", 0},
		{"a longer name that ends so", platforms, ".NET", "It is ASP.NET.", 0},
		{"a longer name that begins so", platforms, ".NET", "It is .NETwork.", 0},
		{"a share", shares, "5%", "The change is 5%.", 1},
		{"a share below zero", shares, "5%", "The change is -5%.", 0},
		{"a share of a fraction", shares, "5%", "The change is .5%.", 0},
		{"a mere sign", marks, "-", "Sentiment: -", 1},
		{"the mark of a list", marks, "-", "- it is fine", 0},
		{"a sign of two, the first", marks, "+", "+/-", 0},
		{"a sign of two, the second", marks, "-", "+/-", 0},
	})
}
