package expect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
)

// What an expression may walk: a text of a MiB, a list of 2^16 numbers, an object of as many keys.
const (
	textBytes = 1 << 20
	listItems = 1 << 16
)

func TestWhateverAnAssertionCallsPaysForWhatItWalks(t *testing.T) {
	text := strings.Repeat("é", textBytes/2)
	list := "[" + strings.Repeat("1,", listItems-1) + "1]"
	pairs := make([]string, listItems)
	for i := range pairs {
		pairs[i] = fmt.Sprintf(`"%d": 1`, i)
	}
	object := "{" + strings.Join(pairs, ",") + "}"
	vars := map[string]string{"copy": strings.Clone(text), "short": "x"}
	for source, answer := range map[string]string{
		"len(response.text) > 0": text, "response.text == vars.copy": text, "vars.copy != response.text": text, "response.text < vars.copy": text,
		"response.text contains 'x'": text, "response.text startsWith vars.copy": text, "response.text endsWith vars.copy": text, "response.text matches 'x'": text,
		"response.text in vars": text, "response.text not in vars": text, "response.text in [vars.copy]": text, "vars[response.text] == 'x'": text, "get(vars, response.text) == 'x'": text,
		"{(response.text): 1} != nil": text, "response.text + 'x' != ''": text, "'x' in split(response.text, 'x')": text, "indexOf(response.text, 'x') < 0": text,
		"lastIndexOf(response.text, 'x') < 0": text, "lower(response.text) == ''": text, "upper(response.text) == ''": text, "trim(response.text) == ''": text,
		"trim(response.text, 'x') == ''": text, "trimPrefix(response.text, vars.copy) == ''": text, "trimSuffix(response.text, vars.copy) == ''": text,
		"hasPrefix(response.text, vars.copy)": text, "hasSuffix(response.text, vars.copy)": text, "replace(response.text, 'x', '') == ''": text,
		"join([response.text]) == ''": text, "string(response.text) == ''": text, "int(response.text) == 1": text, "float(response.text) == 1": text,
		"string(response) == ''": text, "[response.text] == [vars.copy]": text, "sort([response.text]) == []": text, "uniq([response.text]) == []": text,
		"len(sortBy([response.text, vars.copy], #)) > 0": text, "any([response.text, vars.copy], len(#) == 0)": text, "(response.json?.a ?? response.text) == vars.copy": text,
		"response.json == response.json": list, "2 in response.json": list, "[] in [response.json]": list, "string(response.json) == ''": list, "max(response.json) > 2": list,
		"min(1, response.json) > 2": list, "mean(response.json) > 2": list, "median(response.json) > 2": list, "sum(response.json) < 0": list, "count([true, response.json]) < 0": list,
		"sort(response.json) == []": list, "uniq(response.json) == []": list, "join(response.json) == ''": list, "response.json[response.json] == 1": list,
		"response.json[response.json:] == 1": list, "all(response.json, # > 0)": list, "sum(response.json, # + 1) < 0": list, "len(sortBy(response.json, -#)) < 0": list,
		"keys(response.json) == []": object, "values(response.json) == []": object,
	} {
		x, err := compileExpression(assertionKind, source)
		if err != nil {
			t.Fatal(source, err)
		}
		env := x.environment(withVars(answerOf(answer), vars))
		_, _ = expr.Run(x.program, env) // which may refuse what it was given
		if spent, least := budgetUnits-env.Budget.units, textBytes/bytesPerUnit; spent < least {
			t.Errorf("%s spent %d units, want %d or more", source, spent, least)
		}
	}
}

func TestEveryFunctionOfAssertionsPays(t *testing.T) {
	loops := []string{"all", "none", "any", "one", "filter", "map", "find", "findIndex", "findLast", "findLastIndex", "count", "sortBy", "sum"}
	for _, name := range allowedBuiltins {
		source := name + "(response.json)"
		switch {
		case slices.Contains(loops, name):
			source = name + "(response.json, # == response.json)"
		case slices.Contains([]string{"get", "hasPrefix", "hasSuffix", "trimPrefix", "trimSuffix", "indexOf", "lastIndexOf"}, name):
			source = name + "(response.json, response.json)"
		case name == "take":
			source = "take(response.json, 1)"
		}
		x, err := compileExpression(assertionKind, source+" == nil")
		if err != nil {
			t.Fatal(source, err)
		}
		env := x.environment(answerOf(`["a text"]`))
		_, _ = expr.Run(x.program, env)
		if env.Budget.units == budgetUnits {
			t.Errorf("%s pays nothing", source)
		}
	}
}

func TestHonestAssertionsOnLargeAnswersAreWithinTheBudget(t *testing.T) {
	words := strings.Repeat("plain words, and more of them\n", 1<<16) // 2 MiB
	rows := "[" + strings.Repeat(`{"id": 1, "name": "A name", "tags": ["a", "b"]},`, 1999) + `{"id": 2, "name": "B", "tags": []}]`
	for source, answer := range map[string]string{
		"let rows = response.json; all(rows, .id == first(rows).id or len(rows) > 9 and .id == last(rows).id)":       rows[:strings.Index(rows, "}")+1] + strings.Repeat(`, {"id": 1}`, 199) + "]",
		"all(split(response.text, '\\n'), len(#) < 80)":                                                              words,
		"not (lower(response.text) contains 'guarantee') and not (lower(response.text) contains 'refund')":           words,
		"len(split(response.text, ',')) > 10 and response.text matches '^plain' and trim(response.text) != ''":       words,
		"let t = lower(response.text); t contains 'plain' and t contains 'more'":                                     words,
		"all(response.json, .id in 1..2 and .name in ['A name', 'B'] and all(.tags, # in ['a', 'b']))":               rows,
		"len(uniq(map(response.json, .id))) == 2 and sort(map(response.json, .id))[0] == 1":                          rows,
		"len(filter(response.json, lower(.name) startsWith 'a')) > 3 and sum(response.json, .id) > 3":                rows,
		"count(response.json, .name matches '^[A-Z]') == 2000 and join(map(response.json, .name), ' ') contains 'B'": rows,
		"sortBy(response.json, .name)[0].id == 1 and len(string(response.json)) > 10":                                rows,
	} {
		as, err := CompileAssertion(source)
		if err != nil {
			t.Fatal(source, err)
		}
		if why := as.mismatch(answerOf(answer)); why != "" {
			t.Errorf("%s: %s", source, why)
		}
	}
}
