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
	noGate     kind = iota
	exactGate       // the command exits with failproof's status
	maskedGate      // the command may run failproof, and may exit with another status
)

var (
	programForm = regexp.MustCompile(`(^|[/\\])failproof(\.exe)?([@:][^\s]*)?$`)
	gateForm    = regexp.MustCompile(`(^|[\s;&|(){}"'` + "`" + `/])failproof(\.exe|[@:]\S+)?["']?` +
		`(\s+-\S+)*\s+["']?(action|run)\b`)
)

// Mentions reports whether a text looks like a script that runs failproof action or failproof run.
func Mentions(text string) bool { return gateForm.MatchString(text) }

// inertCommands are the names of commands that do not run their arguments.
var inertCommands = strings.Fields("echo printf grep egrep git cat which type test [ sed awk gh jq")

// gateOf returns the kind of the command with the words args.
func gateOf(args []string) kind {
	if len(args) == 0 {
		return noGate
	}
	name := path.Base(args[0])
	at := slices.IndexFunc(args, programForm.MatchString)
	switch {
	case slices.Contains(inertCommands, name):
		return noGate
	case at >= 0 && isGateCommand(args[at+1:]):
		if at == 0 || onlyWrappers(args[:at]) {
			return exactGate
		}
		return maskedGate
	case slices.ContainsFunc(args, Mentions):
		return maskedGate
	}
	return noGate
}

// isGateCommand reports whether words, the arguments of failproof, name the subcommand action or run.
func isGateCommand(words []string) bool {
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			return w == "action" || w == "run"
		}
	}
	return false
}

// wrapper describes a command that runs another command and exits with the status of that command.
type wrapper struct {
	subcommand      string   // a subcommand that must follow the name, or ""
	flagsTakeValues bool     // whether each flag takes a value, except for the flags in listed
	exceptions      []string // flags that take a value if values is false, or take none if values is true
	unsafeFlags     []string // flags with which the wrapper does not wait, or exits with another status
}

var containerRun = wrapper{subcommand: "run", flagsTakeValues: true,
	exceptions:  strings.Fields("--rm -i -t -it -ti --init --privileged --read-only"),
	unsafeFlags: strings.Fields("-d --detach -dit -itd --entrypoint")}

var wrappers = map[string]wrapper{
	"command": {unsafeFlags: []string{"-v", "-V"}},
	"exec":    {exceptions: []string{"-a"}},
	"env":     {exceptions: []string{"-u", "--unset", "-C", "--chdir"}, unsafeFlags: []string{"-S", "--split-string"}},
	"sudo": {exceptions: strings.Fields("-u --user -g --group -C -h -p"),
		unsafeFlags: strings.Fields("-b --background -l -v -k -e")},
	"nice":    {exceptions: []string{"-n"}},
	"ionice":  {exceptions: []string{"-c", "-n"}},
	"nohup":   {},
	"time":    {exceptions: []string{"-o", "-f"}},
	"timeout": {exceptions: []string{"-k", "-s", "--kill-after", "--signal"}},
	"stdbuf":  {exceptions: []string{"-i", "-o", "-e"}},
	"npx":     {exceptions: []string{"-p", "--package"}, unsafeFlags: []string{"-c", "--call"}},
	"bunx":    {},
	"go":      {subcommand: "run"},
	"docker":  containerRun,
	"podman":  containerRun,
}

// onlyWrappers reports whether words, which precede failproof's name, are only wrappers with their flags and arguments.
func onlyWrappers(words []string) bool {
	for len(words) > 0 {
		w, ok := wrappers[path.Base(words[0])]
		if !ok || w.subcommand != "" && (len(words) < 2 || words[1] != w.subcommand) {
			return false
		}
		name := path.Base(words[0])
		words = words[1:]
		if w.subcommand != "" {
			words = words[1:]
		}
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || isWrapperArg(name, words[0])) {
			flag, _, valued := strings.Cut(words[0], "=")
			if slices.Contains(w.unsafeFlags, flag) {
				return false
			}
			standalone := valued || flag == "--" || !strings.HasPrefix(flag, "-")
			words = words[1:]
			if !standalone && slices.Contains(w.exceptions, flag) != w.flagsTakeValues && len(words) > 0 {
				words = words[1:]
			}
		}
	}
	return true
}

var duration = regexp.MustCompile(`^\d+(\.\d+)?[smhd]?$`)

// isWrapperArg reports whether word, which is not a flag, is an argument of the wrapper itself. Otherwise it begins the
// command that the wrapper runs.
func isWrapperArg(wrapper, word string) bool {
	switch wrapper {
	case "env", "sudo":
		return strings.Contains(word, "=") && !strings.HasPrefix(word, "=")
	case "timeout":
		return duration.MatchString(word)
	}
	return false
}
