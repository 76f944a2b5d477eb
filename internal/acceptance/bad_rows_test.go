//go:build linux

package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What most entries are made of: a suite that the target echo answers, in parts.
const (
	badHead  = "version: 1\ntarget: echo\nmessages: [{role: user, content: Hi}]\n"
	badCases = "cases:\n  - id: a\n"
	badSuite = "suites/bad.yaml"
)

// oneSuite returns an entry whose suite file holds text.
func oneSuite(name, rule string, exit int, text func() string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: exit, says: says, make: func(t *testing.T, dir string) {
		put(t, dir, badSuite, text())
	}}
}

// literally returns a function that returns text.
func literally(text string) func() string { return func() string { return text } }

// generatedBad holds the rows of the catalogue that are too large, or too strange, for a text file.
func generatedBad() []badInput {
	return []badInput{
		oneSuite("C103", "50,000 aliases of an anchor of 50 kB are refused before they take 2.5 GB.", 2, func() string {
			return badHead + badCases + "    tags: [&a " + strings.Repeat("x", 50_000) + strings.Repeat(", *a", 50_000) + "]\n"
		}, "suites/bad.yaml:6:12: anchors and aliases"),
		oneSuite("C104", "300 aliases of a map of 1,000 keys are refused before the parser compares them.", 2, func() string {
			var keys strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&keys, "  k%d: 1\n", i)
			}
			return badHead + "defaults: &a\n" + keys.String() + "tags: [" + strings.Repeat("*a, ", 299) + "*a]\n" + badCases
		}, "anchors and aliases"),
		{name: "C113", rule: "A byte order mark at the start is left out with a warning.", exit: 0,
			says: []string{"suites/bad.yaml:1:1: warning: the file begins with a byte order mark"}, args: [][]string{{"validate"}},
			make: func(t *testing.T, dir string) { put(t, dir, badSuite, "\uFEFF"+badHead+badCases) }},
		oneSuite("C114", "A byte order mark inside a file is refused.", 2, literally("version: 1\n\uFEFFtarget: echo\n"),
			"suites/bad.yaml:2:1: a byte order mark (U+FEFF) stands inside the file; remove it"),
		oneSuite("C115", "UTF-16 is refused, with a mark and without, and called so.", 2, func() string {
			return "\xff\xfe" + wide(badHead+badCases, 2)
		}, "suites/bad.yaml:1:1: the file is UTF-16; save it as UTF-8"),
		oneSuite("C115-bare", "UTF-16 without a mark is refused.", 2, func() string { return wide(badHead+badCases, 2) },
			"suites/bad.yaml:1:2: the file contains a NUL byte (U+0000); expected text in UTF-8"),
		oneSuite("C116", "UTF-32 is refused.", 2, func() string { return "\xff\xfe\x00\x00" + wide(badHead+badCases, 4) },
			"suites/bad.yaml:1:1: the file is UTF-16; save it as UTF-8"),
		sameUnderCRLF(),
		oneSuite("C118", "Lines that end with CR alone are refused: readers disagree on where a line ends.", 2,
			literally(strings.ReplaceAll(badHead+badCases, "\n", "\r")), "suites/bad.yaml:1:11: a carriage return ends a line alone; save the file with LF"),
		oneSuite("C119", "A NUL is refused.", 2, literally(badHead+"description: a\x00b\n"+badCases),
			"suites/bad.yaml:4:15: the file contains a NUL byte (U+0000)"),
		oneSuite("C120", "A byte that is not UTF-8 is refused at its place.", 2, literally(badHead+"description: \xff\xfe\n"+badCases),
			"suites/bad.yaml:4:14: this is not UTF-8 text; name a text file, and save it as UTF-8"),
		oneSuite("C121", "An overlong form of a character is refused.", 2, literally(badHead+"description: \xc0\xaf\n"+badCases),
			"suites/bad.yaml:4:14: this is not UTF-8 text"),
		oneSuite("C121-surrogate", "Half of a surrogate pair is refused.", 2, literally(badHead+"description: \"\\ud800\"\n"+badCases),
			"suites/bad.yaml:4:", "an escape that is not a character"),
		oneSuite("C123", "200,000 lists inside each other are refused.", 2, func() string {
			return badHead + "tags: " + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "\n" + badCases
		}, "suites/bad.yaml:4:", "more than 32 maps and lists inside each other; write it flatter"),
		oneSuite("C124", "1,000,000 opening brackets are refused.", 2, func() string { return strings.Repeat("[", 1_000_000) },
			"suites/bad.yaml:1:", "more than 32 maps and lists inside each other"),
		oneSuite("C125", "A map of 3,000 levels is refused by its depth, not by its size.", 2, func() string {
			var text strings.Builder
			for i := range 1000 { // 3,000 levels need more than 1 MiB of indentation
				text.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return badHead + "vars:\n " + strings.ReplaceAll(text.String(), "\n", "\n ") + "\n" + badCases
		}, "suites/bad.yaml:36:", "more than 32 maps and lists inside each other"),
		{name: "C126", rule: "A file of 100 MB is refused after 1 MiB of it.", exit: 2,
			says: []string{"suites/bad.yaml: the file is larger than 1 MiB; split it"},
			make: func(t *testing.T, dir string) { sparse(t, dir, badSuite, 100_000_000) }},
		oneSuite("C127", "1 MiB less a byte of valid YAML is accepted.", 0, func() string { return filled(badHead+badCases, 1<<20-1) }),
		oneSuite("C128", "500,000 items of a list are refused by the size of the file.", 2, func() string {
			return badHead + badCases + "    tags:\n" + strings.Repeat("- a\n", 500_000)
		}, "suites/bad.yaml: the file is larger than 1 MiB; split it"),
		oneSuite("C128-small", "500,000 items of a list that is just small enough are refused by their number.", 2, func() string {
			return badHead + badCases + "    tags: [" + strings.Repeat("1,", 500_000) + "1]\n"
		}, "suites/bad.yaml:6:", "the file has more than 200000 values; split it, or write it as JSON"),
		oneSuite("C129", "A text of 10 MB is refused by the size of the file.", 2, func() string {
			return badHead + "description: " + strings.Repeat("x", 10_000_000) + "\n" + badCases
		}, "suites/bad.yaml: the file is larger than 1 MiB; split it"),
		oneSuite("C129-small", "A text of 300 KiB is refused: it belongs into a file of its own.", 2, func() string {
			return badHead + "description: " + strings.Repeat("x", 300<<10) + "\n" + badCases
		}, "suites/bad.yaml:4:14: a string of 300 KiB; at most 256 KiB fit into YAML: put it in a file of its own"),
		oneSuite("C130", "An anchor with a name of almost 1 MiB is refused, and its name is not repeated.", 2, func() string {
			return badHead + badCases + "    tags: &" + strings.Repeat("x", 1<<20-100) + " [a]\n"
		}, "suites/bad.yaml:6:11: anchors and aliases"),
		oneSuite("C141", "An escape sequence in an id is refused.", 2, literally(badHead+"cases:\n  - id: a\x1b[31mred\n"),
			"suites/bad.yaml:5:10: control character U+001B; remove it"),
		oneSuite("C142", "A control character of the upper half is refused.", 2, literally(badHead+"cases:\n  - id: a\u009b31m\n"),
			"suites/bad.yaml:5:10: control character U+009B; remove it"),
		oneSuite("C143", "A line separator in plain text is refused.", 2, literally(badHead+"description: a\u2028b\n"+badCases),
			"suites/bad.yaml:4:15: U+2028 ends a line for some readers only; end lines with LF"),
		oneSuite("C144", "A character that turns the writing direction is refused in an id.", 2, literally(badHead+"cases:\n  - id: a\u202eb\n"),
			"suites/bad.yaml:5:9: `id` is \"a\\u202eb\"; expected a letter or digit"),
		oneSuite("C144-text", "A character that turns the writing direction is accepted in a text, and shown as what it is.", 0,
			literally(badHead+"description: a\u202eb\ncases:\n  - id: a\n    expected_label: x\u202ey\n    labels: [\"x\u202ey\", Hi]\n    tags: [\"\u202e\"]\n    case_threshold: 0\n")),
		oneSuite("C202-sum", "Weights whose sum is infinite are refused one by one.", 2,
			literally(badHead+"weight: "+strings.Repeat("9", 60)+"\n"+badCases), "suites/bad.yaml:4:9: `weight` is 99"),
		{name: "C214", rule: "Recorded and echoed cases have no limit: 10,001 of them run.", exit: 0, make: func(t *testing.T, dir string) {
			var text strings.Builder
			text.WriteString(badHead + "cases:\n")
			for i := range 10_001 {
				fmt.Fprintf(&text, "  - id: c%d\n", i)
			}
			put(t, dir, badSuite, text.String())
		}},
		{name: "C217-long", rule: "A prompt of 2 MiB is refused.", exit: 2, says: []string{"prompts/long.md: the file is larger than 1 MiB; shorten it"},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, "version: 1\ntarget: echo\nprompt: ../prompts/long.md\n"+badCases)
				put(t, dir, "prompts/long.md", strings.Repeat("word ", 2<<20/5))
			}},
		headPolicy(),
		{name: "C315", rule: "A pattern made to be slow costs no more than its text is long.", exit: 0, make: func(t *testing.T, dir string) {
			put(t, dir, badSuite, badHead+"cases:\n  - id: a\n    match: regex\n    expected_response: \""+strings.Repeat("(a*)*", 40)+"$\"\n")
			put(t, dir, "suites/slow.yaml", "version: 1\nprompt: ../prompts/refund.md\ncases:\n  - id: a\n    vars: { question: q }\n"+
				"    match: regex\n    expected_response: \""+strings.Repeat("(a*)*", 40)+"b\"\n")
			put(t, dir, "recordings/slow.jsonl", `{"suite_id":"slow","case_id":"a","raw_response":"`+strings.Repeat("a", 256<<10)+`b"}`+"\n")
		}},
		oneSuite("C315-long", "A pattern of 300 nested repetitions is refused by its length.", 2,
			literally(badHead+"cases:\n  - id: a\n    match: regex\n    expected_response: \""+strings.Repeat("(a*)*", 300)+"\"\n"),
			"suites/bad.yaml:7:25: expected_response: regular expression of 1500 bytes; at most 1024 are allowed"),
		{name: "C318-binary", rule: "A picture as a prompt is refused.", exit: 2, says: []string{"prompts/p.png:1:1: this is not UTF-8 text; name a text file"},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, "version: 1\ntarget: echo\nprompt: ../prompts/p.png\n"+badCases)
				put(t, dir, "prompts/p.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
			}},
		{name: "C318-submodule", rule: "A submodule's folder as a prompt is refused.", exit: 2,
			says: []string{`suites/bad.yaml:3:9: prompt file "../prompts/sub" is a folder, not a file`},
			make: func(t *testing.T, dir string) {
				put(t, dir, badSuite, "version: 1\ntarget: echo\nprompt: ../prompts/sub\n"+badCases)
				put(t, dir, "prompts/sub/.git", "gitdir: ../../.git/modules/sub\n")
			}},
	}
}

// wide writes ASCII text in units of width bytes, the lowest first.
func wide(text string, width int) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteByte(text[i])
		out.WriteString(strings.Repeat("\x00", width-1))
	}
	return out.String()
}

// filled appends comment lines to text until it is size bytes long.
func filled(text string, size int) string {
	line := "# " + strings.Repeat("x", 97) + "\n"
	for len(text)+len(line) <= size {
		text += strings.Repeat(line, max(1, (size-len(text))/len(line)/2))
	}
	return text + strings.Repeat("\n", size-len(text))
}

// sparse makes a file of size bytes, all NUL, that takes no room.
func sparse(t *testing.T, dir, name string, size int64) {
	t.Helper()
	put(t, dir, name, "")
	if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
		t.Fatal(err)
	}
}

// sameUnderCRLF compares the keys of all cases before and after the line ends of every file are changed.
func sameUnderCRLF() badInput {
	var keys string
	return badInput{name: "C117", rule: "CRLF line ends change no key.", exit: 0, args: [][]string{{"validate", "--json"}},
		make: func(t *testing.T, dir string) {
			var b badInput
			_, keys, _ = b.execute(t, new(badScore), dir, []string{"validate", "--json"})
			for _, pattern := range []string{".github/*.yml", "suites/*/*.yaml", "prompts/*.md"} {
				names, _ := filepath.Glob(filepath.Join(dir, pattern))
				for _, name := range names {
					text, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					put(t, filepath.Dir(name), filepath.Base(name), strings.ReplaceAll(string(text), "\n", "\r\n"))
				}
			}
		},
		then: func(t *testing.T, _, out string) {
			if keys == "" || out != keys {
				t.Errorf("keys with CRLF:\n%s\nwith LF:\n%s", short(out), short(keys))
			}
		}}
}

// headPolicy changes what a head may not decide: the run is held to the base's rules and the change is announced.
func headPolicy() badInput {
	return badInput{name: "C219", rule: "A head that lowers the bar, and names another target, is announced and not obeyed.", exit: 1,
		args: [][]string{{"run", "--base", "./base", "--head", "./head", "--scope", "all"}},
		says: []string{"run score 0.500 is below min_run_score 0.900", "in effect after the merge"},
		make: func(t *testing.T, dir string) {
			for _, side := range []string{"base", "head"} {
				if err := os.CopyFS(filepath.Join(dir, side), os.DirFS(goodRepository(t))); err != nil {
					t.Fatal(err)
				}
			}
			put(t, dir, "head/.github/failproof.yml", strings.ReplaceAll(badConfig, "min_run_score: 0.9", "min_run_score: 0"))
			var wrong strings.Builder
			for _, id := range []string{"within-30-days", "too-late", "angry-customer"} {
				fmt.Fprintf(&wrong, "{\"suite_id\":\"support/refund\",\"case_id\":%q,\"raw_response\":\"{}\"}\n", id)
			}
			put(t, dir, "head/recordings/support/refund.jsonl", wrong.String())
		},
		then: func(t *testing.T, _, out string) {}}
}
