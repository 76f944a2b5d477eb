package observe

import "math"

// averageLinkage joins groups, always two that are nearest to each other by the mean distance of their members, as long as
// that is at most cut. distances is n by n, symmetric, and is used up. It returns a group number for each, the group's first
// member. It follows chains of nearest neighbours, which for this distance leads to the same groups as taking the nearest
// pair of all each time (Murtagh, 1983), in quadratic time.
func averageLinkage(distances []float64, n int, cut float64) []int {
	l := &linkage{n: n, away: distances, size: make([]int, n), parent: make([]int, n)}
	for i := range n {
		l.size[i], l.parent[i] = 1, i
	}
	var chain []int
	for start := 0; ; {
		if len(chain) == 0 {
			for start < n && l.size[start] == 0 {
				start++
			}
			if start == n {
				break
			}
			chain = append(chain, start)
		}
		last := chain[len(chain)-1]
		before := -1
		if len(chain) > 1 {
			before = chain[len(chain)-2]
		}
		near, distance := l.nearest(last, before)
		switch {
		case near < 0 || distance > cut: // a join brings nobody nearer than its nearer half was, so it never will have a neighbour within the cut
			l.size[last] = 0
			chain = chain[:len(chain)-1]
		case near == before:
			chain = chain[:len(chain)-2]
			l.join(min(last, near), max(last, near))
		default:
			chain = append(chain, near)
		}
	}
	return l.groups()
}

// linkage are the groups that still may grow: those of size above 0, each by its first member.
type linkage struct {
	n      int
	away   []float64
	size   []int
	parent []int // the group that it was joined to; itself if to none
}

// nearest returns the group nearest to i: before, if none is nearer.
func (l *linkage) nearest(i, before int) (at int, distance float64) {
	at, distance = before, math.Inf(1)
	if before >= 0 {
		distance = l.away[i*l.n+before]
	}
	for j, d := range l.away[i*l.n : (i+1)*l.n] {
		if j != i && l.size[j] > 0 && d < distance {
			at, distance = j, d
		}
	}
	return at, distance
}

// join adds group j to i.
func (l *linkage) join(i, j int) {
	a, b := float64(l.size[i]), float64(l.size[j])
	for k := range l.n {
		d := (float64(a*l.away[i*l.n+k]) + float64(b*l.away[j*l.n+k])) / (a + b)
		l.away[i*l.n+k], l.away[k*l.n+i] = d, d
	}
	l.size[i] += l.size[j]
	l.size[j], l.parent[j] = 0, i
}

func (l *linkage) groups() []int {
	out := make([]int, l.n)
	for i := range out {
		at := i
		for l.parent[at] != at {
			at = l.parent[at]
		}
		out[i] = at
	}
	return out
}
