package english

import (
	"math"
	"strings"
)

// clockUnit is the unit of a time of day, in minutes since midnight.
const clockUnit = "clock"

// clock reads a time of day that begins with the word at i: 18:00, 6 pm, 9:30 a.m., nine in the morning, noon. It returns the word behind it.
func (p *Text) clock(i int) (minutes float64, end int, ok bool) {
	switch w := p.Words[i].Text; {
	case w == "noon" || w == "midday":
		return 12 * 60, i + 1, true
	case w == "midnight":
		return 0, i + 1, true
	case !p.Words[i].Digits:
		if end := i + 1; p.Words[i].Is(isNumeral) && spelt[w] <= 12 {
			half, after := p.halfDay(end)
			return 60 * (math.Mod(spelt[w], 12) + float64(half)), after, after > end
		}
		return 0, 0, false
	}
	hour, ok := p.whole(i, 24)
	if !ok {
		return p.pointed(i)
	}
	minute, end, colon := 0, i+1, false
	if end < len(p.Words) && p.Words[end].Start == p.Words[i].End+1 && p.Source[p.Words[i].End] == ':' && p.Words[end].End-p.Words[end].Start == 2 {
		if minute, colon = p.whole(end, 59); colon {
			end++
		}
	}
	half, after := p.halfDay(end)
	switch {
	case after > end && (hour < 1 || hour > 12) || after == end && !colon:
		return 0, 0, false
	case after > end:
		hour = hour%12 + half
	}
	return float64(60*hour + minute), after, true
}

var partsOfDay = Set("morning afternoon evening")

// halfDay reads am, pm, a.m. or p.m. at i: the hours that it adds, and the word behind it, i if there is none.
func (p *Text) halfDay(i int) (hours, end int) {
	if i >= len(p.Words) || p.Parted(i) {
		return 0, i
	}
	switch w, next := p.Words[i].Text, p.textAt(i+1); {
	case w == "o": // nine o'clock
		if half, end := p.halfDay(i + 1); end > i+1 {
			return half, end
		}
		return 0, i + 1
	case w == "in" && next == "the" && partsOfDay[p.textAt(i+2)]:
		if p.textAt(i+2) == "morning" {
			return 0, i + 3
		}
		return 12, i + 3
	case w == "am":
		return 0, i + 1
	case w == "pm":
		return 12, i + 1
	case next == "m" && p.Words[i+1].Start == p.Words[i].End+1 && w == "a":
		return 0, i + 2
	case next == "m" && p.Words[i+1].Start == p.Words[i].End+1 && w == "p":
		return 12, i + 2
	}
	return 0, i
}

// pointed reads a time of day with a point, 7.45 a.m., in which am or pm is never left out.
func (p *Text) pointed(i int) (minutes float64, end int, ok bool) {
	hour, minute, found := strings.Cut(p.textAt(i), ".")
	if !found || len(minute) != 2 {
		return 0, 0, false
	}
	half, end := p.halfDay(i + 1)
	h, ok := natural(hour)
	m, ok2 := natural(minute)
	if end == i+1 || !ok || !ok2 || h < 1 || h > 12 || m > 59 {
		return 0, 0, false
	}
	return float64(60*(h%12+half) + m), end, true
}
