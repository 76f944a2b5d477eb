package acceptance_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/failproof/failproof/internal/fulltest"
)

// attack is one file of the corpus: a story in comment lines, the steps to play, and the files that they name.
type attack struct {
	kind, name string // the folder and the file
	story      string
	steps      []step
	files      []txtar.File
	quick      bool // part of every `go test`
}

// step is one line: its first word says what to do.
type step struct {
	line  int
	verb  string
	words []string
}

// corpus reads a folder of testdata: attacks in folders by kind, honest pull requests side by side.
func corpus(t testing.TB, root string) (all []attack) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("testdata", root), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !strings.HasSuffix(name, ".txtar") {
			return fmt.Errorf("%s is no attack: its name does not end in .txtar", name)
		}
		a, err := readAttack(filepath.ToSlash(name))
		all = append(all, a)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readAttack(name string) (attack, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return attack{}, err
	}
	archive := txtar.Parse(data)
	a := attack{kind: path.Base(path.Dir(name)), name: strings.TrimSuffix(path.Base(name), ".txtar"), files: archive.Files}
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		if text, is := strings.CutPrefix(line, "#"); is {
			a.story += text + "\n"
			continue
		}
		words, err := split(line)
		if err != nil {
			return a, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		switch {
		case len(words) == 0:
		case words[0] == "quick":
			a.quick = true
		default:
			a.steps = append(a.steps, step{i + 1, words[0], words[1:]})
		}
	}
	if strings.TrimSpace(a.story) == "" {
		return a, fmt.Errorf("%s says nowhere what its author tries and which rule must hold", name)
	}
	return a, nil
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")

// split cuts a line into words. What stands between two single quotes is one word; in it \n is a line feed, \r a
// carriage return, two backslashes are one, and so are two single quotes.
func split(line string) (words []string, err error) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '\'' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), rest
			continue
		}
		word := ""
		for closed := false; !closed; {
			end := strings.IndexByte(line[1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("a quote is never closed")
			}
			word, line = word+line[1:1+end], line[end+2:]
			if closed = !strings.HasPrefix(line, "'"); !closed {
				word += "'"
			}
		}
		words = append(words, escapes.Replace(word))
	}
	return words, nil
}

// amount is how much of the corpus, of the histories, of the repositories made by chance and of the bad inputs is
// played.
type amount int

const (
	least      amount = iota // -short: one quick attack of each kind
	sample                   // the quick ones of all kinds
	everything               // FAILPROOF_TESTS=most or all
)

func wanted() amount {
	switch {
	case fulltest.All():
		return everything
	case testing.Short():
		return least
	}
	return sample
}

// chosen are those of the corpus that are played.
func chosen(all []attack) []attack {
	played := map[string]bool{} // kinds
	return slices.DeleteFunc(all, func(a attack) bool {
		left := wanted() < everything && !a.quick || wanted() == least && played[a.kind]
		played[a.kind] = played[a.kind] || !left
		return left
	})
}

// TestAttacks plays pull requests that were written to get a wrong prompt past the gate, to steal, or to make the gate
// say something.
func TestAttacks(t *testing.T) { playAll(t, "attacks") }

// TestHonestPullRequests plays work that nobody may be blocked for.
func TestHonestPullRequests(t *testing.T) { playAll(t, "honest") }

// playAll plays a folder of the corpus. Of the sample, those that are read through the API are played once more with a
// checkout of the whole history where all are played.
func playAll(t *testing.T, root string) {
	t.Parallel()
	for _, a := range chosen(corpus(t, root)) {
		t.Run(a.kind+"/"+a.name, func(t *testing.T) {
			t.Parallel()
			play(t, a)
		})
		if wanted() < everything || !a.quick || slices.ContainsFunc(a.steps, func(s step) bool { return s.verb == "checkout" }) {
			continue
		}
		t.Run(a.kind+"/"+a.name+", checked out", func(t *testing.T) {
			t.Parallel()
			a.steps = append([]step{{0, "checkout", []string{"whole"}}}, a.steps...)
			play(t, a)
		})
	}
}

// play plays one attack, line by line. What does not hold is reported with its line, and the next line is played.
func play(t *testing.T, a attack) *scene {
	s := newScene(t, a)
	for _, step := range a.steps {
		verb, known := verbs[step.verb]
		if !known {
			t.Fatalf("line %d: there is no step %q", step.line, step.verb)
		}
		s.at = step
		verb(s, step.words)
	}
	if s.runs == 0 {
		t.Fatal("nothing was run")
	}
	return s
}
