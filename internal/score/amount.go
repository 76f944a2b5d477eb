package score

import (
	"math"
	"strconv"
	"strings"
)

// amount is a number with what it counts. Amounts that say the same are equal: 2 weeks and 14 days, 50 % and 50 percent.
type amount struct {
	value float64 // in base units: seconds, months, bytes, …
	unit  string  // "" for a bare number
	bare  float64 // the number as it is written
	bound int8    // 1 at least, -1 at most, 0 neither
	last  int     // the last word of it
	exact bool    // written in digits, or with a unit; "two" of "two factors" may as well be a word like others
}

// same reports that b says what a asks for. A bare number asks for no unit.
func (a amount) same(b amount) bool {
	value := b.value
	if a.unit == "" {
		value = b.bare
	}
	return (a.unit == b.unit || a.unit == "") && math.Abs(a.value-value) <= 1e-9*math.Max(1, math.Abs(a.value)) && int(a.bound)*int(b.bound) >= 0
}

var (
	spelt = map[string]float64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
		"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
		"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
		"seventy": 70, "eighty": 80, "ninety": 90}
	powers    = map[string]float64{"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "billion": 1e9}
	countable = set("calendar business working consecutive full whole more further additional us")
)

// amounts finds the amounts among the words.
func (p *prose) amounts() {
	for i := 0; i < len(p.words); i++ {
		if w := p.words[i]; !w.digits && !w.is(isCounting) {
			continue
		}
		read, ok := p.amount(i)
		if !ok {
			continue
		}
		a := read // on the heap only from here on
		if a.bound == 0 {
			a.bound = p.boundAfter(a.last + 1)
		}
		if a.bound == 0 {
			a.bound = p.boundBefore(i)
		}
		p.words[i].quantity = &a
		for j := i; j <= a.last; j++ {
			p.words[j].amount = true
		}
		i = a.last
	}
}

// amount reads the amount that begins with the word at i.
func (p *prose) amount(i int) (amount, bool) {
	if minutes, end, ok := p.clock(i); ok {
		return amount{value: minutes, bare: -1, unit: clockUnit, last: end - 1, exact: true}, true
	}
	value, end, ok := p.number(i)
	if !ok {
		return amount{}, false
	}
	a := amount{value: value, bare: value, last: end - 1}
	p.unit(&a, i, end)
	if bound := p.boundAfter(end); bound != 0 && a.unit == "" && !p.parted(end+2) {
		if u, ok := units[p.textAt(end+2)]; ok { // 12 or more characters
			a.unit, a.value, a.last, a.bound = u.base, a.value*u.factor, end+2, bound
		}
	}
	a.exact = p.words[i].digits || a.unit != "" || end > i+1
	return a, a.exact || value != 1 // "one" is mostly a pronoun
}

// number reads a number that begins with the word at i: 14, twenty-one, 5 million. An id such as 5.9.3 is none.
func (p *prose) number(i int) (value float64, end int, ok bool) {
	w := p.words[i]
	if w.digits {
		if p.version(i) {
			return 0, 0, false
		}
		v, err := strconv.ParseFloat(w.text, 64)
		if err != nil {
			return 0, 0, false
		}
		value, end = v, i+1
	} else if w.text == "half" && (p.textAt(i+1) == "a" || p.textAt(i+1) == "an") && spans[p.textAt(i+2)] && !p.parted(i+1) && !p.parted(i+2) {
		return 0.5, i + 2, true
	} else if p.oneUnit(i) {
		return 1, i + 1, true
	} else if w.is(isNumeral) {
		value, end = spelt[w.text], i+1
		if ones, more := spelt[p.textAt(end)]; more && value >= 20 && ones < 10 {
			value, end = value+ones, end+1
		}
	} else {
		return 0, 0, false
	}
	for {
		power, more := powers[p.textAt(end)]
		if !more || p.parted(end) {
			return value, end, true
		}
		value, end = value*power, end+1
	}
}

// version reports a number with a point that names something: TLS 1.2, version 1.20, which is not 1.2.
func (p *prose) version(i int) bool {
	if i == 0 || strings.IndexByte(p.words[i].text, '.') < 0 || p.parted(i) {
		return false
	}
	before := p.words[i-1]
	return (before.capitals || before.is(isClauseNoun) || named[before.text]) && units[before.text].base == ""
}

var (
	named      = set("version release v rev revision build")
	spans      = set("hour day week fortnight month quarter year")
	beforeSpan = set("within for after than least most to of")
)

// oneUnit reports "a year" where it says how long: within a year, a year of logs.
func (p *prose) oneUnit(i int) bool {
	w, next := p.words[i].text, p.textAt(i+1)
	return (w == "a" || w == "an") && spans[next] && !p.parted(i+1) &&
		(next == "fortnight" || p.textAt(i+2) == "of" || i > 0 && beforeSpan[p.words[i-1].text] && !p.parted(i))
}

// unit finds what an amount counts: a sign or word before it, or one behind it.
func (p *prose) unit(a *amount, start, end int) {
	if u, ok := units[p.signBefore(start)]; ok && u.factor == 1 {
		a.unit = u.base
		return
	}
	if u, ok := units[p.signBefore(end)]; ok && p.tight(end) {
		a.unit = u.base
		return
	}
	at := end
	for at < end+2 && countable[p.textAt(at)] && !p.parted(at) {
		at++
	}
	if u, ok := units[p.textAt(at)]; ok && !p.parted(at) {
		a.unit, a.value, a.last = u.base, a.value*u.factor, at
		return
	}
	if start > 0 && money[p.words[start-1].text] && !p.parted(start) {
		a.unit = units[p.words[start-1].text].base
	}
}

var money = set("usd eur gbp sgd jpy")

func (p *prose) textAt(i int) string {
	if i >= len(p.words) {
		return ""
	}
	return p.words[i].text
}

// parted reports anything but a hyphen between the words i-1 and i.
func (p *prose) parted(i int) bool {
	if i == 0 || i >= len(p.words) {
		return true
	}
	between := p.text[p.words[i-1].end:max(p.words[i].start, p.words[i-1].end)]
	return strings.Trim(between, " -\n*_()") != ""
}

// signBefore returns the sign that stands directly before the word at i: $, €, %.
func (p *prose) signBefore(i int) string {
	end := len(p.text)
	if i < len(p.words) {
		end = p.words[i].start
	}
	start := 0
	if i > 0 {
		start = p.words[i-1].end
	}
	between := strings.TrimSpace(p.text[min(start, end):end])
	for _, sign := range []string{"$", "€", "£", "¥"} {
		if i < len(p.words) && strings.HasSuffix(between, sign) || strings.HasPrefix(between, sign) {
			return sign
		}
	}
	if strings.HasPrefix(between, "%") {
		return "%"
	}
	return ""
}

// tight reports that a sign behind a number belongs to it and not to the next one.
func (p *prose) tight(end int) bool {
	rest := strings.TrimLeft(p.text[p.words[end-1].end:], " ")
	return strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "€") || strings.HasPrefix(rest, "£")
}

var (
	atLeast = set("least minimum exceeds exceed over above exceeding")
	atMost  = set("most maximum within under below until")
	lessers = set("more later longer greater higher exceed exceeding beyond over above")
	greater = set("less fewer earlier shorter lower under below sooner")
)

// boundBefore reads "at least", "no more than", "within" before the word at i.
func (p *prose) boundBefore(i int) int8 {
	j := i - 1
	for j >= 0 && (p.words[j].text == "than" || p.words[j].text == "of" || p.words[j].text == "a" || p.words[j].text == "to") {
		j--
	}
	if j < 0 || p.parted(j+1) {
		return 0
	}
	w, not := p.words[j].text, j > 0 && boundNegator(p.words, j)
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
func boundNegator(words []word, j int) bool {
	for k := j - 1; k >= max(0, j-3); k-- {
		switch words[k].text {
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
func (p *prose) boundAfter(i int) int8 {
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
func (a amount) String() string {
	return strconv.FormatFloat(a.value, 'g', 12, 64) + a.unit + [...]string{"-", "", "+"}[a.bound+1]
}
