// Package lookup finds items of a list by their names. A map of a hundred thousand names takes as much memory as what is known of the
// items; the list has the names already.
package lookup

import "hash/maphash"

// Table tells the places of names in a list, which holds the names and is asked for them: it takes 6 to 11 bytes a name. The zero Table is
// empty. It may be read by several at once.
type Table struct {
	slots []int32 // 1 + a place, 0 where none is; their number is a power of two
	names int
}

// seed is another one in each process: nobody can choose names that all stand in one place.
var seed = maphash.MakeSeed()

// Find returns the place of a name; false if it is not in the table. nameAt is the name at a place of the list.
func (t *Table) Find(name string, nameAt func(place int) string) (place int, found bool) {
	if t.names == 0 {
		return 0, false
	}
	for at := t.slot(name); t.slots[at] != 0; at = t.next(at) {
		if place := int(t.slots[at] - 1); nameAt(place) == name {
			return place, true
		}
	}
	return 0, false
}

// Add notes the place of a name that the table does not have yet, below 2³¹-1. nameAt is as for Find.
func (t *Table) Add(name string, place int, nameAt func(place int) string) {
	if 4*(t.names+1) > 3*len(t.slots) {
		t.grow(nameAt)
	}
	t.put(name, place)
	t.names++
}

func (t *Table) grow(nameAt func(int) string) {
	before := t.slots
	t.slots = make([]int32, max(2*len(before), 8))
	for _, one := range before {
		if one != 0 {
			t.put(nameAt(int(one-1)), int(one-1))
		}
	}
}

func (t *Table) put(name string, place int) {
	at := t.slot(name)
	for t.slots[at] != 0 {
		at = t.next(at)
	}
	t.slots[at] = int32(place + 1)
}

func (t *Table) slot(name string) int {
	return int(maphash.String(seed, name) & uint64(len(t.slots)-1))
}

func (t *Table) next(slot int) int { return (slot + 1) & (len(t.slots) - 1) }
