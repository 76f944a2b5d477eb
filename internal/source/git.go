package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/failproof/failproof/internal/regular"
)

// Git opens a revision of the repository that dir is in. The tree is rooted where dir is in the repository;
// if the revision has no such folder, the tree is empty. It runs no git command and ignores the repository's settings.
//
// A revision is a branch, a remote branch (main of origin, or origin/main), a tag, HEAD or @, a full or unique
// abbreviated SHA of at least 4 digits, or a full reference name, followed by any number of ~, ~N, ^ and ^N. A branch
// comes before a tag of its name. The error is ErrNoRevision, ErrShallow, ErrNoRepository, or an error of the disk.
func Git(dir, revision string) (*Tree, error) { return gitBase(dir, revision, Revision{}) }

// gitBase opens a revision as the base of a head. A zero head means no head.
func gitBase(dir, revision string, head Revision) (tree *Tree, err error) {
	r, err := openRepository(dir)
	if err == nil {
		at, unknown := r.store.Reference(plumbing.HEAD)
		if unknown == nil && at.Type() == plumbing.SymbolicReference && head.Name != revision && r.isHEAD(head) {
			r.judged = at.Target()
		}
		tree, err = r.open(revision)
	}
	if err != nil {
		return nil, fmt.Errorf("open revision %q: %w", revision, err)
	}
	return tree, nil
}

// IsCheckedOut reports whether the branch that a reference names is checked out. The reference may name a local or a
// remote branch.
func IsCheckedOut(dir, reference string) bool {
	r, err := openRepository(dir)
	if err != nil {
		return false
	}
	at, err := r.store.Reference(plumbing.HEAD)
	if err != nil || at.Type() != plumbing.SymbolicReference {
		return false
	}
	name := plumbing.ReferenceName(reference)
	if to, err := r.store.Reference(name); err == nil && to.Type() == plumbing.SymbolicReference {
		name = to.Target()
	}
	return strings.TrimPrefix(string(name), originHolds) == at.Target().Short() || name == at.Target()
}

// isHEAD reports whether a revision is the working tree or its commit.
func (r *repository) isHEAD(head Revision) bool {
	if head.SHA == "" {
		return head.Kind == KindWorktree
	}
	c, err := r.resolve("HEAD")
	return err == nil && c.Hash.String() == head.SHA
}

// Within returns the root of the repository that contains a folder, and the folder's path below it, "." for the root
// itself. The error is ErrNoRepository or an error of the disk.
func Within(dir string) (root, below string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", "", fmt.Errorf("look for the repository of %s: %w", dir, err)
	}
	return r.root, r.prefix, nil
}

// open opens a revision at the repository's prefix.
func (r *repository) open(revision string) (*Tree, error) {
	commit, err := r.resolve(revision)
	if err != nil {
		return nil, err
	}
	name := usualName(r, revision)
	root := newCommitFS(r, commit.TreeHash)
	if _, err := root.nodes(commit.TreeHash); err != nil {
		return nil, err // reports a missing object now, not at the first file
	}
	fsys, err := root.sub(r.prefix)
	if err != nil {
		return nil, pathError("open", r.prefix, err)
	}
	return &Tree{FS: fsys, Revision: Revision{Kind: KindCommit, Name: name, SHA: commit.Hash.String()}}, nil
}

// tree returns the entries of a tree.
func (r *repository) tree(id plumbing.Hash) ([]object.TreeEntry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := object.GetTree(r.store, id)
	if err != nil {
		return nil, r.missing(id, err)
	}
	return t.Entries, nil
}

// size returns a blob's size. go-git finds sizes only in the repository's own store. An object borrowed from another
// repository (git clone --shared) is opened instead.
func (r *repository) size(id plumbing.Hash) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if size, err := r.store.EncodedObjectSize(id); err == nil {
		return size, nil
	}
	o, err := r.store.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return 0, r.missing(id, err)
	}
	return o.Size(), nil
}

// blob returns a blob, at most one byte more than the limit of a file.
func (r *repository) blob(id plumbing.Hash) (data []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, err := r.store.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return nil, r.missing(id, err)
	}
	from, err := o.Reader()
	if err != nil {
		return nil, r.missing(id, err)
	}
	defer from.Close()
	if data, err = io.ReadAll(io.LimitReader(from, MaxFileSize+1)); err != nil {
		return nil, r.missing(id, err)
	}
	return data, verify(id, data)
}

// Origin returns the address of the remote origin. The error is ErrNoRepository, an error of the disk, or says that
// there is no such remote.
func Origin(dir string) (address string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", err
	}
	settings, err := r.store.Config()
	if err != nil {
		return "", fmt.Errorf("read the repository's settings: %w", err)
	}
	if remote := settings.Remotes["origin"]; remote != nil && len(remote.URLs) > 0 {
		return remote.URLs[0], nil
	}
	return "", fmt.Errorf("the repository has no remote %q", "origin")
}

// repository reads objects and references of a local repository. It uses go-git's storage without its Repository
// type, which applies the repository's settings and rejects partial and sparse clones, common in CI.
type repository struct {
	root   string                 // of the working tree, absolute, without links
	prefix string                 // from root to the requested folder, "." or "a/b"
	hint   string                 // why objects may be missing; "" if unknown
	judged plumbing.ReferenceName // the judged branch, if a base is looked up for it; "" if none

	mu    sync.Mutex // guards store while a tree is read: go-git's storage is not safe for concurrent use
	store *filesystem.Storage
}

// openRepository finds the repository that contains a folder.
func openRepository(dir string) (*repository, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, err
	}
	root, gitDir, err := findGitDir(abs)
	if err != nil {
		return nil, err
	}
	prefix, err := filepath.Rel(root, abs)
	if err != nil {
		return nil, err
	}
	store, hint, err := openStore(gitDir)
	return &repository{root: root, prefix: filepath.ToSlash(prefix), hint: hint, store: store}, err
}

// findGitDir walks up from dir to the folder that contains ".git", which is a folder or, in a linked working tree, a
// file with its path.
func findGitDir(dir string) (root, gitDir string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		at := filepath.Join(root, ".git")
		info, err := os.Stat(at)
		switch {
		case err == nil && info.IsDir():
			return root, at, nil
		case err == nil:
			at, err = readPointer(at, "gitdir: ")
			return root, at, err
		case !errors.Is(err, fs.ErrNotExist):
			return "", "", err
		case root == filepath.Dir(root):
			return "", "", fmt.Errorf("%w: %s and no folder above it holds .git", ErrNoRepository, dir)
		}
	}
}

// maxPointer is the largest file that readPointer reads, in bytes.
const maxPointer = 64 << 10

// readPointer reads a one-line file with the path of a folder, relative to the file's own folder.
func readPointer(file, prefix string) (string, error) {
	text, err := regular.Read(file, maxPointer)
	if err != nil {
		return "", err
	}
	dir, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
	if !ok || dir == "" {
		return "", fmt.Errorf("%w: %s does not say where the repository is", ErrNoRepository, file)
	}
	if dir = filepath.FromSlash(dir); !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(file), dir)
	}
	return dir, nil
}

// openStore opens the storage of a git folder. It rejects two formats that go-git would misread. hint says why objects
// may be missing, or is "".
func openStore(gitDir string) (store *filesystem.Storage, hint string, err error) {
	var common billy.Filesystem
	dir, err := readPointer(filepath.Join(gitDir, "commondir"), "")
	switch {
	case err == nil:
		common = gitFiles{osfs.New(dir)}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	}
	files := dotgit.NewRepositoryFilesystem(gitFiles{osfs.New(gitDir)}, common)
	store = filesystem.NewStorageWithOptions(files, cache.NewObjectLRUDefault(), filesystem.Options{
		AlternatesFS: gitFiles{osfs.New(filepath.VolumeName(gitDir) + string(filepath.Separator))},
	})
	if _, err := store.Reference(plumbing.HEAD); err != nil {
		return nil, "", fmt.Errorf("%w: %s has no HEAD", ErrNoRepository, gitDir)
	}
	settings := readConfig(files)
	extensions := settings.Section("extensions")
	if f := extensions.Option("objectformat"); f != "" && !strings.EqualFold(f, "sha1") {
		return nil, "", fmt.Errorf("the repository names its objects by %s, and only sha1 is supported", escaped(f))
	}
	if f := extensions.Option("refstorage"); f != "" && !strings.EqualFold(f, "files") {
		return nil, "", fmt.Errorf("the repository keeps its references as %s: run git refs migrate --ref-format=files",
			escaped(f))
	}
	shallow, err := store.Shallow()
	switch {
	case err != nil:
		return nil, "", err
	case len(shallow) > 0:
		hint = "it is shallow: check it out with fetch-depth: 0, or run git fetch --unshallow"
	case extensions.Option("partialclone") != "" || promised(settings):
		hint = "it is partial: check it out without a filter, or run git fetch --refetch --no-filter"
	}
	return store, hint, nil
}

// readConfig returns the repository's own settings, or none if the file is missing or invalid. It ignores errors,
// because only the storage format is read from the settings, and a store in an unknown format fails at its first object
// anyway.
func readConfig(files billy.Filesystem) *config.Config {
	settings := config.New()
	f, err := files.Open("config")
	if err != nil {
		return settings
	}
	defer f.Close()
	if err := config.NewDecoder(f).Decode(settings); err != nil {
		return config.New()
	}
	return settings
}

// promised reports whether a remote is a promisor, the source of a partial clone.
func promised(settings *config.Config) bool {
	return slices.ContainsFunc(settings.Section("remote").Subsections, func(remote *config.Subsection) bool {
		return strings.EqualFold(remote.Option("promisor"), "true")
	})
}

// missing returns the error for a missing object: ErrShallow if the clone is known to be incomplete.
func (r *repository) missing(id plumbing.Hash, err error) error {
	switch {
	case !errors.Is(err, plumbing.ErrObjectNotFound):
		return fmt.Errorf("read git object %s: %w", id, err)
	case r.hint != "":
		return fmt.Errorf("%w (object %.7s is missing): %s", ErrShallow, id, r.hint)
	}
	return fmt.Errorf("git object %s is missing: the repository is damaged, see git fsck", id)
}
