// Package texttest makes texts that are hard to read, for tests of code that reads models' answers: contractions in
// every spelling, symbols, emoji, the quotation marks of many scripts, broken UTF-8, and sentences that deny, quote,
// question or withdraw the sentence next to them. Equal seeds give equal texts.
package texttest

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Text returns a text of up to about forty pieces. Equal seeds give equal texts.
func Text(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	var b strings.Builder
	for range 1 + r.IntN(4) {
		if r.IntN(3) == 0 {
			b.WriteString(quote(r, pick(r, Sentences)))
		} else {
			b.WriteString(phrase(r))
		}
		b.WriteString(pick(r, []string{" ", "\n", "\n\n", "", ". ", "? ", ", "}))
	}
	return b.String()
}

// phrase returns a few words, some of them contracted, joined by characters that may separate words.
func phrase(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(10) {
		switch r.IntN(6) {
		case 0:
			b.WriteString(Contraction(r.Uint64()))
		case 1:
			b.WriteString(pick(r, oddPieces))
		default:
			b.WriteString(recase(r, pick(r, words)))
		}
		b.WriteString(pick(r, separators))
	}
	return b.String()
}

// Contraction returns a word that is written together with another word, such as you're, DON’T or who＇d.
func Contraction(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	word := pick(r, heads) + pick(r, apostrophes) + pick(r, tails)
	if r.IntN(6) == 0 {
		word = pick(r, unmarkedContractions)
	}
	return recase(r, word)
}

func recase(r *rand.Rand, word string) string {
	switch r.IntN(8) {
	case 0:
		return strings.ToUpper(word)
	case 1:
		_, size := utf8.DecodeRuneInString(word)
		return strings.ToUpper(word[:size]) + word[size:]
	}
	return word
}

func quote(r *rand.Rand, text string) string {
	marks := pick(r, Quotes)
	return marks[0] + text + marks[1]
}

func pick[T any](r *rand.Rand, items []T) T { return items[r.IntN(len(items))] }

// Quotes are pairs of quotation marks, brackets and other marks that set a text apart.
var Quotes = [][2]string{
	{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"»", "«"}, {"«", "»"}, {"‘", "’"}, {"'", "'"}, {"`", "`"}, {"```\n", "\n```"}, {"「", "」"},
	{"『", "』"}, {"《", "》"}, {"〝", "〟"}, {"‹", "›"}, {"”", "”"}, {"❝", "❞"}, {"＂", "＂"}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"**", "**"},
	{"__", "__"}, {"~~", "~~"}, {"<b>", "</b>"}, {"<answer>", "</answer>"}, {"> ", "\n"}, {"- ", "\n"}, {"\u2067", "\u2069"}, {`{"label": "`, `"}`},
	{"$\\boxed{", "}$"}, {"\u0022", "\u201d"}, {"‘‘", "’’"}, {"``", "''"},
}

// Sentences are sentences that models write around an answer.
var Sentences = []string{
	"If that is not what you're after, tell me.", "If it's not what you've asked for, it's what they're after.",
	"That isn't what we'd call critical.", "It is not true that the refund is guaranteed.", "It's not guaranteed.",
	"I can't say whether it's compliant; you'll have to ask who's in charge.", "The verdict: non-compliant.", "Answer: **Compliant**.",
	"Actually, it's partially compliant.", "Wait, that's wrong.", "Not compliant, but partially compliant.", "Is it compliant? No.",
	"Severity: Critical\nConfidence: Low", "Option B is correct.", "I'm sorry, but I can't help with that.", "Some would say it's spam.",
	"The refund is guaranteed within 14 days.", "No refund, no returns, no exceptions.", "Not included: refunds, returns, MFA.",
	"- ❌ refund\n- ✅ returns", "| refund | no |\n|---|---|", "1. Get it.\n2. Don't do it.", "Here's how to do it: first, you'll need 2FA.",
	"Grade: A+", "Temperature < 10 °C, and > -1.", "C# isn't C++.", "Per section 5.9.3 of the GDPR Act, vendors must comply.",
	"The M.F.A. isn't required (it's optional).", "Who'd've thought that it'd be so?", "We don't offer any of these: refunds, returns.",
	"Kein Rückgaberecht; das ist nicht wahr.", "不合规。这不是真的。", "Ce n’est pas conforme.", "הכול בסדר.", "لا يوجد ضمان", "それは正しくない。",
}

var (
	heads = strings.Fields(`i you he she it we they who what that this there here where when how why let is isn are aren was wasn were weren do
		don does doesn did didn has hasn have haven had hadn will won would wouldn could couldn should shouldn can must mustn might mightn
		may need needn ain y'all vendor o rock'n an n İt ﬁt ſhe é`)
	tails                = strings.Fields("re s t d ll ve m n't nt em clock RE S T 's 're've re' ß İ")
	apostrophes          = []string{"'", "’", "‘", "ʼ", "`", "´", "′", "＇", "‛", "\u02bb", "ʹ", "''", "’\u200b", ""}
	unmarkedContractions = strings.Fields("cannot cant dont doesnt isnt wont arent wasnt inapplicable non non-compliant noncompliant non-non-compliant n't 't 's c.a.n.t")
	separators           = []string{" ", " ", " ", " ", "  ", "-", ", ", ": ", "\n", "/", " – ", "; ", " — ", ".", "",
		"'", "_", "\u00a0", "\u200b", "…", "|", "\t"}
	words = strings.Fields(`not no never nor neither without except none nothing unless if whether but however because although that which who
		what and or yet so is are was must shall should could would may might can will be been have compliant non-compliant partially applicable
		applies critical high low medium refund refunds guaranteed returns warranty the a an it this we you they answer verdict label therefore
		actually wait correction sorry true false wrong myth claims alleged some people believe doubt evidence fail fails to instead of rather than far
		from anything section clause 5.9.3 14 2 weeks days 50 % $ 1,000 two hundred MFA M.F.A. 2FA TLS 1.2 TLSv1.2 ISO27001 GDPR Act A+ A- C# C++ -1 <10
		>10 option B universe university happy happiness ing ed s ies sses y yy`)
	oddPieces = []string{"\xff", "\xc3", "\x00", "\r\n", "\u0301", "e\u0301", "\ufeff", "\u2028", "\ufffd", "👍", "👍🏽", "👨‍👩‍👧", "1️⃣", "🇩🇪", "❌", "✅", "✗", "☑", "☐ ", "[x] ", "[ ] ", "→", "⇒",
		"->", "-->", "…", "。", "、", "！", "？", "中", "か", "ก", "ß", "İ", "ı", "ﬁ", "ſ", "ǅ", "²", "½", "①", "Ⅳ", "٣", "é", "Å", "ñ", "<", ">", "</", "<b", "{", "}", "#", "*", "**", "_", "__",
		"~~", "`", "```", "'", "\"", "“", "”", "«", "$", "€", "%", "@", "&", "+", "=", "^", "\\", "|", "n/a", "N/A", "e.g.", "i.e.", "U.S.", "3.", "-", "‑", "—", "\u00ad", "\u202e", "\ue000", "\U0010ffff"}
)
