package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/score"
)

const absent = "–" // stands where there is no number

// barDigits of a percentage are more than anybody writes, and fewer than what multiplying by 100 leaves over.
const barDigits = 10

// percent shows a score in [0, 1] as 87.4%.
func percent(v float64) string { return percentDigits(v, 1) }

func percentDigits(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return absent
	}
	return score.Fixed(v*100, digits, 0, 100) + "%"
}

func percentOr(v *float64) string {
	if v == nil {
		return absent
	}
	return percent(*v)
}

// bar shows a bar without digits that say nothing: 90%, 87.5%.
func bar(v *float64) string {
	if v == nil {
		return absent
	}
	text := strings.TrimSuffix(percentDigits(*v, barDigits), "%")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}

// against shows a score with as many digits as tell it from a bar it misses.
func against(v, need *float64) string {
	if v == nil || need == nil || *v >= *need {
		return percentOr(v)
	}
	for digits := 1; digits < 9; digits++ {
		if text := percentDigits(*v, digits); text != percentDigits(*need, digits) {
			return text
		}
	}
	return percentOr(v)
}

// hard is a space at which no line ends: a table of a narrow screen breaks at every other.
const hard = "\u00a0"

// points shows a difference of scores in percentage points, its sign always: +0.4 pp, −4.1 pp, ±0.0 pp.
func points(d float64) string {
	if math.IsNaN(d) || math.IsInf(d, 0) {
		return absent
	}
	text := score.Fixed(math.Abs(d)*100, 1, 0, 100)
	switch {
	case strings.Trim(text, "0.") == "":
		return "±0.0" + hard + "pp"
	case d < 0:
		return "−" + text + hard + "pp"
	}
	return "+" + text + hard + "pp"
}

// moved is points with an arrow before it: ▲ for a higher score, ▼ for a lower one.
func moved(d *float64) string {
	if d == nil {
		return absent
	}
	text := points(*d)
	switch {
	case strings.HasPrefix(text, "−"):
		return "▼" + hard + text
	case strings.HasPrefix(text, "+"):
		return "▲" + hard + text
	}
	return text
}

// count shows a number with its noun: 1 case, 1,200 cases.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
