package source_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/failproof/failproof/internal/source"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
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
		at := filepath.Join(dir, name(i))
		os.MkdirAll(filepath.Dir(at), 0o755)
		if err := os.WriteFile(at, []byte(text(i)), 0o644); err != nil {
			b.Fatal(err)
		}
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

// large writes the repository.
func large(b *testing.B, packed bool) string {
	b.Helper()
	dir := b.TempDir()
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		b.Fatal(err)
	}
	put := func(kind plumbing.ObjectType, content []byte) plumbing.Hash {
		o := &plumbing.MemoryObject{}
		o.SetType(kind)
		o.Write(content)
		id, err := repo.Storer.SetEncodedObject(o)
		if err != nil {
			b.Fatal(err)
		}
		return id
	}
	folder := func(entries []object.TreeEntry) plumbing.Hash {
		o := &plumbing.MemoryObject{}
		if err := (&object.Tree{Entries: entries}).Encode(o); err != nil {
			b.Fatal(err)
		}
		id, err := repo.Storer.SetEncodedObject(o)
		if err != nil {
			b.Fatal(err)
		}
		return id
	}
	var folders []object.TreeEntry
	for f := range 100 {
		var inside []object.TreeEntry
		for i := f; i < 10_000; i += 100 {
			inside = append(inside, object.TreeEntry{Name: filepath.Base(name(i)), Mode: filemode.Regular, Hash: put(plumbing.BlobObject, []byte(text(i)))})
		}
		folders = append(folders, object.TreeEntry{Name: fmt.Sprintf("%02d", f), Mode: filemode.Dir, Hash: folder(inside)})
	}
	root := folder([]object.TreeEntry{{Name: "suites", Mode: filemode.Dir, Hash: folder(folders)}})
	c := put(plumbing.CommitObject, fmt.Appendf(nil, "tree %s\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nm\n", root))
	if err := repo.Storer.SetReference(plumbing.NewHashReference(plumbing.Main, c)); err != nil {
		b.Fatal(err)
	}
	if packed {
		if err := repo.RepackObjects(&git.RepackConfig{}); err != nil {
			b.Fatal(err)
		}
		loose, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "??"))
		for _, d := range loose {
			os.RemoveAll(d)
		}
	}
	return dir
}
