package literal_test

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/literal"
)

func choices(t *testing.T, r literal.Extractor, pattern string) []literal.LiteralSet {
	t.Helper()
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	return r.Extract(re)
}

func TestChoices(t *testing.T) {
	tests := []struct {
		rule, pattern string
		rules         literal.Extractor
		want          []literal.LiteralSet
	}{
		{"the most telling choice comes first", `ab.*(?:refuse|decline)`, literal.Extractor{}, []literal.LiteralSet{{"refuse", "decline"}, {"ab"}}},
		{"a short text is none, unless it is rare", `: x.*:`, literal.Extractor{Rare: ":"}, []literal.LiteralSet{{":"}, {": x"}}},
		{"a pattern for which case does not count has none", `(?i)refuse`, literal.Extractor{}, nil},
		{"one of the alternatives has none", `refuse|[a-z]+`, literal.Extractor{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, choices(t, tt.rules, tt.pattern)); diff != "" {
				t.Errorf("%q, -want +got:\n%s", tt.pattern, diff)
			}
		})
	}
}

func TestEveryMatchHoldsALiteralOfEveryChoice(t *testing.T) {
	text := "Refused: we can't, we cannot, we won't help.\nCall 555-1234 or mail to a.b@example.org; it costs £5, straße 7, KELVIN."
	for _, pattern := range []string{`can(?:not|'t)`, `(?i)REFUSE[ds]?`, `(?:won't|will not) \w+`, `[0-9]{3}-[0-9]{4}`, `(?i)we (?:can|won).*help`, `(?m)^call|^mail`,
		`\w+(?:\.\w+)+@`, `(?i)straße \d`, `(?i)k[ae]lvin`, `(?s)we.*costs?`, `£\d`} {
		for _, rules := range []literal.Extractor{{}, {Rare: "@£"}} {
			re := regexp.MustCompile(pattern)
			for _, match := range re.FindAllString(text, -1) {
				for _, choice := range choices(t, rules, re.String()) {
					if !slices.ContainsFunc(choice.Minimal(), func(s string) bool { return strings.Contains(match, s) }) {
						t.Errorf("%s with %+v: %q holds none of %q", pattern, rules, match, choice)
					}
				}
			}
		}
	}
}

func TestAFinderFindsWhatContainsFinds(t *testing.T) {
	all := []literal.LiteralSet{{"she"}, {"he", "x"}, {"hers"}, {"sh", "ers"}, {}, {"he"}}
	var book literal.FinderBuilder
	var needs []literal.Set
	for _, c := range all {
		needs = append(needs, book.Add([]literal.LiteralSet{c}))
	}
	f := book.Build()
	for _, text := range []string{"", "ushers", "sshe", "sxhe", "h e r s", "heheshers"} {
		found := f.Scan(text)
		for i, c := range all {
			if want := slices.ContainsFunc(c, func(s string) bool { return strings.Contains(text, s) }); found.Has(needs[i]) != want {
				t.Errorf("%q holds one of %q: %v, want %v", text, c, !want, want)
			}
		}
	}
}
