// Typecheck checks the types of the program for other platforms. Of imported modules it reads the declarations alone,
// so that it takes a small part of the time of compiling.
//
//	go run ./tools/typecheck windows/amd64 darwin/arm64
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	root, err := filepath.Abs(".")
	if err != nil {
		fail(err)
	}
	failed := false
	for _, platform := range os.Args[1:] {
		system, arch, _ := strings.Cut(platform, "/")
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax |
				packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedModule,
			Env: append(os.Environ(), "GOOS="+system, "GOARCH="+arch),
			ParseFile: func(places *token.FileSet, name string, text []byte) (*ast.File, error) {
				file, err := parser.ParseFile(places, name, text, parser.SkipObjectResolution)
				if err == nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
					dropBodies(file)
				}
				return file, err
			},
		}, ".")
		if err != nil {
			fail(err)
		}
		packages.Visit(loaded, nil, func(p *packages.Package) {
			// Without bodies, imports are unused elsewhere.
			if p.Module == nil || !p.Module.Main {
				return
			}
			for _, fault := range p.Errors {
				fmt.Fprintf(os.Stderr, "%s: %v\n", platform, fault)
				failed = true
			}
		})
	}
	if failed {
		os.Exit(1)
	}
}

func dropBodies(file *ast.File) {
	for _, declared := range file.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok {
			function.Body = nil
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
