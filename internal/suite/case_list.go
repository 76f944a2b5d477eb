package suite

import (
	"encoding/binary"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/scratch"
)

// Cases are the cases of a suite, in order. A run has as many as the files hold, and looks at one after the other: of each its place in the tree's
// scratch store is held, and the case is made of what stands there when it is looked at. The zero Cases are none.
type Cases struct {
	store   scratch.Writer
	origins *origins
	kept    []scratch.Ref // what each is made of
	held    map[int]*Case // those that are held as they are, by their places
	like    map[int]*likeBase

	trials   int  // of those that are read back
	semantic bool // some of these is compared by meaning
}

// origins are those of all cases of one Load, by Origin.place. Others may be looked at while one is added.
type origins struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*Origin]
}

func (o *origins) all() []*Origin {
	if list := o.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (o *origins) add(one *Origin) {
	o.mu.Lock()
	defer o.mu.Unlock()
	one.place = len(o.all())
	list := append(o.all(), one)
	o.list.Store(&list)
}

// Len is how many there are.
func (all *Cases) Len() int { return len(all.kept) }

// At is the case at a place below Len. What is changed of it holds where it is Set.
func (all *Cases) At(i int) *Case {
	if c := all.held[i]; c != nil {
		return c
	}
	c := all.read(i)
	c.like = all.like[i]
	return c
}

// All yields each case.
func (all *Cases) All() iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for i := range all.kept {
			if !yield(all.At(i)) {
				return
			}
		}
	}
}

// Any reports whether some case is of a sort.
func (all *Cases) Any(is func(*Case) bool) bool {
	for c := range all.All() {
		if is(c) {
			return true
		}
	}
	return false
}

// Add adds a case that is held as it is.
func (all *Cases) Add(c Case) {
	all.kept = append(all.kept, scratch.Ref{})
	c.place = len(all.kept) - 1
	all.hold(&c)
}

// Set has a case of these be as it is from now on.
func (all *Cases) Set(c *Case) {
	if all.held[c.place] == nil {
		all.trials -= all.read(c.place).Trials
	}
	all.hold(c)
}

func (all *Cases) hold(c *Case) {
	if all.held == nil {
		all.held = map[int]*Case{}
	}
	all.held[c.place] = c
}

// Trials are those of all of them.
func (all *Cases) Trials() int {
	n := all.trials
	for _, c := range all.held {
		n += c.Trials
	}
	return n
}

// Semantic reports whether the answers to some of them are compared by meaning.
func (all *Cases) Semantic() bool {
	for _, c := range all.held {
		if c.Semantic() {
			return true
		}
	}
	return all.semantic
}

// Where are the cases of a sort.
func (all *Cases) Where(is func(*Case) bool) (out Cases) {
	out.store, out.origins, out.semantic = all.store, all.origins, all.semantic
	for c := range all.All() {
		if is(c) {
			out.join(all, c)
		}
	}
	return out
}

// join takes over a case of others, which are of the same Load.
func (all *Cases) join(others *Cases, c *Case) {
	all.kept, all.semantic = append(all.kept, others.kept[c.place]), all.semantic || others.semantic
	if others.held[c.place] == nil {
		if all.trials += c.Trials; c.like != nil {
			all.liken(&Case{place: len(all.kept) - 1}, c.like)
		}
		return
	}
	own := *c
	own.place = len(all.kept) - 1
	all.hold(&own)
}

// What a case is made of: its head and its id, its keys, and the place of what its Body is made of. That stands elsewhere, since many look at all
// cases and open none.
const (
	caseHead = 4*5 + 1       // origin, line, column, trials, the length of the id; marks
	caseRead = caseHead + 48 // as much as a head and most ids take
	keyBytes = 2 * len(Key{})
)

// keep keeps a case but for its body, which n makes.
func (all *Cases) keep(c *Case, n *document.Node) {
	text := c.from.text[:0]
	for _, n := range []int{c.Origin.place, c.Pos.Line, c.Pos.Column, c.Trials, len(c.ID)} {
		text = binary.LittleEndian.AppendUint32(text, uint32(n))
	}
	var marks byte
	for i, is := range c.marks() {
		if *is {
			marks |= 1 << i
		}
	}
	text = append(append(text, marks), c.ID...)
	text = append(append(text, c.Body.Keys.RequestKey[:]...), c.Body.Keys.ExpectationKey[:]...)
	c.from.node = document.AppendNode(c.from.node[:0], n)
	c.from.text = c.from.bodies.Keep(c.from.node).Append(text)
	all.store, all.semantic, all.trials = c.from.store, all.semantic || c.semantic, all.trials+c.Trials
	all.kept = append(all.kept, all.store.Keep(c.from.text))
}

// marks are what a case is or is not.
func (c *Case) marks() [5]*bool {
	return [...]*bool{&c.MustPass, &c.unnamed, &c.semantic, &c.unheld, &c.graded}
}

func (all *Cases) read(i int) *Case {
	var room [caseRead]byte
	head := all.store.GetFirst(all.kept[i], room[:0], caseRead)
	number := func(i int) int { return int(binary.LittleEndian.Uint32(head[4*i:])) }
	c := &Case{place: i, kept: all.kept[i], Origin: all.origins.all()[number(0)], Pos: document.Position{Line: number(1), Column: number(2)}, Trials: number(3)}
	for i, is := range c.marks() {
		*is = head[caseHead-1]>>i&1 != 0
	}
	n := caseHead + number(4)
	if n > len(head) {
		head = all.store.GetFirst(all.kept[i], head[:0], n)
	}
	c.ID = string(head[caseHead:n])
	return c
}

// keys reads the keys of a case, and the place of what its body is made of.
func (o *opener) keys(c *Case) (k Keys, body scratch.Ref) {
	var room [caseRead + keyBytes + scratch.RefBytes]byte
	from := caseHead + len(c.ID)
	text := o.store.GetFirst(c.kept, room[:0], from+keyBytes+scratch.RefBytes)[from:]
	n := copy(k.RequestKey[:], text)
	n += copy(k.ExpectationKey[:], text[n:])
	return k, scratch.ReadRef(text[n:])
}

// body makes the body of a case.
func (o *opener) body(c *Case) *Body {
	o.mu.Lock()
	defer o.mu.Unlock()
	keys, at := o.keys(c)
	o.node = o.bodies.Get(at, o.node[:0])
	body := o.read(c, o.lines.Kept(o.node))
	body.Keys = keys
	return body
}

// trim lets go of the room that the cases grew by.
func (all *Cases) trim() { all.kept = slices.Clone(all.kept) }
