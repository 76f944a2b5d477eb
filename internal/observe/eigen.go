package observe

import (
	"cmp"
	"math"
	"slices"
)

// eigen returns the eigenvalues of a symmetric n by n matrix in descending order, and its eigenvectors as columns, by
// cyclic Jacobi rotations. It overwrites the matrix. Each product is rounded by itself and never fused with a sum, so
// that every machine gets the same bits.
func eigen(symmetric []float64, n int) (values, vectors []float64) {
	const sweeps = 30 // eight are usual; with NaN they would never end
	rows, turned := make([][]float64, n), make([][]float64, n)
	for i := range rows {
		rows[i], turned[i] = symmetric[i*n:(i+1)*n], make([]float64, n)
		turned[i][i] = 1
	}
	for range sweeps {
		if !sweep(rows, turned) {
			break
		}
	}
	order := evenPlaces(n, n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b][b], rows[a][a]) })
	values, vectors = make([]float64, n), make([]float64, n*n)
	for c, from := range order {
		values[c] = rows[from][from]
		for i, v := range turned[from] {
			vectors[i*n+c] = v
		}
	}
	return values, vectors
}

// sweep rotates each off-diagonal element to 0 once, except for negligible elements. It reports whether it rotated any
// element.
func sweep(rows, turned [][]float64) (some bool) {
	for p := range rows {
		for q := p + 1; q < len(rows); q++ {
			beside := rows[p][q]
			if math.Abs(beside) <= 0x1p-53*math.Sqrt(math.Abs(float64(rows[p][p]*rows[q][q]))) || beside == 0 {
				continue
			}
			some = true
			half := (rows[q][q] - rows[p][p]) / (2 * beside)
			tangent := math.Copysign(1/(math.Abs(half)+math.Sqrt(float64(half*half)+1)), half)
			cosine := 1 / math.Sqrt(float64(tangent*tangent)+1)
			rotate(rows[p], rows[q], cosine, float64(tangent*cosine))
			for _, row := range rows {
				x, y := row[p], row[q]
				row[p], row[q] = rotatePoint(x, y, cosine, float64(tangent*cosine))
			}
			rotate(turned[p], turned[q], cosine, float64(tangent*cosine))
		}
	}
	return some
}

func rotate(a, b []float64, cosine, sine float64) {
	for i := range a {
		a[i], b[i] = rotatePoint(a[i], b[i], cosine, sine)
	}
}

func rotatePoint(x, y, cosine, sine float64) (a, b float64) {
	return float64(cosine*x) - float64(sine*y), float64(sine*x) + float64(cosine*y)
}
