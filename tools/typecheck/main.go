// Typecheck checks the types of the program and its imports for other platforms. It takes a tenth of the time of
// compiling.
//
//	go run ./tools/typecheck windows/amd64 darwin/arm64
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		system, arch, _ := strings.Cut(platform, "/")
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax |
				packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedFiles | packages.NeedCompiledGoFiles,
			Env: append(os.Environ(), "GOOS="+system, "GOARCH="+arch),
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
