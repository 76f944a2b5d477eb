package acceptance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	// noMessages matches packages of word lists and packages of tests.
	noMessages = regexp.MustCompile(`^(english|label|fact|refusal|risk|likeness|literal|answer|acceptance|\w*test|\w*testkit)$`)
	threeWords = regexp.MustCompile(`\pL{2,}[,;:]? (\S+ )*?\pL{2,}[,;:]? (\S+ )*?\pL{2,}`)
	isPattern  = regexp.MustCompile(`\(\?|\\[bswd]|\[\^|\)\?|\.\*`)
)

// TestMessages holds every sentence that the program can print in one file, so that the sentences can be read together
// and reviewed as text. A sentence is a string of three words or more; "…" replaces what is computed.
func TestMessages(t *testing.T) {
	t.Parallel()
	const name = "testdata/messages.txt"
	now := messagesBelow(t, "..")
	if *update {
		if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(was), "\n"), strings.Split(now, "\n")); diff != "" {
		t.Errorf("messages changed; read them, then run go test ./internal/acceptance -run TestMessages -update (-%s +now)\n%s", name, diff)
	}
}

// messagesBelow lists the sentences of each package, sorted.
func messagesBelow(t *testing.T, root string) string {
	t.Helper()
	packages := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (entry.Name() == "testdata" || noMessages.MatchString(entry.Name())):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		folder = filepath.ToSlash(folder)
		for _, text := range sentencesIn(file) {
			if packages[folder] == nil {
				packages[folder] = map[string]bool{}
			}
			packages[folder][text] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		out.WriteString("== " + folder + "\n" + strings.Join(slices.Sorted(maps.Keys(packages[folder])), "\n") + "\n\n")
	}
	return out.String()
}

// sentencesIn returns the sentences among a file's strings.
func sentencesIn(file *ast.File) (all []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.StructType: // its tags are for encoders
			return false
		case *ast.BinaryExpr, *ast.BasicLit:
			text, isText := joinedText(n.(ast.Expr))
			if isText && threeWords.MatchString(text) && !isPattern.MatchString(text) {
				all = append(all, strings.ReplaceAll(text, "\n", `\n`))
			}
			return !isText
		}
		return true
	})
	return all
}

// joinedText returns a string, or a sum of strings with "…" for what is computed. It returns false for anything else.
func joinedText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := joinedText(e.X)
		right, isRight := joinedText(e.Y)
		if !isLeft {
			left = "…"
		}
		if !isRight {
			right = "…"
		}
		return left + right, isLeft || isRight
	}
	return "…", false
}
