package label

import "regexp"

var optionName = regexp.MustCompile(`^[a-h1-9]$`)

// optionNames returns labels by the letter or number that the text gives them: "A) Compliant", "2. Non-Compliant".
func (r *parsedAnswer) optionNames() map[string]int {
	m, t := map[string]int{}, r.tokens
	for _, at := range r.mentions {
		i := at.start - 1
		for i >= 0 && !t[i].word && t[i].text != "\n" && t[i].text != "?" {
			i--
		}
		if i >= 0 && i < at.start-1 && optionName.MatchString(t[i].text) && t[i].word && !r.set.opens(t[i].text) {
			m[t[i].text] = at.label
		}
	}
	return m
}
