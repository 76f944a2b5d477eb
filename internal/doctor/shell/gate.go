package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// kind says whether a command runs failproof, and whether it exits with the status of failproof.
type kind uint8

const (
	noGate   kind = iota
	seenGate      // the command exits with failproof's status
	lostGate      // the command may run failproof, and may exit with another status
)

var (
	program  = regexp.MustCompile(`(^|[/\\])failproof(\.exe)?([@:][^\s]*)?$`)
	mentions = regexp.MustCompile(`(^|[\s;&|(){}"'` + "`" + `/])failproof(\.exe|[@:]\S+)?["']?` +
		`(\s+-\S+)*\s+["']?(action|run)\b`)
)

// Mentions reports whether a text looks like a script that runs failproof action or failproof run.
func Mentions(text string) bool { return mentions.MatchString(text) }

// silent are the names of commands that do not run their arguments.
var silent = strings.Fields("echo printf grep egrep git cat which type test [ sed awk gh jq")

// gateOf returns the kind of the command with the words args.
func gateOf(args []string) kind {
	if len(args) == 0 {
		return noGate
	}
	name := path.Base(args[0])
	at := slices.IndexFunc(args, program.MatchString)
	switch {
	case slices.Contains(silent, name):
		return noGate
	case at >= 0 && judges(args[at+1:]):
		if at == 0 || hands(args[:at]) {
			return seenGate
		}
		return lostGate
	case slices.ContainsFunc(args, Mentions):
		return lostGate
	}
	return noGate
}

// judges reports whether words, the arguments of failproof, name the subcommand action or run.
func judges(words []string) bool {
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			return w == "action" || w == "run"
		}
	}
	return false
}

// wrapper describes a command that runs another command and exits with the status of that command.
type wrapper struct {
	verb   string   // a subcommand that must follow the name, or ""
	values bool     // whether each flag takes a value, except for the flags in listed
	listed []string // flags that take a value if values is false, or take none if values is true
	not    []string // flags with which the wrapper does not wait, or exits with another status
}

var images = wrapper{verb: "run", values: true,
	listed: strings.Fields("--rm -i -t -it -ti --init --privileged --read-only"),
	not:    strings.Fields("-d --detach -dit -itd --entrypoint")}

var wrappers = map[string]wrapper{
	"command": {not: []string{"-v", "-V"}},
	"exec":    {listed: []string{"-a"}},
	"env":     {listed: []string{"-u", "--unset", "-C", "--chdir"}, not: []string{"-S", "--split-string"}},
	"sudo": {listed: strings.Fields("-u --user -g --group -C -h -p"),
		not: strings.Fields("-b --background -l -v -k -e")},
	"nice":    {listed: []string{"-n"}},
	"ionice":  {listed: []string{"-c", "-n"}},
	"nohup":   {},
	"time":    {listed: []string{"-o", "-f"}},
	"timeout": {listed: []string{"-k", "-s", "--kill-after", "--signal"}},
	"stdbuf":  {listed: []string{"-i", "-o", "-e"}},
	"npx":     {listed: []string{"-p", "--package"}, not: []string{"-c", "--call"}},
	"bunx":    {},
	"go":      {verb: "run"},
	"docker":  images,
	"podman":  images,
}

// hands reports whether words, which precede failproof's name, are only wrappers with their flags and arguments.
func hands(words []string) bool {
	for len(words) > 0 {
		w, ok := wrappers[path.Base(words[0])]
		if !ok || w.verb != "" && (len(words) < 2 || words[1] != w.verb) {
			return false
		}
		name := path.Base(words[0])
		words = words[1:]
		if w.verb != "" {
			words = words[1:]
		}
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || isOwn(name, words[0])) {
			flag, _, valued := strings.Cut(words[0], "=")
			if slices.Contains(w.not, flag) {
				return false
			}
			standalone := valued || flag == "--" || !strings.HasPrefix(flag, "-")
			words = words[1:]
			if !standalone && slices.Contains(w.listed, flag) != w.values && len(words) > 0 {
				words = words[1:]
			}
		}
	}
	return true
}

var duration = regexp.MustCompile(`^\d+(\.\d+)?[smhd]?$`)

// isOwn reports whether word, which is not a flag, is an argument of the wrapper itself. Otherwise it begins the
// command that the wrapper runs.
func isOwn(wrapper, word string) bool {
	switch wrapper {
	case "env", "sudo":
		return strings.Contains(word, "=") && !strings.HasPrefix(word, "=")
	case "timeout":
		return duration.MatchString(word)
	}
	return false
}
