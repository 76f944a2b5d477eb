package english

import (
	"math"
	"strings"
)

// dateUnit is the unit of a date, whose value is the digits of its year, month and day. What a date leaves out is zero: 3 March.
const dateUnit = "date"

var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{"january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
		"september sep sept", "october oct", "november nov", "december dec"} {
		for _, name := range strings.Fields(names) {
			m[name] = i + 1
		}
	}
	return m
}()

// dateAt reads a date that begins with the word at i: 2024-03-03, 3 March 2024, the 3rd of March, March 3rd, 2024, March 2024. It returns the
// word behind it.
func dateAt(p *Text, i int) (value float64, end int, ok bool) {
	day, month, year, end := 0, 0, 0, i
	switch y := yearAt(p, i); {
	case y > 0 && p.Hyphened(i+1) && p.Hyphened(i+2):
		month, _ = wholeAt(p, i+1, 12)
		day, _ = wholeAt(p, i+2, 31)
		year, end = y, i+3
		return dated(year, month, day), end, month > 0 && day > 0
	case monthAt(p, i) > 0:
		month, end = monthAt(p, i), i+1
		if day = dayAt(p, end); day > 0 {
			end++
		}
	case dayAt(p, i) > 0:
		day, end = dayAt(p, i), i+1
		if p.textAt(end) == "of" {
			end++
		}
		if month = monthAt(p, end); month == 0 {
			return 0, 0, false
		}
		end++
	default:
		return 0, 0, false
	}
	if year = yearAt(p, end); year > 0 && (!p.Parted(end) || p.between(end) == ", ") {
		end++
	} else if year = 0; day == 0 {
		return 0, 0, false
	}
	return dated(year, month, day), end, true
}

// figureDate reads a date in figures alone, 31.12.2025, 31/12/2025 or 12/31/2025; with strokes, not where the day may be the month.
func figureDate(p *Text, i int) (value float64, end int, ok bool) {
	text, end := p.Words[i].Text, i+1
	first, rest, points := strings.Cut(text, ".")
	second, last, _ := strings.Cut(rest, ".")
	if !points && i+2 < len(p.Words) && p.between(i+1) == "/" && p.between(i+2) == "/" {
		first, second, last, end = text, p.Words[i+1].Text, p.Words[i+2].Text, i+3
	}
	day, ok1 := natural(first)
	month, ok2 := natural(second)
	year, ok3 := natural(last)
	sure := points || day == month || max(day, month) > 12
	if !points && month > 12 {
		day, month = month, day
	}
	return dated(year, month, day), end, sure && ok1 && ok2 && ok3 && len(last) == 4 && day > 0 && day <= 31 && month > 0 && month <= 12
}

func dated(year, month, day int) float64 { return float64(10000*year + 100*month + day) }

// sameDate reports that b is the date a, as far as a says it.
func sameDate(a, b float64) bool {
	x, y := int(a), int(b)
	day, month, year := x%100, x/100%100, x/10000
	return (day == 0 || day == y%100) && month == y/100%100 && (year == 0 || year == y/10000)
}

// yearAt is the number of four digits at i, else 0.
func yearAt(p *Text, i int) int {
	if i >= len(p.Words) || len(p.Words[i].Text) != 4 {
		return 0
	}
	n, _ := wholeAt(p, i, 9999)
	return n
}

// dayAt is the number of a day at i, 3 or 3rd, else 0.
func dayAt(p *Text, i int) int {
	if i >= len(p.Words) || len(p.Words[i].Text) > 4 {
		return 0
	}
	text := p.Words[i].Text
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		text = strings.TrimSuffix(text, ending)
	}
	n, ok := natural(text)
	if !ok || n > 31 || len(text) > 2 {
		return 0
	}
	return n
}

// wholeAt is the whole number at i up to the greatest.
func wholeAt(p *Text, i, greatest int) (n int, ok bool) {
	if i >= len(p.Words) || !p.Words[i].Digits {
		return 0, false
	}
	n, ok = natural(p.Words[i].Text)
	if !ok || n > greatest {
		return 0, false
	}
	return n, true
}

// natural is the number that a row of ASCII digits writes, or a greater one than any that is asked for; false for any other text. It tells
// that without an error, which strconv would make for every word that is no number.
func natural(text string) (n int, ok bool) {
	for i := range len(text) {
		if !DigitAt(text, i) {
			return 0, false
		}
		n = min(10*n+int(text[i]-'0'), math.MaxInt32)
	}
	return n, text != ""
}

// monthAt is the number of the month whose name stands at i in capitals, else 0.
func monthAt(p *Text, i int) int {
	if i >= len(p.Words) || !p.Upper(i) {
		return 0
	}
	return months[p.Words[i].Text]
}

// clockUnit is the unit of a time of day, in minutes since midnight.
const clockUnit = "clock"

// clockAt reads a time of day that begins with the word at i: 18:00, 6 pm, 9:30 a.m., nine in the morning, noon. It returns the word behind it.
func clockAt(p *Text, i int) (minutes float64, end int, ok bool) {
	switch w := p.Words[i].Text; {
	case w == "noon" || w == "midday":
		return 12 * 60, i + 1, true
	case w == "midnight":
		return 0, i + 1, true
	case !p.Words[i].Digits:
		if end := i + 1; p.Words[i].Is(isNumeral) && spelt[w] <= 12 {
			half, after := halfDayAt(p, end)
			return 60 * (math.Mod(spelt[w], 12) + float64(half)), after, after > end
		}
		return 0, 0, false
	}
	hour, ok := wholeAt(p, i, 24)
	if !ok {
		return pointedAt(p, i)
	}
	minute, end, colon := 0, i+1, false
	if end < len(p.Words) && p.Words[end].Start == p.Words[i].End+1 && p.Source[p.Words[i].End] == ':' && p.Words[end].End-p.Words[end].Start == 2 {
		if minute, colon = wholeAt(p, end, 59); colon {
			end++
		}
	}
	half, after := halfDayAt(p, end)
	switch {
	case after > end && (hour < 1 || hour > 12) || after == end && !colon:
		return 0, 0, false
	case after > end:
		hour = hour%12 + half
	}
	return float64(60*hour + minute), after, true
}

var partsOfDay = Set("morning afternoon evening")

// halfDayAt reads am, pm, a.m. or p.m. at i: the hours that it adds, and the word behind it, i if there is none.
func halfDayAt(p *Text, i int) (hours, end int) {
	if i >= len(p.Words) || p.Parted(i) {
		return 0, i
	}
	switch w, next := p.Words[i].Text, p.textAt(i+1); {
	case w == "o": // nine o'clock
		if half, end := halfDayAt(p, i+1); end > i+1 {
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

// pointedAt reads a time of day with a point, 7.45 a.m., in which am or pm is never left out.
func pointedAt(p *Text, i int) (minutes float64, end int, ok bool) {
	hour, minute, found := strings.Cut(p.textAt(i), ".")
	if !found || len(minute) != 2 {
		return 0, 0, false
	}
	half, end := halfDayAt(p, i+1)
	h, ok := natural(hour)
	m, ok2 := natural(minute)
	if end == i+1 || !ok || !ok2 || h < 1 || h > 12 || m > 59 {
		return 0, 0, false
	}
	return float64(60*(h%12+half) + m), end, true
}
