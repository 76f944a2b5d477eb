package observe

import (
	"math"
	"slices"
)

const (
	maxDimensions = 16 // largest number of dimensions of the truncated SVD
	// maxFitted is the largest number of documents that the SVD and the clusters are fitted to. If there are more,
	// evenly spread ones are used, because both methods take at least cubic time.
	maxFitted = 200
)

// epsilon is the share of the largest eigenvalue below which an eigenvalue is only a rounding error.
const epsilon = 1e-12

// embedding has the coordinates of the documents, which are not centred. They are U S of the SVD.
type embedding struct {
	cloud
	singular  []float64 // singular values of the documents that the SVD is fitted to, descending
	exact     bool      // whether the SVD is fitted to all documents
	explained float64   // share of the variance of the matrix's columns
}

// embed fits an SVD to the rows of m or, if there are many, to evenly spread rows. It projects all rows on the first k
// right singular vectors.
func embed(m *matrix, k int) *embedding {
	fit := evenIndices(m.rows, maxFitted)
	k = max(1, min(k, len(fit)-1, m.cols))
	values, vectors := eigen(m.products(fit), len(fit))
	e := &embedding{exact: len(fit) == m.rows, singular: roots(values)}
	right := make([]float64, m.cols*k) // V = X'U / S
	for a, i := range fit {
		col, val := m.row(i)
		for c := range k {
			if s := e.singular[c]; s > 0 {
				for j, t := range col {
					right[int(t)*k+c] += float64(val[j] * vectors[a*len(fit)+c] / s)
				}
			}
		}
	}
	e.cloud = cloud{n: m.rows, dim: k, coords: m.times(right, k)}
	fixSigns(e.coords, k)
	e.explained = share(e.variance(), m.variance())
	return e
}

// roots returns the singular values, the square roots of the eigenvalues in values. An eigenvalue that is only a
// rounding error becomes 0.
func roots(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if v > epsilon*values[0] {
			out[i] = math.Sqrt(v)
		}
	}
	return out
}

// fixSigns gives each of the k columns of z the sign that makes its largest entry positive, as scikit-learn does. If
// several entries differ only by rounding, the first of them decides.
func fixSigns(z []float64, k int) {
	const margin = 1 - 1e-9
	for c := range k {
		largest := 0.0
		for i := c; i < len(z); i += k {
			largest = max(largest, math.Abs(z[i]))
		}
		for i := c; i < len(z); i += k {
			if math.Abs(z[i]) < largest*margin {
				continue
			}
			for j, flips := c, z[i] < 0; flips && j < len(z); j += k {
				z[j] = -z[j]
			}
			break
		}
	}
}

// variance returns the sum of the population variances of all dimensions.
func (c *cloud) variance() (total float64) {
	for _, d := range c.centred() {
		total += float64(d * d)
	}
	return total / float64(c.n)
}

// variance returns the sum of the population variances of all columns.
func (m *matrix) variance() (total float64) {
	for _, v := range m.val {
		total += float64(v * v)
	}
	total /= float64(m.rows)
	for _, mean := range m.means(evenIndices(m.rows, m.rows)) {
		total -= float64(mean * mean)
	}
	return total
}

// share returns part/whole, limited to [0, 1]. It is 0 if whole is only a rounding error.
func share(part, whole float64) float64 {
	if whole <= epsilon {
		return 0
	}
	return min(1, max(0, part/whole))
}

// plane projects the points on the two directions in which they differ most, by the SVD of the centred points. Without
// centring, the first axis would mostly show how average a text is. planeShare is the share of the variance that the
// two directions have.
func (c *cloud) plane() (positions [][2]float64, planeShare float64) {
	centred := c.centred()
	values, vectors := eigen(covariance(centred, c.dim), c.dim)
	axes := min(2, c.dim)
	xy := make([]float64, c.n*axes)
	for i, v := range centred {
		row := i / c.dim * axes
		addScaled(xy[row:row+axes], v, vectors[i%c.dim*c.dim:])
	}
	fixSigns(xy, axes)
	positions = make([][2]float64, c.n)
	for i := range positions {
		copy(positions[i][:], xy[i*axes:(i+1)*axes])
	}
	part, whole := 0.0, 0.0
	for i, v := range values {
		whole += max(0, v)
		if i < axes {
			part += max(0, v)
		}
	}
	return positions, share(part, whole)
}

// covariance returns the k by k covariance matrix of the columns, times the number of rows. centred has the rows, from
// which the mean is already subtracted.
func covariance(centred []float64, k int) []float64 {
	out := make([]float64, k*k)
	for at := 0; at < len(centred); at += k {
		row := centred[at : at+k]
		for c, v := range row {
			addScaled(out[c*k:(c+1)*k], v, row)
		}
	}
	return out
}

// centred returns the coordinates of the points minus those of their mean.
func (c *cloud) centred() []float64 {
	mean := make([]float64, c.dim)
	for i := range c.n {
		addScaled(mean, 1, c.point(i))
	}
	out := slices.Clone(c.coords)
	for i := range out {
		out[i] -= mean[i%c.dim] / float64(c.n)
	}
	return out
}
