package source_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/source"
	git "github.com/go-git/go-git/v5"
)

// BenchmarkGit opens a repository of 10,000 files in 100 folders and reads 1,000 of them.
func BenchmarkGit(b *testing.B) {
	for _, packed := range []bool{true, false} {
		dir := large(b, packed)
		b.Run(fmt.Sprintf("packed=%v", packed), func(b *testing.B) {
			for b.Loop() {
				tree, err := source.Git(dir, "main")
				if err != nil {
					b.Fatal(err)
				}
				thousand(b, tree)
			}
		})
	}
}

// BenchmarkFolder reads 1,000 of 10,000 files on disk.
func BenchmarkFolder(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		writeFile(b, filepath.Join(dir, name(i)), text(i))
	}
	b.ResetTimer()
	for b.Loop() {
		tree, err := source.Folder(dir)
		if err != nil {
			b.Fatal(err)
		}
		thousand(b, tree)
		tree.Close()
	}
}

func name(i int) string { return fmt.Sprintf("suites/%02d/%05d.yaml", i%100, i) }
func text(i int) string { return fmt.Sprintf("version: 1\nid: case-%d\nprompt: p.md\n", i) }

// thousand walks a tree and reads every tenth file.
func thousand(b *testing.B, tree fs.FS) {
	seen, read := 0, 0
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if seen++; seen%10 == 0 {
			read++
			_, err = fs.ReadFile(tree, name)
		}
		return err
	})
	if err != nil || read != 1000 {
		b.Fatalf("read %d files: %v", read, err)
	}
}

// large writes the repository and returns its folder.
func large(b *testing.B, packed bool) string {
	b.Helper()
	l := newLocal(b)
	all := files{}
	for i := range 10_000 {
		all[name(i)] = file(text(i))
	}
	l.ref("refs/heads/main", l.commit(l.tree(all), 1))
	if packed {
		ok(b, l.repo.RepackObjects(&git.RepackConfig{}))
		loose, err := filepath.Glob(filepath.Join(l.dir, ".git", "objects", "??"))
		ok(b, err)
		for _, d := range loose {
			ok(b, os.RemoveAll(d))
		}
	}
	return l.dir
}
