package observe

import (
	"cmp"
	"math"
	"slices"
)

// eigen returns the eigenvalues of a symmetric matrix, descending, and its eigenvectors as columns. It overwrites the
// matrix. A product has its own rounding, so every machine gets the same bits.
func eigen(symmetric []float64, n int) (values, vectors []float64) {
	diagonal, beside, rows := tridiagonal(symmetric, n)
	diagonalize(diagonal, beside, rows)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(diagonal[b], diagonal[a]) })
	values, vectors = make([]float64, n), make([]float64, n*n)
	for c, from := range order {
		values[c] = diagonal[from]
		for i, v := range rows[from] {
			vectors[i*n+c] = v
		}
	}
	return values, vectors
}

// tridiagonal reduces a symmetric matrix A by Householder reflections to a tridiagonal T = R·A·Rᵀ. It returns the
// diagonal of T, the elements beside it, and the rows of R.
func tridiagonal(symmetric []float64, n int) (diagonal, beside []float64, rows [][]float64) {
	a := make([][]float64, n)
	rows = make([][]float64, n)
	for i := range a {
		a[i] = symmetric[i*n : (i+1)*n]
		rows[i] = make([]float64, n)
		rows[i][i] = 1
	}
	diagonal, beside = make([]float64, n), make([]float64, n)
	v, product, sum := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		diagonal[k] = a[k][k]
		if k == n-1 {
			break
		}
		v := v[k+1:]
		copy(v, a[k][k+1:])
		length := math.Sqrt(dot(v, v))
		beside[k] = -math.Copysign(length, v[0])
		v[0] -= beside[k]
		if length == 0 {
			continue
		}
		scale := 2 / dot(v, v)
		product := product[k+1:]
		for i := range v {
			product[i] = float64(scale * dot(a[k+1+i][k+1:], v))
		}
		addScaled(product, -scale/2*dot(v, product), v)
		clear(sum)
		for i, w := range v {
			addScaled(a[k+1+i][k+1:], -w, product)
			addScaled(a[k+1+i][k+1:], -product[i], v)
			addScaled(sum, w, rows[k+1+i])
		}
		for i, w := range v {
			addScaled(rows[k+1+i], -scale*w, sum)
		}
	}
	return diagonal, beside, rows
}

// diagonalize turns the elements beside the diagonal to 0 by implicit QL steps, and rotates the rows likewise.
func diagonalize(diagonal, beside []float64, rows [][]float64) {
	const steps = 60 // of an eigenvalue; two are usual, and numbers that are none have no end
	n, small := len(diagonal), 0.0
	for i := range n {
		small = max(small, 0x1p-52*(math.Abs(diagonal[i])+math.Abs(beside[i])))
	}
	for l := range n {
		for range steps {
			m := l
			for m < n-1 && math.Abs(beside[m]) > small {
				m++
			}
			if m == l {
				break
			}
			qlStep(diagonal[l:m+1], beside[l:m+1], rows[l:m+1])
		}
	}
}

// qlStep is one step with Wilkinson's shift.
func qlStep(diagonal, beside []float64, rows [][]float64) {
	m := len(diagonal) - 1
	half := (diagonal[1] - diagonal[0]) / (2 * beside[0])
	root := math.Sqrt(float64(half*half) + 1)
	g := diagonal[m] - diagonal[0] + beside[0]/(half+math.Copysign(root, half))
	sine, cosine, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= 0; i-- {
		f, b := float64(sine*beside[i]), float64(cosine*beside[i])
		r := math.Sqrt(float64(f*f) + float64(g*g))
		beside[i+1] = r
		if r == 0 {
			diagonal[i+1] -= p
			beside[m] = 0
			return
		}
		sine, cosine = f/r, g/r
		g = diagonal[i+1] - p
		r = float64((diagonal[i]-g)*sine) + float64(2*cosine*b)
		p = float64(sine * r)
		diagonal[i+1] = g + p
		g = float64(cosine*r) - b
		for k, x := range rows[i] {
			y := rows[i+1][k]
			rows[i+1][k] = float64(sine*x) + float64(cosine*y)
			rows[i][k] = float64(cosine*x) - float64(sine*y)
		}
	}
	diagonal[0] -= p
	beside[0], beside[m] = g, 0
}

func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
