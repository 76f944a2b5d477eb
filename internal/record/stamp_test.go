package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/source"
)

// byHand are the files with recordings, whose answers no model gave.
func byHand(recordings string) runtest.Files {
	return files("http://127.0.0.1:1").Merge(runtest.Files{"recordings/s.jsonl": recordings})
}

// stamped returns the recording of the files after a stamp.
func stamped(t *testing.T, files runtest.Files) string {
	t.Helper()
	in := record.Inputs{Inputs: runtest.Inputs(t, files, nil, nil)}
	found, err := record.ReadStamps(in)
	if err == nil {
		_, err = record.WriteStamps(in.Inputs.Dir, found.Unstamped)
	}
	text, missing := os.ReadFile(filepath.Join(in.Inputs.Dir, "recordings", "s.jsonl"))
	if err != nil || missing != nil {
		t.Fatal(err, missing)
	}
	return string(text)
}

// stamps reads the stamps of a head, compared with a base and with earlier ones.
func stamps(t *testing.T, head, base runtest.Files, earlier ...runtest.Files) record.Stamps {
	t.Helper()
	in := record.Inputs{Inputs: runtest.Inputs(t, head, base, nil)}
	for _, files := range earlier {
		tree, err := source.Worktree(runtest.Folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		in.Earlier = append(in.Earlier, tree)
	}
	found, err := record.ReadStamps(in)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// asked returns files with another prompt.
func asked(files runtest.Files) runtest.Files {
	return files.Merge(runtest.Files{"p.md": "Is the {{ q }} really open?\n"})
}

func TestAnAnswerIsUnchangedIfOneOfTheBasesHasItForAnotherRequest(t *testing.T) {
	other := byHand(strings.ReplaceAll(twoLines, "open a", "shut a"))
	confirmed := asked(byHand(stamped(t, asked(byHand(twoLines)))))
	broken := byHand(twoLines).Merge(runtest.Files{"failproof.yml": "version: 2\n"})
	for _, c := range []struct {
		rule      string
		base      runtest.Files
		earlier   []runtest.Files
		unchanged bool
	}{
		{"there is no base", nil, nil, false},
		{"the base asks the same", asked(byHand(twoLines)), nil, false},
		{"the base asks something else", byHand(twoLines), nil, true},
		{"the base has another answer", other, nil, false},
		{"an earlier one has it", other, []runtest.Files{other, byHand(twoLines)}, true},
		{"the base confirmed it since", confirmed, []runtest.Files{byHand(twoLines)}, false},
		{"the configuration of the base has errors", broken, nil, false},
	} {
		found := stamps(t, asked(byHand(twoLines)), c.base, c.earlier...)
		if len(found.Unstamped) != 2 || found.Unstamped[0].CaseID != "a" || found.Unstamped[0].Unchanged != c.unchanged || found.Unstamped[0].Target != "" {
			t.Errorf("%s: %+v", c.rule, found.Unstamped)
		}
	}
}

// Without its target, the line of a model's answer would look as if a person had written it.
func TestAnAnswerThatABaseHasFromAModelIsTheModels(t *testing.T) {
	ofModel := byHand(strings.ReplaceAll(twoLines, `"raw`, `"target": {"name": "live", "provider": "openai", "model": "small"}, "raw`))
	for _, c := range []struct {
		rule    string
		base    runtest.Files
		earlier []runtest.Files
	}{
		{"the base", ofModel, nil},
		{"an earlier one", byHand(strings.ReplaceAll(twoLines, "open", "shut")), []runtest.Files{ofModel}},
	} {
		if found := stamps(t, byHand(twoLines), c.base, c.earlier...); len(found.Unstamped) != 2 || found.Unstamped[0].Target != "live" || found.Unstamped[1].Target != "live" {
			t.Errorf("%s: %+v", c.rule, found.Unstamped)
		}
	}
}

func TestWhereTheAnswersOfARenamedSuiteAre(t *testing.T) {
	renamed := byHand(twoLines)
	renamed["s.yaml"] = strings.Replace(renamed["s.yaml"], "id: s\n", "id: t\n", 1)
	both := renamed.Merge(runtest.Files{"failproof.yml": strings.Replace(renamed["failproof.yml"], "[s.yaml]", "[s.yaml, u.yaml]", 1), "u.yaml": byHand("")["s.yaml"]})
	oneFile := func(files runtest.Files) runtest.Files {
		return files.Merge(runtest.Files{"failproof.yml": strings.Replace(files["failproof.yml"], "{suite}", "s", 1)})
	}
	for _, c := range []struct {
		rule string
		head runtest.Files
		base []runtest.Files
		from string
	}{
		{"in the file of its former name", renamed, []runtest.Files{byHand(twoLines)}, "recordings/s.jsonl"},
		{"as an earlier base says", renamed, []runtest.Files{renamed, byHand(twoLines)}, "recordings/s.jsonl"},
		{"nobody knows without a base", renamed, []runtest.Files{nil}, ""},
		{"nowhere, if that file is gone", renamed.Merge(runtest.Files{"recordings/s.jsonl": ""}), []runtest.Files{byHand("")}, ""},
		{"not in that of another suite", both, []runtest.Files{byHand(twoLines)}, ""},
	} {
		found := stamps(t, c.head, c.base[0], c.base[1:]...)
		if len(found.Unanswered) == 0 || found.Unanswered[0].From != c.from || found.Unanswered[0].To != "recordings/t.jsonl" || found.Unanswered[0].Cases != 2 || found.Unanswered[0].Path != "s.yaml" {
			t.Errorf("%s: %+v", c.rule, found.Unanswered)
		}
	}
	if found := stamps(t, oneFile(renamed), oneFile(byHand(twoLines))); len(found.Renamed) != 2 || len(found.Unanswered) > 0 {
		t.Errorf("all suites in one file: %+v", found)
	}
}

// Only what is read from recordings is stamped.
func TestASuiteThatEchoesIsNotStamped(t *testing.T) {
	head := byHand(twoLines)
	head["failproof.yml"] = strings.Replace(head["failproof.yml"], "[s.yaml]", "[s.yaml, t.yaml]", 1) + "  said: { provider: echo }\n"
	head["t.yaml"] = strings.Replace(head["s.yaml"], "id: s\n", "id: t\ntarget: said\n", 1)
	if found := stamps(t, head, nil); len(found.Unstamped) != 2 || len(found.Unanswered) > 0 {
		t.Errorf("%+v", found)
	}
}

// A suite of a live target may have recordings, and needs none.
func TestTheRecordingsOfALiveSuiteAreStampedToo(t *testing.T) {
	head := byHand(strings.SplitAfter(twoLines, "\n")[0])
	head["s.yaml"] = "target: live\n" + head["s.yaml"]
	if found := stamps(t, head, nil); len(found.Unstamped) != 1 || found.Unstamped[0].File != "recordings/s.jsonl" || len(found.Unanswered) > 0 {
		t.Errorf("%+v", found)
	}
}

// What an earlier base knows of names counts too.
func TestAnAnswerIsRenamedByAnEarlierBase(t *testing.T) {
	head := byHand(twoLines)
	head["s.yaml"] = strings.Replace(head["s.yaml"], "id: b", "id: c", 1)
	if found := stamps(t, head, head, byHand(twoLines)); len(found.Renamed) != 1 || found.Renamed[0].NewName.Case != "c" {
		t.Errorf("%+v", found)
	}
	if found := stamps(t, head, head, head); len(found.Renamed) > 0 || len(found.Unstamped) != 1 || len(found.Unanswered) != 1 || !strings.Contains(found.Unanswered[0].Other, `"b"`) {
		t.Errorf("%+v", found)
	}
}

func TestAnErrorInTheHeadsFilesIsNotStamped(t *testing.T) {
	for name, text := range map[string]string{"recordings/s.jsonl": twoLines + "{\n", "s.yaml": "version: 1\n", "failproof.yml": "version: 2\n"} {
		in := record.Inputs{Inputs: runtest.Inputs(t, byHand(twoLines).Merge(runtest.Files{name: text}), nil, nil)}
		found, err := record.ReadStamps(in)
		if faults, ok := errors.AsType[document.Faults](err); !ok || faults[0].Path != name {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// Nothing but the lines to stamp changes: neither line ends nor other fields.
func TestAStampLeavesTheRestOfTheFile(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll("\n"+twoLines, "\n", "\r\n")
	text = strings.TrimSuffix(strings.Replace(text, `"open b"`, `"open b", "note": [1, 2]`, 1), "\r\n")
	got := stamped(t, byHand(text))
	for _, stamp := range []string{`"request_key": "1b970006b7265897adc748b928e2565afc51e7df22e64825c2ad810d006b76cb", "by_hand": true, `, `"request_key": "d86ec9ec937f0476e8436347aea47d95d6c6f3a0ef95d763a1521ca5a65d3ec7", "by_hand": true, `} {
		got = strings.Replace(got, stamp, "", 1)
	}
	if got != text {
		t.Errorf("stamped\n%q, of\n%q", got, text)
	}
}
