package encoder

import (
	"math"
	"testing"
)

func TestAddProductAddsEveryProductOfTwoRows(t *testing.T) {
	fill := func(n, size int) matrix {
		m := matrix{data: make([]float32, n*(size+1)), n: n, size: size, stride: size + 1}
		for i := range m.data {
			m.data[i] = float32(i%7) - 2.5
		}
		return m
	}
	for _, rows := range []int{1, 2, 3, 4, 5, 47, 49, 97} {
		for _, others := range []int{1, 2, 3, 48, 49, 97} {
			x, y := fill(rows, 5), fill(others, 5)
			out, before := fill(rows, others), fill(rows, others)
			addProduct(out, 0.5, x, y)
			for i := range rows {
				for j, got := range out.row(i) {
					want := float64(before.row(i)[j])
					for k, v := range x.row(i) {
						want += 0.5 * float64(v) * float64(y.row(j)[k])
					}
					if math.Abs(float64(got)-want) > 1e-5 {
						t.Fatalf("%d by %d rows: element %d, %d is %v, want %v", rows, others, i, j, got, want)
					}
				}
				if at := i*out.stride + out.size; out.data[at] != before.data[at] {
					t.Fatalf("%d by %d rows: the number behind row %d was changed", rows, others, i)
				}
			}
		}
	}
}
