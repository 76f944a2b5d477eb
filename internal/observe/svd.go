package observe

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Truncated SVD: components that are kept, and how they are found.
const (
	maxDimensions = 16
	exactRows     = 300 // up to which the SVD is exact: cubic in the rows, 0.1 s at 300
	extraColumns  = 10  // of the range finder, as scikit-learn's
	powerSteps    = 5   // likewise
)

// nought is how small an eigenvalue is, against the largest, that is nothing but rounding.
const nought = 1e-12

// embedding are the documents' coordinates, k for each, uncentred: U S of the SVD.
type embedding struct {
	rows, k   int
	z         []float64
	singular  []float64 // descending
	exact     bool
	explained float64 // share of the matrix's column variance
}

// embed projects the documents on the first k right singular vectors.
func embed(m *matrix, k int) *embedding {
	k = max(1, min(k, m.rows-1, m.cols))
	e := &embedding{rows: m.rows, k: k, exact: m.rows <= exactRows}
	if e.exact {
		e.z, e.singular = exactSVD(m, k)
	} else {
		e.z, e.singular = randomSVD(m, k)
	}
	fixSigns(e.z, k)
	e.explained = share(columnVariance(e.z, k), sparseVariance(m))
	return e
}

// exactSVD takes the eigenvectors of the products of all rows.
func exactSVD(m *matrix, k int) (z, singular []float64) {
	n := m.rows
	gram := make([]float64, n*n)
	dense := make([]float64, m.cols)
	for i := range n {
		m.spread(i, dense)
		for j := range i + 1 {
			gram[i*n+j] = m.dot(j, dense)
			gram[j*n+i] = gram[i*n+j]
		}
		m.clear(i, dense)
	}
	values, vectors := eigen(gram, n)
	singular = roots(values)
	z = make([]float64, n*k)
	for i := range n {
		for c := range k {
			z[i*k+c] = vectors[i*n+c] * singular[c]
		}
	}
	return z, singular
}

// randomSVD is the randomised range finder of Halko, Martinsson and Tropp (2011), with power iterations.
func randomSVD(m *matrix, k int) (z, singular []float64) {
	width := min(k+extraColumns, m.rows, m.cols)
	t := m.transposed()
	dealt := newChance(forRange, m.rows)
	probe := make([]float64, m.cols*width)
	for i := range probe {
		probe[i] = 2*dealt.unit() - 1
	}
	y := m.times(probe, width)
	for range powerSteps {
		y = m.times(orthonormal(t.times(y, width), width), width)
	}
	q := orthonormal(orthonormal(y, width), width)
	b := t.times(q, width)
	values, vectors := eigen(gramOf(b, m.cols, width), width)
	singular = roots(values)
	turn := make([]float64, width*k)
	for i := range width {
		for c := range k {
			turn[i*k+c] = vectors[i*width+c] * singular[c]
		}
	}
	return timesSmall(q, width, turn, k), singular
}

// roots are the singular values to eigenvalues; what is mere rounding is 0.
func roots(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if v > nought*values[0] {
			out[i] = math.Sqrt(v)
		}
	}
	return out
}

// eigen returns the eigenvalues of a symmetric matrix, descending, and its eigenvectors as columns.
func eigen(symmetric []float64, n int) (values, vectors []float64) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, symmetric), true) {
		// Only numbers that are none make it fail, and rows of length 0 or 1 have none.
		return make([]float64, n), make([]float64, n*n)
	}
	var v mat.Dense
	e.VectorsTo(&v)
	ascending := e.Values(nil)
	values, vectors = make([]float64, n), make([]float64, n*n)
	for c := range n {
		values[c] = ascending[n-1-c]
		for i := range n {
			vectors[i*n+c] = v.At(i, n-1-c)
		}
	}
	return values, vectors
}

// orthonormal makes the columns of a dense matrix orthonormal, by the Cholesky factor of their products. A column that the
// ones before it make up becomes 0.
func orthonormal(dense []float64, width int) []float64 {
	gram := gramOf(dense, len(dense)/width, width)
	return timesUpper(dense, width, inverseFactor(gram, width))
}

// inverseFactor returns R⁻¹, upper triangular, for RᵀR = gram.
func inverseFactor(gram []float64, n int) []float64 {
	r, inverse := make([]float64, n*n), make([]float64, n*n)
	for j := range n {
		for i := range j {
			sum := gram[i*n+j]
			for k := range i {
				sum -= float64(r[k*n+i] * r[k*n+j])
			}
			if r[i*n+i] > 0 {
				r[i*n+j] = sum / r[i*n+i]
			}
		}
		rest := gram[j*n+j]
		for k := range j {
			rest -= float64(r[k*n+j] * r[k*n+j])
		}
		if rest <= nought*gram[j*n+j] {
			continue
		}
		r[j*n+j] = math.Sqrt(rest)
		inverse[j*n+j] = 1 / r[j*n+j]
		for i := range j {
			sum := 0.0
			for k := i; k < j; k++ {
				sum += float64(inverse[i*n+k] * r[k*n+j])
			}
			inverse[i*n+j] = -sum / r[j*n+j]
		}
	}
	return inverse
}

// fixSigns gives each column the sign that makes its largest entry positive, as scikit-learn does. Of entries that differ
// by rounding alone the first decides.
func fixSigns(z []float64, k int) {
	const margin = 1 - 1e-9
	for c := range k {
		largest := 0.0
		for i := c; i < len(z); i += k {
			largest = max(largest, math.Abs(z[i]))
		}
		for i := c; i < len(z); i += k {
			if math.Abs(z[i]) >= largest*margin {
				flip(z, c, k, z[i] < 0)
				break
			}
		}
	}
}

func flip(z []float64, c, k int, really bool) {
	for i := c; really && i < len(z); i += k {
		z[i] = -z[i]
	}
}
