package doctor

import (
	"regexp"
	"slices"
	"strings"
)

// remedy changes the lines of a workflow to remove the finding f. at is the index of the line with the finding. Only a
// new examination shows whether the remedy helped.
type remedy func(lines []string, at int, f Finding) []string

// remedies are the remedies of each rule, in the order in which they are tried.
var remedies = map[string][]remedy{
	"exit-code":         {insert("shell: bash"), without(hidden), without(`(?m)^ *set \+e *\n`)},
	"continue-on-error": {drop},
	"job-if":            {drop},
	"job-needs":         {drop},
	"step-if":           {drop},
	"paths":             {drop},
	"branches-ignore":   {drop},
	"permissions":       {drop, replace("write-all", "{ contents: read, pull-requests: write, checks: write }")},
	"types":             {allTypes, settings("types: [opened, synchronize, reopened, edited]"), events},
	"no-merge-group":    {settings("merge_group:")},
	"event":             {replace("pull_request_target", "pull_request")},
	"shared-cache":      {dropItem},
	"key-missing":       {giveKey},
}

// hidden matches the end of a script's line that hides failproof's exit code.
const hidden = `(?m) *(\|\| *(true|:|exit 0)|&) *$`

// indent returns the number of columns before the first word of a line, list dashes included.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// entry returns the index of the line after the entry that begins in lines[at]. All lines of an entry except the first
// are indented more.
func entry(lines []string, at int) int {
	end := at + 1
	deeper := func(line string) bool { return len(line)-len(strings.TrimLeft(line, " ")) > indent(lines[at]) }
	for end < len(lines) && lines[end] != "" && (blank(lines[end]) || deeper(lines[end])) {
		end++
	}
	for end > at+1 && blank(lines[end-1]) {
		end--
	}
	return end
}

// drop removes the entry that begins in lines[at]. If the entry has the dash of a list item, the dash moves to the next
// entry.
func drop(lines []string, at int, _ Finding) []string {
	end := entry(lines, at)
	rest := slices.Clone(lines[end:])
	if depth := indent(lines[at]); strings.HasSuffix(lines[at][:depth], "- ") && len(rest) > 0 &&
		indent(rest[0]) == depth {
		rest[0] = lines[at][:depth] + rest[0][depth:]
	}
	return slices.Concat(lines[:at], rest)
}

// dropItem removes the list item that contains lines[at].
func dropItem(lines []string, at int, _ Finding) []string {
	depth := indent(lines[at])
	for at > 0 && (!strings.HasSuffix(lines[at][:indent(lines[at])], "- ") || indent(lines[at]) > depth) {
		at--
	}
	end := at + 1
	within := strings.Repeat(" ", indent(lines[at]))
	for end < len(lines) && !blank(lines[end]) && strings.HasPrefix(lines[end], within) {
		end++
	}
	return slices.Concat(lines[:at], lines[end:])
}

// insert returns a remedy that adds text as an entry of its own before the entry with the finding.
func insert(text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		depth := indent(lines[at])
		first, second := lines[at][:depth]+text+"\n", strings.Repeat(" ", depth)+lines[at][depth:]
		return slices.Concat(lines[:at], []string{first, second}, lines[at+1:])
	}
}

// settings returns a remedy that adds text as the first entry below the key with the finding. The key has no value on
// its line.
func settings(text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		depth := indent(lines[at]) + 2
		if at+1 < len(lines) && indent(lines[at+1]) > indent(lines[at]) {
			depth = indent(lines[at+1])
		}
		return slices.Concat(lines[:at+1], []string{strings.Repeat(" ", depth) + text + "\n"}, lines[at+1:])
	}
}

func replace(old, text string) remedy {
	return func(lines []string, at int, _ Finding) []string {
		return slices.Concat(lines[:at], []string{strings.Replace(lines[at], old, text, 1)}, lines[at+1:])
	}
}

// without returns a remedy that removes the matches of pattern from the entry with the finding.
func without(pattern string) remedy {
	matched := regexp.MustCompile(pattern)
	return func(lines []string, at int, _ Finding) []string {
		end := entry(lines, at)
		text := matched.ReplaceAllString(strings.Join(lines[at:end], ""), "")
		return slices.Concat(lines[:at], []string{text}, lines[end:])
	}
}

var word = regexp.MustCompile(`[a-z_]+`)

// allTypes adds the missing types of events to the list `types` around lines[at].
func allTypes(lines []string, at int, _ Finding) []string {
	for at > 0 && !strings.HasPrefix(strings.TrimSpace(lines[at]), "types:") {
		at--
	}
	end := entry(lines, at)
	for end < len(lines) && indent(lines[at]) > 0 && strings.HasPrefix(lines[end], lines[at][:indent(lines[at])]+"- ") {
		end++ // the items may be indented like their key
	}
	_, named, _ := strings.Cut(strings.Join(lines[at:end], ""), ":")
	types := word.FindAllString(named, -1)
	for _, one := range []string{"opened", "synchronize", "reopened", "edited"} {
		if !slices.Contains(types, one) {
			types = append(types, one)
		}
	}
	whole := lines[at][:indent(lines[at])] + "types: [" + strings.Join(types, ", ") + "]\n"
	return slices.Concat(lines[:at], []string{whole}, lines[end:])
}

var listed = regexp.MustCompile(`^on: *(?:(pull_request)|\[([a-z_, ]+)\])\s*$`)

// events rewrites the list of events in lines[at] as a map, because only a map can have types.
func events(lines []string, at int, _ Finding) []string {
	m := listed.FindStringSubmatch(lines[at])
	if m == nil {
		return lines
	}
	whole := "on:\n"
	for _, name := range word.FindAllString(m[1]+m[2], -1) {
		whole += "  " + name + ":\n"
		if name == "pull_request" {
			whole += "    types: [opened, synchronize, reopened, edited]\n"
		}
	}
	return slices.Concat(lines[:at], []string{whole}, lines[at+1:])
}

var variable = regexp.MustCompile("variable `([A-Za-z0-9_]+)`")

// giveKey adds the secret that the finding f names to the environment of the step that begins in lines[at].
func giveKey(lines []string, at int, f Finding) []string {
	m := variable.FindStringSubmatch(f.What)
	if m == nil {
		return lines
	}
	depth := indent(lines[at])
	end := entry(lines, at)
	line := strings.Repeat(" ", depth) + "env: { " + m[1] + ": \"${{ secrets." + m[1] + " }}\" }\n"
	return slices.Concat(lines[:end], []string{line}, lines[end:])
}
