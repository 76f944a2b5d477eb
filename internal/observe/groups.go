package observe

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/model"
)

// Figures for the groups of failures.
const (
	// largest mean cosine distance at which groups are joined; with values from 0.7 to 0.9, leaving out one case
	// changes the groups least
	maxGroupDistance = 0.85
	groupTerms       = 5
	termRunes        = 30 // length of the longest word that may name a group
)

// failureGroups returns the groups of similar texts among the head's failures and the base's failures that the head
// fixed.
func failureGroups(docs []Document, m *tfidfMatrix) []FailureGroup {
	failed := failures(docs)
	distances := m.products(failed) // a text without words is far from every other
	for i, like := range distances {
		distances[i] = max(0, 1-like)
	}
	group := averageLinkage(distances, len(failed), maxGroupDistance)
	members := make(map[int][]int, len(failed))
	var order []int
	for i, g := range group {
		if len(members[g]) == 0 {
			order = append(order, g)
		}
		members[g] = append(members[g], failed[i])
	}
	overall := m.means(evenIndices(m.rows, m.rows))
	var passing []int // of the head
	for i, d := range docs {
		if d.Side == Head && d.Passed {
			passing = append(passing, i)
		}
	}
	out := []FailureGroup{}
	for _, g := range order {
		if len(members[g]) > 1 {
			out = append(out, newFailureGroup(docs, m, members[g], passing, overall))
		}
	}
	slices.SortStableFunc(out, func(a, b FailureGroup) int {
		return cmp.Or(len(b.New)-len(a.New), b.HeadFailures-a.HeadFailures, b.BaseFailures-a.BaseFailures)
	})
	return out
}

// failures returns the indices of the documents to group. A case that fails on both sides counts once.
func failures(docs []Document) (failed []int) {
	passes := map[CaseRef]bool{} // on the head
	for _, d := range docs {
		if d.Side == Head {
			passes[d.ref()] = d.Passed
		}
	}
	for i, d := range docs {
		if !d.Passed && (d.Side == Head || passes[d.ref()]) {
			failed = append(failed, i)
		}
	}
	return failed
}

func (d Document) ref() CaseRef { return CaseRef{d.SuiteID, d.CaseID} }

// newFailureGroup returns the group of the given members with the words, the failure mode and the example that describe
// it. passing are the passing documents of the head. overall has the mean weight of each term in all documents.
func newFailureGroup(docs []Document, m *tfidfMatrix, members, passing []int, overall []float64) FailureGroup {
	g := FailureGroup{
		Terms:       m.distinctiveTerms(members, passing, overall),
		FailureMode: commonMode(docs, members),
		Example:     docs[typicalMember(docs, m, members)].ref(), New: []CaseRef{}, Fixed: []CaseRef{},
		StillFailing: []CaseRef{},
	}
	for _, i := range members {
		d := docs[i]
		switch {
		case d.Side == Base:
			g.Fixed = append(g.Fixed, d.ref())
		case d.NewFailure:
			g.New = append(g.New, d.ref())
		default:
			g.StillFailing = append(g.StillFailing, d.ref())
		}
		if d.Side == Base || d.FailedOnBase {
			g.BaseFailures++
		}
	}
	g.HeadFailures = len(members) - len(g.Fixed)
	return g
}

// commonMode returns the most common failure mode of the members if more than half of them have it, and otherwise "".
// If several modes are equally common, it returns the first by name.
func commonMode(docs []Document, members []int) (mode string) {
	count := map[string]int{}
	for _, i := range members {
		for _, name := range slices.Compact(slices.Sorted(slices.Values(docs[i].FailureModes))) {
			count[name]++
		}
	}
	largest := 0
	for name, n := range count {
		if 2*n > len(members) && (n > largest || n == largest && name < mode) {
			mode, largest = name, n
		}
	}
	return mode
}

// typicalMember returns the member that is most similar to the others. It prefers new failures to other failures of the
// head, and these to failures of the base.
func typicalMember(docs []Document, m *tfidfMatrix, members []int) int {
	rank := func(i int) int {
		if docs[i].NewFailure {
			return -1
		}
		return int(docs[i].Side)
	}
	centre := m.means(members)
	return slices.MaxFunc(members, func(i, j int) int {
		return cmp.Or(rank(j)-rank(i), cmp.Compare(m.dot(i, centre), m.dot(j, centre)))
	})
}

// means returns the mean weight of each term in the given rows, of which there must be at least one.
func (m *matrix) means(rows []int) []float64 {
	out := make([]float64, m.cols)
	for _, i := range rows {
		col, val := m.row(i)
		for j, c := range col {
			out[c] += val[j]
		}
	}
	for c := range out {
		out[c] /= float64(len(rows))
	}
	return out
}

// distinctiveTerms returns the words that distinguish the documents in rows from those in passing. Most of these
// documents have such a word, and few of the passing ones do. overall has the mean weight of each term in all
// documents.
func (m *tfidfMatrix) distinctiveTerms(rows, passing []int, overall []float64) (terms []model.Untrusted) {
	groupMeans, groupCounts, passingCounts := m.means(rows), m.rowCounts(rows), m.rowCounts(passing)
	var candidates []int
	for c, term := range m.terms {
		if 5*groupCounts[c] >= 4*len(rows) && 5*passingCounts[c] <= len(passing) && groupCounts[c] > 1 &&
			groupMeans[c] > overall[c] && isName(term) {
			candidates = append(candidates, c)
		}
	}
	slices.SortStableFunc(candidates, func(a, b int) int {
		return cmp.Compare(groupMeans[b]-overall[b],
			groupMeans[a]-overall[a])
	})
	terms = []model.Untrusted{} // in JSON an empty list, not null
	for _, c := range candidates[:min(groupTerms, len(candidates))] {
		terms = append(terms, model.Untrusted(m.terms[c]))
	}
	return terms
}

// rowCounts returns, for each term, the number of the given rows in which the term occurs.
func (m *matrix) rowCounts(rows []int) []int {
	out := make([]int, m.cols)
	for _, i := range rows {
		col, _ := m.row(i)
		for _, c := range col {
			out[c]++
		}
	}
	return out
}

// isName reports whether a word may name a group. Stop words, words that begin with a digit, and words of more than
// termRunes characters may not.
func isName(term string) bool {
	return utf8.RuneCountInString(term) <= termRunes && !stopWords()[term] && (term[0] < '0' || term[0] > '9')
}

// maxNeighbours is the largest number of new failures that are compared with the passing cases.
const maxNeighbours = 200

// neighbours returns, for each new failure, the passing case of the head with the most similar text. A case of the same
// category comes before all others if it shares a word with the failure.
func neighbours(docs []Document, m *tfidfMatrix) []Neighbour {
	var newFailures []int
	for i, d := range docs {
		if d.Side == Head && d.NewFailure && !d.Passed {
			newFailures = append(newFailures, i)
		}
	}
	out := []Neighbour{}
	for _, i := range sampleEvenly(newFailures, maxNeighbours) {
		if n := nearestPassing(docs, m, i); n != nil {
			out = append(out, *n)
		}
	}
	return out
}

// nearestPassing returns the passing case of the head that is most similar to document i. It returns nil if no such
// case shares a word with the document.
func nearestPassing(docs []Document, m *tfidfMatrix, i int) *Neighbour {
	dense := make([]float64, m.cols)
	m.copyRow(i, dense)
	best := map[bool]Neighbour{} // by whether the category is the same
	for j, d := range docs {
		if d.Side != Head || !d.Passed {
			continue
		}
		same := d.Category == docs[i].Category
		if like := m.dot(j, dense); like > best[same].Similarity {
			best[same] = Neighbour{docs[i].ref(), d.ref(), like, same}
		}
	}
	for _, same := range []bool{true, false} {
		if n, found := best[same]; found {
			n.Similarity = min(1, round6(n.Similarity))
			return &n
		}
	}
	return nil
}

// stopWords are English words that say nothing about the subject of a text. They stay in the embedding, as by default
// in scikit-learn, but they do not name groups.
var stopWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, tier := range append(english.CommonWords(), english.Tier{Words: strings.Fields("ll re ve isn cannot please redacted")}) {
		for _, w := range tier.Words {
			out[w] = true
		}
	}
	return out
})

// averageLinkage repeatedly joins the two groups whose members have the least mean distance, while this distance is at
// most cut. For each point it returns the first member of the point's group. It overwrites distances, a symmetric n by
// n matrix. It follows chains of nearest neighbours, which gives the same groups in quadratic time (Murtagh, 1983).
func averageLinkage(distances []float64, n int, cut float64) []int {
	l := &linkage{n: n, distances: distances, size: slices.Repeat([]int{1}, n), group: evenIndices(n, n)}
	var chain []int
	for start := 0; start < n || len(chain) > 0; {
		if len(chain) == 0 {
			if l.size[start] > 0 {
				chain = append(chain, start)
			} else {
				start++
			}
			continue
		}
		last, previous := chain[len(chain)-1], -1
		if len(chain) > 1 {
			previous = chain[len(chain)-2]
		}
		near, distance := l.nearest(last, previous)
		switch {
		case near < 0 || distance > cut: // joining other groups never makes this distance smaller
			l.size[last] = 0
			chain = chain[:len(chain)-1]
		case near == previous:
			chain = chain[:len(chain)-2]
			l.join(min(last, near), max(last, near))
		default:
			chain = append(chain, near)
		}
	}
	return l.group
}

// linkage holds the current groups. The index of a group is the index of its first member. The size at any other index
// is 0.
type linkage struct {
	n         int
	distances []float64
	size      []int
	group     []int // for each point, the index of its group
}

// nearest returns the group nearest to the group i, and the distance between the two. If several groups are equally
// near and previous is one of them, nearest returns previous.
func (l *linkage) nearest(i, previous int) (nearest int, distance float64) {
	nearest, distance = previous, math.Inf(1)
	if previous >= 0 {
		distance = l.distances[i*l.n+previous]
	}
	for j, d := range l.distances[i*l.n : (i+1)*l.n] {
		if j != i && l.size[j] > 0 && d < distance {
			nearest, distance = j, d
		}
	}
	return nearest, distance
}

// join adds the group j to the group i.
func (l *linkage) join(i, j int) {
	a, b := float64(l.size[i]), float64(l.size[j])
	for k := range l.n {
		d := (float64(a*l.distances[i*l.n+k]) + float64(b*l.distances[j*l.n+k])) / (a + b)
		l.distances[i*l.n+k], l.distances[k*l.n+i] = d, d
	}
	l.size[i], l.size[j] = l.size[i]+l.size[j], 0
	for k, g := range l.group {
		if g == j {
			l.group[k] = i
		}
	}
}
