//go:build linux

package acceptance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/schemas"
)

// ownBad holds what the catalogue does not: arguments, wrong types, and small files that ask for much.
func ownBad() []badInput {
	all := slices.Concat(argumentBad(), typeBad(), greedyBad(), dataBad())
	for i := range all {
		if all[i].args == nil { // validate reads files as run does; the rows of the catalogue have met both
			all[i].args = [][]string{{"run", "--quiet"}}
		}
	}
	return all
}

// refused returns an entry of several command lines that must all be refused.
func refused(name, rule string, says string, lines ...[]string) badInput {
	return badInput{name: name, rule: rule, exit: 2, says: []string{says}, args: lines}
}

func argumentBad() []badInput {
	return []badInput{
		refused("args-outside", "A suite named on the command line lies in the repository.", "[", []string{"validate", "../x.yaml"},
			[]string{"validate", "/etc/passwd"}, []string{"run", "--quiet", "../x.yaml"}, []string{"validate", `..\x.yaml`}),
		refused("args-absent", "A suite that is named and not there is refused.", "does not exist", []string{"validate", "nope.yaml"}, []string{"run", "--quiet", "suites/nope.yaml"}),
		refused("args-folder", "A folder without a suite is said.", "matches nothing", []string{"validate", "prompts"}, []string{"run", "prompts/"}),
		refused("args-empty", "An empty name is no suite.", "is empty", []string{"validate", ""}),
		refused("args-glob", "A glob on the command line obeys the rules of the configuration's.", "[", []string{"validate", "**/**/**/x"}, []string{"validate", "["},
			[]string{"validate", "suites/*.nothing"}),
		refused("args-option", "A file named like an option is an option, and unknown.", "unknown shorthand flag", []string{"validate", "-rf.yaml"}),
		{name: "args-option-file", rule: "After -- a file named like an option is a file.", exit: 2, args: [][]string{{"validate", "--", "-rf.yaml"}},
			says: []string{"the path gives the suite the id \"-rf\""}, make: func(t *testing.T, dir string) { put(t, dir, "-rf.yaml", badHead+badCases) }},
		refused("args-flags", "An unknown flag or command is refused.", "unknown", []string{"run", "--nope"}, []string{"nope"}, []string{"run", "-x"}),
		refused("args-values", "A flag's value is checked before anything is read.", "expected", []string{"run", "--phase", "x"}, []string{"run", "--scope", "x"},
			[]string{"run", "--min-run-score", "NaN"}, []string{"run", "--min-run-score", "1.5"}, []string{"run", "--min-run-score", "-1"},
			[]string{"run", "--min-run-score", "0x1"}, []string{"run", "--min-run-score", "1e0"}, []string{"run", "--min-run-score", "Inf"}, []string{"render", "--format", "pdf", "x"}),
		refused("args-revisions", "A base or head that is no revision and no folder is refused.", "open the ", []string{"run", "--base", "nope"}, []string{"run", "--head", "nope"},
			[]string{"run", "--base=-x"}, []string{"run", "--base", "HEAD@{1}"}, []string{"run", "--head", "a..b"}),
		refused("args-config", "A configuration lies in the repository and is a file.", ": ", []string{"run", "--quiet", "--config", "../x.yml"},
			[]string{"validate", "--config", "/etc/passwd"}, []string{"validate", "--config", "."}, []string{"validate", "--config", ".github"}, []string{"validate", "--config", "nope.yml"}),
		refused("args-count", "A command with too few or too many arguments says how it is used.", "--help", []string{"diff", "one"}, []string{"render"}, []string{"schema"}, []string{"init", "x"}),
		refused("args-schema", "A schema that does not exist is refused.", "nope", []string{"schema", "nope"}),
		refused("args-injection", "An argument cannot write a command of the runner.", "nope", []string{"validate", "::error::nope\n::set-output name=x::y"}, []string{"run", "--base", "##[error]nope\r::x::"}),
	}
}

// typeBad sets every key of a suite and of a configuration to a value of one wrong kind.
func typeBad() []badInput {
	suiteKeys, caseKeys := schemaKeys(schemas.Suite(), ""), schemaKeys(schemas.Suite(), "case")
	configKeys, gateKeys, targetKeys := schemaKeys(schemas.Config(), ""), schemaKeys(schemas.Config(), "gate"), schemaKeys(schemas.Config(), "target")
	var all []badInput
	for kind, value := range map[string]string{"list": "[[]]", "map": "{a: {b: []}}", "null": "~", "number": "12345678901234567890", "text": "\"\\u0001\"", "nan": ".nan", "word": "yes"} {
		all = append(all,
			oneSuite("type-suite-"+kind, "Every key of a suite refuses a value of the wrong kind.", 2, func() string { return keyed("", suiteKeys, value) }, "suites/bad.yaml:"),
			oneSuite("type-case-"+kind, "Every key of a case refuses a value of the wrong kind.", 2, func() string {
				return badHead + badCases + keyed("    ", caseKeys, value) + "defaults:\n" + keyed("  ", caseKeys, value)
			}, "suites/bad.yaml:"),
			badInput{name: "type-config-" + kind, rule: "Every key of a configuration refuses a value of the wrong kind.", exit: 2, says: []string{".github/failproof.yml:"},
				make: func(t *testing.T, dir string) { put(t, dir, ".github/failproof.yml", keyed("", configKeys, value)) }},
			badInput{name: "type-gate-" + kind, rule: "Every key of a gate and of a target refuses a value of the wrong kind.", exit: 2, says: []string{".github/failproof.yml:"},
				make: func(t *testing.T, dir string) {
					put(t, dir, ".github/failproof.yml", "version: 1\nsuites: [suites/**/*.yaml]\ngate:\n"+keyed("  ", gateKeys, value)+
						"targets:\n  x:\n    provider: openai\n"+keyed("    ", targetKeys, value))
				}},
		)
	}
	return all
}

// schemaKeys returns the keys of a definition of a schema, sorted, or those of the document if definition is "".
func schemaKeys(schema []byte, definition string) []string {
	type object struct{ Properties map[string]any }
	var s struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		panic(err)
	}
	if definition != "" {
		s.object = s.Defs[definition]
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

func keyed(indent string, keys []string, value string) string {
	var b strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&b, "%s%s: %s\n", indent, key, value)
	}
	return b.String()
}
