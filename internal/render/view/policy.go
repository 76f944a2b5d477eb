package view

import (
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render/show"
)

// InForce says whose setting holds, and of a policy that is announced what it will catch. name writes the name of a case.
func InForce(c config.Change, name func(string) string) string {
	if c.InForce {
		return "the one now"
	}
	text := "the one before, until this is merged"
	if n := len(c.Caught); n > 0 {
		names := Listed(c.Caught, caughtNames, "case", name)
		text += "; then it will catch the answers to " + show.Count(n, "case") + ": " + strings.Join(names, ", ")
	}
	return text
}

// caughtNames is how many of them are named.
const caughtNames = 5

// Listed shows the first of all and counts the rest.
func Listed[T any](all []T, limit int, noun string, line func(T) string) []string {
	var items []string
	for _, x := range all[:min(len(all), limit)] {
		items = append(items, line(x))
	}
	if left := len(all) - len(items); left > 0 {
		items = append(items, "… and "+show.Count(left, "more "+noun))
	}
	return items
}
