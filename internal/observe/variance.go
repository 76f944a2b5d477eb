package observe

// columnVariance is the sum over columns of the population variance.
func columnVariance(z []float64, k int) (total float64) {
	rows := float64(len(z) / k)
	for c := range k {
		sum, squares := 0.0, 0.0
		for i := c; i < len(z); i += k {
			sum += z[i]
		}
		for i := c; i < len(z); i += k {
			d := z[i] - sum/rows
			squares += float64(d * d)
		}
		total += squares / rows
	}
	return total
}

// sparseVariance is the same of a sparse matrix.
func sparseVariance(m *matrix) (total float64) {
	sums := make([]float64, m.cols)
	for j, c := range m.col {
		sums[c] += m.val[j]
		total += float64(m.val[j] * m.val[j])
	}
	n := float64(m.rows)
	total /= n
	for _, s := range sums {
		total -= float64(s / n * (s / n))
	}
	return total
}

// share is part of whole, 0 if there is nothing to share.
func share(part, whole float64) float64 {
	if whole <= nought {
		return 0
	}
	return min(1, max(0, part/whole))
}

// point is a place on the map.
type point struct{ x, y float64 }

// plane projects the embedding on the two directions in which the documents differ most: the SVD of the centred embedding.
// Without centring, the first axis would tell little more than how average a text is. shown is the share of the spread
// that the plane shows.
func plane(e *embedding) (at []point, shown float64) {
	centred := centre(e.z, e.k)
	values, vectors := eigen(gramOf(centred, e.rows, e.k), e.k)
	axes := min(2, e.k)
	turn := make([]float64, e.k*axes)
	for i := range e.k {
		copy(turn[i*axes:(i+1)*axes], vectors[i*e.k:])
	}
	xy := timesSmall(centred, e.k, turn, axes)
	fixSigns(xy, axes)
	at = make([]point, e.rows)
	for i := range at {
		at[i].x = xy[i*axes]
		if axes == 2 {
			at[i].y = xy[i*axes+1]
		}
	}
	part, whole := 0.0, 0.0
	for i, v := range values {
		whole += max(0, v)
		if i < axes {
			part += max(0, v)
		}
	}
	return at, share(part, whole)
}

func centre(z []float64, k int) []float64 {
	out := append([]float64{}, z...)
	rows := float64(len(z) / k)
	for c := range k {
		sum := 0.0
		for i := c; i < len(z); i += k {
			sum += z[i]
		}
		for i := c; i < len(z); i += k {
			out[i] -= sum / rows
		}
	}
	return out
}
