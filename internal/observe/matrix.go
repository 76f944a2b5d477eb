package observe

// matrix is sparse, by rows; the columns of a row ascend.
type matrix struct {
	rows, cols int
	start      []int // of each row in col and val, and the end of the last
	col        []int32
	val        []float64
}

func (m *matrix) row(i int) (col []int32, val []float64) {
	return m.col[m.start[i]:m.start[i+1]], m.val[m.start[i]:m.start[i+1]]
}

// times returns the product with a dense matrix of cols rows and width columns, by rows.
func (m *matrix) times(dense []float64, width int) []float64 {
	out := make([]float64, m.rows*width)
	for i := range m.rows {
		col, val := m.row(i)
		for j, c := range col {
			addScaled(out[i*width:(i+1)*width], val[j], dense[int(c)*width:])
		}
	}
	return out
}

// addScaled adds by times from to into. The product is rounded before it is added, so that no processor fuses the two.
func addScaled(into []float64, by float64, from []float64) {
	from = from[:len(into)]
	for j := range into {
		into[j] += float64(by * from[j])
	}
}

// spread writes row i into dense, and 0 elsewhere.
func (m *matrix) spread(i int, dense []float64) {
	clear(dense)
	col, val := m.row(i)
	for j, c := range col {
		dense[c] = val[j]
	}
}

// dot is the product of row i with a spread one.
func (m *matrix) dot(i int, dense []float64) (sum float64) {
	col, val := m.row(i)
	for j, c := range col {
		sum += float64(val[j] * dense[c])
	}
	return sum
}

// products are those of the given rows, all with all: symmetric, by rows.
func (m *matrix) products(rows []int) []float64 {
	n := len(rows)
	out, dense := make([]float64, n*n), make([]float64, m.cols)
	for a, i := range rows {
		m.spread(i, dense)
		for b, j := range rows[:a+1] {
			out[a*n+b] = m.dot(j, dense)
			out[b*n+a] = out[a*n+b]
		}
	}
	return out
}
