package config

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/failproof/failproof/internal/document"
)

// Services returns the folders below the root of tree that have a configuration of their own, as in a repository of
// several services. alone is true if there are some and the root has no configuration, and no misnamed one.
func Services(tree fs.FS) (folders []string, alone bool) {
	Walk(tree, func(name string) {
		for _, config := range Paths {
			folder, found := strings.CutSuffix(name, "/"+config)
			if found && !strings.Contains("/"+folder, "/.") {
				folders = append(folders, folder)
			}
		}
	})
	slices.Sort(folders)
	folders = slices.Compact(folders) // a folder may have a configuration in either place
	_, found := Find(tree)
	return folders, len(folders) > 0 && !found && Misnamed(tree) == ""
}

// maxFolders is the most folders that Walk reads, maxDepth how deep they may be, and maxIgnoreBytes the largest
// .gitignore.
const (
	maxFolders     = 20_000
	maxDepth       = 16
	maxIgnoreBytes = 64 << 10
)

// Walk calls visit for each file of tree, first for those near the root. It leaves out dependencies, folders that git
// ignores, and hidden folders except .github. Git ignores no folder that it tracks, as the method Tracks says if tree
// has one. Walk returns the folders that cannot be read.
func Walk(tree fs.FS, visit func(name string)) (unreadable []string) {
	var ignored []gitignore.Pattern
	git, known := tree.(interface{ Tracks(folder string) bool })
	folders := []string{"."}
	for i := 0; i < min(len(folders), maxFolders); i++ {
		entries, err := fs.ReadDir(tree, folders[i])
		if err != nil {
			unreadable = append(unreadable, folders[i])
			continue
		}
		if slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.Name() == ".gitignore" }) {
			ignored = append(ignored, ignoredBy(tree, folders[i])...)
		}
		for _, entry := range entries {
			name, base := path.Join(folders[i], entry.Name()), entry.Name()
			switch {
			case !entry.IsDir():
				visit(name)
			case strings.HasPrefix(base, ".") && base != ".github", base == "node_modules", strings.Count(name, "/") >= maxDepth,
				gitignore.NewMatcher(ignored).Match(strings.Split(name, "/"), true) && !(known && git.Tracks(name)):
			default:
				folders = append(folders, name)
			}
		}
	}
	return unreadable
}

// ignoredBy returns the patterns of the .gitignore in a folder. It returns none if that cannot be read.
func ignoredBy(tree fs.FS, folder string) (patterns []gitignore.Pattern) {
	data, _ := document.ReadText(tree, path.Join(folder, ".gitignore"), maxIgnoreBytes)
	var parts []string
	if folder != "." {
		parts = strings.Split(folder, "/")
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			patterns = append(patterns, gitignore.ParsePattern(line, parts))
		}
	}
	return patterns
}
