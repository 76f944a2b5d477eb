package starter

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/examples"
	"github.com/failproof/failproof/internal/fault"
	"github.com/go-git/go-billy/v5/osfs"
	gitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// The branches of the demo's repository. DemoHead breaks answers, and DemoHarmless breaks none.
const (
	DemoBase     = "main"
	DemoHead     = "warmer-tone"
	DemoHarmless = "shorter-reasons"
)

// Demo makes a repository in a new folder and returns its path. The folder is dir, or a temporary one if dir is "".
func Demo(dir string) (string, error) {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "failproof-demo-")
	} else if err = os.Mkdir(dir, 0o777); err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fault.Inputf("make the folder of the demo: %w", err)
	}
	if err := commitDemo(dir); err != nil {
		return "", fmt.Errorf("make the demo repository in %s: %w", dir, err)
	}
	return dir, nil
}

// commitDemo commits each branch of the example, and checks DemoHead out. Authors and times are fixed, so every demo
// has the same commits.
func commitDemo(dir string) error {
	d := demo{
		dir:     dir,
		storage: filesystem.NewStorage(osfs.New(filepath.Join(dir, ".git")), cache.NewObjectLRUDefault()),
		files:   map[string]*index.Entry{},
	}
	if err := d.storage.Init(); err != nil {
		return err
	}
	if err := d.storage.SetConfig(gitconfig.NewConfig()); err != nil {
		return err
	}
	for _, one := range []struct{ branch, message string }{
		{DemoBase, "Answer refund questions"}, {DemoHarmless, "Give shorter reasons"}, {DemoHead, "Answer more warmly"},
	} {
		if err := d.commit(one.branch, one.message); err != nil {
			return err
		}
	}
	head := plumbing.NewSymbolicReference(plumbing.HEAD, plumbing.NewBranchReferenceName(DemoHead))
	if err := d.storage.SetReference(head); err != nil {
		return err
	}
	return d.storage.SetIndex(&index.Index{Version: 2, Entries: slices.Collect(maps.Values(d.files))})
}

// demo makes the repository.
type demo struct {
	dir     string
	storage *filesystem.Storage
	files   map[string]*index.Entry // the last commit's files by path; by size and time, git sees them as unchanged
	commits []plumbing.Hash
}

// commit writes the files of DemoBase, then those of a branch, and commits all.
func (d *demo) commit(branch, message string) error {
	for _, folder := range []string{DemoBase, branch} {
		files, err := fs.Sub(examples.Repository, "repository/"+folder)
		if err != nil {
			return err
		}
		if err := d.write(files); err != nil {
			return err
		}
	}
	tree, err := d.storeTree(d.files)
	if err != nil {
		return err
	}
	parent := ""
	if len(d.commits) > 0 {
		parent = fmt.Sprintf("parent %s\n", d.commits[0])
	}
	when := time.Date(2026, 1, 5, 9+len(d.commits), 0, 0, 0, time.UTC).Unix()
	hash, err := d.store(plumbing.CommitObject, fmt.Appendf(nil,
		"tree %s\n%sauthor %[3]s %[4]d +0000\ncommitter %[3]s %[4]d +0000\n\n%[5]s", tree, parent, "Demo <demo@example.com>", when, message))
	if err != nil {
		return err
	}
	d.commits = append(d.commits, hash)
	return d.storage.SetReference(plumbing.NewHashReference(plumbing.NewBranchReferenceName(branch), hash))
}

// write writes files to the working tree, replacing existing ones, and stores their content.
func (d *demo) write(files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		path := filepath.Join(d.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		hash, err := d.store(plumbing.BlobObject, data)
		d.files[name] = &index.Entry{Name: name, Hash: hash, Mode: filemode.Regular, Size: uint32(len(data)),
			ModifiedAt: info.ModTime()}
		return err
	})
}

// storeTree stores a folder with its files and subfolders. Git sorts them by name, a folder as if its name ended in a
// slash.
func (d *demo) storeTree(files map[string]*index.Entry) (plumbing.Hash, error) {
	entries := map[string]string{} // what the tree says of each entry, by the name that git sorts by
	folders := map[string]map[string]*index.Entry{}
	for name, file := range files {
		folder, rest, nested := strings.Cut(name, "/")
		if !nested {
			entries[name] = fmt.Sprintf("100644 %s\x00%s", name, file.Hash[:])
			continue
		}
		if folders[folder] == nil {
			folders[folder] = map[string]*index.Entry{}
		}
		folders[folder][rest] = file
	}
	for name, files := range folders {
		hash, err := d.storeTree(files)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		entries[name+"/"] = fmt.Sprintf("40000 %s\x00%s", name, hash[:])
	}
	var tree []byte
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		tree = append(tree, entries[name]...)
	}
	return d.store(plumbing.TreeObject, tree)
}

// store stores an object.
func (d *demo) store(kind plumbing.ObjectType, content []byte) (plumbing.Hash, error) {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(content) // to memory
	return d.storage.SetEncodedObject(o)
}
