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

// kind is the conversion of assertions of one type.
type kind struct {
	convert func(a *assertion) error // nil: nothing, and why says the reason
	judged  bool                     // a model is asked
	why     string
	instead string // the nearest way
}

const (
	commonWords   = "word-overlap scores (ROUGE, BLEU) are not supported"
	factsInstead  = "`key_facts`, the facts that the answer should cover"
	noTokens      = "token probabilities are not requested"
	retrieved     = "it judges what was retrieved, which is a variable here, not the answer"
	retrievesSelf = "your own application as the target (`provider: http`), which retrieves by itself"
	eachOther     = "it compares answers of several prompts or models"
	baseAndHead   = "base against head is what failproof compares; each target has its own results"
	noTraces      = "answers are judged, not traces"
	oneCriterion  = "a criterion of `rubric`"
)

// kinds are promptfoo's types of assertions. Each may have the prefix not-.
var kinds map[string]kind

func init() { // a set of assertions converts others by this table
	kinds = map[string]kind{
		"equals":        {convert: convertEquals},
		"contains":      {convert: oneText("contains")},
		"icontains":     {convert: oneText("icontains")},
		"starts-with":   {convert: oneText("starts_with")},
		"contains-any":  {convert: manyTexts("contains_any")},
		"contains-all":  {convert: manyTexts("contains_all")},
		"icontains-any": {convert: foldedTexts("any")},
		"icontains-all": {convert: foldedTexts("all")},
		"regex":         {convert: convertRegex},
		"not-empty":     {convert: convertNotEmpty},
		"min-length":    {convert: lengthOf(">=")},
		"max-length":    {convert: lengthOf("<=")},
		"word-count":    {convert: convertWordCount},
		"latency":       {convert: atMost("latency_ms")},
		"cost":          {convert: atMost("cost_usd")},
		"finish-reason": {convert: convertFinish},
		"javascript":    {convert: convertScript},

		"is-json":                       {convert: jsonForm(true)},
		"contains-json":                 {convert: jsonForm(false)},
		"is-xml":                        {convert: xmlForm(true)},
		"contains-xml":                  {convert: xmlForm(false)},
		"is-refusal":                    {convert: convertRefusal},
		"is-valid-openai-tools-call":    {convert: convertCalls},
		"is-valid-openai-function-call": {convert: convertCalls},
		"is-valid-function-call":        {convert: convertCalls},
		"tool-call-f1":                  {convert: convertToolNames},

		"llm-rubric":              {convert: convertRubric, judged: true},
		"model-graded-closedqa":   {convert: convertRubric, judged: true},
		"g-eval":                  {convert: convertRubric, judged: true},
		"factuality":              {convert: convertFactuality, judged: true},
		"model-graded-factuality": {convert: convertFactuality, judged: true},
		"similar":                 {convert: convertSimilar, judged: true},
		"answer-relevance":        {convert: criterion("Answers what was asked, and nothing else"), judged: true},
		"conversation-relevance": {convert: criterion("Answers what was said last, in the course of the conversation"),
			judged: true},
		"context-faithfulness": {convert: convertFaithfulness, judged: true},

		"python": {why: "it is Python; only JavaScript runs here",
			instead: "the same in `javascript`, or an expression; or a criterion of `rubric` if it needs judgment"},
		"ruby": {why: "it is Ruby; only JavaScript runs here",
			instead: "the same in `javascript`, or an expression"},
		"levenshtein": {why: "edit distance is not supported",
			instead: "`match: exact`, `contains`, or a criterion of `rubric` that says what may differ"},
		"rouge-n":          {why: commonWords, instead: factsInstead},
		"bleu":             {why: commonWords, instead: factsInstead},
		"gleu":             {why: commonWords, instead: factsInstead},
		"meteor":           {why: commonWords, instead: factsInstead},
		"perplexity":       {why: noTokens},
		"perplexity-score": {why: noTokens},
		"classifier": {why: "classifiers are not called", instead: "`expected_label` with `labels`, or " +
			oneCriterion},
		"moderation": {why: "moderation services are not called", instead: "`policies` with patterns, or " +
			oneCriterion},
		"guardrails": {why: "a provider's guardrail results are not read",
			instead: "`expected_classification: refusal` if declining is right"},
		"webhook":           {why: "no other service is called about an answer", instead: oneCriterion},
		"pi":                {why: "the service that it uses is not called", instead: oneCriterion},
		"context-relevance": {why: retrieved, instead: retrievesSelf},
		"context-recall":    {why: retrieved, instead: retrievesSelf},
		"select-best":       {why: eachOther, instead: baseAndHead},
		"max-score":         {why: eachOther, instead: baseAndHead},
		"is-sql":            {why: "nothing parses SQL here", instead: "`regex`, or " + oneCriterion},
		"contains-sql":      {why: "nothing parses SQL here", instead: "`regex`, or " + oneCriterion},
		"is-html": {why: "nothing parses HTML here",
			instead: "`regex: \"(?is)<html.*</html>\"`, or `expected_format: xml` for well-formed HTML"},
		"contains-html":           {why: "nothing parses HTML here", instead: "`regex`"},
		"trajectory:goal-success": {why: "answers are judged, not an agent's steps"},
		"trace-span-count":        {why: noTraces},
		"trace-span-duration":     {why: noTraces, instead: "`response.latency_ms` of the whole answer"},
		"trace-error-spans":       {why: noTraces},
		"agent-rubric":            {why: "the judge cannot be an agent", instead: "criteria of `rubric`"},
		"video-rubric":            {why: "answers are text"},
		"search-rubric": {why: "the judge does not search",
			instead: "criteria of `rubric` with a `reference`"},
		"meta:is-consistent": {why: "failproof has no equivalent"},
	}
}

// convertEquals makes an expected response, or an assertion if one is expected already or a transform takes a part.
func convertEquals(a *assertion) error {
	if a.value.isMap() || a.value.Node != nil && a.value.Kind == document.List {
		return equalJSON(a)
	}
	want := ""
	if !a.value.isText() || a.value.Text != "" { // an empty text is a value too
		var err error
		if want, err = a.scalar(); err != nil {
			return err
		}
	}
	switch {
	case a.part != "":
		a.ofPart(quotation(want))
	case want == "":
		a.addExpression(`trim(response.text) == ""`)
	case a.negative:
		a.to.assert("trim(response.text) != " + exprText(strings.TrimSpace(want)))
	case a.to.expects():
		a.to.assert("trim(response.text) == " + exprText(strings.TrimSpace(want)))
	default:
		a.besideCalls()
		a.to.response, a.to.match = str(want), "exact"
	}
	return nil
}

// equalJSON expects an answer that is the same JSON.
func equalJSON(a *assertion) error {
	if a.part != "" || a.negative || a.to.expects() {
		return refusal{"it compares a part of the answer, or a second thing, with JSON",
			"an expression over `response.json`"}
	}
	want, err := a.fillVariables(jsonOf(a.value.Node))
	a.to.response, a.to.match = str(want), "json"
	return err
}

// besideCalls reports what an assertion on a text means if the answer may be a tool call.
func (a *assertion) besideCalls() {
	if a.tools {
		a.addDifference("tool calls are in `response.tool_calls`, not in the text that it searches")
	}
}

// formExpressions are the forms of one text as expressions, with # for the text.
var formExpressions = map[string]string{
	"contains": "response.text contains #", "icontains": "lower(response.text) contains lower(#)",
	"starts_with": "response.text startsWith #", "regex": "response.text matches #",
}

// exprText quotes a text for an expression.
func exprText(s string) string {
	if !strings.ContainsAny(s, "'\\\n\r\t") && text.PlainASCII(s) {
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

// oneText converts an assertion that looks for one text.
func oneText(form string) func(a *assertion) error {
	return func(a *assertion) error {
		want, err := a.scalar()
		if err == nil {
			a.look(form, str(want))
		}
		return err
	}
}

// manyTexts converts an assertion that looks for any or all of several texts.
func manyTexts(form string) func(a *assertion) error {
	return func(a *assertion) error {
		words, err := a.words()
		if err == nil {
			a.look(form, texts(words))
		}
		return err
	}
}

// look adds a form with what it looks for, or the script for a part of the answer.
func (a *assertion) look(form string, v *value) {
	if a.part != "" {
		a.ofPart(v.json())
		return
	}
	a.besideCalls()
	a.form(form, v)
}

// foldedTexts looks for texts in any letter case, for which failproof has a form for one text only.
func foldedTexts(many string) func(a *assertion) error {
	return func(a *assertion) error {
		words, err := a.words()
		switch {
		case err != nil:
			return err
		case a.part != "":
			a.ofPart(texts(words).json())
			return nil
		case many == "all" && !a.negative:
			for _, word := range words {
				a.form("icontains", str(word))
			}
			return nil
		}
		for i, word := range words {
			words[i] = strings.ToLower(word)
		}
		a.addExpression(many + "(" + exprTexts(words) + ", lower(response.text) contains #)")
		return nil
	}
}

var unicodeEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// convertRegex makes a form of a pattern, or a script if RE2 cannot compile it.
func convertRegex(a *assertion) error {
	want, err := a.scalar()
	if err != nil {
		return err
	}
	source := unicodeEscape.ReplaceAllString(want, `\x{$1}`)
	if _, err := expect.CompileForm("regex", []string{source}); err != nil || a.part != "" {
		a.ofPart(quotation(want))
		return nil
	}
	a.look("regex", str(source))
	return nil
}

func convertNotEmpty(a *assertion) error {
	if a.part != "" {
		a.ofPart("")
	} else {
		a.addExpression(`trim(response.text) != ""`)
	}
	return nil
}

// lengthOf compares the length with a number.
func lengthOf(operator string) func(a *assertion) error {
	return func(a *assertion) error {
		n := cmp.Or(a.value.text(), a.threshold.text())
		if _, err := strconv.Atoi(n); err != nil || a.part != "" {
			return refusal{"it has no number, or looks at a part of the answer",
				"`response.length " + operator + " 100`"}
		}
		a.addDifference("promptfoo has no assertion with this name; it becomes the length in characters")
		a.addExpression("response.length " + operator + " " + n)
		return nil
	}
}

// convertWordCount compares the number of words with one number or two.
func convertWordCount(a *assertion) error {
	var parts []string
	for _, one := range [][2]string{{"==", a.value.text()}, {">=", a.value.get("min").text()},
		{"<=", a.value.get("max").text()}} {
		if _, err := strconv.Atoi(one[1]); err == nil {
			parts = append(parts, "response.words "+one[0]+" "+one[1])
		}
	}
	if len(parts) == 0 || a.part != "" {
		return refusal{"it has no number, or counts the words of a part of the answer", "`response.words <= 100`"}
	}
	a.addExpression(strings.Join(parts, " and "))
	return nil
}

// atMost limits a figure of the answer. A recorded answer may not have it.
func atMost(fact string) func(a *assertion) error {
	return func(a *assertion) error {
		bar := cmp.Or(a.threshold.text(), a.value.text())
		if _, ok := decimal(bar); !ok || a.negative {
			return refusal{"it has no plain number as its threshold", "`response." + fact + " <= 1000`"}
		}
		a.to.assert("response." + fact + " == nil or response." + fact + " <= " + bar)
		return nil
	}
}

func convertFinish(a *assertion) error {
	want, err := a.scalar()
	if err == nil {
		a.addExpression("response.finish_reason == " + exprText(want))
	}
	return err
}

func convertCalls(a *assertion) error {
	if !a.tools {
		return refusal{"the tools' form is not supported", "`tools` of the suite, and `expected_tools`"}
	}
	a.addDifference("the tool must be called, but its arguments are not checked by the tool's schema; " +
		"`expected_tools` can check them")
	a.addExpression("len(response.tool_calls) > 0")
	return nil
}

// convertToolNames expects calls of these tools.
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
