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
	rows, rotation := make([][]float64, n), make([][]float64, n)
	for i := range rows {
		rows[i], rotation[i] = symmetric[i*n:(i+1)*n], make([]float64, n)
		rotation[i][i] = 1
	}
	for range sweeps {
		if !sweep(rows, rotation) {
			break
		}
	}
	order := evenIndices(n, n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b][b], rows[a][a]) })
	values, vectors = make([]float64, n), make([]float64, n*n)
	for c, column := range order {
		values[c] = rows[column][column]
		for i, v := range rotation[column] {
			vectors[i*n+c] = v
		}
	}
	return values, vectors
}

// sweep rotates each off-diagonal element to 0 once, except for negligible elements. It reports whether it rotated any
// element.
func sweep(rows, rotation [][]float64) (rotated bool) {
	for p := range rows {
		for q := p + 1; q < len(rows); q++ {
			offDiagonal := rows[p][q]
			if math.Abs(offDiagonal) <= 0x1p-53*math.Sqrt(math.Abs(float64(rows[p][p]*rows[q][q]))) ||
				offDiagonal == 0 {
				continue
			}
			rotated = true
			half := (rows[q][q] - rows[p][p]) / (2 * offDiagonal)
			tangent := math.Copysign(1/(math.Abs(half)+math.Sqrt(float64(half*half)+1)), half)
			cosine := 1 / math.Sqrt(float64(tangent*tangent)+1)
			rotate(rows[p], rows[q], cosine, float64(tangent*cosine))
			for _, row := range rows {
				x, y := row[p], row[q]
				row[p], row[q] = rotatePoint(x, y, cosine, float64(tangent*cosine))
			}
			rotate(rotation[p], rotation[q], cosine, float64(tangent*cosine))
		}
	}
	return rotated
}

func rotate(a, b []float64, cosine, sine float64) {
	for i := range a {
		a[i], b[i] = rotatePoint(a[i], b[i], cosine, sine)
	}
}

func rotatePoint(x, y, cosine, sine float64) (a, b float64) {
	return float64(cosine*x) - float64(sine*y), float64(sine*x) + float64(cosine*y)
}
