package english

import "strings"

// unit is a base unit and how many of them one is.
type unit struct {
	base   string
	factor float64
}

const day = 86400

var units = func() map[string]unit {
	m := map[string]unit{}
	for words, u := range map[string]unit{
		"second seconds sec secs":     {"second", 1},
		"minute minutes min mins":     {"second", 60},
		"hour hours hr hrs h":         {"second", 3600},
		"day days":                    {"second", day},
		"week weeks":                  {"second", 7 * day},
		"fortnight fortnights":        {"second", 14 * day},
		"month months":                {"month", 1},
		"quarter quarters":            {"month", 3},
		"year years yr yrs":           {"month", 12},
		"percent pct %":               {"percent", 1},
		"dollar dollars usd $":        {"usd", 1},
		"euro euros eur €":            {"eur", 1},
		"gbp £":                       {"gbp", 1},
		"sgd":                         {"sgd", 1},
		"yen jpy ¥":                   {"jpy", 1},
		"byte bytes":                  {"byte", 1},
		"kb kilobyte kilobytes":       {"byte", 1e3},
		"mb megabyte megabytes":       {"byte", 1e6},
		"gb gigabyte gigabytes":       {"byte", 1e9},
		"tb terabyte terabytes":       {"byte", 1e12},
		"m meter meters metre metres": {"metre", 1},
		"km kilometer kilometers kilometre kilometres": {"metre", 1000},
		"g gram grams":                     {"gram", 1},
		"kg kilo kilos kilogram kilograms": {"gram", 1000},
		"bit bits":                         {"bit", 1},
		"character characters":             {"character", 1},
		"mg milligram milligrams":          {"gram", 1e-3},
		"cm centimeter centimeters centimetre centimetres": {"metre", 0.01},
		"mm millimeter millimeters millimetre millimetres": {"metre", 1e-3},
		"liter liters litre litres":                        {"litre", 1},
		"ml milliliter milliliters millilitre millilitres": {"litre", 1e-3},
		"mile miles":           {"mile", 1},
		"celsius centigrade c": {"celsius", 1},
		"fahrenheit f":         {"fahrenheit", 1},
		"degree degrees":       {"degree", 1},
	} {
		for _, w := range strings.Fields(words) {
			m[w] = u
		}
	}
	return m
}()
