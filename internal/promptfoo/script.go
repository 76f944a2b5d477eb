package promptfoo

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"
)

var (
	// quotedOrComment matches the texts and comments in JavaScript.
	quotedOrComment = regexp.MustCompile(`(?s)'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/`)

	// outsideAccess matches code that uses what scripts of failproof lack: files, the network, other code, a clock,
	// chance and waiting.
	outsideAccess = regexp.MustCompile(`\b(require|import|fetch|Date\.now|Math\.random)\s*\(|\bnew Date\(\)|` +
		`\b(await|import)\s|\b(process|fs|child_process)\.`)

	// memberAccess matches code that uses a member of the answer. An answer that is a text has only textMembers.
	memberAccess = regexp.MustCompile(`\boutput\??\.\s*([A-Za-z_$][\w$]*)|\boutput(\[\d+\])\??\.\w|\boutput(\[['"])`)
	textMembers  = strings.Fields(`at charAt charCodeAt codePointAt concat constructor endsWith includes indexOf lastIndexOf
		length localeCompare match matchAll normalize padEnd padStart replace replaceAll repeat search slice split
		startsWith substr substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd
		trimStart valueOf`)
)

// checkScript returns an error if failproof cannot run the script code.
func checkScript(code string) error {
	if strings.HasPrefix(code, "file://") {
		return errors.New("it is code in a file, which is not run")
	}
	if used := outsideAccess.FindString(quotedOrComment.ReplaceAllString(code, "''")); used != "" {
		return errors.New("it uses `" + strings.TrimRight(used, "( \t\n.") +
			"`, and a script cannot reach anything outside of it")
	}
	return nil
}

// readsJSON reports whether a script uses the answer as an object, as it is if its provider is asked for JSON.
func readsJSON(code string) bool {
	for _, m := range memberAccess.FindAllStringSubmatch(quotedOrComment.ReplaceAllString(code, "''"), -1) {
		if m[1] == "" || !slices.Contains(textMembers, m[1]) {
			return true
		}
	}
	return false
}

// transform is promptfoo's code that takes a part of each answer.
type transform struct {
	origin node
	code   string // JavaScript; "" if it only removes white space or code fences, which failproof ignores too
	err    error  // why failproof cannot run the code
}

func parseTransform(n node) transform {
	code := strings.TrimSpace(n.text())
	expr := strings.TrimSuffix(strings.TrimPrefix(code, "return "), ";")
	if expr == "" || fenceStrip.MatchString(expr) {
		return transform{origin: n}
	}
	return transform{n, code, checkScript(code)}
}

// fenceStrip matches code that only removes code fences and white space from the answer.
var fenceStrip = regexp.MustCompile("^output(?:\\s*(?:\\.replace(?:All)?\\(\\s*" +
	"(?:/[^/]*```[^/]*/\\w*|['\"][^'\"]*```[^'\"]*['\"])\\s*," +
	"\\s*(?:''|\"\"|'\\$1'|\"\\$1\")\\s*\\)|\\.trim\\(\\)))*$")

// convertScript adds the JavaScript of the assertion to the result, with the values of variables filled in.
func convertScript(a *assertion) error {
	code := a.value.text()
	if code == "" {
		return because("it has no value")
	}
	if !decimal.MatchString(a.threshold.text()) && !a.threshold.isMissing() {
		return because("its threshold is not a plain number", "`threshold: 0.5`")
	}
	if err := checkScript(code); err != nil {
		return because(err.Error(),
			"the code itself in `javascript`, without anything outside of it; or a criterion of `rubric` if it "+
				"needs judgment")
	}
	if a.expect.vars != nil {
		code = scriptPlaceholder.ReplaceAllStringFunc(code, func(place string) string {
			if value, known := a.expect.vars[scriptPlaceholder.FindStringSubmatch(place)[1]]; known {
				return value
			}
			return place
		})
	}
	if a.transform.code == "" && !a.transform.origin.isMissing() {
		a.transform.code = a.transform.origin.text() // unlike other assertions, a script can tell whether the transform ran
	}
	a.addScript(code)
	return nil
}

// scriptPlaceholder matches a variable in a script that promptfoo replaces by its value.
var scriptPlaceholder = regexp.MustCompile(`\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}`)

// addScript adds an assertion in JavaScript about the answer, or about the part that the transform takes.
func (a *assertion) addScript(code string) {
	json := !a.expect.hasTools && readsJSON(cmp.Or(a.transform.code, code))
	if a.transform.code == "" && !json && a.threshold.isMissing() {
		a.addNamed("javascript", str(code))
		return
	}
	v := mapOf().set("script", str(code)).setNonEmpty("transform", str(a.transform.code)).setTrue("json", json)
	if !a.threshold.isMissing() {
		v.set("threshold", literal(a.threshold.text()))
	}
	a.addNamed("javascript", v)
}

// textOfOutput is JavaScript for the text that promptfoo searches: the answer or its part, as JSON if it is no text.
const textOfOutput = "(typeof output === 'string' ? output : JSON.stringify(output))"

// convertPart adds a script about the part of the answer that the transform takes. code is that of the kind.
func (a *assertion) convertPart(code string) (err error) {
	expected := str("")
	if code == wholeOnly || code == jsonPart && !a.value.isMissing() {
		return because("it looks at a part of the answer", "a script in `javascript`, with `transform`")
	} else if code != jsonPart {
		expected, err = a.texts()
	}
	if a.threshold = (node{}); err == nil {
		a.addScript(strings.NewReplacer("$", textOfOutput, "#", expected.json()).Replace(code))
	}
	return err
}
