package english

import (
	"cmp"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Amount is a number with its unit. Its value is in base units, so that 2 weeks equal 14 days, and 50 % equals 50
// percent.
type Amount struct {
	value    float64 // in base units: seconds, months, bytes, …
	Unit     string  // "" for a bare number
	Number   float64 // the number as it is written
	bound    int8    // 1 at least, -1 at most, 0 neither
	part     bool    // a fraction in words, which digits give only roughly: a third is 33 %
	led      int8    // 1 after "by": how much something changes; -1 after "to": what it changes to
	apart    bool    // a difference: 5 % lower
	LastWord int     // index of its last word in the text
	Exact    bool    // written in digits, or with a unit; "two" in "two factors" may be an ordinary word
}

// rounded is the largest difference, in percentage points, between a fraction in words and the same fraction in digits:
// a third and 33 %.
const rounded = 0.7

// Matches reports whether b has the number and the unit of a, and does not contradict what else a says. If a has no
// unit, b may have any unit. If a has no unit and b is a date, the day or the year of b must be the number of a.
func (a Amount) Matches(b Amount) bool {
	switch {
	case a.Unit == dateUnit:
		return b.Unit == dateUnit && sameDate(a.value, b.value) && a.agrees(b)
	case b.Unit == dateUnit:
		return a.Unit == "" && (a.value == math.Floor(b.value/1e4) || a.value == math.Mod(b.value, 100))
	}
	value := b.value
	if a.Unit == "" {
		value = b.Number
	}
	near := 1e-9 * math.Max(1, math.Abs(a.value))
	if a.part != b.part {
		near = rounded
	}
	return (a.Unit == b.Unit || a.Unit == "") && math.Abs(a.value-value) <= near && a.agrees(b)
}

// agrees reports whether b does not contradict a. Amounts contradict each other if one is an upper bound and the other
// a lower bound, or if one follows "by" and the other "to". b also contradicts a if only b is a difference.
func (a Amount) agrees(b Amount) bool {
	return int(a.bound)*int(b.bound) >= 0 && int(a.led)*int(b.led) >= 0 && (a.apart || !b.apart)
}

// MayConflict reports whether b may be a wrong value for a. It may if b differs from a and has a's unit or no unit.
func (a Amount) MayConflict(b Amount) bool {
	return (a.Unit == b.Unit || b.Unit == "") && !a.Matches(b)
}

// readAmounts finds the amounts in the text, and stores each with its words.
func readAmounts(p *Text) {
	for i := 0; i < len(p.Words); i++ {
		if w := &p.Words[i]; !w.Is(isCounting) && !IsDigitAt(w.Text, 0) {
			continue
		}
		read, ok := amountAt(p, i)
		if !ok {
			continue
		}
		a := read // on the heap only from here on
		a.bound, a.apart, a.led = boundOf(p, i, a), differs(p, a), ledTo(p, i)
		p.Words[i].Quantity = &a
		for j := i; j <= a.LastWord; j++ {
			p.Words[j].InAmount = true
		}
		i = a.LastWord
	}
}

// amountAt returns the amount that begins with the word at i. It returns false if none begins there.
func amountAt(p *Text, i int) (Amount, bool) {
	if a, ok := timeAt(p, i); ok {
		return a, true
	}
	if a, ok := partAt(p, i); ok {
		return a, true
	}
	value, end, ok := numberAt(p, i)
	if !ok {
		return Amount{}, false
	}
	a := Amount{value: value, Number: value, LastWord: end - 1}
	unitAt(p, &a, i, end)
	addMore(p, &a)
	a.Exact = p.Words[i].IsNumber || a.Unit != "" || end > i+1
	return a, a.Exact || value != 1 // "one" is mostly a pronoun
}

// partAt returns the fraction that begins with the word at i, as an amount. The amount is in percent, or in the unit
// that follows the fraction: half an hour. partAt returns false if no fraction begins there.
func partAt(p *Text, i int) (Amount, bool) {
	share, end, ok := outOf(p, i)
	if !ok {
		share, end, ok = fractionAt(p, i)
	}
	of := end
	if textAt(p, of) == "of" {
		of++
	}
	if u := units[textAt(p, of+1)]; u.base != "" && (textAt(p, of) == "a" || textAt(p, of) == "an") && share > 0 {
		return Amount{value: share * u.factor, Number: share, Unit: u.base, LastWord: of + 1, Exact: true}, true
	}
	return Amount{value: 100 * share, Number: -1, Unit: "percent", LastWord: end - 1, Exact: true, part: true}, ok
}

// unitAt sets the unit of a, the number in words[start:end]. The unit is a sign before or after the number, a word
// after it, or a currency before it.
func unitAt(p *Text, a *Amount, start, end int) {
	if sign := cmp.Or(signBefore(p, start), signBefore(p, end)); sign != "" {
		a.Unit = units[sign].base
		return
	}
	at := end
	for at < end+2 && countable[textAt(p, at)] && !p.HasMarkBefore(at) {
		at++
	}
	if u, ok := units[textAt(p, at)]; ok && (!p.HasMarkBefore(at) || strings.Trim(between(p, at), " °") == "") {
		a.Unit, a.value, a.LastWord = u.base, a.value*u.factor, at
		return
	}
	if start > 0 && IsCurrency(p, start-1) {
		a.Unit = units[p.Words[start-1].Text].base
	}
}

// addMore adds to a, a span of time, the smaller unit that follows it: an hour and a half, 2 hours 30 minutes.
func addMore(p *Text, a *Amount) {
	u, at := units[textAt(p, a.LastWord)], a.LastWord+1
	if u.base != "second" && u.base != "month" {
		return
	}
	if n := andPart(p, at); n > 0 {
		a.value, a.LastWord = a.value+u.factor/n, at+2
		return
	}
	if textAt(p, at) == "and" {
		at++
	}
	if p.HasMarkBefore(at) {
		return
	}
	if n, end, ok := numberAt(p, at); ok && units[textAt(p, end)].base == u.base {
		a.value, a.LastWord = a.value+n*units[textAt(p, end)].factor, end
	}
}

// differs reports whether a, if it is money or a percentage, is a difference: 5 % lower, 10 euros off.
func differs(p *Text, a Amount) bool {
	next := textAt(p, a.LastWord+1)
	return (a.Unit == "percent" || money[a.Unit]) && next != "" &&
		strings.Trim(between(p, a.LastWord+1), " %"+currencies) == "" && (upward[next] || downward[next] || differing[next])
}

// ledTo returns 1 if the word before the amount at i is "by", and -1 if it is "to" but not part of "up to". Otherwise
// ledTo returns 0.
func ledTo(p *Text, i int) int8 {
	switch {
	case i > 0 && !p.HasMarkBefore(i) && p.Words[i-1].Text == "by":
		return 1
	case i > 1 && p.Words[i-1].Text == "to" && p.Words[i-2].Text != "up":
		return -1
	}
	return 0
}

// IsCurrency reports whether the word at i is a currency with a number after it: EUR 20.
func IsCurrency(p *Text, i int) bool {
	return money[p.Words[i].Text] && i+1 < len(p.Words) && p.Words[i+1].IsNumber && !p.HasMarkBefore(i+1)
}

func textAt(p *Text, i int) string {
	if i >= len(p.Words) {
		return ""
	}
	return p.Words[i].Text
}

// joinedAt returns the text of the word at i. It returns "" if a mark separates this word from the word before.
func joinedAt(p *Text, i int) string {
	if i < len(p.Words) && p.MarkBefore(i) == 0 {
		return p.Words[i].Text
	}
	return ""
}

// HasMarkBefore reports whether a mark separates the words i-1 and i. Hyphens, white space, emphasis and round brackets
// do not. It is true at both ends of the text.
func (t *Text) HasMarkBefore(i int) bool {
	if i == 0 || i >= len(t.Words) {
		return true
	}
	gap := between(t, i)
	return gap != " " && strings.Trim(gap, " -\n*_()") != ""
}

// MarkBefore returns the first mark that separates the words i-1 and i, or 0 if there is none. Hyphens, Markdown's
// marks and a line break within a sentence do not separate words.
func (t *Text) MarkBefore(i int) rune {
	k := sort.Search(len(t.Marks), func(k int) bool { return t.Marks[k].At >= i })
	for ; k < len(t.Marks) && t.Marks[k].At == i; k++ {
		if r := t.Marks[k].Rune; r != Soft {
			return r
		}
	}
	return 0
}

// currencies are the signs of currencies.
const currencies = "$€£¥"

// signBefore returns the sign $, €, £, ¥ or % between the words i-1 and i, or "" if there is none. A currency sign may
// belong to either word, and a percent sign only to the word before.
func signBefore(p *Text, i int) string {
	between := strings.TrimSpace(between(p, i))
	for sign := range strings.SplitSeq(currencies, "") {
		if i < len(p.Words) && strings.HasSuffix(between, sign) || strings.HasPrefix(between, sign) {
			return sign
		}
	}
	if strings.HasPrefix(between, "%") {
		return "%"
	}
	return ""
}

// String returns the amount as text, so that equal amounts give equal texts.
func (a Amount) String() string {
	return strconv.FormatFloat(a.value, 'g', 12, 64) + a.Unit + [...]string{"-", "", "+"}[a.bound+1]
}

// unit is a unit of measure as a multiple of a base unit: a minute is 60 seconds.
type unit struct {
	base   string
	factor float64
}

var units = func() map[string]unit {
	m := map[string]unit{}
	for _, row := range rowsOf("units") {
		for _, w := range row[2:] {
			m[w] = unit{row[0], float(row[1])}
		}
	}
	return m
}()
