package doctor

import (
	"regexp"
	"slices"
	"strings"
)

// remedy changes the lines of a workflow, to remove the finding f, and returns them. at is the index of the line with
// the finding. Only a new examination shows whether the remedy helped.
type remedy func(lines []string, at int, f Finding) []string

// remedies are the remedies of each rule, in the order in which they are tried.
var remedies = map[string][]remedy{
	"exit-code": {insertBefore("shell: bash"), removeMatches(exitCodeHiders),
		removeMatches(`(?m)^ *set \+e *\n`)},
	"continue-on-error": {dropEntry},
	"job-if":            {dropEntry},
	"job-needs":         {dropEntry},
	"step-if":           {dropEntry},
	"paths":             {dropEntry},
	"branches-ignore":   {dropEntry},
	"permissions": {dropEntry,
		replaceText("write-all", "{ contents: read, pull-requests: write, checks: write }")},
	"types":          {addTypes, insertBelow("types: [opened, synchronize, reopened, edited]"), mapEvents},
	"no-merge-group": {insertBelow("merge_group:")},
	"event":          {replaceText("pull_request_target", "pull_request")},
	"shared-cache":   {dropItem},
	"key-missing":    {addSecret},
}

// exitCodeHiders matches the end of a script's line that hides failproof's exit code.
const exitCodeHiders = `(?m) *(\|\| *(true|:|exit \d+)|&) *$`

// indent returns the number of columns before the first word of a line, list dashes included.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// entryEnd returns the index of the line after the entry that begins in lines[index]. All lines of an entry except the
// first are indented more.
func entryEnd(lines []string, index int) int {
	end := index + 1
	isDeeper := func(line string) bool { return len(line)-len(strings.TrimLeft(line, " ")) > indent(lines[index]) }
	for end < len(lines) && lines[end] != "" && (isBlank(lines[end]) || isDeeper(lines[end])) {
		end++
	}
	for end > index+1 && isBlank(lines[end-1]) {
		end--
	}
	return end
}

// dropEntry removes the entry that begins in lines[index]. If the entry has the dash of a list item, the dash moves to
// the next entry.
func dropEntry(lines []string, index int, _ Finding) []string {
	end := entryEnd(lines, index)
	if depth := indent(lines[index]); strings.HasSuffix(lines[index][:depth], "- ") && end < len(lines) &&
		indent(lines[end]) == depth {
		lines[end] = lines[index][:depth] + lines[end][depth:]
	}
	return slices.Delete(lines, index, end)
}

// dropItem removes the list item that contains lines[index].
func dropItem(lines []string, index int, _ Finding) []string {
	depth := indent(lines[index])
	for index > 0 && (!strings.HasSuffix(lines[index][:indent(lines[index])], "- ") || indent(lines[index]) > depth) {
		index--
	}
	end := index + 1
	within := strings.Repeat(" ", indent(lines[index]))
	for end < len(lines) && !isBlank(lines[end]) && strings.HasPrefix(lines[end], within) {
		end++
	}
	return slices.Delete(lines, index, end)
}

// insertBefore returns a remedy that adds text as an entry of its own before the entry with the finding.
func insertBefore(text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		depth := indent(lines[at])
		return slices.Replace(lines, at, at+1, lines[at][:depth]+text+"\n", strings.Repeat(" ", depth)+lines[at][depth:])
	}
}

// insertBelow returns a remedy that adds text as the first entry below the key with the finding. The key has no value
// on its line.
func insertBelow(text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		depth := indent(lines[at]) + 2
		if at+1 < len(lines) && indent(lines[at+1]) > indent(lines[at]) {
			depth = indent(lines[at+1])
		}
		return slices.Insert(lines, at+1, strings.Repeat(" ", depth)+text+"\n")
	}
}

func replaceText(old, text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		lines[at] = strings.Replace(lines[at], old, text, 1)
		return lines
	}
}

// removeMatches returns a remedy that removes the matches of pattern from the entry with the finding.
func removeMatches(pattern string) remedy {
	matched := regexp.MustCompile(pattern)
	return func(lines []string, at int, _ Finding) []string {
		end := entryEnd(lines, at)
		text := matched.ReplaceAllString(strings.Join(lines[at:end], ""), "")
		return slices.Replace(lines, at, end, text)
	}
}

var wordForm = regexp.MustCompile(`[a-z_]+`)

// addTypes adds the missing types of events to the list `types` around lines[index].
func addTypes(lines []string, index int, _ Finding) []string {
	for index > 0 && !strings.HasPrefix(strings.TrimSpace(lines[index]), "types:") {
		index--
	}
	end := entryEnd(lines, index)
	for end < len(lines) && indent(lines[index]) > 0 &&
		strings.HasPrefix(lines[end], lines[index][:indent(lines[index])]+"- ") {
		end++ // the items may be indented like their key
	}
	_, named, _ := strings.Cut(strings.Join(lines[index:end], ""), ":")
	types := wordForm.FindAllString(named, -1)
	for _, name := range []string{"opened", "synchronize", "reopened", "edited"} {
		if !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	line := lines[index][:indent(lines[index])] + "types: [" + strings.Join(types, ", ") + "]\n"
	return slices.Replace(lines, index, end, line)
}

var eventList = regexp.MustCompile(`^on: *(?:(pull_request)|\[([a-z_, ]+)\])\s*$`)

// mapEvents rewrites the list of events in lines[index] as a map, because only a map can have types.
func mapEvents(lines []string, index int, _ Finding) []string {
	m := eventList.FindStringSubmatch(lines[index])
	if m == nil {
		return lines
	}
	text := "on:\n"
	for _, name := range wordForm.FindAllString(m[1]+m[2], -1) {
		text += "  " + name + ":\n"
		if name == "pull_request" {
			text += "    types: [opened, synchronize, reopened, edited]\n"
		}
	}
	lines[index] = text
	return lines
}

var namedVariable = regexp.MustCompile("variable `([A-Za-z0-9_]+)`")

// addSecret adds the secret that the finding f names to the environment of the step that begins in lines[index].
func addSecret(lines []string, index int, f Finding) []string {
	m := namedVariable.FindStringSubmatch(f.What)
	if m == nil {
		return lines
	}
	line := strings.Repeat(" ", indent(lines[index])) + "env: { " + m[1] + ": \"${{ secrets." + m[1] + " }}\" }\n"
	return slices.Insert(lines, entryEnd(lines, index), line)
}
