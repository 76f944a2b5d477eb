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
	values, vectors := eigen(covariance(centred, e.k), e.k)
	axes := min(2, e.k)
	xy := make([]float64, e.rows*axes)
	for i := range e.rows {
		for c, v := range centred[i*e.k : (i+1)*e.k] {
			addScaled(xy[i*axes:(i+1)*axes], v, vectors[c*e.k:])
		}
	}
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

// covariance is that of the k columns of centred rows, times their number: k by k.
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
