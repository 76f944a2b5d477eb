package acceptance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var flagForm = regexp.MustCompile(`(?m)^\s+(?:-\w, )?(--[a-z-]+)`)

// flags are those of a command, as its help has them.
func flags(t *testing.T, name ...string) map[string]bool {
	t.Helper()
	code, help, errs := command(t, t.TempDir(), append(name, "--help")...)
	if code != 0 || len(name) > 0 && !strings.Contains(help, "failproof "+strings.Join(name, " ")) {
		t.Errorf("there is no command failproof %s: %s", strings.Join(name, " "), errs)
	}
	out := map[string]bool{}
	for _, m := range flagForm.FindAllStringSubmatch(help, -1) {
		out[m[1]] = true
	}
	return out
}

var listed = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`)

// ownCommandNames are the commands of failproof's help, but help itself.
func ownCommandNames(t *testing.T) (names []string) {
	t.Helper()
	_, help, _ := command(t, t.TempDir(), "--help")
	for _, m := range listed.FindAllStringSubmatch(help, -1) {
		if m[1] != "help" {
			names = append(names, m[1])
		}
	}
	if len(names) < 10 {
		t.Fatalf("only %d commands were found in: %s", len(names), help)
	}
	return names
}

func TestTheCommandsPageNamesEveryCommandAndFlag(t *testing.T) {
	page := shipped(t, "docs/reference/cli.md")
	for _, name := range ownCommandNames(t) {
		if !regexp.MustCompile("(?m)^\\| `failproof " + name + "\\b").MatchString(page) {
			t.Errorf("the table of docs/reference/cli.md has no row of %s", name)
		}
		of := []string{name}
		switch name {
		case "action", "completion": // its flags are the inputs, which the action's page has; the library's own
			continue
		case "model":
			of = []string{"model", "pull"}
		case "import":
			of = []string{"import", "promptfoo"}
		case "judge":
			of = []string{"judge", "check"}
		}
		for flag := range flags(t, of...) {
			if flag != "--help" && !regexp.MustCompile("`"+flag+"\\b").MatchString(page) {
				t.Errorf("docs/reference/cli.md does not name the flag %s of %s", flag, name)
			}
		}
	}
	_, help, _ := command(t, t.TempDir(), "render", "--help")
	formats := regexp.MustCompile(`--format format +the format: ([a-z, ]+ or [a-z]+)`).FindStringSubmatch(strings.Join(strings.Fields(help), " "))
	if formats == nil {
		t.Fatalf("no formats in: %s", help)
	}
	row := regexp.MustCompile("(?m)^\\| `failproof render.*$").FindString(page)
	for _, format := range regexp.MustCompile(`, | or `).Split(formats[1], -1) {
		if !strings.Contains(row, format+"`") {
			t.Errorf("docs/reference/cli.md does not name render's format %s", format)
		}
	}
}

var (
	codeSpan  = regexp.MustCompile("`([^`\n]+)`")
	snakeWord = regexp.MustCompile(`^[a-z]+(?:_[a-z]+)+$`)
	dotted    = regexp.MustCompile(`^[a-z_]+(?:\.[a-z_]+)+$`)
	outFile   = regexp.MustCompile(`^[a-z_]+\.(?:jsonl?|html|md|xml|sarif|txt|patch)$`)
)

// notOurs are words in code that belong to others, and what they are.
var notOurs = map[string]string{
	"sentence_bert_config.json": "a file of models",
}

// TestEveryNameInTheDocumentationIsKnown: what a page writes as code, the program has. A command and its flags stand in
// its help, a setting in the schema of the configuration, and any other name somewhere in what the program is made of.
func TestEveryNameInTheDocumentationIsKnown(t *testing.T) {
	names, any := 0, map[string]bool{}
	for _, name := range ownCommandNames(t) {
		for flag := range flags(t, name) {
			any[flag] = true
		}
	}
	for _, more := range [][]string{nil, {"model", "pull"}, {"import", "promptfoo"}, {"judge", "check"}} {
		for flag := range flags(t, more...) {
			any[flag] = true
		}
	}
	program, settings := words(t), settingsOf(t)
	for path, page := range pages(t) {
		if path == "CHANGELOG.md" {
			continue // which may name what is gone
		}
		for _, m := range codeSpan.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
			span := m[1]
			name, _, _ := strings.Cut(span, ":") // key: value
			if notOurs[name] != "" {
				continue
			}
			names++
			switch call, is := strings.CutPrefix(span, "failproof "); {
			case is && regexp.MustCompile(`^[a-z-]`).MatchString(call):
				checkCall(t, strings.Fields(call))
			case strings.HasPrefix(span, "--") && !strings.HasPrefix(span, "--user "):
				if flag := strings.Fields(span)[0]; !any[flag] {
					t.Errorf("%s names the flag %s, which no command has", path, flag)
				}
			case outFile.MatchString(name), snakeWord.MatchString(name):
				if !program[name] {
					t.Errorf("%s names %s, which stands nowhere in the program", path, name)
				}
			case dotted.MatchString(name):
				first, _, _ := strings.Cut(name, ".")
				if settings[first] && !settings[name] {
					t.Errorf("%s names the setting %s, which no schema has; if it is a file of a run, its ending is missing in outFile", path, name)
				}
			default:
				names--
			}
		}
	}
	if names < 300 {
		t.Errorf("only %d names were found", names)
	}
}

// TestEveryKeyIsDocumented: what a suite or a configuration may say stands in the reference, as code or in an example.
func TestEveryKeyIsDocumented(t *testing.T) {
	all := ""
	for path, page := range pages(t) {
		if strings.HasPrefix(path, "docs/reference/") {
			all += page
		}
	}
	for _, name := range []string{"suite", "config"} {
		var schema any
		if err := json.Unmarshal([]byte(shipped(t, "schemas/"+name+".schema.json")), &schema); err != nil {
			t.Fatal(err)
		}
		for key := range properties(schema) {
			if !regexp.MustCompile("`(?:[a-z_.]+\\.)?"+regexp.QuoteMeta(key)+"[`:]|\\b"+key+": ?").MatchString(all) && key != "$schema" {
				t.Errorf("no page names the key %s of a %s", key, name)
			}
		}
	}
}

// TestEveryMessageOfTroubleshootingExists: what stands as code in the first column, and has a space, the program says.
func TestEveryMessageOfTroubleshootingExists(t *testing.T) {
	code := ""
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			code += read(t, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(shipped(t, "docs/troubleshooting.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
			if message := m[1]; strings.Contains(message, " ") && !strings.Contains(message, ": ") {
				found++
				if !strings.Contains(code, message) {
					t.Errorf("docs/troubleshooting.md explains %q, which the program does not say", message)
				}
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d messages were found", found)
	}
}

// words are the names in what the program is made of: its code, tests left out, its schemas and its rules.
func words(t *testing.T) map[string]bool {
	t.Helper()
	form := regexp.MustCompile(`[a-z]+(?:[_.][a-z]+)+`)
	out := map[string]bool{}
	for _, folder := range []string{"internal", "schemas", "tools", "action.yml"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if entry.Name() == "testdata" || strings.HasSuffix(entry.Name(), "test") {
					return fs.SkipDir
				}
				return nil
			}
			if strings.HasSuffix(name, "_test.go") || !regexp.MustCompile(`\.(go|json|yml)$`).MatchString(name) {
				return nil
			}
			text, err := os.ReadFile(name)
			for _, word := range form.FindAllString(string(text), -1) {
				out[word] = true
				for _, part := range strings.Split(word, ".") {
					out[part] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// settingsOf are the keys of the configuration with dots between them, as in gate.min_run_score, and those of a report.
func settingsOf(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, name := range []string{"config", "report"} {
		var schema map[string]any
		if err := json.Unmarshal([]byte(shipped(t, "schemas/"+name+".schema.json")), &schema); err != nil {
			t.Fatal(err)
		}
		settings(schema, schema, "", 0, out)
	}
	return out
}

func settings(whole map[string]any, part any, at string, depth int, out map[string]bool) {
	node, is := part.(map[string]any)
	if !is || depth > 6 {
		return
	}
	if ref, is := node["$ref"].(string); is {
		at2 := any(whole)
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at2 = at2.(map[string]any)[step]
		}
		settings(whole, at2, at, depth+1, out)
	}
	for _, kind := range []string{"oneOf", "anyOf", "allOf"} {
		choices, _ := node[kind].([]any)
		for _, choice := range choices {
			settings(whole, choice, at, depth+1, out)
		}
	}
	named, _ := node["properties"].(map[string]any)
	for name, inner := range named {
		out[at+name] = true
		settings(whole, inner, at+name+".", depth+1, out)
	}
	settings(whole, node["items"], at, depth+1, out)
}
