package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/report"
)

func TestChangesThatAreMadeAreThoseOfAList(t *testing.T) {
	list := []report.Change{{CaseID: "a", Change: report.New}, {CaseID: "b", Change: report.Fixed, Kind: report.KindFixed}}
	made := report.MadeChanges(len(list), func(i int) report.Change { return list[i] })
	for rule, c := range map[string]report.Changes{"made": made, "of a list": report.ChangesOf(list...), "one behind the others": report.ChangesOf(list[0]).With(&list[1])} {
		if diff := cmp.Diff(list, c.List()); diff != "" || c.Len() != 2 || c.KindAt(1) != report.KindFixed {
			t.Errorf("changes %s are %d, the second %q (-want +got):\n%s", rule, c.Len(), c.KindAt(1), diff)
		}
		sorted := c.Sorted(func(one report.Change) report.Kind {
			if one.CaseID == "a" {
				return report.KindNew
			}
			return report.KindPassing
		})
		if sorted.At(0).Kind != report.KindNew || sorted.KindAt(1) != report.KindPassing || c.KindAt(1) != report.KindFixed {
			t.Errorf("changes %s have the kinds %q and %q when sorted, and %q before", rule, sorted.At(0).Kind, sorted.KindAt(1), c.KindAt(1))
		}
	}
}

func TestChangesAreReadAndWrittenAsAList(t *testing.T) {
	for _, c := range []struct{ text, wrong string }{
		{`[]`, ""},
		{`[{"suite_id":"s","case_id":"c","change":"new","base":null,"head":null,"path":"p","line":3,"severity":"low"}]`, ""},
		{`[{"line":"3"}]`, "changes.line"},
		{`{}`, "changes"},
		{`[3]`, "changes"},
	} {
		var changes report.Changes
		err := json.Unmarshal([]byte(c.text), &changes)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want an error with %s", c.text, err, c.wrong)
			}
			continue
		}
		if again, fault := json.Marshal(changes); err != nil || fault != nil || string(again) != c.text {
			t.Errorf("%s is read and written as %s (%v, %v)", c.text, again, err, fault)
		}
	}
}
