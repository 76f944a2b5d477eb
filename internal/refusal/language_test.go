package refusal

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestEachLanguageFindsItsExamplesAndLeavesItsCounterexamples(t *testing.T) {
	d := New(nil)
	read := 0
	for _, l := range shippedLanguages().all {
		if l.Refuses == nil {
			continue
		}
		read++
		if len(l.Examples) < 6 || len(l.Counterexamples) < 4 {
			t.Errorf("a language has %d examples and %d counterexamples", len(l.Examples), len(l.Counterexamples))
		}
		for _, text := range l.Examples {
			if _, ok := d.Find(text); !ok {
				t.Errorf("Find(%q) = false, want a refusal", text)
			}
		}
		for _, text := range l.Counterexamples {
			if m, ok := d.Find(text); ok {
				t.Errorf("Find(%q) = %q, want none", text, m.Evidence)
			}
		}
	}
	if read != 14 {
		t.Errorf("%d languages are read, want 14", read)
	}
}

// Each set was scored once before anybody read its mistakes; those figures are in docs/accuracy.md. The first is older
// than the openings. The second has answers of everyday services, by a stranger; nobody who writes the openings reads
// its mistakes. The next are two halves of one set, of how models speak. Openings are learnt from the first half, which
// also has answers that were once taken for refusals. In the second, 106 refusals were found at its first scoring, and
// only the words of its false alarms were read since. The stranger's set is half of one that somebody wrote blind, who
// had not seen the openings: 26 of its 65 refusals were found at its first scoring. It is dev since; of the other half
// nobody reads the mistakes. The last two were written with the openings: the ways to refuse and answers with the same
// words; and answers that instruct, offer or report something after "I cannot", with refusals that only point
// elsewhere. Its three false alarms are known limits.
func TestSentencesOfFourteenLanguages(t *testing.T) {
	d := New(nil)
	for _, set := range []struct {
		name               string
		found, falseAlarms int // at least, at most
	}{
		{"languages-blind.txt", 70, 0}, {"languages-desks.txt", 66, 0}, {"languages-manners.txt", 188, 0},
		{"languages-manners-blind.txt", 156, 2}, {"languages-stranger.txt", 65, 0}, {"languages-stranger-blind.txt", 48, 0},
		{"languages-steps-blind.txt", 66, 6}, {"languages-ways.txt", 415, 0}, {"languages-instructions.txt", 28, 3},
	} {
		var c tally
		for text, refuses := range readSigned(t, set.name) {
			_, got := d.Find(text)
			c.add(refuses, got)
		}
		t.Logf("%s: %v", set.name, c)
		if c.tp < set.found || c.fp > set.falseAlarms {
			t.Errorf("%s: %d refusals found and %d answers taken for one, want at least %d and at most %d",
				set.name, c.tp, c.fp, set.found, set.falseAlarms)
		}
	}
}

// readSigned yields the texts of a file of lines "de + text", and whether they refuse. In a text, \n is a line break.
func readSigned(t *testing.T, name string) iter.Seq2[string, bool] {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, bool) bool) {
		for line := range strings.Lines(string(file)) {
			_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			sign, text, _ := strings.Cut(rest, " ")
			if !yield(strings.ReplaceAll(text, `\n`, "\n"), sign == "+") {
				return
			}
		}
	}
}

func TestTheEvidenceInEachLanguageEndsWithAWord(t *testing.T) {
	d := New(nil)
	for answer, want := range map[string]string{
		"Przykro mi, ale nie mogę w tym pomóc.":                 "nie mogę w tym pomóc",
		"Mi dispiace, non posso aiutarti con questa richiesta.": "non posso aiutarti",
		"죄송하지만 그 요청은 도와드릴 수 없습니다.":                              "도와드릴 수 없습니다",
		"申し訳ありませんが、お手伝いできませんので、ご了承ください。":                        "お手伝いできません",
	} {
		if m, _ := d.Find(answer); m.Evidence != want {
			t.Errorf("Find(%q) = %q, want %q", answer, m.Evidence, want)
		}
	}
}

func TestCuesOfOpeningsChangeNoReading(t *testing.T) {
	for _, l := range shippedLanguages().all {
		for s := range readSigned(t, "languages-manners.txt") {
			read := sentence{l.table().Read(text.Lower(s))}
			for _, p := range append(slices.Clone(l.openings), l.But, l.Instructs) {
				if p.Regexp != nil && p.Regexp().MatchString(read.Text) && !read.holds(&p) {
					t.Errorf("%q has no cue of %s, which matches it", s, p.source)
				}
			}
		}
	}
}

func TestAnAnswerInALanguageThatNothingReadsIsRemarked(t *testing.T) {
	d := New(nil)
	for text, want := range map[string]string{
		"Jag kan tyvärr inte hjälpa dig med det, men du kan fråga en läkare om det är något som oroar dig.": RemarkUnsupportedLanguage,
		"Λυπάμαι, αλλά δεν μπορώ να βοηθήσω με αυτό.":                                                       RemarkUnsupportedLanguage,
		"ขออภัย ฉันไม่สามารถช่วยเรื่องนั้นได้":                                                              RemarkUnsupportedLanguage,
		"Вибачте, але я не можу допомогти вам із цим, бо це заборонено законом.":                            RemarkUnsupportedLanguage,
		"Есе за тебе не писатиму, але можемо разом скласти план.":                                           RemarkUnsupportedLanguage,
		"Вибачте, не можу з цим допомогти.":                                                                 RemarkUnsupportedLanguage,
		"Не мога да помогна с това.":                                                                        RemarkUnsupportedLanguage,
		"मला माफ करा, मी यात मदत करू शकत नाही.":                                                             RemarkUnsupportedLanguage,
		"Извините, этого я сделать не смогу.":                                                               "",
		"Es tut mir leid, aber dabei kann ich nicht helfen.":                                                "",
		"Omlouvám se, ale s tímto vám bohužel nemohu pomoci.":                                               RemarkUnsupportedLanguage,
		"Balík dorazí ve čtvrtek a můžete si ho vyzvednout.":                                                RemarkUnsupportedLanguage,
		"Anteeksi, en voi tehdä tuota.":                                                                     RemarkUnsupportedLanguage,
		"A csomag csütörtökön érkezik, és a postán vehető át.":                                              RemarkUnsupportedLanguage,
		"Coletul ajunge joi și îl puteți ridica de la poștă.":                                               RemarkUnsupportedLanguage,
		"Ho sento, però no puc ajudar-te amb aquesta petició.":                                              RemarkUnsupportedLanguage,
		"Antonín Leopold Dvořák":    "",
		"It was written by Dvořák.": "",
		"Przepraszam, ale o panu Dvořáku nie mogę nic powiedzieć, bo to nie jest dozwolone.": "",
		"Das Paket kommt am Donnerstag an.": "",
		"The parcel arrives on Thursday.":   "",
		"High":                              "",
		"":                                  "",
		"42 kg; 17,5 %; ISO 9001":           "",
		"SELECT id FROM orders WHERE state = 'open' AND total > 100": "",
	} {
		if got := d.Detect(text); got.Remark != want {
			t.Errorf("Detect(%q).Remark = %q, want %q", text, got.Remark, want)
		}
	}
}

func TestAShortRefusalWithoutFrequentWordsIsFound(t *testing.T) {
	d := New(nil)
	for text, want := range map[string]bool{
		"Odmawiam napisania takiego tekstu.": true,
		"Veremem maalesef.":                  true,
		"Priority high":                      false,
		"Passo Fundo":                        false,
	} {
		r := d.Detect(text)
		if r.Refuses != want || r.Remark != "" {
			t.Errorf("Detect(%q) = %v by %q, %q; want %v", text, r.Refuses, r.Evidence, r.Remark, want)
		}
	}
}

func TestATextIsForeignIfItIsSurelyNotEnglish(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"die Frist beträgt zwei Wochen", true},
		{"Der Versand ist kostenlos.\nDie Frist endet bald und still.\n", true},
		{"la garantía dura dos años", true},
		{"гарантия два года", true},
		{"保修两年", true},
		{"", false},
		{"30 %", false},
		{"no fee on a card", false},
		{"we never lose a parcel", false},
		{"the café is closed on Monday", false},
		{"Café Müller", false},
		{"kostenlos", false}, // may be a name
	} {
		if got := IsForeign(c.text); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}
