package modeltest

import (
	"fmt"
	"regexp"
	"strings"
)

// Put is one question as a judge is put it, taken apart by its own seal.
type Put struct{ Answer, Criterion, Asked string }

var sealed = regexp.MustCompile(`(?s)\[(ASKED|ANSWER|CRITERION) ([0-9a-f]{32})\]\n(.*?)\[END (?:ASKED|ANSWER|CRITERION) ([0-9a-f]{32})\]\n`)

// ReadPut reads the message of a user that a judge is sent.
func ReadPut(user string) Put {
	blocks := map[string]string{}
	for _, m := range sealed.FindAllStringSubmatch(user, -1) {
		var lines []string
		for line := range strings.Lines(m[3]) {
			lines = append(lines, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "| "))
		}
		blocks[m[1]] = strings.Join(lines, "\n")
	}
	return Put{Answer: blocks["ANSWER"], Criterion: blocks["CRITERION"], Asked: blocks["ASKED"]}
}

// Judge answers OpenAI's way as a judge that replies what reply makes of a question.
func Judge(reply func(Put) string) Step {
	return Texts(func(last string) string { return reply(ReadPut(last)) })
}

// Verdict is a reply.
func Verdict(met bool, why string) string {
	return fmt.Sprintf(`{"why": %s, "met": %v}`, quoted(why), met)
}

var inQuotes = regexp.MustCompile(`"(.*)"`)

// Contains is a judge by words: an answer meets a criterion if it holds what the criterion quotes or, where it quotes nothing, says.
func Contains(q Put) bool {
	word := q.Criterion
	if m := inQuotes.FindStringSubmatch(word); m != nil {
		word = m[1]
	}
	return strings.Contains(strings.ToLower(q.Answer), strings.ToLower(word))
}

// ByWords replies as Contains has it.
func ByWords(q Put) string {
	met := Contains(q)
	return Verdict(met, map[bool]string{true: "It does say ", false: "It does not say "}[met]+q.Criterion+".")
}
