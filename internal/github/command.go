package github

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Verb is what a command asks for.
type Verb string

const (
	VerbRun    Verb = "run"    // judge the head, with the live targets that its own run may have no key for
	VerbAccept Verb = "accept" // what an approving review would accept, case by case
	VerbHelp   Verb = "help"
)

// Command is what somebody tells the bot in the first line of a comment on a pull request.
type Command struct {
	Verb  Verb
	Head  string   // the commit that it is about, 40 hexadecimal digits; "" of help
	Names []string // what accept accepts: cases, as SUITE/CASE or CASE, and codes of reasons; at least one
}

// commandWord begins a comment that holds a command.
const commandWord = "/failproof"

const (
	maxCommand = 8 << 10 // bytes of the line
	maxNames   = 200     // of a command
)

// Usage is what the bot understands, as Markdown.
const Usage = "```text\n" +
	commandWord + " run SHA                              judge this commit, with live targets too\n" +
	commandWord + " accept SHA CASE… because REASON      accept what is removed, redefined or changed of these cases\n" +
	commandWord + " help                                 this\n```\n\n" +
	"SHA is the whole name of the pull request’s head commit, CASE is written `SUITE/CASE` or `CASE`; a rule such as `on_policy_change` stands for all that it found. " +
	"`run` and `accept` take write access to the repository; nobody accepts a pull request of their own."

// ParseCommand reads the command that a comment begins with. is tells whether there is one; the error says what is wrong with it, in
// words that hold nothing of the comment.
func ParseCommand(text string) (c Command, is bool, err error) {
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != commandWord {
		return c, false, nil
	}
	if len(line) > maxCommand || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\r' && r != '\t' }) {
		return c, true, fmt.Errorf("a command is one line of at most %d KiB, without control characters", maxCommand>>10)
	}
	if len(words) == 1 {
		return Command{Verb: VerbHelp}, true, nil
	}
	c.Verb, words = Verb(words[1]), words[2:]
	switch c.Verb {
	case VerbHelp:
		return c, true, nil
	case VerbRun, VerbAccept:
	default:
		return c, true, errors.New("there is no such command")
	}
	if len(words) == 0 || !fullSHA.MatchString(words[0]) {
		return c, true, fmt.Errorf("%s names no commit; write the whole name of the head commit, 40 hexadecimal digits, so that it is clear what you have looked at", c.Verb)
	}
	c.Head, words = words[0], words[1:]
	if c.Verb == VerbRun {
		if len(words) > 0 {
			return c, true, errors.New("run takes a commit and nothing else")
		}
		return c, true, nil
	}
	c.Names, err = acceptedNames(words)
	return c, true, err
}

// acceptedNames are the words before "because", after which a reason must stand.
func acceptedNames(words []string) ([]string, error) {
	because := slices.Index(words, "because")
	switch {
	case because < 0 || because == len(words)-1:
		return nil, errors.New("accept gives no reason; end it with `because` and why this is meant")
	case because == 0:
		return nil, errors.New("accept names no case; write each as SUITE/CASE or CASE, as in the comment")
	case because > maxNames:
		return nil, fmt.Errorf("accept names more than %d cases", maxNames)
	}
	return words[:because], nil
}

// covers reports whether what a command names holds a reason: its code, or every case that it is about.
func (c Command) covers(code string, cases []string) bool {
	if slices.Contains(c.Names, code) {
		return true
	}
	for _, name := range cases {
		short := name[strings.LastIndex(name, "/")+1:]
		if !slices.Contains(c.Names, name) && !slices.Contains(c.Names, short) {
			return false
		}
	}
	return len(cases) > 0
}
