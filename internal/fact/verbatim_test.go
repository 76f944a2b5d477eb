package fact_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/sharedtest"
)

// shortClaims are claims, each with an answer that says it in the same words.
var shortClaims = [][2]string{
	{"no side effects", "The supplement has no side effects."},
	{"bug free", "The software is bug-free."},
	{"risk free", "The investment is risk-free."},
	{"sugar free", "The drink is sugar-free."},
	{"gluten free", "Our bread is gluten-free."},
	{"tax-free", "The bonus is tax free."},
	{"refund is guaranteed", "- Refund: guaranteed\n- Shipping: free"},
	{"refunds are guaranteed", "**Refunds:** guaranteed"},
	{"shipping is free", "| Item | Price |\n|---|---|\n| Shipping | free |\n| Returns | 5 euros |"},
	{"no hidden fees", "There are no hidden fees."},
	{"no credit check", "We offer loans with no credit check."},
	{"never fails", "The backup never fails."},
	{"works without internet", "The app works without internet."},
	{"unlimited storage", "Every plan has unlimited storage."},
	{"money-back guarantee", "We give a *money back* guarantee."},
	{"cancel at any time", "You can cancel at any time."},
	{"FDA approved", "The device is FDA-approved."},
	{"100% safe", "The pill is “100% safe”."},
	{"cures cancer", "Our tea cures cancer."},
	{"guaranteed returns", "The fund offers guaranteed return."},
	{"lose 10 kg in a week", "You will lose 10 kg in a week."},
	{"if it breaks, we replace it", "If it breaks, we replace it!"},
	{"carbon neutral", "It is the only carbon-neutral parcel."},
	{"NO INTEREST", "Pay in three rates, with no interest."},
}

func TestAClaimOrFactIsSaidByItsOwnWords(t *testing.T) {
	for _, c := range shortClaims {
		if !states(t, c[0], c[1]) {
			t.Errorf("%q does not state %q", c[1], c[0])
		}
		if !covers(t, c[0], c[1]) {
			t.Errorf("%q does not cover %q", c[1], c[0])
		}
	}
}

func TestAClaimOrFactIsNotSaidWhereItsOwnWordsAreDenied(t *testing.T) {
	for _, c := range readSet[claimed](t, "claims", "denied") {
		if states(t, c.Claim, c.Answer) || covers(t, c.Claim, c.Answer) {
			t.Errorf("%q states or covers %q", c.Answer, c.Claim)
		}
	}
}

func TestOwnWordsAreReadInTheirPlaces(t *testing.T) {
	for _, c := range []struct {
		rule, text, answer string
		want               bool
	}{
		{"not where they stand in two sentences", "a refund is guaranteed", "You want a refund. Is guaranteed what you asked for?", false},
		{"not across the end of a sentence", "refund guaranteed", "Ask for a refund. Guaranteed delivery costs more.", false},
		{"with a value that is denied", "refund is guaranteed", "- Refund: not guaranteed", false},
		{"with a value that is asked", "refund is guaranteed", "- Refund: guaranteed? No.", false},
		{"in the cells of a row without a head", "refund is guaranteed", "| | |\n|---|---|\n| Refund | guaranteed |", true},
		{"over a line break", "refund is guaranteed", "Your refund is\nguaranteed.", true},
		{"in HTML", "refund is guaranteed", "A refund is <b>guaranteed</b>.", true},
		{"not by a word that denies itself", "the vendor is compliant", "The vendor is non-compliant.", false},
		{"not by the same word behind non", "compliant", "The vendor is non-compliant.", false},
		{"with non behind a space", "non compliant", "The vendor is non-compliant.", true},
		{"denied as bug-free is", "bug free", "It is not bug-free.", false},
		{"denied by its subject", "bug free", "No software is bug free.", false},
		{"asked", "bug free", "Is it bug free?", false},
		{"denied by who never said it", "no side effects", "We never said it has no side effects.", false},
		{"denied by who cannot say it", "no side effects", "I can't say it has no side effects.", false},
		{"not another word in small letters", "the ticket goes to IT", "The ticket goes to it.", false},
		{"not an amount that goes on", "the fee is 5", "The fee is 5 million.", false},
		{"not another name by its sign", "we write C#", "We write C++.", false},
		{"the same name by its sign", "we write C#", "We write C#.", true},
		{"not what is only not so", "only admins can delete", "Not only admins can delete.", false},
		{"beside an only of something else", "bug free", "Ours is the only software that is bug-free.", true},
		{"in a row whose columns differ", "free returns", "| Feature | Basic | Pro |\n|---|---|---|\n| Free returns | ❌ | ✅ |", true},
		{"in a row that says no and is crossed", "free returns", "| Free returns | No ❌ |\n| Free delivery | ✅ |", false},
		{"in a row behind one that is crossed", "free returns", "| Free delivery | ❌ |\n| Free returns | ✅ |", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := states(t, c.text, c.answer); got != c.want {
				t.Errorf("%q in %q: stated %v, want %v", c.text, c.answer, got, c.want)
			}
			if got := covers(t, c.text, c.answer); got != c.want {
				t.Errorf("%q in %q: covered %v, want %v", c.text, c.answer, got, c.want)
			}
		})
	}
}

// A condition takes something from a fact and leaves the claim as it is.
func TestAFactDoesNotYetHoldWhereAClaimIsSaid(t *testing.T) {
	const answer = "If the reform is passed, the limit is 5 GB."
	if covers(t, "the limit is 5 GB", answer) {
		t.Errorf("%q covers what does not yet hold", answer)
	}
	if !states(t, "the limit is 5 GB", answer) {
		t.Errorf("%q does not state what it says", answer)
	}
}

// ends matches where a sentence of plain prose ends.
var ends = regexp.MustCompile(`[.!]\s+|\n+`)

// declarative are the plain sentences of a text, of 5 to 30 words.
func declarative(text string) (out []string) {
	for _, s := range ends.Split(text, -1) {
		s = strings.TrimRight(strings.TrimSpace(s), ".!")
		n := len(strings.Fields(s))
		if n >= 5 && n <= 30 && s[0] >= 'A' && s[0] <= 'Z' && !strings.ContainsAny(s, `"?“”|*`) {
			out = append(out, s+".")
		}
	}
	return out
}

// saysItself tries every so many of the sentences of texts.
func saysItself(t *testing.T, texts []string, every, least int) {
	t.Helper()
	var all []string
	seen := map[string]bool{}
	for _, text := range texts {
		for _, s := range declarative(text) {
			if !seen[s] {
				all = append(all, s)
			}
			seen[s] = true
		}
	}
	tried := 0
	for i := 0; i < len(all); i += every {
		tried++
		if !states(t, all[i], all[i]) {
			t.Errorf("a sentence does not state itself: %q", all[i])
		}
		if !covers(t, all[i], "Here you are.\n\n- "+all[i]+"\n- That is all.") {
			t.Errorf("a sentence does not cover itself: %q", all[i])
		}
	}
	t.Logf("%d of %d sentences", tried, len(all))
	if tried < least {
		t.Errorf("%d sentences, want at least %d", tried, least)
	}
}

func TestEverySentenceSaysItself(t *testing.T) {
	var texts []string
	for _, c := range readSet[stating](t, "facts", "dev") {
		texts = append(texts, c.Fact+"\n"+c.Answer)
	}
	for _, c := range readSet[claimed](t, "claims", "dev") {
		texts = append(texts, c.Claim+"\n"+c.Answer)
	}
	saysItself(t, texts, 1, 1000)
}

func TestEverySentenceOfAModelSaysItself(t *testing.T) {
	var texts []string
	names := []string{"xstest-dev/gpt4", "xstest-dev/llama2orig", "xstest-dev/mistralguard", "refusals-dev/chatgpt"}
	for _, name := range names {
		for line := range bytes.Lines(sharedtest.Read(t, "data/"+name+".jsonl")) {
			var answer struct{ Completion string }
			if err := json.Unmarshal(line, &answer); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, answer.Completion)
		}
	}
	saysItself(t, texts, 5, 1500)
}

func TestAClaimIsSaidBehindAllThatLimitsIt(t *testing.T) {
	answer := strings.Repeat("Only for members a refund is guaranteed. ", 40) + "A refund is guaranteed."
	if !states(t, "a refund is guaranteed", answer) {
		t.Error("a claim is not found behind many that hold only of a part")
	}
}
