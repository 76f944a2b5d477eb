package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// neededElsewhere are checks that a command uses too, so that their removal takes the command with it.
var neededElsewhere = map[string]bool{"cause": true} // by `failproof explain`

// A check is left out by deleting its package and its line in the list: the rest of the program compiles without
// it, since nothing else imports the package, and the list names it in one line.
func TestACheckIsDeletedWithItsPackageAndItsLine(t *testing.T) {
	files := token.NewFileSet()
	source, err := parser.ParseFile(files, "checks.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string][]int{} // of each package in the list's file, by line
	ast.Inspect(source, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			name := s.X.(*ast.Ident).Name
			uses[name] = append(uses[name], files.Position(s.Pos()).Line)
		}
		return true
	})
	importers := checkImporters(t)
	if len(importers) != len(allChecks) {
		t.Errorf("the list has %d checks, and %d packages below checks are imported: %v", len(allChecks), len(importers), importers)
	}
	for name, by := range importers {
		if len(uses[name]) != 1 {
			t.Errorf("the list names check %s in lines %v; want one line", name, uses[name])
		}
		if !neededElsewhere[name] && (len(by) != 1 || by[0] != "run/checks.go") {
			t.Errorf("check %s is imported by %v; want the list alone", name, by)
		}
	}
}

// checkImporters lists the files of the program that import each check.
func checkImporters(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if _, check, is := strings.Cut(path, "/internal/checks/"); is {
				rel, err := filepath.Rel("..", name)
				if err != nil {
					return err
				}
				out[check] = append(out[check], filepath.ToSlash(rel))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
