package label

import "regexp"

var optionName = regexp.MustCompile(`^[a-h1-9]$`)

// options returns labels by the letter or number that the text t gives them: "A) Compliant", "2. Non-Compliant".
func (s *Set) options(t tokens) map[string]int {
	m := map[string]int{}
	for _, at := range s.read(t, nil).mentions {
		i := at.start - 1
		for i >= 0 && !t[i].word && t[i].text != "\n" && t[i].text != "?" {
			i--
		}
		if i >= 0 && i < at.start-1 && optionName.MatchString(t[i].text) && t[i].word && !s.opens(t[i].text) {
			m[t[i].text] = at.label
		}
	}
	return m
}
