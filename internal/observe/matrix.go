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

// transposed returns the matrix by columns.
func (m *matrix) transposed() *matrix {
	t := &matrix{rows: m.cols, cols: m.rows, start: make([]int, m.cols+1), col: make([]int32, len(m.col)), val: make([]float64, len(m.val))}
	for _, c := range m.col {
		t.start[c+1]++
	}
	for c := range m.cols {
		t.start[c+1] += t.start[c]
	}
	next := append([]int{}, t.start[:m.cols]...)
	for i := range m.rows {
		col, val := m.row(i)
		for j, c := range col {
			t.col[next[c]], t.val[next[c]] = int32(i), val[j]
			next[c]++
		}
	}
	return t
}

// times returns the product with a dense matrix of cols rows and width columns, by rows.
func (m *matrix) times(dense []float64, width int) []float64 {
	out := make([]float64, m.rows*width)
	inBlocks(m.rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			col, val := m.row(i)
			into := out[i*width : (i+1)*width]
			for j, c := range col {
				addScaled(into, val[j], dense[int(c)*width:])
			}
		}
	})
	return out
}

// addScaled adds by times from to into. The product is rounded before it is added, so that no processor fuses the two.
func addScaled(into []float64, by float64, from []float64) {
	from = from[:len(into)]
	for len(into) >= 4 && len(from) >= 4 {
		into[0] += float64(by * from[0])
		into[1] += float64(by * from[1])
		into[2] += float64(by * from[2])
		into[3] += float64(by * from[3])
		into, from = into[4:], from[4:]
	}
	for j := range into {
		into[j] += float64(by * from[j])
	}
}

// spread writes row i into dense, which is zero elsewhere; clear takes it out again.
func (m *matrix) spread(i int, dense []float64) {
	col, val := m.row(i)
	for j, c := range col {
		dense[c] = val[j]
	}
}

func (m *matrix) clear(i int, dense []float64) {
	col, _ := m.row(i)
	for _, c := range col {
		dense[c] = 0
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

// gramOf returns the products of the columns of a dense matrix of rows rows: width by width.
func gramOf(dense []float64, rows, width int) []float64 {
	parts := make([][]float64, blocksOf(rows))
	inBlocks(rows, func(block, from, to int) {
		part := make([]float64, width*width)
		for i := from; i < to; i++ {
			row := dense[i*width : (i+1)*width]
			for a, x := range row {
				addScaled(part[a*width+a:(a+1)*width], x, row[a:])
			}
		}
		parts[block] = part
	})
	out := make([]float64, width*width)
	for _, part := range parts {
		addScaled(out, 1, part)
	}
	for a := range width {
		for b := range a {
			out[a*width+b] = out[b*width+a]
		}
	}
	return out
}

// timesUpper returns the product of a dense matrix of width columns with a square one that is 0 below its diagonal.
func timesUpper(dense []float64, width int, upper []float64) []float64 {
	out := make([]float64, len(dense))
	inBlocks(len(dense)/width, func(_, from, to int) {
		for i := from; i < to; i++ {
			for a, x := range dense[i*width : (i+1)*width] {
				addScaled(out[i*width+a:(i+1)*width], x, upper[a*width+a:])
			}
		}
	})
	return out
}

// timesSmall returns the product of a dense matrix of width columns with a small one, width by outWidth.
func timesSmall(dense []float64, width int, small []float64, outWidth int) []float64 {
	rows := len(dense) / max(width, 1)
	out := make([]float64, rows*outWidth)
	inBlocks(rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			for a, x := range dense[i*width : (i+1)*width] {
				addScaled(out[i*outWidth:(i+1)*outWidth], x, small[a*outWidth:])
			}
		}
	})
	return out
}
