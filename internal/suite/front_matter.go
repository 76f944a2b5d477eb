package suite

import (
	"regexp"
	"strings"
)

// maxFrontMatter is how many lines of front matter are looked at.
const maxFrontMatter = 200

var (
	frontMatterKey  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,60}:( |$)`)
	frontMatterRest = regexp.MustCompile(`^([ \t]|- |#|[}\]]|$)`) // what goes on with a value, a comment, or nothing
)

// frontMatter reports that a text begins with settings between two lines of ---, as Dotprompt, Prompty and pages of Markdown do, and the first of
// their keys. What is filled in there is the prompt's own, and so are lines that are no settings: a rule above a heading, or data that is set apart.
func frontMatter(text string) (key string, found bool) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return "", false
	}
	for _, line := range strings.SplitN(rest, "\n", maxFrontMatter) {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "---":
			return key, key != ""
		case strings.Contains(line, "{{"):
			return "", false
		case frontMatterKey.MatchString(line):
			if key == "" {
				key, _, _ = strings.Cut(line, ":")
			}
		case !frontMatterRest.MatchString(line):
			return "", false
		}
	}
	return "", false
}
