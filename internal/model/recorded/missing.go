package recorded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// maxUnusedIDs limits the number of recorded ids without a case that may be suggested for a missing id. maxOtherSuites
// limits the number of other suites that a message names.
const maxUnusedIDs, maxOtherSuites = 200, 3

// idBytes is the longest id that is printed.
const idBytes = 100

// missingMessage returns the message that an answer is missing. The message begins with the remedy, and is the same for
// all cases with the same cause.
func missingMessage(c *Client, r model.Request) string {
	name, remedy := Path(c.path, r.SuiteID), ""
	switch {
	case c.binding.HowToRecord == nil: // nobody reads the message
	case c.binding.owners().moved[nameOfCase(r)]:
		remedy = moveAdvice + ": "
	default:
		remedy = renameAdvice(c, r, name) + c.binding.HowToRecord(r.SuiteID, NeedMissing) + ": "
	}
	if c.missingFiles[name] {
		return fmt.Sprintf("%sno recording: %s does not exist", remedy, name)
	}
	if len(c.Answers(r.SuiteID, r.CaseID)) > 0 {
		return fmt.Sprintf("%sno recording: %s has no answer to trial %d of this case", remedy, name, r.Trial)
	}
	return fmt.Sprintf("%sno recording: %s has no answer to this case%s", remedy, name, c.OtherAnswers(r.SuiteID))
}

// OtherAnswers says which answers a suite's file has in place of missing ones: answers of another suite, or of a case
// that does not exist. It returns "" if there are none.
func (c *Client) OtherAnswers(suite string) string {
	if c.suites[suiteid.AuthorID(suite)] == nil {
		if suiteIDs := suitesIn(c, Path(c.path, suite)); len(suiteIDs) > 0 {
			return "; the `suite_id` of the lines there is " + strings.Join(suiteIDs, ", ") + ", and the suite’s is " + suiteid.AuthorID(suite)
		}
	} else if unused := c.UnusedIDs(suite); len(unused) > 0 {
		return "; it has one for " + document.Quote(unused[0]) + ", which is not a case"
	}
	return ""
}

// renameAdvice returns advice for a case that has another id on the base: how to keep the answers that are recorded
// under that id. It returns "" if the head has no such answers.
func renameAdvice(c *Client, r model.Request, file string) string {
	base := c.binding.baseCase(r)
	baseSuite := suiteid.AuthorID(base.SuiteID)
	if base.Answers.Len() == 0 || suiteid.AuthorID(r.SuiteID) == baseSuite && r.CaseID == base.CaseID {
		return ""
	}
	const follow = "`failproof record --stamp`, which renames recordings with their cases, or "
	switch oldFile := base.Answers.File(); {
	case slices.Contains(suitesIn(c, file), baseSuite), slices.Contains(c.UnusedIDs(r.SuiteID), base.CaseID):
		return "run " + follow
	case oldFile != file:
		return fmt.Sprintf("move its answers from %s to %s and run %s", oldFile, file, follow)
	}
	return ""
}

// suitesIn returns the ids of suites that have answers in the file, sorted and at most maxOtherSuites of them.
func suitesIn(c *Client, file string) (out []string) {
	all := c.suitesOf[file]
	for _, id := range all[:min(len(all), maxOtherSuites)] {
		out = append(out, text.Truncate(id, idBytes))
	}
	return out
}

// FirstPlace returns the place of the first entry of a case that has one.
func (c *Client) FirstPlace(suite, caseID string) Place { return c.entriesOf(suite, caseID)[0].place() }

// UnusedIDs returns ids in a suite's recordings that belong to no case, in order and at most maxUnusedIDs of them.
func (c *Client) UnusedIDs(suite string) []string {
	answered := c.suites[suiteid.AuthorID(suite)]
	if c.binding.CaseIDs == nil || answered == nil {
		return nil
	}
	if known, ok := c.unusedIDs.Load(suite); ok {
		return known.([]string)
	}
	cases := map[string]bool{}
	for _, id := range c.binding.CaseIDs(suite) {
		cases[id] = true
	}
	unused := slices.DeleteFunc(slices.Clone(answered), func(e entry) bool { return cases[e.id] })
	slices.SortFunc(unused, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var out []string
	for _, e := range unused {
		if len(out) < maxUnusedIDs && !slices.Contains(out, e.id) {
			out = append(out, e.id)
		}
	}
	c.unusedIDs.Store(suite, out)
	return out
}
