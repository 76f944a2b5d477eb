package starter

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
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
	"github.com/go-git/go-git/v5/plumbing/object"
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
	when := time.Date(2026, 1, 5, 9+len(d.commits), 0, 0, 0, time.UTC)
	who := object.Signature{Name: "Demo", Email: "demo@example.com", When: when}
	commit := &object.Commit{Author: who, Committer: who, Message: message, TreeHash: tree, ParentHashes: d.commits[:min(len(d.commits), 1)]}
	hash, err := d.store(commit.Encode)
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
		blob := &plumbing.MemoryObject{}
		blob.SetType(plumbing.BlobObject)
		_, _ = blob.Write(data) // to memory
		hash, err := d.storage.SetEncodedObject(blob)
		d.files[name] = &index.Entry{Name: name, Hash: hash, Mode: filemode.Regular, Size: uint32(len(data)),
			ModifiedAt: info.ModTime()}
		return err
	})
}

// storeTree stores a folder with its files and subfolders.
func (d *demo) storeTree(files map[string]*index.Entry) (plumbing.Hash, error) {
	var tree object.Tree
	folders := map[string]map[string]*index.Entry{}
	for name, file := range files {
		folder, rest, nested := strings.Cut(name, "/")
		if !nested {
			tree.Entries = append(tree.Entries, object.TreeEntry{Name: name, Mode: filemode.Regular, Hash: file.Hash})
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
		tree.Entries = append(tree.Entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hash})
	}
	sort.Sort(object.TreeEntrySorter(tree.Entries))
	return d.store(tree.Encode)
}

// store stores the object that encode writes.
func (d *demo) store(encode func(plumbing.EncodedObject) error) (plumbing.Hash, error) {
	object := d.storage.NewEncodedObject()
	if err := encode(object); err != nil {
		return plumbing.ZeroHash, err
	}
	return d.storage.SetEncodedObject(object)
}
