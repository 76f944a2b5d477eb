package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// MergeBase returns the SHA of the best common ancestor of the revisions a and b. dir is a folder in their repository.
// A common ancestor is best if no other one descends from it. The order of a and b does not matter.
//
// The error is ErrShallow if the clone lacks commits that could be better common ancestors. It is ErrSeveralBases if
// several are best, as after a criss-cross merge, and ErrNoRevision if a name is unknown or there is no common
// ancestor.
func MergeBase(dir, a, b string) (sha string, err error) {
	r, err := openRepository(dir)
	var id plumbing.Hash
	if err == nil {
		id, err = mergeBase(r, a, b)
	}
	if err != nil {
		return "", fmt.Errorf("merge base of %q and %q: %w", a, b, err)
	}
	return id.String(), nil
}

func mergeBase(r *repository, a, b string) (best plumbing.Hash, err error) {
	left, err := r.resolve(a)
	if err != nil {
		return best, err
	}
	right, err := r.resolve(b)
	if err != nil {
		return best, err
	}
	p := painter{repo: r, marks: map[plumbing.Hash]mark{}}
	p.add(left, fromLeft)
	p.add(right, fromRight)
	if err := p.walk(); err != nil {
		return best, err
	}
	for _, l := range p.missingParents { // a missing ancestor of a common ancestor could not be better
		if p.marks[l.child]&common != common {
			return best, r.objectError(l.parent, plumbing.ErrObjectNotFound)
		}
	}
	switch all := p.candidates(); len(all) {
	case 0:
		return best, fmt.Errorf("%w: the two have no ancestor in common", ErrNoRevision)
	case 1:
		return all[0].id, nil
	}
	return best, ErrSeveralBases
}

// mark is a set of facts about a commit: from which of the two commits it was reached, and what else is known of it.
type mark uint8

const (
	fromLeft  mark = 1 << iota
	fromRight      // a commit with both is a common ancestor
	stale          // the commit is an ancestor of a common ancestor, so it is not the best
	inFound        // the commit is in the list found
	common    = fromLeft | fromRight
)

// painter walks the history of two commits, latest commit first, and marks the commits. It visits a commit again if the
// commit gets a new mark. So wrong clocks cost time, but do not change the result.
type painter struct {
	repo           *repository
	marks          map[plumbing.Hash]mark
	queue          []*commit // commits to visit; the latest is the last
	found          []*commit // common ancestors
	missingParents []missingParent
}

// missingParent is a parent of a commit that the object store lacks.
type missingParent struct{ child, parent plumbing.Hash }

// add marks the commit c with m, and queues it if the mark is new.
func (p *painter) add(c *commit, m mark) {
	if old := p.marks[c.id]; old|m != old {
		p.marks[c.id] = old | m
		at, _ := slices.BinarySearchFunc(p.queue, c, compareAge)
		p.queue = slices.Insert(p.queue, at, c)
	}
}

// walk walks until each queued commit is an ancestor of a common ancestor. While there are several candidates, it walks
// on, because one may be an ancestor of another.
func (p *painter) walk() error {
	for len(p.queue) > 0 && (p.isUnfinished() || len(p.candidates()) > 1) {
		last := len(p.queue) - 1
		c := p.queue[last]
		p.queue = p.queue[:last]
		m := p.marks[c.id]
		if m == common {
			p.found = append(p.found, c)
			p.marks[c.id] |= inFound
		}
		if m &^= inFound; m&common == common {
			m |= stale
		}
		for _, id := range c.parents {
			if p.marks[id]|m == p.marks[id] {
				continue
			}
			parent, err := p.repo.commit(id)
			switch {
			case err == nil:
				p.add(parent, m)
			case errors.Is(err, plumbing.ErrObjectNotFound):
				p.missingParents = append(p.missingParents, missingParent{c.id, id})
			default:
				return fmt.Errorf("read commit %s: %w", id, err)
			}
		}
	}
	return nil
}

// isUnfinished reports whether the queue has a commit that is not an ancestor of a common ancestor.
func (p *painter) isUnfinished() bool {
	return slices.ContainsFunc(p.queue, func(c *commit) bool { return p.marks[c.id]&stale == 0 })
}

// candidates returns the common ancestors that are not known to be ancestors of others.
func (p *painter) candidates() []*commit {
	return slices.DeleteFunc(slices.Clone(p.found), func(c *commit) bool { return p.marks[c.id]&stale != 0 })
}

// compareAge compares commits for sorting. The latest commit comes last. Of equally old commits, the one with the
// smallest SHA comes last.
func compareAge(a, b *commit) int {
	return cmp.Or(cmp.Compare(a.when, b.when), bytes.Compare(b.id[:], a.id[:]))
}
