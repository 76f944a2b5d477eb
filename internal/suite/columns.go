package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// columns records the names of the columns in a file of cases.
type columns struct {
	fields    map[string]bool              // names of case fields that some row has
	variables map[string]bool              // columns written as vars.NAME, which are always variables
	unnamable map[string]document.Position // columns whose name cannot be that of a variable
}

// decidingColumns are the columns that decide whether an answer passes. If one of them is misspelled, every answer may
// pass without anybody noticing.
var decidingColumns = []string{"allowed_terms", "assert", "case_threshold", "expected_classification", "expected_format", "expected_label", "expected_response",
	"expected_tools", "forbidden_claims", "key_facts", "must_pass", "policies", "rubric"}

// columnSynonyms maps names that other tools and people use to the names of columns that mean the same here.
var columnSynonyms = text.ByName(map[string]string{
	"label|gold_label|true_label|correct_label|expected_class": "expected_label",
	"expected|__expected|expected_answer|expected_output|answer|correct_answer|reference_answer|gold_answer|" +
		"ideal|ground_truth": "expected_response",
})

// likelyColumn returns the known column that the unread column name most likely means, or "". sure is set only if the
// known column is in decidingColumns and no row has it. The names must also differ only by a slip: a plural, letter
// case, a space or hyphen for _, or one letter of a long name.
func (c *columns) likelyColumn(name string) (like string, sure bool) {
	folded := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
	if like = columnSynonyms[folded]; like != "" && c.fields[like] {
		return "", false
	} else if like != "" {
		return like, false
	}
	if _, known := caseColumns[folded]; known {
		like = folded
	} else {
		like, _ = text.Suggest(folded, slices.Sorted(maps.Keys(caseColumns)))
	}
	slip := folded == like || folded == like+"s" || strings.Contains(like, "_") && text.IsMisspelling(folded, like)
	return like, slip && slices.Contains(decidingColumns, like) && !c.fields[like]
}

// advice returns the end of a message about an unread column: how to call it if it says what is expected of an answer.
// It returns "" if some row says that already.
func (c *columns) advice() string {
	if slices.ContainsFunc(decidingColumns, func(name string) bool { return c.fields[name] }) {
		return ""
	}
	return "; if it says what is right, call it \"expected_label\" or \"expected_response\""
}

// reportMisspelled reports an error: the column name is surely a misspelling of the column like.
func (f *diagnostics) reportMisspelled(at document.Position, name, like string) {
	otherwise := ""
	if isVariableName(name) {
		otherwise = "; if it is a variable, call it " + document.Quote("vars."+name)
	}
	f.ErrorAt(at, "column", "the column %s is not read, and no row has %s: rename it to that%s", document.Quote(name), document.Quote(like), otherwise)
}

// reportUnread reports variables and columns that nothing reads. For a variable in reported, which was reported
// before, it only reports that the name looks like that of a column.
func (c *collector) reportUnread(reported map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(c.defined)) {
		if c.used[name] {
			continue
		}
		at, like, sure := c.defined[name], "", false
		if at.Line > dataLine && !c.file.columns.variables[name] {
			like, sure = c.file.columns.likelyColumn(name)
		}
		switch {
		case sure:
			c.faults.reportMisspelled(at, name, like)
		case like != "":
			c.faults.WarnAt(at, ruleUnused, "variable %s is defined but never used in suite %s; did you mean the column %s?", document.Quote(name), c.suite.ID, document.Quote(like))
		case !reported[name]:
			advice := ""
			if at.Line > dataLine {
				advice = c.file.columns.advice()
			}
			c.faults.WarnAt(at, ruleUnused, "variable %s is defined but never used in suite %s%s",
				document.Quote(name), c.suite.ID, advice)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.file.columns.unnamable)) {
		at := c.file.columns.unnamable[name]
		if like, sure := c.file.columns.likelyColumn(name); sure {
			c.faults.reportMisspelled(at, name, like)
		} else {
			c.faults.WarnAt(at, "column", "the column %s is not read: a variable is called by letters, digits and _; "+
				"rename it to use it%s", document.Quote(name), c.file.columns.advice())
		}
	}
}

const ruleUnused = "unused-variable"

// columnVar returns a node with the name of the variable that the column key holds. It returns nil if the name cannot
// be that of a variable.
func (f *casesFile) columnVar(key *document.Node) *document.Node {
	name, marked := strings.CutPrefix(key.Text, "vars.")
	c := &f.file.columns
	switch {
	case !isVariableName(name):
		if _, known := c.unnamable[key.Text]; !known && len(c.unnamable) < maxListed {
			c.unnamable[key.Text] = key.Pos
		}
		return nil
	case marked:
		c.variables[name] = true
	}
	return &document.Node{Kind: document.String, Text: name, Pos: key.Pos}
}
