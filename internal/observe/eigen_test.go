package observe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestEigenvectorsSolveTheirEquation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 16, 200} {
		for _, rank := range []int{0, 1, n / 2, n} {
			t.Run(fmt.Sprintf("%d by %d of rank %d", n, n, rank), func(t *testing.T) {
				matrix := make([]float64, n*n)
				for range rank {
					row := make([]float64, n)
					for i := range row {
						row[i] = r.NormFloat64()
					}
					for i, v := range row {
						addScaled(matrix[i*n:(i+1)*n], v, row)
					}
				}
				checkEigen(t, matrix, n, rank)
			})
		}
	}
}

// checkEigen solves a positive semidefinite matrix and holds it to A·v = λ·v, orthonormal vectors and descending
// values, of which as many as its rank are above 0.
func checkEigen(t *testing.T, matrix []float64, n, rank int) {
	t.Helper()
	values, vectors := eigen(append([]float64(nil), matrix...), n)
	column := func(c int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = vectors[i*n+c]
		}
		return out
	}
	tolerance := 1e-12 * max(1, values[0])
	for c, value := range values {
		if c > 0 && value > values[c-1] || value < -tolerance || (value > tolerance) != (c < rank) {
			t.Fatalf("eigenvalue %d is %v, after %v", c, value, values[:c])
		}
		v := column(c)
		for i := range n {
			if d := dot(matrix[i*n:(i+1)*n], v) - value*v[i]; !(math.Abs(d) < tolerance) {
				t.Fatalf("vector %d misses its equation by %g in row %d", c, d, i)
			}
		}
		for other := range c + 1 {
			want := 0.0
			if other == c {
				want = 1
			}
			if d := dot(column(other), v) - want; !(math.Abs(d) < 1e-12) {
				t.Fatalf("the product of the vectors %d and %d is %g off", other, c, d)
			}
		}
	}
}

func TestEigenEndsOnNumbersThatAreNone(t *testing.T) {
	matrix := make([]float64, 9)
	for i := range matrix {
		matrix[i] = math.NaN()
	}
	if values, _ := eigen(matrix, 3); len(values) != 3 {
		t.Errorf("%d eigenvalues, want 3", len(values))
	}
}

func BenchmarkEigen(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	n := maxFitted
	matrix := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			matrix[i*n+j] = r.NormFloat64()
			matrix[j*n+i] = matrix[i*n+j]
		}
	}
	for b.Loop() {
		eigen(append([]float64(nil), matrix...), n)
	}
}

func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
