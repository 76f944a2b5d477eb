package worddiff

import "slices"

// run is a place where two lists differ, and the common items after it. The lists may begin with a run that has only
// common items.
type run struct{ base, head, common []string }

// replaces reports whether each list has items of its own in r.
func (r run) replaces() bool { return len(r.base) > 0 && len(r.head) > 0 }

// align divides two lists into runs. Where an item may stand at two places, it counts to the common beginning. After
// the given number of differences, all items up to the common end count as different, and cut is true.
func align(base, head []string, maxDifferences int) (out []run, cut bool) {
	start, n, m := 0, len(base), len(head)
	for start < min(n, m) && base[start] == head[start] {
		start++
	}
	for start < min(n, m) && base[n-1] == head[m-1] {
		n, m = n-1, m-1
	}
	i, k := 0, 0
	blocks, cut := commonBlocks(base[:n], head[:m], maxDifferences)
	for _, b := range append(blocks, block{n, m, len(base) - n}) {
		if b.base > i || b.head > k || b.length > 0 {
			out = append(out, run{base[i:b.base], head[k:b.head], base[b.base : b.base+b.length]})
		}
		i, k = b.base+b.length, b.head+b.length
	}
	return out, cut
}

// block is a part that two lists have in common, with its place in both.
type block struct{ base, head, length int }

// Largest numbers of differences that Words and Lines find. Texts with more are too different to be shown side by side.
const (
	wordDifferences = 512
	lineDifferences = 2048
)

// maxSteps limits the number of differences times the number of items, and so the time.
const maxSteps = 1 << 24

// commonBlocks returns the parts that two lists have in common, in order. If the lists have at most maxDifferences,
// these are as many items as possible; otherwise cut is true. It uses the algorithm of Myers, "An O(ND) Difference
// Algorithm" (1986).
func commonBlocks(base, head []string, maxDifferences int) (out []block, cut bool) {
	rows, ended := reachedRows(base, head, maxDifferences)
	d := len(rows) - 1
	i, most := 0, -1 // of the last row, the element that reaches most items of both lists
	for at, x := range rows[d] {
		if y := x - (2*at - d); x <= len(base) && y <= len(head) && x+y > most {
			i, most = at, x+y
		}
	}
	for ; d >= 0; d-- {
		x, isBase := firstReached(rows, d, i)
		if length := rows[d][i] - x; length > 0 {
			out = append(out, block{x, x - (2*i - d), length})
		}
		if isBase {
			i--
		}
	}
	slices.Reverse(out)
	return out, !ended
}

// reachedRows returns a row for each number of differences, until both lists are covered or the limit is reached. In
// row d, element i is the number of base items that d differences reach, if the base has 2i-d items more than the head
// up to there. ended reports whether both lists are covered.
func reachedRows(base, head []string, maxDifferences int) (rows [][]int, ended bool) {
	limit := min(maxDifferences, maxSteps/(len(base)+len(head)+1))
	for d := 0; d <= limit && !ended; d++ {
		row := make([]int, d+1)
		for i := range row {
			x, _ := firstReached(rows, d, i)
			y := x - (2*i - d)
			for x < len(base) && y < len(head) && base[x] == head[y] {
				x, y = x+1, y+1
			}
			row[i], ended = x, ended || x >= len(base) && y >= len(head)
		}
		rows = append(rows, row)
	}
	return rows, ended
}

// firstReached returns the number of base items that d differences reach before the common items that follow. isBase
// reports whether the last difference is an item of the base, not of the head.
func firstReached(rows [][]int, d, i int) (x int, isBase bool) {
	switch {
	case d == 0:
		return 0, false
	case i == d || i > 0 && rows[d-1][i-1] >= rows[d-1][i]:
		return rows[d-1][i-1] + 1, true
	}
	return rows[d-1][i], false
}
