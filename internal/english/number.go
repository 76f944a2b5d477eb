package english

import (
	"strconv"
	"strings"
)

// numberAt returns the number that begins with the word at i, and the index after its last word. Numbers are 14,
// twenty-one, a hundred and five, 5 million, two and a half. An id such as 5.9.3 is not a number.
func numberAt(p *Text, i int) (value float64, end int, ok bool) {
	w := &p.Words[i]
	switch next := textAt(p, i+1); {
	case w.IsNumber:
		v, err := strconv.ParseFloat(w.Text, 64)
		if err != nil {
			return 0, 0, false
		}
		value, end = v, i+1
	case oneUnit(p, i), w.Text == "a" && powers[next] > 0:
		value, end = 1, i+1
	case w.Is(isNumeral):
		value, end = tensAt(p, i)
	default:
		return 0, 0, false
	}
	value, end = multiplied(p, value, end)
	if n := andPart(p, end); n > 0 {
		value, end = value+1/n, end+3
	}
	return value, end, true
}

// multiplied returns value, the number before end, multiplied by the powers after it, such as hundred. It adds the
// number after each power, as in "two hundred and five". It also returns the index after the last word.
func multiplied(p *Text, value float64, end int) (float64, int) {
	for power, more := powers[textAt(p, end)]; more && !p.HasMarkBefore(end); power, more = powers[textAt(p, end)] {
		value, end = value*power, end+1
		at := end
		if textAt(p, at) == "and" {
			at++
		}
		if more, behind := tensAt(p, at); behind > at {
			value, end = value+more, behind
		}
	}
	return value, end
}

// tensAt returns the spelt number below a hundred that begins with the word at i, and the index after its last word.
// This index is i if no such number begins there.
func tensAt(p *Text, i int) (value float64, end int) {
	value, ok := spelt[textAt(p, i)]
	if !ok {
		return 0, i
	}
	if ones, more := spelt[textAt(p, i+1)]; more && value >= 20 && ones < 10 {
		return value + ones, i + 2
	}
	return value, i + 1
}

// andPart returns the divisor of the fraction that the words at i add to a number: 2 for "and a half". It returns 0 if
// they add none.
func andPart(p *Text, i int) float64 {
	if textAt(p, i) != "and" || textAt(p, i+1) != "a" || p.HasMarkBefore(i) {
		return 0
	}
	return shares[textAt(p, i+2)]
}

// fractionAt returns the fraction that begins with the word at i, the index after its last word, and whether it is one
// for sure. Examples are "half of the fee", "two thirds of them" and "by a quarter".
func fractionAt(p *Text, i int) (value float64, end int, ok bool) {
	value, end = 1, i
	if n, behind := tensAt(p, i); behind > i {
		value, end = n, behind
	} else if w := textAt(p, i); w == "a" {
		end++
	}
	n := shares[strings.TrimSuffix(textAt(p, end), "s")]
	if n == 0 || p.HasMarkBefore(end) && end > i {
		return 0, 0, false
	}
	end++
	share := textAt(p, end) == "of" || i > 0 && p.Words[i-1].Text == "by"
	return value / n, end, share || p.Words[i].Is(isNumeral) &&
		(end == len(p.Words) || p.HasMarkBefore(end) || !p.IsContent(end))
}

// outOf returns the share that begins with the word at i, such as "two out of three", and the index after its last
// word.
func outOf(p *Text, i int) (share float64, end int, ok bool) {
	n, at, ok := numberAt(p, i)
	if !ok || textAt(p, at) != "out" || textAt(p, at+1) != "of" || at+2 >= len(p.Words) {
		return 0, 0, false
	}
	all, end, ok := numberAt(p, at+2)
	return n / all, end, ok && all > n && textAt(p, end) != "" && p.IsContent(end) && !p.HasMarkBefore(end)
}

// oneUnit reports whether the words at i, such as "a year", are a length of time: within a year, a year of logs, a year
// and a half.
func oneUnit(p *Text, i int) bool {
	w, next := p.Words[i].Text, textAt(p, i+1)
	long := textAt(p, i+2) == "of" || andPart(p, i+2) > 0 || i > 0 && beforeSpan[p.Words[i-1].Text]
	return (w == "a" || w == "an") && spans[next] && long
}
