// Package lookup finds items of a list by their names. A map of a hundred thousand names takes as much memory as what is known of the
// items; the list has the names already.
package lookup

import "hash/maphash"

// Table tells the places of names in a list, which holds the names and is asked for them: it takes 5 to 10 bytes a name. The zero Table is
// empty. It may be read by several at once.
type Table struct {
	// Their number is a power of two. A slot holds a place and 1 more in as many of its low bits as such a number takes, and in the others what the
	// hash of the name has there; 0: no name.
	slots []uint32
	names int
}

// seed is another one in each process: nobody can choose names that all stand in one slot.
var seed = maphash.MakeSeed()

func hashOf(name string) uint32 { return uint32(maphash.String(seed, name)) }

// Find returns the place of a name; false if it is not in the table. nameAt is the name at a place of the list.
func (t *Table) Find(name string, nameAt func(place int) string) (place int, found bool) {
	if t.names == 0 {
		return 0, false
	}
	hash, low := hashOf(name), t.low()
	for at := hash & low; t.slots[at] != 0; at = (at + 1) & low {
		one := t.slots[at]
		if place := int(one&low) - 1; one&^low == hash&^low && nameAt(place) == name {
			return place, true
		}
	}
	return 0, false
}

// Add notes the place of a name that the table does not have yet: the number of those that it has, or more, below 2³¹. nameAt is the name at a
// place that was added before.
func (t *Table) Add(name string, place int, nameAt func(place int) string) {
	if before := t.slots; t.grow(max(t.names, place) + 1) {
		low := uint32(len(before) - 1)
		for _, one := range before {
			if one != 0 {
				place := int(one&low) - 1
				t.put(hashOf(nameAt(place)), place)
			}
		}
	}
	t.put(hashOf(name), place)
	t.names++
}

// Reserve makes room for so many names in an empty table, which are not asked for again then.
func (t *Table) Reserve(names int) { t.grow(names) }

// grow reports whether there had to be other slots for so many names.
func (t *Table) grow(names int) bool {
	size := max(len(t.slots), 8)
	for 5*names > 4*size {
		size *= 2
	}
	if size == len(t.slots) {
		return false
	}
	t.slots = make([]uint32, size)
	return true
}

func (t *Table) put(hash uint32, place int) {
	low := t.low()
	at := hash & low
	for t.slots[at] != 0 {
		at = (at + 1) & low
	}
	t.slots[at] = hash&^low | uint32(place+1)
}

// low are the bits of a slot that hold a place.
func (t *Table) low() uint32 { return uint32(len(t.slots) - 1) }
