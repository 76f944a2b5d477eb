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

// date reads a date that begins with the word at i: 2024-03-03, 3 March 2024, the 3rd of March, March 3rd, 2024, March 2024. It returns the
// word behind it.
func (p *Text) date(i int) (value float64, end int, ok bool) {
	day, month, year, end := 0, 0, 0, i
	switch y := p.year(i); {
	case y > 0 && p.Hyphened(i+1) && p.Hyphened(i+2):
		month, _ = p.whole(i+1, 12)
		day, _ = p.whole(i+2, 31)
		year, end = y, i+3
		return dated(year, month, day), end, month > 0 && day > 0
	case p.month(i) > 0:
		month, end = p.month(i), i+1
		if day = p.day(end); day > 0 {
			end++
		}
	case p.day(i) > 0:
		day, end = p.day(i), i+1
		if p.textAt(end) == "of" {
			end++
		}
		if month = p.month(end); month == 0 {
			return 0, 0, false
		}
		end++
	default:
		return 0, 0, false
	}
	if year = p.year(end); year > 0 && (!p.Parted(end) || p.between(end) == ", ") {
		end++
	} else if year = 0; day == 0 {
		return 0, 0, false
	}
	return dated(year, month, day), end, true
}

// figureDate reads a date in figures alone, 31.12.2025, 31/12/2025 or 12/31/2025; with strokes, not where the day may be the month.
func (p *Text) figureDate(i int) (value float64, end int, ok bool) {
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

// year is the number of four digits at i, else 0.
func (p *Text) year(i int) int {
	if i >= len(p.Words) || len(p.Words[i].Text) != 4 {
		return 0
	}
	n, _ := p.whole(i, 9999)
	return n
}

// day is the number of a day at i, 3 or 3rd, else 0.
func (p *Text) day(i int) int {
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

// whole is the whole number at i up to the greatest.
func (p *Text) whole(i, greatest int) (n int, ok bool) {
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

// month is the number of the month whose name stands at i in capitals, else 0.
func (p *Text) month(i int) int {
	if i >= len(p.Words) || !p.Upper(i) {
		return 0
	}
	return months[p.Words[i].Text]
}
