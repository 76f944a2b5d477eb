package observe

// maxNeighbours is how many new failures are compared with the passing cases.
const maxNeighbours = 200

// neighbours finds for each new failure the passing case of the head that is most like it: of its category, or of all if
// none of its category has a word in common with it.
func neighbours(docs []Document, m *weighted) []Neighbour {
	var fresh []int
	for i, d := range docs {
		if d.Side == Head && d.New && !d.Passed {
			fresh = append(fresh, i)
		}
	}
	out := []Neighbour{}
	for _, i := range evenly(fresh, maxNeighbours) {
		if n := nearestPassing(docs, m, i); n != nil {
			out = append(out, *n)
		}
	}
	return out
}

// nearestPassing is nil where no passing case has a word in common with i.
func nearestPassing(docs []Document, m *weighted, i int) *Neighbour {
	dense := make([]float64, m.cols)
	m.spread(i, dense)
	var best [2]struct {
		at   int
		like float64
	} // of all, and of the category
	for j, d := range docs {
		if d.Side != Head || !d.Passed {
			continue
		}
		like := m.dot(j, dense)
		if like > best[0].like {
			best[0].at, best[0].like = j, like
		}
		if d.Category == docs[i].Category && like > best[1].like {
			best[1].at, best[1].like = j, like
		}
	}
	same := best[1].like > 0
	b := best[0]
	if same {
		b = best[1]
	}
	if b.like == 0 {
		return nil
	}
	return &Neighbour{Failure: docs[i].ref(), Passing: docs[b.at].ref(), Similarity: min(1, rounded(b.like)), Category: same}
}
