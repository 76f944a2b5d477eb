package encoder

import (
	"runtime"

	"github.com/failproof/failproof/internal/together"
)

// matrix has n rows of size numbers. Row i begins at data[i*stride].
type matrix struct {
	data            []float32
	n, size, stride int
}

func (m matrix) row(i int) []float32 { return m.data[i*m.stride:][:m.size] }

// addProduct adds scale·x·yᵀ to sum. The order of the additions does not depend on the number of processors.
func addProduct(sum matrix, scale float32, x, y matrix) {
	const block = 48 // rows of y, which stay in the cache
	together.Each((y.n+block-1)/block, runtime.GOMAXPROCS(0), func(b int) {
		for j, end := b*block, min(b*block+block, y.n); j < end; j += 2 {
			u := y.row(j)
			v := y.row(min(j+1, y.n-1))
			for i := 0; i < x.n; i += 3 {
				products := dots(x.row(i), x.row(min(i+1, x.n-1)), x.row(min(i+2, x.n-1)), u, v)
				for k := range min(3, x.n-i) {
					for l := range min(2, end-j) {
						sum.data[(i+k)*sum.stride+j+l] += scale * products[2*k+l]
					}
				}
			}
		}
	})
}

// dots returns the dot products of a, b and c with u and v, in the order au, av, bu, bv, cu, cv. Six sums fit in
// registers.
func dots(a, b, c, u, v []float32) [6]float32 {
	var au, av, bu, bv, cu, cv float32
	b, c, u, v = b[:len(a)], c[:len(a)], u[:len(a)], v[:len(a)]
	for k, p := range a {
		q, r := b[k], c[k]
		au += p * u[k]
		bu += q * u[k]
		cu += r * u[k]
		av += p * v[k]
		bv += q * v[k]
		cv += r * v[k]
	}
	return [6]float32{au, av, bu, bv, cu, cv}
}

// transpose returns the columns of m as rows.
func transpose(m matrix) matrix {
	out := matrix{data: make([]float32, m.n*m.size), n: m.size, size: m.n, stride: m.n}
	for i := range m.n {
		for j, v := range m.row(i) {
			out.data[j*m.n+i] = v
		}
	}
	return out
}
