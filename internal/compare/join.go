package compare

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Join gives each suite that only a stored base has the id of the one that it is in the head, where that goes by another: it has equal
// cases with equal keys and only changed its name, or is answered by the same target. Trees say the same (package suite); this is for stored
// results.
func Join(base, head *report.Side) {
	joined := suiteid.Join(ones(base), ones(head))
	for _, s := range base.Suites {
		if id := joined[s.ID]; id != s.ID {
			s.As = id
		}
	}
}

func ones(side *report.Side) []suiteid.One {
	out := make([]suiteid.One, len(side.Suites))
	for i, s := range side.Suites {
		out[i] = suiteid.One{ID: s.ID, Target: s.Target, Content: func() string { return content(s) }}
	}
	return out
}

// content is equal for suites with equal cases, whatever their order.
func content(s *report.SuiteSide) string {
	var lines [][]byte
	for _, c := range s.Cases {
		line := binary.LittleEndian.AppendUint64(make([]byte, 0, 16+len(c.ID)), uint64(c.RequestKey))
		lines = append(lines, append(binary.LittleEndian.AppendUint64(line, uint64(c.ExpectationKey)), c.ID...))
	}
	slices.SortFunc(lines, bytes.Compare)
	sum := sha256.Sum256(bytes.Join(lines, []byte("\n")))
	return string(sum[:])
}
