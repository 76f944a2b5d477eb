package sides_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// fields are keys of a recorded line with their values.
type fields map[string]any

// line returns the recorded answer to a case of suite s.
func line(id, text string, more fields) string {
	all := fields{"suite_id": "s", "case_id": id, "raw_response": text}
	maps.Copy(all, more)
	out, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(out) + "\n"
}

// keyOf returns the key of the request of a case of suite s in a tree.
func keyOf(t *testing.T, files runtest.Files, id string) string {
	t.Helper()
	return readTrees(t, files, nil).Pairs.Find("s", id).Head.Keys().RequestKey.String()
}

// live is the target that shop calls, as a recording names it.
func live(more fields) fields {
	out := fields{"name": "live", "provider": "openai", "model": "m"}
	maps.Copy(out, more)
	return out
}

// askCase returns the recorded answer of a side to a case of suite s, or why there is none.
func askCase(t *testing.T, side *sides.Side, id string, rerun int) string {
	t.Helper()
	of := side.Find("s")
	at := slices.IndexFunc(of.Cases, func(c *suite.Case) bool { return c.ID == id })
	request := of.Cases[at].Open().Prompt
	request.Trial, request.Rerun = 1, rerun
	answer, err := side.Target(of.Target).Client.Answer(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Failure != nil {
		return string(answer.Failure.Message)
	}
	if answer.Stale {
		return "stale: " + string(answer.Text)
	}
	return string(answer.Text)
}

// changed is shop with another prompt.
var changed = shop.Merge(runtest.Files{"p.md": "What is {{ q }}?\n"})

func TestAStaleRecordingCountsOnTheBaseAlone(t *testing.T) {
	old := runtest.Files{"s.jsonl": line("a", "yes", fields{"request_key": keyOf(t, changed, "a")})}
	s := readTrees(t, shop.Merge(old), shop.Merge(old))
	if got := askCase(t, s.Base, "a", 0); got != "yes" {
		t.Errorf("the base: %s", got)
	}
	if got := askCase(t, s.Head, "a", 0); !strings.Contains(got, "stale, made for another prompt or input (s.jsonl)") {
		t.Errorf("the head: %s", got)
	}
	warn := with(shop, "failproof.yml", "version: 1\n", "version: 1\nrecordings: { stale: warn }\n").Merge(old)
	if got := askCase(t, readTrees(t, warn, warn).Head, "a", 0); got != "stale: yes" {
		t.Errorf("if the base lets them count: %s", got)
	}
	if got := askCase(t, readTrees(t, warn, shop.Merge(old)).Head, "a", 0); strings.HasPrefix(got, "stale: ") {
		t.Errorf("if only the head lets them count: %s", got)
	}
}

func TestAnAnswerWithoutAKeyIsStaleOnceTheRequestChanged(t *testing.T) {
	added := with(shop, "s.yaml", "cases:\n", "cases:\n  - { id: new, vars: { q: N }, expected_response: \"yes\" }\n")
	added["s.jsonl"] += line("new", "yes", nil)
	for _, c := range []struct {
		rule, id   string
		head, base runtest.Files
		stale      bool
	}{
		{"an equal request", "a", shop, shop, false},
		{"another prompt", "a", changed, shop, true},
		{"a new case of an equal prompt", "new", added, shop, false},
		{"a new case of another prompt", "new", added.Merge(runtest.Files{"p.md": "What is {{ q }}?\n"}), shop, true},
		{"without a base", "a", changed, nil, false},
	} {
		got := askCase(t, readTrees(t, c.head, c.base).Head, c.id, 0)
		if strings.Contains(got, "stale, the prompt changed and the answer has no request key") != c.stale {
			t.Errorf("%s: %s", c.rule, got)
		}
	}
}

// A report has neither prompts nor recordings. What it has are the keys of requests.
func TestAStoredBaseSaysWhetherARequestChanged(t *testing.T) {
	before := suitesOf(map[string]string{"s": "a=A b=B gone=G"})
	before["s.jsonl"] = line("a", "yes", nil) + line("b", "yes", nil) + line("gone", "yes", nil)
	ran, err := runtest.Run(t, runtest.Inputs(t, before, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	in := runtest.Inputs(t, suitesOf(map[string]string{"s": "a=A b=C new=N"}), nil, nil)
	if in.Stored, err = stored.ReadAll(ran.Folder); err != nil {
		t.Fatal(err)
	}
	s := mustRead(t, in)
	for id, want := range map[string]bool{"a": false, "b": true, "gone": true, "new": false} {
		if got := s.BaseFinder()("s", id); got.RequestChanged != want {
			t.Errorf("the request of %s changed: %v", id, got.RequestChanged)
		}
	}
	base := s.NewReport(time.Time{}).Run.Base.Name
	if s.BaseState != report.BaseCompared || base != ran.Report.Run.Head.Name || s.Base != nil {
		t.Errorf("the base is %s, %s", base, s.BaseState)
	}
	if readTrees(t, shop, nil).BaseFinder() != nil {
		t.Error("without a base there is a finder")
	}
}

func TestAnAnswerThatIsMissingOrStaleIsRecordedAsItsTargetsSay(t *testing.T) {
	missing, stale := runtest.Files{"s.jsonl": line("b", "no", nil)}, runtest.Files{}
	stale["s.jsonl"] = line("a", "yes", fields{"request_key": keyOf(t, changed, "a")})
	byHand := runtest.Files{"s.jsonl": line("a", "yes", fields{"request_key": keyOf(t, changed, "a"), "by_hand": true})}
	space := with(shop, "p.md", "?\n", "?\n\n")
	otherSpace := runtest.Files{"s.jsonl": line("a", "yes",
		fields{"request_key": keyOf(t, space, "a"), "by_hand": true})}
	const none = "targets: { kept: { provider: recorded, path: \"{suite}.jsonl\" } }\n"
	only := func(targets string) runtest.Files {
		return runtest.Files{"t.yaml": "",
			"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\n" + targets}
	}
	judge := "targets:\n  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
		"  live: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\" }\njudges: { default: { target: live } }\n"
	two := with(shop, "failproof.yml", "  live:", "  more: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\" }\n  live:")
	named := with(two, "failproof.yml", `path: "{suite}.jsonl"`, `path: "{suite}.jsonl", records: live`)
	own := with(two, "failproof.yml", "  live:", "  own: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\" }\n  live:")
	moved := with(shop, "failproof.yml", "{suite}.jsonl", "to/{suite}.jsonl")
	for _, c := range []struct {
		rule  string
		files runtest.Files
		said  runtest.Files
		base  runtest.Files
		want  string
	}{
		{"missing, of one live target", shop, missing, nil, "run `failproof record s.yaml`: no recording"},
		{"stale, of one live target", shop, stale, nil, "run `failproof record s.yaml`: stale"},
		{"of two", two, missing, nil, "run `failproof record --target NAME s.yaml`: no recording"},
		{"of two, one of which the recording names", named, missing, nil, "run `failproof record s.yaml`: no recording"},
		{"of the head's own targets", own, missing, shop, "run `failproof record --target NAME s.yaml`: no recording"},
		{"missing, of none", only(none), missing, nil, "write the answer down, then `failproof record --stamp`: no recording"},
		{"stale, of none", only(none), stale, nil, "write the answer again, then `failproof record --stamp`: stale"},
		{"of the judge alone", only(judge), missing, nil, "write the answer down, then `failproof record --stamp`: no recording"},
		{"of a judge that answers too", only("default_targets: [kept, live]\n" + judge), missing, nil, "run `failproof record s.yaml`: no recording"},
		{"written by hand", shop, byHand, nil, "write the answer again, then `failproof record --stamp`: stale"},
		{"written by hand for other white space", shop, otherSpace, nil, "read the answer, then `failproof record --stamp --yes`: stale"},
		{"at a path that is new", moved, runtest.Files{"s.jsonl": "", "to/s.jsonl": shop["s.jsonl"]}, shop, "keep a copy of the recordings there until the merge"},
		{"stale at a path that is new", moved, stale.Merge(runtest.Files{"to/s.jsonl": shop["s.jsonl"]}), shop, "run `failproof record s.yaml`: stale"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			head := c.files.Merge(c.said)
			for name, text := range shop {
				if _, known := head[name]; !known {
					head[name] = text
				}
			}
			maps.DeleteFunc(head, func(_, text string) bool { return text == "" })
			if strings.Contains(head["failproof.yml"], "default_targets") {
				head["failproof.yml"] = strings.Replace(head["failproof.yml"], "default_target: kept\n", "", 1)
				head["s.yaml"] = strings.Replace(head["s.yaml"], "prompt:", "target: kept\nprompt:", 1)
			}
			if got := askCase(t, readTrees(t, head, c.base).Head, "a", 0); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// If a merge made a recording stale, recording before the merge would not help.
func TestAStaleRecordingThatFitsTheBranchIsRecordedAfterAnUpdate(t *testing.T) {
	other := live(fields{"model": "before"})
	before := with(changed, "failproof.yml", "model: m", "model: before")
	const update = "update the branch and record again: stale"
	for _, c := range []struct {
		rule   string
		line   fields
		branch runtest.Files
		err    error
		want   string
	}{
		{"made for the branch's request", fields{"request_key": keyOf(t, changed, "a")}, changed, nil, update},
		{"made for another request", fields{"request_key": "sha256:0"}, changed, nil, "run "},
		{"from the branch's target", fields{"request_key": keyOf(t, changed, "a"), "target": other}, before, nil, update},
		{"from a target that the branch has otherwise", fields{"request_key": keyOf(t, changed, "a"), "target": other}, changed, nil, "run "},
		{"from one that it lacks", fields{"request_key": keyOf(t, changed, "a"), "target": live(fields{"name": "own"})}, changed, nil, update},
		{"without a key, from the branch's target", fields{"target": other}, before, nil, update},
		{"written by hand, without a key", fields{"by_hand": true}, changed, nil, "write "},
		{"of no case of the branch", fields{"request_key": keyOf(t, changed, "a")}, with(changed, "s.yaml", "id: a,", "id: z,"), nil, "run "},
		{"of a branch without a configuration", fields{"request_key": keyOf(t, changed, "a")}, runtest.Files{}, nil, "run "},
		{"of a branch that cannot be read", fields{"request_key": keyOf(t, changed, "a")}, nil, errors.New("gone"), "run "},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base := changed
			if c.line["request_key"] != nil {
				base = shop
			}
			in := runtest.Inputs(t, shop.Merge(runtest.Files{"s.jsonl": line("a", "other", c.line)}), base, nil)
			in.OpenBranch = func() (*source.Tree, error) {
				if c.err != nil {
					return nil, c.err
				}
				return folder(t, c.branch), nil
			}
			got := askCase(t, mustRead(t, in).Head, "a", 0)
			if !strings.HasPrefix(got, c.want) || !strings.Contains(got, "stale") {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestAnswersThatTheHeadsConfigurationMakesStaleAreCounted(t *testing.T) {
	key := keyOf(t, shop, "a")
	from := func(target fields) runtest.Files {
		return shop.Merge(runtest.Files{"s.jsonl": line("a", "yes", fields{"request_key": key, "target": target})})
	}
	recorded, early := from(live(nil)), from(live(fields{"top_p": 0.5}))
	for _, c := range []struct {
		rule, old, new string
		files          runtest.Files
		stale, early   int
		from           string
	}{
		{"the same target", "", "", recorded, 0, 0, ""},
		{"with another setting", "KEY", "KEY, top_p: 0.5", recorded, 1, 0, "live"},
		{"recorded with it", "KEY", "KEY, top_p: 0.5", early, 0, 1, "live"},
		{"recorded from another target then", `path: "{suite}.jsonl" }`, "path: \"{suite}.jsonl\", records: own }\n  own: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\" }", recorded, 1, 0, "live"},
	} {
		s := readTrees(t, with(c.files, "failproof.yml", c.old, c.new), c.files)
		pair := s.Pairs.Find("s", "a")
		stale, early, from := s.AnswersAfterMerge(pair.HeadSuite, pair.Head)
		if stale != c.stale || early != c.early || from != c.from {
			t.Errorf("%s: %d stale, %d early, from %q", c.rule, stale, early, from)
		}
	}
	s := readTrees(t, shop, shop)
	asked := s.Head.Find("t")
	if stale, early, _ := s.AnswersAfterMerge(asked, asked.Cases[0]); stale != 0 || early != 0 {
		t.Errorf("of a live suite: %d stale, %d early", stale, early)
	}
}

func TestRecordingsAreComparedByWordsAndThenByTheirTargets(t *testing.T) {
	other := live(fields{"model": "before"})
	for _, c := range []struct {
		rule       string
		base, head string // the recordings
		settings   string // the head's model of the target; "": the base's
		difference suite.ReasonKind
		target     bool
	}{
		{"equal", line("a", "yes", nil), line("a", "yes", nil), "", "", false},
		{"other words", line("a", "yes", nil), line("a", "no", nil), "", suite.AnswerChanged, false},
		{"gone", line("a", "yes", nil), "", "", suite.RecordingChanged, false},
		{"another time", line("a", "yes", fields{"latency_ms": 1}), line("a", "yes", fields{"latency_ms": 2}), "", suite.RecordingChanged, false},
		{"another target", line("a", "yes", fields{"target": live(nil)}), line("a", "yes", fields{"target": other}), "", "", true},
		{"a target with other settings", line("a", "yes", fields{"target": live(nil)}), line("a", "yes", fields{"target": live(nil)}), "n", "", true},
		{"a target that is named on the head alone, with other settings", line("a", "yes", nil), line("a", "yes", fields{"target": live(nil)}), "n", "", true},
		{"a target of another name with other settings", line("a", "yes", fields{"target": live(fields{"name": "own"})}), line("a", "yes", fields{"target": live(fields{"name": "own"})}), "n", "", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			head := shop.Merge(runtest.Files{"s.jsonl": c.head})
			if c.settings != "" {
				head = with(head, "failproof.yml", "model: m", "model: "+c.settings)
			}
			s := readTrees(t, head, shop.Merge(runtest.Files{"s.jsonl": c.base}))
			recorded, pair := s.RecordingsOf(s.Base.Suites, s.Head.Suites), s.Pairs.Find("s", "a")
			got, differs := recorded.Difference(pair), recorded.TargetDiffers(pair)
			if got != c.difference || differs != c.target {
				t.Errorf("%q, %v, want %q, %v", got, differs, c.difference, c.target)
			}
			if n := len(s.Base.Suites); n != 2 || s.Base.Suites[1].ID != "t" {
				t.Errorf("the base has %d suites now", n)
			}
		})
	}
}

// rerun returns a round of reruns of case a on a side.
func rerun(side string, round int, text, baseKey, key string, target fields) string {
	return line("a", text,
		fields{"fresh": side, "trial": round, "base_key": baseKey, "request_key": key, "target": target})
}

func TestRecordedRerunsCountForTheRequestsOfBothSides(t *testing.T) {
	was, now := keyOf(t, shop, "a"), keyOf(t, changed, "a")
	text := line("a", "yes", fields{"request_key": now}) + rerun("head", 3, "h3", was, now, live(nil))
	for round := 1; round <= 2; round++ {
		text += rerun("base", round, fmt.Sprint("b", round), was, now, live(nil)) +
			rerun("head", round, fmt.Sprint("h", round), was, now, live(nil))
	}
	head := changed.Merge(runtest.Files{"s.jsonl": text})
	s := readTrees(t, head, shop)
	if n, file := s.RecordedRounds("s", "a"); n != 2 || file != "s.jsonl" {
		t.Errorf("%d rounds in %q, want 2", n, file)
	}
	if got := askCase(t, s.Base, "a", 2) + askCase(t, s.Head, "a", 2); got != "b2h2" {
		t.Errorf("the second round is %s", got)
	}
	other := func(files runtest.Files) runtest.Files { return with(files, "failproof.yml", "model: m", "model: n") }
	for rule, s := range map[string]*sides.Sides{
		"of another base":          readTrees(t, head, changed),
		"of another head":          readTrees(t, shop.Merge(runtest.Files{"s.jsonl": head["s.jsonl"]}), shop),
		"of another target":        readTrees(t, other(head), other(shop)),
		"of another base's target": readTrees(t, head, other(shop)),
		"of a new case": readTrees(t, with(head, "s.yaml", "q: A", "q: N"),
			with(shop, "s.yaml", "id: a,", "id: z,")),
	} {
		if n, file := s.RecordedRounds("s", "a"); n != 0 || file != "" {
			t.Errorf("%s: %d rounds in %q", rule, n, file)
		}
	}
}

func TestRerunsOfARenamedCaseAreThoseOfItsNameOnTheHead(t *testing.T) {
	base := suitesOf(map[string]string{"s": "a=A b=B"})
	head := suitesOf(map[string]string{"s": "new=A b=B"})
	key := readTrees(t, head, nil).Pairs.Find("s", "new").Head.Keys().RequestKey.String()
	round := func(side, text string) string {
		return line("new", text,
			fields{"fresh": side, "trial": 1, "base_key": key, "request_key": key, "target": live(nil)})
	}
	head["s.jsonl"] = round("base", "was") + round("head", "now")
	s := readTrees(t, head, base)
	if got := askCase(t, s.Base, "a", 1) + askCase(t, s.Head, "new", 1); got != "wasnow" {
		t.Errorf("reruns %s", got)
	}
}

func TestEarlierRerunsAreSamplesOfTheBaseAlone(t *testing.T) {
	was := keyOf(t, shop, "a")
	own := line("a", "yes", fields{"request_key": was, "target": live(nil)}) +
		rerun("head", 1, "e1", "k", was, live(nil)) + rerun("head", 2, "e2", "k", was, live(nil))
	base := shop.Merge(runtest.Files{"s.jsonl": own})
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		id         string
		want       []string
	}{
		{"of another request", changed, base, "a", []string{"e1", "e2"}},
		{"of an equal request to the same target", base, base, "a", nil},
		{"of an equal request to another target", base.Merge(runtest.Files{"s.jsonl": line("a", "yes", fields{"request_key": was, "target": live(fields{"model": "n"})})}), base, "a", []string{"e1", "e2"}},
		{"of a target that the base has otherwise", changed, with(base, "failproof.yml", "model: m", "model: n"), "a", nil},
		{"of a request that is not the base's", changed, base.Merge(runtest.Files{"s.jsonl": rerun("head", 1, "e1", "k", "other", live(nil))}), "a", nil},
		{"of another case", changed, base, "b", nil},
		{"of a case that is gone", with(changed, "s.yaml", "id: a, vars: { q: A }", "id: z, vars: { q: Z }").Merge(runtest.Files{"s.jsonl": ""}), base, "a", nil},
		{"of a new case", with(changed, "s.yaml", "id: a, vars: { q: A }", "id: z, vars: { q: Z }").Merge(runtest.Files{"s.jsonl": ""}), base, "z", nil},
	} {
		var got []string
		for _, r := range readTrees(t, c.head, c.base).EarlierReruns("s", c.id) {
			if !r.Sampled {
				t.Errorf("%s: %s is no sample", c.rule, r.Text)
			}
			got = append(got, string(r.Text))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestRerunsAreLostIfNothingNewerStandsInTheirPlace(t *testing.T) {
	key := keyOf(t, shop, "a")
	first := line("a", "yes", fields{"request_key": key, "target": live(nil)})
	reruns := rerun("head", 1, "e1", "k", key, live(nil)) + rerun("head", 2, "e2", "k", key, live(nil))
	base := shop.Merge(runtest.Files{"s.jsonl": first + reruns})
	for _, c := range []struct {
		rule string
		head string
		want bool
	}{
		{"all are there", first + reruns, false},
		{"none is there", first, true},
		{"one is gone", first + rerun("head", 1, "e1", "k", key, live(nil)), true},
		{"one is edited", first + rerun("head", 1, "e1", "k", key, live(nil)) + rerun("head", 2, "edited", "k", key, live(nil)), true},
		{"newer ones are there", first + rerun("base", 1, "n1", key, key, live(nil)) + rerun("head", 1, "n2", key, key, live(nil)), false},
		{"the answer is gone too", "", false},
		{"the answer is of another target", line("a", "yes", fields{"request_key": key, "target": live(fields{"model": "n"})}), false},
	} {
		s := readTrees(t, shop.Merge(runtest.Files{"s.jsonl": c.head}), base)
		if got := s.LostReruns(s.Pairs.Find("s", "a")); got != c.want {
			t.Errorf("%s: lost %v", c.rule, got)
		}
	}
	s := readTrees(t, changed.Merge(runtest.Files{"s.jsonl": first}), base)
	if s.LostReruns(s.Pairs.Find("s", "a")) {
		t.Error("reruns of another request are lost")
	}
	renamed := with(shop, "s.yaml", "id: a,", "id: z,").Merge(runtest.Files{"s.jsonl": ""})
	s = readTrees(t, renamed, with(base, "s.yaml", "q: A", "q: Q"))
	if s.LostReruns(s.Pairs.Find("s", "a")) || s.LostReruns(s.Pairs.Find("s", "z")) {
		t.Error("reruns of a case of one side are lost")
	}
	for key, want := range map[string]bool{"top_p: 0.5": true, "temperature: 0.5": false} { // the second applies at once
		s = readTrees(t, with(base, "failproof.yml", "KEY", "KEY, "+key).Merge(runtest.Files{"s.jsonl": first}), base)
		if got := s.LostReruns(s.Pairs.Find("s", "a")); got != want {
			t.Errorf("with %s: lost %v", key, got)
		}
	}
}

func TestAnswersUnderAnotherNameAreThoseOfTheirCase(t *testing.T) {
	base := suitesOf(map[string]string{"s": "a=A b=B"})
	base["s.jsonl"] = line("a", "one", nil) + line("b", "two", nil)
	head := suitesOf(map[string]string{"s": "new=A b=B"})
	head["s.jsonl"] = base["s.jsonl"]
	s, err := sides.Read(runtest.Inputs(t, head, base, nil))
	if err != nil {
		t.Fatal(err)
	}
	var moves []string
	for _, m := range s.Head.Moves() {
		moves = append(moves, fmt.Sprint(m))
	}
	if len(moves) != 1 || !strings.Contains(moves[0], "new") {
		t.Errorf("moves %q", moves)
	}
	const move = "run `failproof record --stamp`, which moves answers to their cases: no recording"
	if got := askCase(t, s.Head, "new", 0); !strings.HasPrefix(got, move) {
		t.Errorf("the answer is %s", got)
	}
	name, none := suiteid.Name{Suite: "s", Case: "a"}, (*sides.Side)(nil)
	if n := s.Base.AnswersUnder(name).Len(); n != 1 || none.AnswersUnder(name) != nil {
		t.Errorf("%d answers on the base", n)
	}
}

func TestARecordingIsOfTheLiveTargetThatItsTargetNames(t *testing.T) {
	files := with(shop, "failproof.yml", `path: "{suite}.jsonl" }`, "path: \"{suite}.jsonl\", records: own }\n  own: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\" }")
	files["s.jsonl"] = line("a", "yes", fields{"request_key": keyOf(t, files, "a"), "target": live(nil)})
	const other = "stale, recorded from live, but these are recordings of own"
	if got := askCase(t, readTrees(t, files, nil).Head, "a", 0); !strings.Contains(got, other) {
		t.Errorf("the answer is %s", got)
	}
	side := readTrees(t, shop, nil).Head
	if got := ask(t, side.Target("kept"), side.Find("t")); got != model.ReasonUnrecorded {
		t.Errorf("a case of another suite: %s", got)
	}
}
