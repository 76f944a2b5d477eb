// Typecheck checks the types of the program and its imports for other systems. It takes a tenth of the time of
// compiling.
//
//	go run ./tools/typecheck windows darwin
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax |
				packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedFiles | packages.NeedCompiledGoFiles,
			Env: append(os.Environ(), "GOOS="+system),
		}, ".")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		failed = packages.PrintErrors(loaded) > 0 || failed
	}
	if failed {
		os.Exit(1)
	}
}
