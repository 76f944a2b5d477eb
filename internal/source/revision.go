package source

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// This file resolves revisions itself, because go-git's ResolveRevision prefers an abbreviated SHA of two digits to a
// branch of that name, and panics on "~1".

// maxSteps is the most generations that ~N may go back.
const maxSteps = 1_000_000

var (
	fullSHA    = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)
	shortSHA   = regexp.MustCompile(`^[0-9a-fA-F]{4,39}$`)
	pseudo     = regexp.MustCompile(`^[A-Z][A-Z_]*$`) // HEAD, FETCH_HEAD, ORIG_HEAD
	suffix     = regexp.MustCompile(`([~^])(\d*)`)
	revisionOf = regexp.MustCompile(`^([^~^]+)((?:[~^]\d*)*)$`)
)

func (r *repository) resolve(name string) (*object.Commit, error) {
	m := revisionOf.FindStringSubmatch(name)
	if m == nil || strings.HasPrefix(name, "-") {
		return nil, fmt.Errorf("%w: write a branch, a tag or a SHA, with ~N or ^N behind it", ErrNoRevision)
	}
	commit, err := r.resolveName(m[1])
	if err != nil {
		return nil, err
	}
	for _, s := range suffix.FindAllStringSubmatch(m[2], -1) {
		if commit, err = r.step(commit, s[1], s[2]); err != nil {
			return nil, err
		}
	}
	return commit, nil
}

// step follows one ~N (N first parents back) or ^N (the N-th parent); a missing N is 1.
func (r *repository) step(c *object.Commit, op, count string) (*object.Commit, error) {
	n := 1
	if count != "" {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n > maxSteps {
			return nil, fmt.Errorf("%w: %s%s is too far back", ErrNoRevision, op, count)
		}
	}
	if op == "^" && n > 0 {
		return r.parent(c, n)
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		c, err = r.parent(c, 1)
	}
	return c, err
}

// parent returns the n-th parent of a commit, counted from 1.
func (r *repository) parent(c *object.Commit, n int) (*object.Commit, error) {
	switch {
	case len(c.ParentHashes) == 0:
		return nil, fmt.Errorf("%w: commit %.7s is the first, and has no parent", ErrNoRevision, c.Hash)
	case n > len(c.ParentHashes):
		return nil, fmt.Errorf("%w: commit %.7s has %d parents", ErrNoRevision, c.Hash, len(c.ParentHashes))
	}
	return r.there(c.ParentHashes[n-1])
}

// there returns the commit that an object is or leads to.
func (r *repository) there(id plumbing.Hash) (*object.Commit, error) {
	c, err := r.commit(id)
	if err != nil {
		return nil, r.missing(id, err)
	}
	return c, nil
}

// resolveName returns the commit of a name without a suffix: a full SHA, a reference, or an abbreviated SHA. It
// rejects a name that is both a reference and an abbreviated SHA, because a branch can be pushed under the digits of
// a commit.
func (r *repository) resolveName(name string) (*object.Commit, error) {
	if name == "@" {
		name = "HEAD"
	}
	if fullSHA.MatchString(name) {
		return r.peel(plumbing.NewHash(name))
	}
	if ref, ok := r.reference(name); ok {
		return r.referred(name, ref)
	}
	if shortSHA.MatchString(name) {
		return r.abbreviated(strings.ToLower(name))
	}
	return nil, r.unknown(name)
}

func (r *repository) referred(name string, ref *plumbing.Reference) (*object.Commit, error) {
	c, err := r.peel(ref.Hash())
	if err != nil || !shortSHA.MatchString(name) {
		return c, err
	}
	begin, err := r.beginning(strings.ToLower(name))
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(begin, func(o *object.Commit) bool { return o.Hash != c.Hash }) {
		return nil, fmt.Errorf("%w: %q is %s, and the beginning of a commit: write that, or more digits",
			ErrNoRevision, name, ref.Name())
	}
	return c, nil
}

// originHolds is the prefix of the branches of the remote origin.
const originHolds = "refs/remotes/origin/"

// qualified matches a name that begins with its kind of reference.
var qualified = regexp.MustCompile(`^(heads|tags|remotes|pull)/`)

// reference looks a name up: complete, then among the branches of remotes, local branches, the branches of origin,
// and tags. origin/main is thus origin's even if a local branch has that name. git looks at tags first, and before
// them at all references, whose names a fork could choose like the base branch's.
func (r *repository) reference(name string) (*plumbing.Reference, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rules := []string{"%s"}
	if qualified.MatchString(name) {
		rules = append(rules, "refs/%s")
	}
	if strings.Contains(name, "/") {
		rules = append(rules, "refs/remotes/%s")
	}
	if others := []string{originHolds + "%s",
		"refs/remotes/%s/HEAD"}; plumbing.NewBranchReferenceName(name) == r.judged {
		rules = append(append(rules, others...), "refs/heads/%s")
	} else {
		rules = append(append(rules, "refs/heads/%s"), others...)
	}
	rules = append(rules, "refs/tags/%s")
	for _, rule := range rules {
		full := plumbing.ReferenceName(fmt.Sprintf(rule, name))
		if !pseudo.MatchString(string(full)) && (!strings.HasPrefix(string(full), "refs/") || full.Validate() != nil) {
			continue // a name such as "config" would be read from .git/config
		}
		if strings.HasPrefix(string(full), originHolds+"origin/") {
			continue // origin/main is never the branch origin/main of origin
		}
		if ref, err := storer.ResolveReference(r.store, full); err == nil {
			return plumbing.NewHashReference(full, ref.Hash()), true
		}
	}
	return nil, false
}

// called returns a revision's usual name: a branch's name, and "origin/main~1" for one of origin, even if "main~1"
// was written.
func (r *repository) called(revision string) string {
	name := revisionOf.FindStringSubmatch(revision)[1]
	if ref, ok := r.reference(name); ok && !fullSHA.MatchString(name) && string(ref.Name()) == originHolds+name {
		return "origin/" + revision
	}
	short := strings.TrimPrefix(revision, "refs/remotes/")
	return strings.TrimPrefix(short, "refs/heads/")
}

// peel returns the commit that an object is, or to which a tag leads.
func (r *repository) peel(id plumbing.Hash) (*object.Commit, error) {
	for range maxTags {
		kind, target, err := r.look(id)
		switch {
		case err != nil:
			return nil, r.unknownObject(id, err)
		case kind == plumbing.CommitObject:
			return r.there(id)
		case kind != plumbing.TagObject:
			return nil, fmt.Errorf("%w: %.7s is a %s, not a commit", ErrNoRevision, id, kind)
		}
		id = target
	}
	return nil, fmt.Errorf("%w: more than %d tags of tags", ErrNoRevision, maxTags)
}

// maxTags is the longest chain of tags of tags.
const maxTags = 10

// look returns an object's type and, for a tag, its object.
func (r *repository) look(id plumbing.Hash) (plumbing.ObjectType, plumbing.Hash, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, err := r.store.EncodedObject(plumbing.AnyObject, id)
	switch {
	case err != nil:
		return plumbing.InvalidObject, plumbing.ZeroHash, err
	case o.Type() != plumbing.TagObject:
		return o.Type(), plumbing.ZeroHash, nil
	}
	tag, err := object.DecodeTag(r.store, o)
	if err != nil {
		return plumbing.InvalidObject, plumbing.ZeroHash, err
	}
	return plumbing.TagObject, tag.Target, nil
}

// unknownObject returns the error for a SHA without an object: it is unknown, unless the clone is known to be
// incomplete.
func (r *repository) unknownObject(id plumbing.Hash, err error) error {
	if r.hint == "" && errors.Is(err, plumbing.ErrObjectNotFound) {
		return fmt.Errorf("%w: no object %s here, fetch it first", ErrNoRevision, id)
	}
	return r.missing(id, err)
}

// abbreviated returns the only commit, or tag of a commit, whose SHA begins with prefix.
func (r *repository) abbreviated(prefix string) (*object.Commit, error) {
	found, err := r.beginning(prefix)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, r.unknown(prefix)
	case len(found) > 1:
		return nil, fmt.Errorf("%w: %d commits begin with %s, write more digits", ErrNoRevision, len(found), prefix)
	}
	return found[0], nil
}

// beginning returns the commits whose SHA, or whose tag's SHA, begins with prefix.
func (r *repository) beginning(prefix string) (found []*object.Commit, err error) {
	ids, err := r.withPrefix(prefix)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		// Trees and blobs with this prefix do not make a revision ambiguous.
		if c, err := r.peel(id); err == nil &&
			!slices.ContainsFunc(found, func(o *object.Commit) bool { return o.Hash == c.Hash }) {
			found = append(found, c)
		}
	}
	return found, nil
}

// withPrefix returns the objects whose SHA begins with prefix. go-git compares whole bytes only.
func (r *repository) withPrefix(prefix string) ([]plumbing.Hash, error) {
	whole, err := hex.DecodeString(prefix[:len(prefix)&^1])
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	ids, err := r.store.HashesWithPrefix(whole)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id plumbing.Hash) bool { return !strings.HasPrefix(id.String(), prefix) }), nil
}

// unknown returns the error for an unknown name, with a suggestion.
func (r *repository) unknown(name string) error {
	if r.hint != "" {
		return fmt.Errorf("%w: there is no %q in this clone; %s", ErrNoRevision, name, r.hint)
	}
	known := r.branchesAndTags()
	if len(known) == 0 {
		return fmt.Errorf("%w: the repository has no commit yet; commit first", ErrNoRevision)
	}
	if like, ok := text.Suggest(name, known); ok {
		return fmt.Errorf("%w: there is no %q here; did you mean %q?", ErrNoRevision, name, like)
	}
	return fmt.Errorf("%w: there is no %q here, fetch it or check the spelling", ErrNoRevision, name)
}

// branchesAndTags returns the sorted names of branches and tags. If some cannot be listed, it returns the others.
func (r *repository) branchesAndTags() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, err := r.store.IterReferences()
	if err != nil {
		return nil
	}
	_ = all.ForEach(func(ref *plumbing.Reference) error {
		if name := ref.Name(); name.IsBranch() || name.IsTag() || name.IsRemote() {
			names = append(names, name.Short())
		}
		return nil
	})
	slices.Sort(names)
	return names
}
