package source

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// This file resolves revisions without go-git's ResolveRevision, which prefers an abbreviated SHA of two digits to a
// branch of that name, and panics on "~1".

// maxSteps is the largest N in ~N and ^N.
const maxSteps = 1_000_000

var (
	fullSHA    = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)
	shortSHA   = regexp.MustCompile(`^[0-9a-fA-F]{4,39}$`)
	pseudoRef  = regexp.MustCompile(`^[A-Z][A-Z_]*$`) // HEAD, FETCH_HEAD, ORIG_HEAD
	suffix     = regexp.MustCompile(`([~^])(\d*)`)
	revisionOf = regexp.MustCompile(`^([^~^]+)((?:[~^]\d*)*)$`)
)

// resolve returns the commit that name, a revision, stands for.
func (r *repository) resolve(name string) (*commit, error) {
	m := revisionOf.FindStringSubmatch(name)
	if m == nil || strings.HasPrefix(name, "-") {
		return nil, fmt.Errorf("%w: write a branch, a tag or a SHA, with ~N or ^N behind it", ErrNoRevision)
	}
	c, err := r.resolveName(m[1])
	if err != nil {
		return nil, err
	}
	for _, s := range suffix.FindAllStringSubmatch(m[2], -1) {
		if c, err = r.followSuffix(c, s[1], s[2]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// followSuffix follows one suffix from the commit c. The suffix ~N means N first parents back, and ^N means the N-th
// parent. op is ~ or ^. count is N, or "" for 1.
func (r *repository) followSuffix(c *commit, op, count string) (*commit, error) {
	n, err := strconv.Atoi(cmp.Or(count, "1"))
	if err != nil || n > maxSteps {
		return nil, fmt.Errorf("%w: %s%s is too far back", ErrNoRevision, op, count)
	}
	steps, nth := n, 1
	if op == "^" && n > 0 {
		steps, nth = 1, n
	}
	for range steps {
		switch {
		case len(c.parents) == 0:
			return nil, fmt.Errorf("%w: commit %.7s is the first, and has no parent", ErrNoRevision, c.id)
		case nth > len(c.parents):
			return nil, fmt.Errorf("%w: commit %.7s has %d parents", ErrNoRevision, c.id, len(c.parents))
		}
		id := c.parents[nth-1]
		if c, err = r.commit(id); err != nil {
			return nil, r.objectError(id, err)
		}
	}
	return c, nil
}

// resolveName returns the commit that name, a revision without a suffix, stands for. It is a full SHA, a reference, or
// an abbreviated SHA. A name that is both a reference and an abbreviated SHA is rejected. Otherwise somebody could push
// a branch that is named like the first digits of a commit.
func (r *repository) resolveName(name string) (*commit, error) {
	if name == "@" {
		name = "HEAD"
	}
	if fullSHA.MatchString(name) {
		return r.peel(plumbing.NewHash(name))
	}
	if ref, ok := r.reference(name); ok {
		return r.resolveReference(name, ref)
	}
	if shortSHA.MatchString(name) {
		return r.resolveAbbreviated(strings.ToLower(name))
	}
	return nil, r.unknownRevisionError(name)
}

// resolveReference returns the commit of the reference ref. See resolveName for a name that is also an abbreviated SHA.
func (r *repository) resolveReference(name string, ref *plumbing.Reference) (*commit, error) {
	c, err := r.peel(ref.Hash())
	if err != nil || !shortSHA.MatchString(name) {
		return c, err
	}
	begin, err := r.commitsWithPrefix(strings.ToLower(name))
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(begin, func(o *commit) bool { return o.id != c.id }) {
		return nil, fmt.Errorf("%w: %q is %s, and the beginning of a commit: write that, or more digits",
			ErrNoRevision, name, ref.Name())
	}
	return c, nil
}

// originPrefix is the prefix of the references to the branches of the remote origin.
const originPrefix = "refs/remotes/origin/"

// qualifiedName matches a name that begins with a kind of reference.
var qualifiedName = regexp.MustCompile(`^(heads|tags|remotes|pull)/`)

// reference returns the reference that name stands for. It looks for a full name, a branch of a remote such as
// origin/main, a local branch, a branch of origin, and a tag, in this order. So origin/main is origin's branch main,
// even if a local branch is called origin/main. If name is the judged branch, which has the change, origin's branch
// comes before the local one.
//
// git itself looks at references of other kinds and at tags first. The order here differs, because a fork could give a
// tag the name of the base branch.
func (r *repository) reference(name string) (*plumbing.Reference, bool) {
	rules := []string{"%s"}
	if qualifiedName.MatchString(name) {
		rules = append(rules, "refs/%s")
	}
	if strings.Contains(name, "/") {
		rules = append(rules, "refs/remotes/%s")
	}
	if others := []string{originPrefix + "%s",
		"refs/remotes/%s/HEAD"}; plumbing.NewBranchReferenceName(name) == r.judgedBranch {
		rules = append(append(rules, others...), "refs/heads/%s")
	} else {
		rules = append(append(rules, "refs/heads/%s"), others...)
	}
	rules = append(rules, "refs/tags/%s")
	for _, rule := range rules {
		full := plumbing.ReferenceName(fmt.Sprintf(rule, name))
		if !pseudoRef.MatchString(string(full)) &&
			(!strings.HasPrefix(string(full), "refs/") || full.Validate() != nil) {
			continue // a name such as "config" would be read from .git/config
		}
		if strings.HasPrefix(string(full), originPrefix+"origin/") {
			continue // origin/main is never the branch origin/main of origin
		}
		if ref, err := storer.ResolveReference(r.store, full); err == nil {
			return plumbing.NewHashReference(full, ref.Hash()), true
		}
	}
	return nil, false
}

// usualName returns the usual name of a revision, without refs/heads/ and refs/remotes/. If "main~1" means the branch
// main of origin, the usual name is "origin/main~1".
func usualName(r *repository, revision string) string {
	name := revisionOf.FindStringSubmatch(revision)[1]
	if ref, ok := r.reference(name); ok && !fullSHA.MatchString(name) && string(ref.Name()) == originPrefix+name {
		return "origin/" + revision
	}
	short := strings.TrimPrefix(revision, "refs/remotes/")
	return strings.TrimPrefix(short, "refs/heads/")
}

// resolveAbbreviated returns the commit whose SHA begins with prefix, or whose tag has such a SHA. There must be
// exactly one.
func (r *repository) resolveAbbreviated(prefix string) (*commit, error) {
	found, err := r.commitsWithPrefix(prefix)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, r.unknownRevisionError(prefix)
	case len(found) > 1:
		return nil, fmt.Errorf("%w: %d commits begin with %s, write more digits", ErrNoRevision, len(found), prefix)
	}
	return found[0], nil
}

// commitsWithPrefix returns the commits whose SHA begins with prefix, and those to which tags with such a SHA point.
func (r *repository) commitsWithPrefix(prefix string) (found []*commit, err error) {
	bytes, err := hex.DecodeString(prefix[:len(prefix)&^1])
	if err != nil {
		return nil, err
	}
	ids, err := r.store.HashesWithPrefix(bytes) // compares whole bytes only
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !strings.HasPrefix(id.String(), prefix) {
			continue
		}
		// Trees and blobs with this prefix do not make a revision ambiguous.
		if c, err := r.peel(id); err == nil &&
			!slices.ContainsFunc(found, func(o *commit) bool { return o.id == c.id }) {
			found = append(found, c)
		}
	}
	return found, nil
}

// unknownRevisionError returns the error for a name that stands for no commit, with a suggestion.
func (r *repository) unknownRevisionError(name string) error {
	if r.hint != "" {
		return fmt.Errorf("%w: there is no %q in this clone; %s", ErrNoRevision, name, r.hint)
	}
	var known []string
	if all, err := r.store.IterReferences(); err == nil {
		_ = all.ForEach(func(ref *plumbing.Reference) error { // what can be listed is enough for a suggestion
			if name := ref.Name(); name.IsBranch() || name.IsTag() || name.IsRemote() {
				known = append(known, name.Short())
			}
			return nil
		})
	}
	if len(known) == 0 {
		return fmt.Errorf("%w: the repository has no commit yet; commit first", ErrNoRevision)
	}
	slices.Sort(known)
	if like, ok := text.Suggest(name, known); ok {
		return fmt.Errorf("%w: there is no %q here; did you mean %q?", ErrNoRevision, name, like)
	}
	return fmt.Errorf("%w: there is no %q here, fetch it or check the spelling", ErrNoRevision, name)
}
