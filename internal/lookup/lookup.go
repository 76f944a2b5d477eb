// Package lookup finds items of a list by their names. A map of a hundred thousand names takes as much memory as what is known of the
// items; the list has the names already.
package lookup

import "hash/maphash"

// Table tells the places of names in a list, which holds the names and is asked for them: it takes 11 to 21 bytes a name. The zero Table is
// empty. It may be read by several at once.
type Table struct {
	slots []slot // their number is a power of two
	names int
}

// slot is one name.
type slot struct {
	hash  uint32 // of the name, which is asked for where this is equal
	place uint32 // and 1 more; 0: there is none
}

// seed is another one in each process: nobody can choose names that all stand in one slot.
var seed = maphash.MakeSeed()

func hashOf(name string) uint32 { return uint32(maphash.String(seed, name)) }

// Find returns the place of a name; false if it is not in the table. nameAt is the name at a place of the list.
func (t *Table) Find(name string, nameAt func(place int) string) (place int, found bool) {
	if t.names == 0 {
		return 0, false
	}
	hash := hashOf(name)
	for at := t.first(hash); t.slots[at].place != 0; at = t.next(at) {
		if one := t.slots[at]; one.hash == hash && nameAt(int(one.place-1)) == name {
			return int(one.place - 1), true
		}
	}
	return 0, false
}

// Add notes the place of a name that the table does not have yet, below 2³¹.
func (t *Table) Add(name string, place int) {
	if 4*(t.names+1) > 3*len(t.slots) {
		before := t.slots
		t.slots = make([]slot, max(2*len(before), 8))
		for _, one := range before {
			if one.place != 0 {
				t.put(one)
			}
		}
	}
	t.put(slot{hashOf(name), uint32(place) + 1})
	t.names++
}

func (t *Table) put(one slot) {
	at := t.first(one.hash)
	for t.slots[at].place != 0 {
		at = t.next(at)
	}
	t.slots[at] = one
}

func (t *Table) first(hash uint32) int { return int(hash) & (len(t.slots) - 1) }

func (t *Table) next(at int) int { return (at + 1) & (len(t.slots) - 1) }
