package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// openings are the calls by which files are opened or read other than through package regular, by file. A user's tree,
// git folder or output folder may hold a pipe, which holds up whoever opens it, under any name. A new call goes through
// regular, or through a source.Tree, which is as careful; or it gets a line here that says why it need not.
var openings = map[string][]string{
	"regular/regular.go":         {"os.OpenFile", "root.OpenFile"},        // which look at what they opened
	"source/folder.go":           {"dir.OpenFile"},                        // what was looked at before, without waiting
	"source/git.go":              {"files.Open"},                          // of gitFiles
	"source/git_files.go":        {"f.OpenFile", "f.Filesystem.OpenFile"}, // which look before
	"source/source.go":           {"fs.ReadFile", "o.tree.Open", "o.fallback.Open"},
	"model/exec/marked_linux.go": {"os.Open", "os.ReadFile"}, // /proc
	"model/journal/journal.go":   {"j.folder.OpenFile"},      // to append, behind a look
	"model/recorded/recorded.go": {"fsys.Open"},              // of a tree
	"document/read.go":           {"fsys.Open"},
	"doctor/fix.go":              {"fs.ReadFile"},
	"doctor/owners.go":           {"fs.ReadFile"},
	"doctor/workflow.go":         {"fs.ReadFile"},
	"starter/demo.go":            {"fs.ReadFile"},                // what is built in
	"starter/starter.go":         {"fs.ReadFile"},                // likewise
	"output/folder.go":           {"root.Open", "root.OpenFile"}, // the folder itself; a new file
	"cli/demo.go":                {"os.ReadFile"},                // what it wrote
	"cli/run.go":                 {"os.DirFS"},                   // to look whether there is a file
	"sides/inputs.go":            {"os.DirFS"},                   // likewise
	"cli/show.go":                {"fs.ReadFile"},
	"cli/vouch.go":               {"os.OpenFile"}, // to append to the user's own
	"embed/models/files.go":      {"fs.ReadFile"},
	"embed/models/pull.go":       {"os.OpenFile"}, // a new file
	"action/publish.go":          {"fs.ReadFile"},
	"sides/files.go":             {"fs.ReadFile"},
	"judgecheck/judgecheck.go":   {"fs.ReadFile"},
	"sides/judging.go":           {"fs.ReadFile"},
	"record/targets.go":          {"fs.ReadFile"},
	"checks/stale/stale.go":      {"fs.ReadFile"},
	"sides/vouch.go":             {"v.tree.ReadFile"},
	"promptfoo/write.go":         {"fs.ReadFile"},
	"promptfoo/read.go":          {"fs.ReadFile"},
}

// helpers are packages for tests, and no part of the program.
var helpers = []string{"rendertest", "sharedtest", "texttest", "memtest", "githubtest", "modeltest", "embedtest", "fulltest", "acceptance", "schematest"}

func TestFilesOfAUserAreOpenedWithoutWaitingForThem(t *testing.T) {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		at := filepath.ToSlash(name)
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || slices.Contains(helpers, path.Base(path.Dir(at))) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ours := map[string]bool{} // packages whose Open is a function of ours
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(imported, module) {
				ours[path.Base(imported)] = true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) == 0 {
				return true
			}
			called, is := call.Fun.(*ast.SelectorExpr)
			if !is || !slices.Contains([]string{"Open", "OpenFile", "ReadFile", "DirFS"}, called.Sel.Name) {
				return true
			}
			if of, is := called.X.(*ast.Ident); is && ours[of.Name] {
				return true
			}
			if text := types.ExprString(called); !slices.Contains(found[at], text) {
				found[at] = append(found[at], text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, calls := range found {
		for _, call := range calls {
			if !slices.Contains(openings[at], call) {
				t.Errorf("%s calls %s, where a pipe would hold it up: call regular.Open or regular.Read", at, call)
			}
		}
	}
	for at, calls := range openings {
		for _, call := range calls {
			if !slices.Contains(found[at], call) {
				t.Errorf("%s calls no %s: remove it from the list", at, call)
			}
		}
	}
}
