package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/module"
)

// noticeFile matches the names of license and notice files, which copies must include.
var noticeFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([._-].*)?$`)

// writeNotices writes the licenses and notices of Go and of every module in the binaries. A module without a license
// is an error, because nobody may redistribute it.
func writeNotices(path string, binaries []binary) error {
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	goRoot, cache, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	var text strings.Builder
	text.WriteString("failproof contains the following software.\n")
	if err := addNotices(&text, "Go and its standard library, "+binaries[0].info.GoVersion,
		os.DirFS(goRoot), false); err != nil {
		return err
	}
	for _, m := range modules(binaries) {
		name, err := module.EscapePath(m.Path)
		if err != nil {
			return err
		}
		version, err := module.EscapeVersion(m.Version)
		if err != nil {
			return err
		}
		if err := addNotices(&text, m.Path+" "+m.Version,
			os.DirFS(filepath.Join(cache, filepath.FromSlash(name)+"@"+version)), true); err != nil {
			return err
		}
	}
	if err := addNotices(&text, "QuickJS and quickjs-emscripten", os.DirFS("../../internal/script/quickjs"),
		false); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// addNotices adds every notice in the root folder of a module, and also in the folders below if recursive is set.
func addNotices(text *strings.Builder, what string, files fs.FS, recursive bool) error {
	found := false
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (!recursive || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !noticeFile.MatchString(entry.Name()):
			return nil
		}
		notice, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(text, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), what, name,
			strings.TrimSpace(string(notice)))
		return nil
	})
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%s has no licence", what)
	}
	return nil
}
