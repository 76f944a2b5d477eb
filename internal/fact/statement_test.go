package fact_test

import "testing"

func TestAKeyFactIsCoveredByOneStatement(t *testing.T) {
	const fact = "the front valve was replaced on 4 May 2021"
	for _, c := range []struct {
		rule, fact, answer string
		want               bool
	}{
		{"the next sentence goes on by a pronoun", fact, "The front valve is new. It was replaced on 4 May 2021.", true},
		{"the sentence goes on without a subject", fact, "The front valve was cleaned and replaced on 4 May 2021.", true},
		{"something put in divides nothing", fact, "The front valve, like most others, was replaced on 4 May 2021.", true},
		{"a circumstance leads into it", fact, "On 4 May 2021, the front valve was replaced.", true},
		{"the line of a list goes on with its heading", fact, "**Front valve**\n- replaced on 4 May 2021", true},
		{"a row goes on with the head of its table", fact, "| Valve | Replaced |\n|---|---|\n| Front | 4 May 2021 |", true},
		{"a verb of another subject", fact, "The front valve was cleaned on 1 May 2021 and the rear valve was replaced on 4 May 2021.", false},
		{"another heading", fact, "**Front valve**\n- cleaned\n\n**Rear valve**\n- replaced on 4 May 2021", false},
		{"another row", fact, "| Valve | Replaced |\n|---|---|\n| Front | 1 May 2021 |\n| Rear | 4 May 2021 |", false},
		{"a comparison turned round", "zinc is harder than tin", "Tin is harder than zinc.", false},
		{"what would have been", "the bank paid 500 euros", "Had the bank known, it would have paid 500 euros.", false},
		{"a report that is refuted", "the bank closes at six", "A neighbour told me that the bank closes at six. She got that wrong.", false},
		{"a report that is not", "the bank closes at six", "The receptionist says that the bank closes at six.", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := covers(t, c.fact, c.answer); got != c.want {
				t.Errorf("fact %q in %q: covered %v, want %v", c.fact, c.answer, got, c.want)
			}
		})
	}
}

func TestAForbiddenClaimGoesOnWithItsSubject(t *testing.T) {
	const claim = "the lamp is waterproof"
	for _, c := range []struct {
		rule, claim, answer string
		want                bool
	}{
		{"behind something put in", claim, "The lamp, on the other hand, is waterproof.", true},
		{"by a pronoun", claim, "The lamp isn't heavy. It is, however, waterproof.", true},
		{"by a pronoun that is denied", claim, "The lamp isn't heavy. It isn't waterproof, though.", false},
		{"not by the pronoun of another subject", claim, "The lamp is heavy. The tent is new. It is waterproof.", false},
		{"under its heading", claim, "## The lamp\n\n- is waterproof\n- weighs 300 g", true},
		{"in the cells of a row", "old lamps leak oil", "| What | Finding |\n|---|---|\n| Old lamps | leak oil |", true},
		{"not in a column of myths", "old lamps leak oil", "| Myth | Truth |\n|---|---|\n| Old lamps leak oil | They do not |", false},
		{"behind its condition", "the lamp can be opened when it is cold", "Once it is cold, the lamp can be opened.", true},
		{"not where somebody says it", claim, "A blog says that the lamp is waterproof.", false},
		{"where a source of one's own says it", claim, "Our manual says that the lamp is waterproof.", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := states(t, c.claim, c.answer); got != c.want {
				t.Errorf("claim %q in %q: stated %v, want %v", c.claim, c.answer, got, c.want)
			}
		})
	}
}
