package literal_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/literal"
)

// Each expression is searched in texts that it matches and in others, beside expressions with other literals.
func TestATableFindsWhatTheExpressionsMatch(t *testing.T) {
	texts := []string{"", "ushers", "heheshers", "Refused: we can't, we cannot, we won't help.\nCall 555-1234 or mail to a.b@example.org; it costs £5, straße 7, KELVIN.",
		"call me\nmail me", "no: a : b", "strasse 7", "abab", "x"}
	table := literal.NewTable(literal.Phrases{"call": "call|{mail}", "mail": "mail"})
	all := map[string]literal.Expression{}
	for _, source := range []string{`can(?:not|'t)`, `(?i)REFUSE[ds]?`, `(?:won't|will not) \w+`, `[0-9]{3}-[0-9]{4}`, `(?i)we (?:can|won).*help`, `(?m)^{call}`,
		`\w+(?:\.\w+)+@`, `(?i)straße \d`, `(?i)k[ae]lvin`, `(?s)we.*costs?`, `£\d`, `: ?[ab]`, `(?:ab)+`, `s?he|hers`, `x*`, `(?:he|she){2}`, `[a-z]+:|refuse`} {
		e, err := table.Add(source)
		if err != nil {
			t.Fatal(err)
		}
		all[source] = e
	}
	for source, e := range all {
		matched := 0
		for _, text := range texts {
			want := e.Regexp().MatchString(text)
			if got := table.Read(text).Matches(e); got != want {
				t.Errorf("%s matches %q: %v, want %v", source, text, got, want)
			}
			if want {
				matched++
			}
		}
		if matched == 0 {
			t.Errorf("%s matches no text", source)
		}
	}
}

func TestATextWithoutTheLiteralsIsNotSearched(t *testing.T) {
	for _, c := range []struct{ pattern, without, with string }{
		{`ab.*(?:refuse|decline)`, "about declining", "ab decline"},
		{`ab.*(?:refuse|decline)`, "they decline", "ab refuse"},
		{`(?:can|could)(?: not|n't) help`, "I can help", "could not help"},
		{`: x.*:`, "a, x", ": x :"},
		{`(?:we (?:stop|halt)|you [a-z]+ stop)`, "we go on", "you just stop"},
	} {
		table := literal.NewTable(nil)
		e, err := table.Add(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if table.Read(c.without).MayMatch(e) || !table.Read(c.with).MayMatch(e) {
			t.Errorf("%s may match %q: %v, %q: %v; want only the last", c.pattern, c.without, table.Read(c.without).MayMatch(e), c.with, table.Read(c.with).MayMatch(e))
		}
	}
}

func TestAnExpressionThatDoesNotParseIsAnError(t *testing.T) {
	if _, err := literal.NewTable(nil).Add("("); err == nil || !strings.Contains(err.Error(), "missing closing") {
		t.Errorf("Add: %v", err)
	}
}

func TestAPartHasTheLiteralsOfItsText(t *testing.T) {
	table := literal.NewTable(nil)
	e, err := table.Add("(b)c|d")
	if err != nil {
		t.Fatal(err)
	}
	text := table.Read("abcd")
	if !text.Part(1, 3).Matches(e) || text.Part(0, 2).Matches(e) || len(text.From(1).FindAll(e, -1)) != 2 {
		t.Errorf("a part matches %v, another %v", text.Part(1, 3).Matches(e), text.Part(0, 2).Matches(e))
	}
}

// The literals of an expression are no guess: whatever it is made of, no match is passed over.
func TestNoMatchIsPassedOver(t *testing.T) {
	parts := []string{"a", "ab", "b?", "[ac]", "(?:a|bc)", "(?:ab|c)+", "c{2}", ".", `\bca`, "(?:[a-z]+ b|ca)", "(?:abc|bca|[^a]b)", "é", ": "}
	texts := []string{"a", "ab", "abc", "bca ab", "cc abcab", "éab", "ca: cc", "abab bcbc", "ac b", "é: a", "xb ca", "cab", ""}
	rapid.Check(t, func(t *rapid.T) {
		table := literal.NewTable(nil)
		var all []literal.Expression
		for range 4 {
			source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 4).Draw(t, "parts"), "")
			e, err := table.Add(source)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 1, 3).Draw(t, "texts"), "")
		for _, e := range all {
			if want := e.Regexp().MatchString(text); table.Read(text).Matches(e) != want {
				t.Fatalf("%v matches %q: %v, want %v", e.Regexp(), text, !want, want)
			}
		}
	})
}
