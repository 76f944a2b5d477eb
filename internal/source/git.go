package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/failproof/failproof/internal/regular"
)

// Git opens a revision of the repository that dir is in. The root of the tree is the folder dir as it is in the
// revision. If the revision has no such folder, the tree is empty. Git runs no git command and ignores the repository's
// settings.
//
// A revision is a branch, a remote branch (main of origin, or origin/main), a tag, HEAD or @, a full reference name, or
// a SHA. A SHA may be abbreviated to 4 or more digits if it stays unique. Any number of ~, ~N, ^ and ^N may follow. A
// branch comes before a tag of the same name. The error is ErrNoRevision, ErrShallow, ErrNoRepository, or an error of
// the disk.
func Git(dir, revision string) (*Tree, error) { return openRevision(dir, revision, Revision{}) }

// openRevision opens the given revision as the base of head; see OpenBase. A zero head means that there is none.
func openRevision(dir, revision string, head Revision) (tree *Tree, err error) {
	r, err := openRepository(dir)
	if err == nil {
		if head.Name != revision && r.isHEAD(head) {
			r.judgedBranch = r.target(plumbing.HEAD)
		}
		tree, err = r.open(revision)
	}
	if err != nil {
		return nil, fmt.Errorf("open revision %q: %w", revision, err)
	}
	return tree, nil
}

// IsCheckedOut reports whether the branch that reference names is checked out in dir. It may be a local or a remote
// branch.
func IsCheckedOut(dir, reference string) bool {
	r, err := openRepository(dir)
	if err != nil {
		return false
	}
	branch, name := r.target(plumbing.HEAD), plumbing.ReferenceName(reference)
	name = cmp.Or(r.target(name), name)
	return branch != "" && (strings.TrimPrefix(string(name), originPrefix) == branch.Short() || name == branch)
}

// Branches returns the names of the branches of dir's repository and of its remotes, each once and sorted. It leaves
// out the branch that is checked out. It returns none if they cannot be read.
func Branches(dir string) []string {
	r, err := openRepository(dir)
	if err != nil {
		return nil
	}
	all, err := r.store.IterReferences()
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	_ = all.ForEach(func(ref *plumbing.Reference) error { // fails only if the function does
		switch name := ref.Name(); {
		case name.IsBranch():
			names[name.Short()] = true
		case name.IsRemote():
			_, branch, _ := strings.Cut(name.Short(), "/")
			names[branch] = branch != "HEAD"
		}
		return nil
	})
	names[r.target(plumbing.HEAD).Short()] = false
	maps.DeleteFunc(names, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(names))
}

// target returns the reference that the symbolic reference name points to. It returns "" for any other reference.
func (r *repository) target(name plumbing.ReferenceName) plumbing.ReferenceName {
	ref, err := r.store.Reference(name)
	if err != nil {
		return ""
	}
	return ref.Target()
}

// isHEAD reports whether head is the working tree or the checked-out commit.
func (r *repository) isHEAD(head Revision) bool {
	if head.SHA == "" {
		return head.Kind == KindWorktree
	}
	c, err := r.resolve("HEAD")
	return err == nil && c.id.String() == head.SHA
}

// FindRepository returns the root of the repository that contains the folder dir, and the path of dir below it. The
// path is "." for the root itself. The error is ErrNoRepository or an error of the disk.
func FindRepository(dir string) (root, below string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", "", fmt.Errorf("look for the repository of %s: %w", dir, err)
	}
	return r.root, r.prefix, nil
}

// open opens the given revision. The root of the tree is the folder r.prefix.
func (r *repository) open(revision string) (*Tree, error) {
	c, err := r.resolve(revision)
	if err != nil {
		return nil, err
	}
	name := usualName(r, revision)
	root := newCommitFS(r, c.tree)
	if _, err := root.nodes(c.tree); err != nil {
		return nil, err // a missing object is reported now, not at the first file
	}
	fsys, err := root.sub(r.prefix)
	if err != nil {
		return nil, pathError("open", r.prefix, err)
	}
	return &Tree{FS: fsys, Revision: Revision{Kind: KindCommit, Name: name, SHA: c.id.String()}}, nil
}

// size returns the size of a blob. go-git finds sizes only in the repository's own store. A blob that another
// repository lends (git clone --shared) is opened instead.
func (r *repository) size(id plumbing.Hash) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if size, err := r.store.EncodedObjectSize(id); err == nil {
		return size, nil
	}
	o, err := r.store.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return 0, r.objectError(id, err)
	}
	return o.Size(), nil
}

// Origin returns the address of the remote origin of the repository that dir is in. The error is ErrNoRepository, an
// error of the disk, or says that there is no such remote.
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

// repository reads objects and references of a local repository. It uses go-git's storage without go-git's type
// Repository. That type applies the repository's settings, and rejects partial and sparse clones, which are common in
// CI.
type repository struct {
	root         string                 // root of the working tree, absolute, without links
	prefix       string                 // path from root to the requested folder, "." or "a/b"
	hint         string                 // why objects may be missing; "" if unknown
	judgedBranch plumbing.ReferenceName // the checked-out branch if it is judged against a base; otherwise ""

	mu    sync.Mutex // guards store while a tree is read: go-git's storage is not safe for concurrent use
	store *filesystem.Storage
}

// openRepository opens the repository that contains the folder dir.
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

// findGitDir walks up from dir to the first folder that contains ".git" and returns it as root. gitDir is that ".git"
// if it is a folder. In a linked working tree, ".git" is a file, and gitDir is the folder that it names.
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

// maxPointer is the largest size of a file that readPointer reads, in bytes.
const maxPointer = 64 << 10

// readPointer returns the folder that a one-line file names after prefix. The file may give a path relative to its own
// folder.
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

// openStore opens the storage of the git folder gitDir. It rejects two formats that go-git would misread. hint says why
// objects may be missing, or is "".
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
		return nil, "", fmt.Errorf("the repository names its objects by %s, and only sha1 is supported", escapeText(f))
	}
	if f := extensions.Option("refstorage"); f != "" && !strings.EqualFold(f, "files") {
		return nil, "", fmt.Errorf("the repository keeps its references as %s: run git refs migrate --ref-format=files",
			escapeText(f))
	}
	shallow, err := store.Shallow()
	switch {
	case err != nil:
		return nil, "", err
	case len(shallow) > 0:
		hint = "it is shallow: check it out with fetch-depth: 0, or run git fetch --unshallow"
	case extensions.Option("partialclone") != "" || hasPromisor(settings):
		hint = "it is partial: check it out without a filter, or run git fetch --refetch --no-filter"
	}
	return store, hint, nil
}

// readConfig returns the repository's own settings, or none if the file is missing or invalid. It ignores errors,
// because only the format of the storage is read from the settings. A store in an unknown format fails at its first
// object anyway.
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

// hasPromisor reports whether a remote is a promisor, which is the source of a partial clone.
func hasPromisor(settings *config.Config) bool {
	return slices.ContainsFunc(settings.Section("remote").Subsections, func(remote *config.Subsection) bool {
		return strings.EqualFold(remote.Option("promisor"), "true")
	})
}

// objectError returns the error for the object id after reading it failed with err. It is ErrShallow if the object is
// not found and the clone is known to be incomplete.
func (r *repository) objectError(id plumbing.Hash, err error) error {
	switch {
	case !errors.Is(err, plumbing.ErrObjectNotFound):
		return fmt.Errorf("read git object %s: %w", id, err)
	case r.hint != "":
		return fmt.Errorf("%w (object %.7s is missing): %s", ErrShallow, id, r.hint)
	}
	return fmt.Errorf("git object %s is missing: the repository is damaged, see git fsck", id)
}
