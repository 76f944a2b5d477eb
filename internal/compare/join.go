package compare

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/report"
)

// Join gives each suite that only a stored base has the id of one that only the head has, where both have equal cases with equal
// keys: such a suite only changed its name. Trees say the same (package suite); this is for stored results.
func Join(base, head *report.Side) {
	appeared := map[key][]string{}
	for _, s := range byID(head) {
		if base.Suite(s.ID) == nil {
			appeared[content(s)] = append(appeared[content(s)], s.ID)
		}
	}
	for _, s := range byID(base) {
		if ids := appeared[content(s)]; head.Suite(s.ID) == nil && len(ids) > 0 {
			s.As, appeared[content(s)] = ids[0], ids[1:]
		}
	}
}

// key identifies the cases of a suite.
type key [sha256.Size]byte

func byID(side *report.Side) []*report.SuiteSide {
	return slices.SortedFunc(slices.Values(side.Suites), func(a, b *report.SuiteSide) int { return strings.Compare(a.ID, b.ID) })
}

// content is equal for suites with equal cases, whatever their order.
func content(s *report.SuiteSide) key {
	var lines [][]byte
	for _, c := range s.Cases {
		lines = append(lines, slices.Concat(c.RequestKey[:], c.ExpectationKey[:], []byte(c.ID)))
	}
	slices.SortFunc(lines, bytes.Compare)
	return sha256.Sum256(bytes.Join(lines, []byte("\n")))
}
