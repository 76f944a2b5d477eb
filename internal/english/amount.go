package english

import (
	"math"
	"strconv"
	"strings"
)

// Amount is a number with what it counts. Amounts that say the same are equal: 2 weeks and 14 days, 50 % and 50 percent.
type Amount struct {
	value float64 // in base units: seconds, months, bytes, …
	Unit  string  // "" for a bare number
	Bare  float64 // the number as it is written
	bound int8    // 1 at least, -1 at most, 0 neither
	Last  int     // the last word of it
	Exact bool    // written in digits, or with a unit; "two" of "two factors" may as well be a word like others
}

// Same reports that b says what a asks for. A bare number asks for no unit, and may be the day or the year of a date.
func (a Amount) Same(b Amount) bool {
	switch {
	case a.Unit == dateUnit:
		return b.Unit == dateUnit && sameDate(a.value, b.value)
	case b.Unit == dateUnit:
		return a.Unit == "" && (a.value == math.Floor(b.value/1e4) || a.value == math.Mod(b.value, 100))
	}
	value := b.value
	if a.Unit == "" {
		value = b.Bare
	}
	return (a.Unit == b.Unit || a.Unit == "") && math.Abs(a.value-value) <= 1e-9*math.Max(1, math.Abs(a.value)) && int(a.bound)*int(b.bound) >= 0
}

// Rivals reports that b could stand in place of a and says something else: another number of the same, or one of nothing that is named.
func (a Amount) Rivals(b Amount) bool {
	return (a.Unit == b.Unit || b.Unit == "" || a.Unit == "" && b.Unit == dateUnit) && !a.Same(b)
}

var (
	spelt = map[string]float64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
		"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
		"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
		"seventy": 70, "eighty": 80, "ninety": 90}
	powers    = map[string]float64{"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "billion": 1e9}
	countable = Set("calendar business working consecutive full whole more further additional us")
)

// amounts finds the amounts among the words.
func (p *Text) amounts() {
	for i := 0; i < len(p.Words); i++ {
		if w := &p.Words[i]; !w.Digits && !w.Is(isCounting) && (w.Text[0] < '0' || w.Text[0] > '9') {
			continue
		}
		read, ok := p.amount(i)
		if !ok {
			continue
		}
		a := read // on the heap only from here on
		if a.bound == 0 {
			a.bound = p.boundAfter(a.Last + 1)
		}
		if a.bound == 0 {
			a.bound = p.boundBefore(i)
		}
		p.Words[i].Quantity = &a
		for j := i; j <= a.Last; j++ {
			p.Words[j].Amount = true
		}
		i = a.Last
	}
}

// amount reads the amount that begins with the word at i.
func (p *Text) amount(i int) (Amount, bool) {
	figure := DigitAt(p.Words[i].Text, 0)
	if figure {
		if minutes, end, ok := p.clock(i); ok {
			return Amount{value: minutes, Bare: -1, Unit: clockUnit, Last: end - 1, Exact: true}, true
		}
	}
	if figure || p.month(i) > 0 {
		if date, end, ok := p.date(i); ok {
			return Amount{value: date, Bare: -1, Unit: dateUnit, Last: end - 1, Exact: true}, true
		}
	}
	value, end, ok := p.number(i)
	if !ok {
		return Amount{}, false
	}
	a := Amount{value: value, Bare: value, Last: end - 1}
	p.unit(&a, i, end)
	if bound := p.boundAfter(end); bound != 0 && a.Unit == "" && !p.Parted(end+2) {
		if u, ok := units[p.textAt(end+2)]; ok { // 12 or more characters
			a.Unit, a.value, a.Last, a.bound = u.base, a.value*u.factor, end+2, bound
		}
	}
	a.Exact = p.Words[i].Digits || a.Unit != "" || end > i+1
	return a, a.Exact || value != 1 // "one" is mostly a pronoun
}

// number reads a number that begins with the word at i: 14, twenty-one, 5 million. An id such as 5.9.3 is none.
func (p *Text) number(i int) (value float64, end int, ok bool) {
	w := &p.Words[i]
	if w.Digits {
		if p.version(i) {
			return 0, 0, false
		}
		v, err := strconv.ParseFloat(w.Text, 64)
		if err != nil {
			return 0, 0, false
		}
		value, end = v, i+1
	} else if w.Text == "half" && (p.textAt(i+1) == "a" || p.textAt(i+1) == "an") && spans[p.textAt(i+2)] && !p.Parted(i+1) && !p.Parted(i+2) {
		return 0.5, i + 2, true
	} else if p.oneUnit(i) {
		return 1, i + 1, true
	} else if w.Is(isNumeral) {
		value, end = spelt[w.Text], i+1
		if ones, more := spelt[p.textAt(end)]; more && value >= 20 && ones < 10 {
			value, end = value+ones, end+1
		}
	} else {
		return 0, 0, false
	}
	for {
		power, more := powers[p.textAt(end)]
		if !more || p.Parted(end) {
			return value, end, true
		}
		value, end = value*power, end+1
	}
}

// version reports a number with a point that names something: TLS 1.2, version 1.20, which is not 1.2.
func (p *Text) version(i int) bool {
	if i == 0 || strings.IndexByte(p.Words[i].Text, '.') < 0 || p.Parted(i) {
		return false
	}
	before := p.Words[i-1]
	return (before.Capitals || before.Is(IsClauseNoun) || named[before.Text]) && units[before.Text].base == ""
}

var (
	named      = Set("version release v rev revision build")
	spans      = Set("hour day week fortnight month quarter year")
	beforeSpan = Set("within for after than least most to of")
)

// oneUnit reports "a year" where it says how long: within a year, a year of logs.
func (p *Text) oneUnit(i int) bool {
	w, next := p.Words[i].Text, p.textAt(i+1)
	return (w == "a" || w == "an") && spans[next] && !p.Parted(i+1) &&
		(next == "fortnight" || p.textAt(i+2) == "of" || i > 0 && beforeSpan[p.Words[i-1].Text] && !p.Parted(i))
}

// unit finds what an amount counts: a sign or word before it, or one behind it.
func (p *Text) unit(a *Amount, start, end int) {
	if u, ok := units[p.signBefore(start)]; ok && u.factor == 1 {
		a.Unit = u.base
		return
	}
	if u, ok := units[p.signBefore(end)]; ok && p.tight(end) {
		a.Unit = u.base
		return
	}
	at := end
	for at < end+2 && countable[p.textAt(at)] && !p.Parted(at) {
		at++
	}
	if u, ok := units[p.textAt(at)]; ok && !p.Parted(at) {
		a.Unit, a.value, a.Last = u.base, a.value*u.factor, at
		return
	}
	if start > 0 && p.Currency(start-1) {
		a.Unit = units[p.Words[start-1].Text].base
	}
}

var money = Set("usd eur gbp sgd jpy")

// Currency reports a word at i that is the unit of the number behind it: EUR 20.
func (p *Text) Currency(i int) bool {
	return money[p.Words[i].Text] && i+1 < len(p.Words) && (p.Words[i+1].Digits || p.Words[i+1].Is(isNumeral)) && !p.Parted(i+1)
}

func (p *Text) textAt(i int) string {
	if i >= len(p.Words) {
		return ""
	}
	return p.Words[i].Text
}

// Parted reports anything but a hyphen between the words i-1 and i.
func (p *Text) Parted(i int) bool {
	if i == 0 || i >= len(p.Words) {
		return true
	}
	between := p.Source[p.Words[i-1].End:max(p.Words[i].Start, p.Words[i-1].End)]
	if titles[p.Words[i-1].Text] {
		between = strings.TrimPrefix(between, ".")
	}
	return strings.Trim(between, " -\n*_()") != ""
}

// signBefore returns the sign that stands directly before the word at i: $, €, %.
func (p *Text) signBefore(i int) string {
	end := len(p.Source)
	if i < len(p.Words) {
		end = int(p.Words[i].Start)
	}
	start := 0
	if i > 0 {
		start = int(p.Words[i-1].End)
	}
	between := strings.TrimSpace(p.Source[min(start, end):end])
	for _, sign := range []string{"$", "€", "£", "¥"} {
		if i < len(p.Words) && strings.HasSuffix(between, sign) || strings.HasPrefix(between, sign) {
			return sign
		}
	}
	if strings.HasPrefix(between, "%") {
		return "%"
	}
	return ""
}

// tight reports that a sign behind a number belongs to it and not to the next one.
func (p *Text) tight(end int) bool {
	rest := strings.TrimLeft(p.Source[p.Words[end-1].End:], " ")
	return strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "€") || strings.HasPrefix(rest, "£")
}

var (
	atLeast = Set("least minimum exceeds exceed over above exceeding")
	atMost  = Set("most maximum within under below until")
	lessers = Set("more later longer greater higher exceed exceeding beyond over above")
	greater = Set("less fewer earlier shorter lower under below sooner")
)

// boundBefore reads "at least", "no more than", "within" before the word at i.
func (p *Text) boundBefore(i int) int8 {
	j := i - 1
	if j >= 0 && money[p.Words[j].Text] {
		i, j = j, j-1
	}
	for j >= 0 && (p.Words[j].Text == "than" || p.Words[j].Text == "of" || p.Words[j].Text == "a" || p.Words[j].Text == "to") {
		j--
	}
	if j < 0 || p.Parted(j+1) && !(j == i-1 && strings.Trim(p.between(i), " $€£¥") == "") {
		return 0
	}
	w, not := p.Words[j].Text, j > 0 && boundNegator(p.Words, j)
	switch {
	case not && lessers[w]:
		return -1
	case not && greater[w]:
		return 1
	case lessers[w] && w != "exceed" || atLeast[w]:
		return 1
	case greater[w] || atMost[w] || w == "up":
		return -1
	}
	return 0
}

// boundNegator reports a negation of the comparison at j: "no later", "not be longer".
func boundNegator(words []Word, j int) bool {
	for k := j - 1; k >= max(0, j-3); k-- {
		switch words[k].Text {
		case "no", "not", "never":
			return true
		case "be", "is", "are", "any", "take", "last":
		default:
			return false
		}
	}
	return false
}

// boundAfter reads "or more" and "or less" behind an amount.
func (p *Text) boundAfter(i int) int8 {
	if p.textAt(i) != "or" {
		return 0
	}
	switch w := p.textAt(i + 1); {
	case lessers[w]:
		return 1
	case greater[w]:
		return -1
	}
	return 0
}

// String writes an amount so that equal ones are written alike.
func (a Amount) String() string {
	return strconv.FormatFloat(a.value, 'g', 12, 64) + a.Unit + [...]string{"-", "", "+"}[a.bound+1]
}
