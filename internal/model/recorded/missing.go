package recorded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// sparesKept limits the number of recorded ids without a case that may be suggested for a missing id. othersTold limits
// the number of other suites that a message names.
const sparesKept, othersTold = 200, 3

// idBytes is the longest id that is printed.
const idBytes = 100

// missing returns the message that an answer is missing. The message begins with the remedy, and is the same for all
// cases with the same cause.
func missing(c *Client, r model.Request) string {
	name, remedy := Path(c.path, r.SuiteID), ""
	if c.binding.HowToRecord != nil {
		remedy = renamed(c, r, name) + c.binding.HowToRecord(r.SuiteID, Missing) + ": "
	}
	if c.absent[name] {
		return fmt.Sprintf("%sno recording: %s does not exist", remedy, name)
	}
	if len(trials(c.entriesOf(r.SuiteID, r.CaseID))) > 0 {
		return fmt.Sprintf("%sno recording: %s has no answer to trial %d of this case", remedy, name, r.Trial)
	}
	instead := "" // a hint: the file has answers of another suite, or of a case that does not exist
	if c.suites[suiteid.AuthorID(r.SuiteID)] == nil {
		if others := othersIn(c, name); len(others) > 0 {
			instead = "; its `suite_id` is " + strings.Join(others, ", ") + ", and the suite’s is " +
				suiteid.AuthorID(r.SuiteID)
		}
	} else if like, ok := text.Suggest(r.CaseID, c.Spare(r.SuiteID)); ok {
		instead = fmt.Sprintf("; it has one for %s, which is not a case: was %s renamed?", like, r.CaseID)
	}
	return fmt.Sprintf("%sno recording: %s has no answer to this case%s", remedy, name, instead)
}

// renamed returns advice for a case that has another id on the base: how to keep the answers that are recorded under
// that id. It returns "" if there are no such answers.
func renamed(c *Client, r model.Request, file string) string {
	was := c.binding.before(r)
	before := suiteid.AuthorID(was.Suite)
	if was.Answers.Len() == 0 || suiteid.AuthorID(r.SuiteID) == before && r.CaseID == was.Case {
		return ""
	}
	const follow = "`failproof record --stamp --base`, which renames recordings with their cases, or "
	if from := was.Answers.File(); from != file && !slices.Contains(othersIn(c, file), before) {
		return fmt.Sprintf("move its answers from %s to %s and run %s", from, file, follow)
	}
	return "run " + follow
}

// othersIn returns the ids of suites that have answers in the file, sorted and at most othersTold of them.
func othersIn(c *Client, file string) (out []string) {
	for id, suite := range c.suites {
		if slices.ContainsFunc(suite.files, func(at int32) bool { return c.files[at] == file }) {
			out = append(out, text.Cut(id, idBytes))
		}
	}
	slices.Sort(out)
	return out[:min(len(out), othersTold)]
}

// FirstPlace returns the place of a case's first entry: its file and line. It returns "" and 0 if there is none.
func (c *Client) FirstPlace(suite, caseID string) (file string, line int) {
	all := c.entriesOf(suite, caseID)
	if len(all) == 0 {
		return "", 0
	}
	return c.files[all[0].file], int(all[0].line)
}

// Spare returns ids in a suite's recordings that belong to no case, in order and at most sparesKept of them.
func (c *Client) Spare(suite string) []string {
	answered := c.suites[suiteid.AuthorID(suite)]
	if c.binding.Cases == nil || answered == nil {
		return nil
	}
	if known, ok := c.spares.Load(suite); ok {
		return known.([]string)
	}
	cases := map[string]bool{}
	for _, id := range c.binding.Cases(suite) {
		cases[id] = true
	}
	spare := slices.DeleteFunc(slices.Clone(answered.entries), func(e entry) bool { return cases[e.id] })
	slices.SortFunc(spare, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var out []string
	for _, e := range spare {
		if len(out) < sparesKept && !slices.Contains(out, e.id) {
			out = append(out, e.id)
		}
	}
	c.spares.Store(suite, out)
	return out
}
