package fact_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The sets of docs/accuracy.md: answers, a forbidden claim, and whether a person would say that the answer states it.
func TestClaimSets(t *testing.T) {
	hold(t, "claims", []bounds{{"dev", 473, 21}, {"blind-1", 40, 0}, {"blind-2", 30, 0}, {"blind-3", 39, 0},
		{"blind-4", 38, 1}, {"blind-5", 37, 2}, {"blind-6", 36, 3}, {"blind-7", 40, 0}, {"blind-8", 94, 15}, {"blind-9", 107, 14}, {"blind-10", 60, 4},
		{"marks-and-ands", 87, 16}, {"values-and-limits", 9, 5}}, func(c claimed) (got, want bool) {
		return states(t, c.Claim, c.Answer), c.Stated
	})
}

// The same of key facts, and whether a person would say that the answer covers them.
func TestFactSets(t *testing.T) {
	hold(t, "facts", []bounds{{"dev", 618, 44}, {"blind-1", 27, 0}, {"blind-2", 34, 0}, {"blind-3", 36, 1},
		{"blind-4", 33, 0}, {"blind-5", 32, 1}, {"blind-6", 26, 3}, {"blind-7", 28, 1}, {"blind-8", 83, 12}, {"blind-9", 104, 7}, {"blind-10", 130, 2},
		{"marks-and-ands", 122, 12}, {"values-and-limits", 48, 11}, {"former-things", 49, 6}, {"other-languages", 154, 50}}, func(c stating) (got, want bool) {
		return covers(t, c.Fact, c.Answer), c.Covered
	})
}

type claimed struct {
	Claim  string `json:"claim"`
	Answer string `json:"answer"`
	Stated bool   `json:"stated"`
}

type stating struct {
	Fact    string `json:"fact"`
	Answer  string `json:"answer"`
	Covered bool   `json:"covered"`
}

// bounds of a set are how many answers are right at least, and how many are found to say what they do not say at most.
type bounds struct {
	file         string
	right, wrong int
}

// hold tries each answer of the sets in a folder of testdata, one JSON object a line.
func hold[T any](t *testing.T, folder string, sets []bounds, try func(T) (got, want bool)) {
	t.Helper()
	for _, set := range sets {
		n, right, wrong := 0, 0, 0
		for _, c := range readSet[T](t, folder, set.file) {
			n++
			got, want := try(c)
			switch {
			case got == want:
				right++
				continue
			case got:
				wrong++
			}
			if strings.HasPrefix(set.file, "dev") { // the mistakes on a blind set are counted alone: who reads them makes it dev
				t.Logf("%s: %+v: %v, want %v", set.file, c, got, want)
			}
		}
		t.Logf("%s: %d of %d right, %d found that are not said", set.file, right, n, wrong)
		if right < set.right || wrong > set.wrong {
			t.Errorf("%s: %d right and %d found that are not said, want at least %d and at most %d", set.file, right, wrong, set.right, set.wrong)
		}
	}
}

func readSet[T any](t *testing.T, folder, name string) (out []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", folder, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		var c T
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, c)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// What a person wrote is said by an answer that has it word for word, alone or among other sentences and items.
func TestAFactAndAClaimAreSaidByTheirOwnWords(t *testing.T) {
	around := []string{"%s", "Thanks for asking! %s Let me know if you need anything else.", "- Opening hours vary.\n- %s\n- Ask at the desk.", "**Answer:** %s"}
	seen := map[string]bool{}
	say := func(text string, said func(answer string) bool) {
		for _, form := range around {
			if answer := strings.Replace(form, "%s", text, 1); !seen[text] && !said(answer) {
				t.Errorf("%q does not say %q", answer, text)
			}
		}
		seen[text] = true
	}
	for _, c := range readSet[stating](t, "facts", "dev") {
		say(c.Fact, func(answer string) bool { return covers(t, c.Fact, answer) })
	}
	clear(seen)
	for _, c := range readSet[claimed](t, "claims", "dev") {
		say(c.Claim, func(answer string) bool { return states(t, c.Claim, answer) })
	}
}
