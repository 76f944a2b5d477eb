package fact

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/english"
)

func TestAPatternIsNotSearchedForInATextThatIsTooLong(t *testing.T) {
	const costly = "/(x.?){400}(y.?){400}z/"
	s := &Synonyms{}
	f, err := s.Fact(costly)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Claim(costly)
	if err != nil {
		t.Fatal(err)
	}
	long, short := english.Parse(strings.Repeat("xa xyz ", 30_000)), english.Parse("A word.")
	if f.Match(long).Outcome == Said || !f.TooCostly(long) || f.TooCostly(short) {
		t.Error("a fact is covered that was not looked for, or not said to be too costly")
	}
	if !c.StatedIn(long) || c.StatedIn(short) {
		t.Error("of a claim that was not looked for it is said that it is not stated")
	}
	plain, err := s.Fact("/xyz/")
	if err != nil || plain.Match(long).Outcome != Said {
		t.Errorf("a pattern that costs little is not found in a long text: %v", err)
	}
}
