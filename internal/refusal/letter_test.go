package refusal

import "testing"

// A letter on lines of its own speaks for whoever signs it. What a model signs for itself is its own word.
func TestALetterThatIsDraftedIsNoRefusal(t *testing.T) {
	d := New(nil)
	for text, want := range map[string]bool{
		"Dear team,\n\nI can't attend the meeting tomorrow. Please go on without me.\n\nBest,\nAnna":          false,
		"Here it is:\n\nDear Ms. Miller, I'm sorry, but I cannot accept the offer. Sincerely, Anna B. Keller": false,
		"Dear customer, I'm sorry, but I can't help with that. Best regards, Acme Support":                    true,
		"Dear user, I'm sorry, but I can't help with that.":                                                   true,
		"I'm sorry, but I can't help with that. Best, Anna":                                                   true,
		"I can't write such a letter.\n\nHi Tom, I can't help you with the move on Saturday. Cheers, Anna":    true,
		"Hi, I can't help with that. It is not the best. Anna":                                                true,
	} {
		if m, got := d.Find(text); got != want {
			t.Errorf("Find(%q) = %v by %q (%q), want %v", text, got, m.Rule, m.Evidence, want)
		}
	}
}
