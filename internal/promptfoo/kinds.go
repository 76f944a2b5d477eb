package promptfoo

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// kind says how assertions of one type are converted.
type kind struct {
	convert   func(a *assertion) error
	usesJudge bool // whether the converted assertion asks a model
}

// kinds has the types of assertions of promptfoo that have an equivalent in failproof. Each type may have the prefix
// not-.
var kinds map[string]kind

func init() { // assertions convert each other through this table
	kinds = text.ByName(map[string]kind{
		"equals":                      {convert: convertEquals},
		"contains|icontains":          {convert: convertText},
		"starts-with":                 {convert: convertText},
		"contains-any|contains-all":   {convert: convertTexts},
		"icontains-any|icontains-all": {convert: convertIgnoringCase},
		"regex":                       {convert: convertRegex},
		"not-empty":                   {convert: convertNotEmpty},
		"min-length|max-length":       {convert: convertLength},
		"word-count":                  {convert: convertWordCount},
		"latency|cost":                {convert: convertLimit},
		"finish-reason":               {convert: convertFinish},
		"javascript":                  {convert: convertScript},
		"is-json|contains-json":       {convert: convertJSON},
		"is-xml|contains-xml":         {convert: convertXML},
		"is-refusal":                  {convert: convertRefusal},
		"is-valid-openai-tools-call":  {convert: convertCalls},
		"is-valid-openai-function-call|is-valid-function-call": {convert: convertCalls},
		"tool-call-f1": {convert: convertToolNames},

		"llm-rubric|model-graded-closedqa|g-eval": {convertRubric, true},
		"factuality|model-graded-factuality":      {convertFactuality, true},
		"similar":                                 {convertSimilar, true},
		"answer-relevance":                        {convertTo("Answers what was asked, and nothing else"), true},

		"conversation-relevance": {convertTo("Answers what was said last, in the course of the conversation"), true},

		"context-faithfulness": {convertFaithfulness, true},
	})
}

const (
	oneCriterion = "a criterion of `rubric`"
	otherCode    = "the same in `javascript`, or an expression; or a criterion of `rubric` if it needs judgment"
	tracesReason = "answers are judged, not traces or an agent's steps"
)

// unconvertedKinds has the types of assertions of promptfoo that have no equivalent in failproof.
var unconvertedKinds = text.ByName(map[string]conversionError{
	"python": {"it is Python; only JavaScript runs here", otherCode},
	"ruby":   {"it is Ruby; only JavaScript runs here", otherCode},
	"levenshtein": {"edit distance is not supported",
		"`match: exact`, `contains`, or a criterion of `rubric` that says what may differ"},
	"rouge-n|bleu|gleu|meteor": {"word-overlap scores (ROUGE, BLEU) are not supported",
		"`key_facts`, the facts that the answer should cover"},
	"classifier": {"classifiers are not called", "`expected_label` with `labels`, or " + oneCriterion},
	"moderation": {"moderation services are not called", "`policies` with patterns, or " + oneCriterion},
	"guardrails": {"a provider's guardrail results are not read",
		"`expected_classification: refusal` if declining is right"},
	"webhook|pi": {"no other service is called about an answer", oneCriterion},
	"context-relevance|context-recall": {"it judges what was retrieved, which is a variable here, not the answer",
		"your own application as the target (`provider: http`), which retrieves by itself"},
	"select-best|max-score": {"it compares answers of several prompts or models",
		"base against head is what failproof compares; each target has its own results"},

	"is-sql|contains-sql|is-html|contains-html": {"nothing parses SQL or HTML here", "`regex`, or " + oneCriterion},

	"trajectory:goal-success|trace-span-count|trace-error-spans": {tracesReason, ""},

	"trace-span-duration": {tracesReason, "`response.latency_ms` of the whole answer"},
	"search-rubric":       {"the judge does not search", "criteria of `rubric` with a `reference`"},
	"agent-rubric":        {"the judge cannot be an agent", "criteria of `rubric`"},
})

// convertEquals sets the expected response of the case. If a response is expected already, or a transform takes a part
// of the answer, it adds an assertion instead.
func convertEquals(a *assertion) error {
	if a.value.isMap() || a.value.Node != nil && a.value.Kind == document.List {
		return expectJSON(a)
	}
	want := ""
	if !a.value.isText() || a.value.Text != "" { // an empty text is a value here
		var err error
		if want, err = a.scalar(); err != nil {
			return err
		}
	}
	switch {
	case a.transformCode != "":
		a.addPartScript(quotation(want))
	case want == "":
		a.addExpression(`trim(response.text) == ""`)
	case a.negative:
		a.expect.addExpression("trim(response.text) != " + exprText(strings.TrimSpace(want)))
	case a.expect.hasResponse():
		a.expect.addExpression("trim(response.text) == " + exprText(strings.TrimSpace(want)))
	default:
		a.noteTextOnly()
		a.expect.response, a.expect.match = str(want), "exact"
	}
	return nil
}

// expectJSON sets the expected response of the case, which is compared as JSON.
func expectJSON(a *assertion) error {
	if a.transformCode != "" || a.negative || a.expect.hasResponse() {
		return conversionError{"it compares a part of the answer, or a second thing, with JSON",
			"an expression over `response.json`"}
	}
	want, err := fillText(jsonOf(a.value.Node), a.vars)
	if err == nil {
		a.expect.response, a.expect.match = str(want), "json"
	}
	return err
}

// noteTextOnly reports that the assertion searches only the text of an answer, if answers may be tool calls.
func (a *assertion) noteTextOnly() {
	if a.hasTools {
		a.addDifference("tool calls are in `response.tool_calls`, not in the text that it searches")
	}
}

// formExpressions has, for assertions about one text, expressions with the same meaning. In an expression, # stands for
// the text.
var formExpressions = map[string]string{
	"contains": "response.text contains #", "icontains": "lower(response.text) contains lower(#)",
	"starts_with": "response.text startsWith #", "regex": "response.text matches #",
}

// exprText returns s as a quoted text in an expression.
func exprText(s string) string {
	if !strings.ContainsAny(s, "'\\\n\r\t") && text.IsPlainASCII(s) {
		return "'" + s + "'"
	}
	return quotation(s)
}

func exprTexts(all []string) string {
	parts := make([]string, len(all))
	for i, one := range all {
		parts[i] = exprText(one)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// convertText converts an assertion that looks for one text.
func convertText(a *assertion) error {
	want, err := a.scalar()
	if err == nil {
		a.addSameName(str(want))
	}
	return err
}

// convertTexts converts an assertion that looks for any or all of several texts.
func convertTexts(a *assertion) error {
	words, err := a.words()
	if err == nil {
		a.addSameName(textList(words))
	}
	return err
}

// addSameName adds the assertion of failproof that has the same name as the type of a. If a transform takes a part of
// the answer, it adds a script instead.
func (a *assertion) addSameName(v *value) {
	if a.transformCode != "" {
		a.addPartScript(v.json())
		return
	}
	a.noteTextOnly()
	a.addNamed(strings.ReplaceAll(a.kind, "-", "_"), v)
}

// convertIgnoringCase converts an assertion that looks for several texts in any letter case. The assertion `icontains`
// of failproof looks for only one text.
func convertIgnoringCase(a *assertion) error {
	quantifier := strings.TrimPrefix(a.kind, "icontains-") // any or all
	words, err := a.words()
	switch {
	case err != nil:
		return err
	case a.transformCode != "":
		a.addPartScript(textList(words).json())
		return nil
	case quantifier == "all" && !a.negative:
		for _, word := range words {
			a.addNamed("icontains", str(word))
		}
		return nil
	}
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	a.addExpression(quantifier + "(" + exprTexts(words) + ", lower(response.text) contains #)")
	return nil
}

var unicodeEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// convertRegex adds an assertion with the pattern. If RE2 cannot compile the pattern, it adds a script instead.
func convertRegex(a *assertion) error {
	want, err := a.scalar()
	if err != nil {
		return err
	}
	source := unicodeEscape.ReplaceAllString(want, `\x{$1}`)
	if _, err := expect.CompileForm("regex", []string{source}); err != nil || a.transformCode != "" {
		a.addPartScript(quotation(want))
		return nil
	}
	a.addSameName(str(source))
	return nil
}

func convertNotEmpty(a *assertion) error {
	if a.transformCode != "" {
		a.addPartScript("")
	} else {
		a.addExpression(`trim(response.text) != ""`)
	}
	return nil
}

// convertLength adds an expression that compares the length of the answer with a number.
func convertLength(a *assertion) error {
	bound, operator := a.value, ">="
	if bound.isMissing() {
		bound = a.threshold
	}
	if a.kind == "max-length" {
		operator = "<="
	}
	err := addCountBounds(a, "response.length", []string{operator}, bound)
	if err == nil {
		a.addDifference("promptfoo has no assertion with this name; it becomes the length in characters")
	}
	return err
}

// convertWordCount adds an expression that compares the number of words with a number, or with `min` and `max`.
func convertWordCount(a *assertion) error {
	if !a.value.isMap() {
		return addCountBounds(a, "response.words", []string{"=="}, a.value)
	}
	var least, most node
	a.im.src.handleKeys(a.value, "of `word-count`", handlers{"min": storeIn(&least), "max": storeIn(&most)})
	return addCountBounds(a, "response.words", []string{">=", "<="}, least, most)
}

// addCountBounds adds an expression that compares field, a figure of the answer, with bounds, which must be whole
// numbers. operators has the operator for each bound. A missing bound sets no limit.
func addCountBounds(a *assertion, field string, operators []string, bounds ...node) error {
	var parts []string
	for i, bound := range bounds {
		if _, err := strconv.Atoi(bound.text()); err == nil {
			parts = append(parts, field+" "+operators[i]+" "+bound.text())
		} else if !bound.isMissing() {
			parts = nil
			break
		}
	}
	if len(parts) == 0 || a.transformCode != "" {
		return conversionError{"it has no whole number, or looks at a part of the answer", "`" + field + " <= 100`"}
	}
	a.addExpression(strings.Join(parts, " and "))
	return nil
}

// convertLimit adds an expression with an upper limit for the latency or the cost. An unknown figure passes.
func convertLimit(a *assertion) error {
	field := map[string]string{"latency": "latency_ms", "cost": "cost_usd"}[a.kind]
	threshold := cmp.Or(a.threshold.text(), a.value.text())
	if _, ok := decimal(threshold); !ok || a.negative {
		return conversionError{"it has no plain number as its threshold", "`response." + field + " <= 1000`"}
	}
	a.expect.addExpression("response." + field + " == nil or response." + field + " <= " + threshold)
	return nil
}

func convertFinish(a *assertion) error {
	want, err := a.scalar()
	if err == nil {
		a.addExpression("response.finish_reason == " + exprText(want))
	}
	return err
}

func convertCalls(a *assertion) error {
	if !a.hasTools {
		return conversionError{"the tools' form is not supported", "`tools` of the suite, and `expected_tools`"}
	}
	a.addDifference("the tool must be called, but its arguments are not checked by the tool's schema; " +
		"`expected_tools` can check them")
	a.addExpression("len(response.tool_calls) > 0")
	return nil
}

// convertToolNames adds an expression that requires a call of each listed tool.
func convertToolNames(a *assertion) error {
	words, err := a.words()
	if err == nil {
		a.addDifference("all of these tools must be called, not a share of them")
		a.addExpression("all(" + exprTexts(words) + ", # in map(response.tool_calls, .name))")
	}
	return err
}

var decimalForm = regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`)

func decimal(text string) (float64, bool) {
	if !decimalForm.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}
