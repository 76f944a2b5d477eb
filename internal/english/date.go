package english

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	// dateUnit is the unit of a date. The value of a date is the digits of its year, month and day. A part that the
	// date leaves out is zero: 3 March has no year.
	dateUnit = "date"
	// clockUnit is the unit of a time of day, in minutes since midnight.
	clockUnit = "clock"
)

// timeForm is a way to write a date or a time of day. Its groups are y, m and d, or h, min and half.
type timeForm struct {
	unit string
	re   *regexp.Regexp
}

// The forms of dates and times of day that begin with a figure, with the name of a month, and with an hour in letters.
// In a date with slashes, the number above 12 is the day. 3/4/2024 is not read, because either number may be the day.
var (
	inFigures = timeForms(
		dateUnit, `(?P<y>\d{4})-(?P<m>MM)-(?P<d>DD)\b`,
		dateUnit, `(?P<d>DD)\.(?P<m>MM)\.(?P<y>\d{4})\b`,
		dateUnit, `(?P<d>1[3-9]|2\d|3[01])/(?P<m>MM)/(?P<y>\d{4})\b`,
		dateUnit, `(?P<m>MM)/(?P<d>1[3-9]|2\d|3[01])/(?P<y>\d{4})\b`,
		clockUnit, `(?P<h>0?[1-9]|1[0-2])(?:[:.](?P<min>[0-5]\d))?(?: o'clock)?[ \n*]*(?P<half>HALF)\b`,
		clockUnit, `(?P<h>[01]?\d|2[0-4]):(?P<min>[0-5]\d)\b`,
		clockUnit, `(?P<h>0?[1-9]|1[0-2]) o'clock\b`,
		dateUnit, `(?P<d>DD)(?:st|nd|rd|th)?[ \n*-]+(?:of )?(?P<m>[A-Z][A-Za-z]{2,8})\b(?:(?:, |[ \n*-]+)(?P<y>\d{4})\b)?`,
	)
	fromMonth = timeForms(
		dateUnit, `(?P<m>[A-Z][A-Za-z]{2,8})[ \n*-]+(?P<d>DD)(?:st|nd|rd|th)?\b(?:(?:, |[ \n*-]+)(?P<y>\d{4})\b)?`,
		dateUnit, `(?P<m>[A-Z][A-Za-z]{2,8})(?:, |[ \n*-]+)(?P<y>\d{4})\b`,
	)
	fromHour = timeForms(
		clockUnit, `(?P<h>(?i:noon|midday|midnight))\b`,
		clockUnit, `(?P<h>[A-Za-z]+)(?: o'clock)?[ \n*]+(?P<half>HALF)\b`,
		clockUnit, `(?P<h>[A-Za-z]+) o'clock\b`,
	)
)

func timeForms(rows ...string) (out []timeForm) {
	parts := strings.NewReplacer("MM", `0?[1-9]|1[0-2]`, "DD", `0?[1-9]|[12]\d|3[01]`,
		"HALF", `(?i:a\.?m|p\.?m|in the (?:morning|afternoon|evening))`)
	for i := 0; i < len(rows); i += 2 {
		out = append(out, timeForm{rows[i], regexp.MustCompile("^" + parts.Replace(rows[i+1]))})
	}
	return out
}

// numbersOf maps names of months ("m") and hours ("h") to their numbers.
var numbersOf = map[string]map[string]float64{"m": numbers("months"), "h": numbers("hours")}

// longestTime is the largest length of a date or a time of day, in bytes.
const longestTime = 40

// timeAt returns the date or time of day that begins with the word at i. It returns false if none begins there.
func timeAt(p *Text, i int) (a Amount, ok bool) {
	word, start := p.Words[i].Text, int(p.Words[i].Start)
	text := p.Source[start:min(len(p.Source), start+longestTime)]
	_, month := numbersOf["m"][word]
	_, hour := numbersOf["h"][word]
	var forms []timeForm
	switch {
	case IsDigitAt(word, 0) && mayBeTime(text):
		forms = inFigures
	case month && p.IsCapitalized(i):
		forms = fromMonth
	case hour:
		forms = fromHour
	}
	for _, form := range forms {
		if value, size, ok := form.read(text); ok {
			_, end := p.WordsAt(start, start+size)
			return Amount{value: value, Number: -1, Unit: form.unit, LastWord: end - 1, Exact: true}, true
		}
	}
	return a, false
}

// mayBeTime reports whether text, which begins with a figure, may begin with a date or a time of day: what follows the
// figure is not one of the marks and letters with which no form goes on. It is a quick test.
func mayBeTime(text string) bool {
	after := strings.TrimLeft(strings.TrimLeft(text, "0123456789"), " \n*")
	return after != "" && strings.IndexByte(",;)%bcdefghjklmquvwxyz", after[0]) < 0
}

// read reads a date or a time of day of the form f at the beginning of text. It returns its value and its length in
// bytes. It returns false if the text does not begin with this form.
func (f timeForm) read(text string) (value float64, size int, ok bool) {
	at := f.re.FindStringSubmatchIndex(text)
	if at == nil {
		return 0, 0, false
	}
	of := map[string]int{}
	for k, name := range f.re.SubexpNames() {
		if k == 0 || at[2*k] < 0 {
			continue
		}
		group := strings.ToLower(text[at[2*k]:at[2*k+1]])
		n, err := strconv.Atoi(group)
		if err != nil {
			named, ok := numbersOf[name][group]
			if n = int(named); !ok && name != "half" {
				return 0, 0, false
			}
		}
		if name == "half" {
			of["h"] %= 12
			if group[0] == 'p' || strings.HasSuffix(group, "noon") || strings.HasSuffix(group, "evening") {
				n = 12
			}
		}
		of[name] = n
	}
	if f.unit == clockUnit {
		return float64(60*(of["h"]+of["half"]) + of["min"]), at[1], true
	}
	return float64(10000*of["y"] + 100*of["m"] + of["d"]), at[1], true
}

// sameDate reports whether the date b has the day, month and year of a. A day or year that a leaves out matches any.
func sameDate(a, b float64) bool {
	x, y := int(a), int(b)
	day, month, year := x%100, x/100%100, x/10000
	return (day == 0 || day == y%100) && month == y/100%100 && (year == 0 || year == y/10000)
}
