package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// command is what the runner takes a line of a log for.
type command struct {
	name       string
	properties map[string]string
	data       string
}

var (
	logLine   = regexp.MustCompile(`\r\n|\r|\n`)
	oldMarker = regexp.MustCompile(`##\[([^\]\s]*)[^\]]*\](.*)`)
)

// commands reads a log as the runner does (actions/runner, ActionCommand.cs): `::name key=value::data` after white
// space, and `##[name]data` anywhere in a line that is no command of the first form.
func commands(log string) (out []command) {
	for _, line := range logLine.Split(log, -1) {
		rest, is := strings.CutPrefix(strings.TrimLeft(line, " \t\v\f\u0085\u00a0\u2028\u2029"), "::")
		head, data, ends := strings.Cut(rest, "::")
		if !is || !ends {
			if m := oldMarker.FindStringSubmatch(line); m != nil {
				out = append(out, command{name: "##" + m[1], data: m[2]})
			}
			continue
		}
		name, properties, _ := strings.Cut(head, " ")
		out = append(out, command{name, readProperties(properties), unescape(data)})
	}
	return out
}

func readProperties(text string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if key, value, is := strings.Cut(part, "="); is {
			out[strings.TrimSpace(key)] = unescape(value)
		}
	}
	return out
}

func unescape(text string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(text)
}

// named are the commands of a name.
func named(all []command, name string) []command {
	return slices.DeleteFunc(slices.Clone(all), func(c command) bool { return c.name != name })
}

// readOutputs reads the runner's file of outputs: `name=value` lines, and `name<<END` with lines up to END.
func readOutputs(t testing.TB, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := logLine.Split(read(path), -1)
	for i := 0; i < len(lines); i++ {
		equals, heredoc := strings.Index(lines[i], "="), strings.Index(lines[i], "<<")
		var name, value string
		switch {
		case lines[i] == "":
			continue
		case heredoc >= 0 && (equals < 0 || heredoc < equals):
			var end string
			name, end, _ = strings.Cut(lines[i], "<<")
			var text []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				text = append(text, lines[i])
			}
			if i == len(lines) {
				t.Errorf("output %s never ends", name)
			}
			value = strings.Join(text, "\n")
		case equals >= 0:
			name, value, _ = strings.Cut(lines[i], "=")
		default:
			t.Errorf("the runner rejects the line %q among the outputs", lines[i])
		}
		if _, twice := out[name]; twice {
			t.Errorf("output %s is set twice", name)
		}
		out[name] = value
	}
	return out
}

func TestRunnersParsers(t *testing.T) {
	for _, c := range []struct {
		rule, line string
		want       []string
	}{
		{"a command may follow white space", " \t::error file=a%2Cb,line=3::x%0Ay", []string{"error"}},
		{"a bare CR ends a line", "text\r::add-mask::true", []string{"add-mask"}},
		{"the old form stands anywhere in a line", "text ##[set-output name=a]b", []string{"##set-output"}},
		{"a command of the first form is none of the old form", "::error::##[add-mask]x", []string{"error"}},
		{"a colon later in a line is text", "text ::error::x", nil},
		{"a command needs its second pair of colons", "::error x", nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, found := range commands(c.line) {
				got = append(got, found.name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("commands(%q) = %q, want %q", c.line, got, c.want)
			}
		})
	}
	got := commands("::error file=a%2Cb,line=3::x%0Ay")[0]
	if got.properties["file"] != "a,b" || got.properties["line"] != "3" || got.data != "x\ny" {
		t.Errorf("commands reads %+v", got)
	}
}
