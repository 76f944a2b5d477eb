package promptfoo

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// kind says how assertions of one type are converted.
type kind struct {
	convert func(a *assertion) error

	// compare is in place of convert for assertions that compare the answer with texts. want is the result of texts.
	compare func(a *assertion, want *value) error

	// part is JavaScript for an assertion about a part of the answer, in which $ stands for its text and # for the
	// value; wholeOnly if there is none; or "" if no transform matters.
	part string
}

const (
	wholeOnly = "whole"
	regexPart = "new RegExp(#).test($)"
	jsonPart  = "JSON.parse($) !== undefined"
)

// kinds has the types of assertions of promptfoo that have an equivalent in failproof. Each type may have the prefix
// not-.
var kinds map[string]kind

func init() { // assertions convert each other through this table
	const lowerCase = "$.toLowerCase().includes(word.toLowerCase())"
	kinds = text.ByName(map[string]kind{
		"equals":                     {convert: convertEquals, part: "$ === #"},
		"contains":                   {compare: convertText, part: "$.includes(#)"},
		"icontains":                  {compare: convertText, part: "$.toLowerCase().includes(#.toLowerCase())"},
		"starts-with":                {compare: convertText, part: "$.startsWith(#)"},
		"contains-any":               {compare: convertText, part: "#.some(word => $.includes(word))"},
		"contains-all":               {compare: convertText, part: "#.every(word => $.includes(word))"},
		"icontains-any":              {compare: convertIgnoringCase, part: "#.some(word => " + lowerCase + ")"},
		"icontains-all":              {compare: convertIgnoringCase, part: "#.every(word => " + lowerCase + ")"},
		"regex":                      {compare: convertRegex, part: regexPart},
		"word-count":                 {convert: convertWordCount, part: wholeOnly},
		"latency|cost":               {convert: convertLimit},
		"finish-reason":              {compare: convertFinish},
		"javascript":                 {convert: convertScript},
		"is-json|contains-json":      {convert: convertJSON, part: jsonPart},
		"is-xml|contains-xml":        {convert: convertXML, part: wholeOnly},
		"is-refusal":                 {convert: convertRefusal, part: wholeOnly},
		"is-valid-openai-tools-call": {convert: convertCalls},
		"is-valid-openai-function-call|is-valid-function-call": {convert: convertCalls},

		"llm-rubric|model-graded-closedqa|g-eval": {convert: convertRubric},
		"factuality|model-graded-factuality":      {compare: convertFactuality},
		"similar":                                 {compare: convertSimilar},
		"context-faithfulness":                    {convert: convertFaithfulness},

		"answer-relevance":       {convert: convertTo("Answers what was asked, and nothing else")},
		"conversation-relevance": {convert: convertTo("Answers what was said last, in the course of the conversation")},
	})
}

// unconvertedKinds has types of assertions of promptfoo that have no equivalent in failproof, with the nearest one.
var unconvertedKinds = text.ByName(map[string]conversionError{
	"python": {"it is Python; only JavaScript runs here",
		"the same in `javascript`, or an expression; or a criterion of `rubric` if it needs judgment"},
	"levenshtein": {"edit distance is not supported",
		"`match: exact`, `contains`, or a criterion of `rubric` that says what may differ"},
	"rouge-n|bleu|gleu|meteor": {"word-overlap scores (ROUGE, BLEU) are not supported",
		"`key_facts`, the facts that the answer should cover"},
	"guardrails": {"a provider's guardrail results are not read",
		"`expected_classification: refusal` if declining is right"},
	"is-sql|contains-sql|is-html|contains-html": {"nothing parses SQL or HTML here",
		"`regex`, or a criterion of `rubric`"},
	"context-relevance|context-recall": {"it judges what was retrieved, which is a variable here, not the answer",
		"your own application as the target (`provider: http`), which retrieves by itself"},
	"select-best|max-score": {"it compares answers of several prompts or models",
		"base against head is what failproof compares; each target has its own results"},
	"assert-set": {"a set is converted only if all of its assertions must pass",
		"one expression with `or`, or a criterion of `rubric` that says what is enough"},
})

// convertEquals sets the expected response of the case, or adds an expression if a response is expected already.
func convertEquals(a *assertion) error {
	if a.value.isMap() || a.value.isList() {
		return expectJSON(a)
	}
	want, err := a.scalar()
	if emptyText := a.value.isText() && a.value.Text == ""; err != nil && !emptyText { // an empty text is a value here
		return err
	}
	if want == "" || a.negative || a.expect.hasResponse() {
		a.addExpression("trim(response.text) == " + exprText(strings.TrimSpace(want)))
		return nil
	}
	a.noteTextOnly()
	a.expect.response, a.expect.match = str(want), "exact"
	return nil
}

// expectJSON sets the expected response of the case, which is compared as JSON.
func expectJSON(a *assertion) error {
	if a.negative || a.expect.hasResponse() {
		return because("it compares a second thing with JSON", "an expression over `response.json`")
	}
	want := convertNode(a.value.Node)
	err := want.replaceTexts(func(text string) (string, error) { return fillText(text, a.expect.vars) })
	if err == nil {
		a.expect.response, a.expect.match = str(want.json()), "json"
	}
	return err
}

// noteTextOnly reports that the assertion searches only the text of an answer, if answers may be tool calls.
func (a *assertion) noteTextOnly() {
	if a.expect.hasTools {
		a.addDifference("tool calls are in `response.tool_calls`, not in the text that it searches")
	}
}

// exprText returns s as a quoted text in an expression.
func exprText(s string) string {
	if !strings.ContainsAny(s, "'\\\n\r\t") && text.IsPlainASCII(s) {
		return "'" + s + "'"
	}
	return quotation(s)
}

// convertText adds the assertion of failproof that has the same name as the type of a.
func convertText(a *assertion, want *value) error {
	a.noteTextOnly()
	a.addNamed(strings.ReplaceAll(a.kind, "-", "_"), want)
	return nil
}

// convertIgnoringCase converts an assertion that looks for several texts in any letter case. The assertion `icontains`
// of failproof looks for only one text.
func convertIgnoringCase(a *assertion, want *value) error {
	parts := make([]string, len(want.items))
	for i, word := range want.items {
		parts[i] = exprText(strings.ToLower(word.text))
	}
	quantifier := strings.TrimPrefix(a.kind, "icontains-") // any or all
	a.addExpression(quantifier + "([" + strings.Join(parts, ", ") + "], lower(response.text) contains #)")
	return nil
}

var unicodeEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// convertRegex adds an assertion with the pattern. If RE2 cannot compile the pattern, it adds a script instead.
func convertRegex(a *assertion, want *value) error {
	source := unicodeEscape.ReplaceAllString(want.text, `\x{$1}`)
	if _, err := expect.CompileForm("regex", []string{source}); err != nil {
		return a.convertPart(regexPart)
	}
	return convertText(a, str(source))
}

// convertWordCount adds an expression that compares the number of words with a number, or with `min` and `max`.
func convertWordCount(a *assertion) (err error) {
	var parts []string
	bound := func(operator string) func(node) {
		return func(n node) {
			if _, wrong := strconv.Atoi(n.text()); wrong != nil {
				err = because("it has no whole number", "`response.words <= 100`")
			}
			parts = append(parts, "response.words "+operator+" "+n.text())
		}
	}
	if a.value.isMap() {
		handleKeys(a.value, "of `word-count`", handlers{"min": bound(">="), "max": bound("<=")})
	} else {
		bound("==")(a.value)
	}
	if len(parts) == 0 {
		return because("it has neither `min` nor `max`")
	} else if err == nil {
		a.addExpression(strings.Join(parts, " and "))
	}
	return err
}

// convertLimit adds an expression with an upper limit for the latency or the cost. An unknown figure passes.
func convertLimit(a *assertion) error {
	field := map[string]string{"latency": "latency_ms", "cost": "cost_usd"}[a.kind]
	threshold := cmp.Or(a.threshold.text(), a.value.text())
	if !decimal.MatchString(threshold) || a.negative {
		return because("it has no plain number as its threshold", "`response."+field+" <= 1000`")
	}
	a.addExpression("response." + field + " == nil or response." + field + " <= " + threshold)
	return nil
}

func convertFinish(a *assertion, want *value) error {
	a.addExpression("response.finish_reason == " + exprText(want.text))
	return nil
}

func convertCalls(a *assertion) error {
	if !a.expect.hasTools {
		return because("the tools' form is not supported", "`tools` of the suite, and `expected_tools`")
	}
	a.addDifference("the tool must be called, but its arguments are not checked by the tool's schema; " +
		"`expected_tools` can check them")
	a.addExpression("len(response.tool_calls) > 0")
	return nil
}

var decimal = regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`)
