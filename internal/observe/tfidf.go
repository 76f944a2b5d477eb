package observe

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tfidfMatrix is a TF-IDF matrix, with a row for each document and a column for each term. Terms are sorted by code
// point. Each row has the length 1, or 0 if its document has no term.
type tfidfMatrix struct {
	matrix
	terms []string
	idf   []float64
}

// newTFIDF returns the matrix of texts that TfidfVectorizer of scikit-learn makes by default: raw counts, smooth idf
// ln((1+n)/(1+df))+1, and L2 norm of rows.
func newTFIDF(texts []string) *tfidfMatrix {
	counts, df := make([]map[string]int, len(texts)), map[string]int{}
	for i, text := range texts {
		counts[i] = map[string]int{}
		eachToken(text, func(token string) { counts[i][token]++ })
		for token := range counts[i] {
			df[token]++
		}
	}
	terms := slices.Sorted(maps.Keys(df))
	m := &tfidfMatrix{matrix: matrix{rows: len(texts), cols: len(terms), start: []int{0}}, terms: terms,
		idf: make([]float64, len(terms))}
	column := make(map[string]int32, len(terms))
	for t, term := range terms {
		column[term], m.idf[t] = int32(t), math.Log(float64(1+len(texts))/float64(1+df[term]))+1
	}
	for i, count := range counts {
		sum := 0.0
		for _, token := range slices.Sorted(maps.Keys(count)) {
			c := column[token]
			weight := float64(count[token]) * m.idf[c]
			m.col, m.val = append(m.col, c), append(m.val, weight)
			sum += float64(weight * weight)
		}
		m.start = append(m.start, len(m.col))
		for j := m.start[i]; j < m.start[i+1]; j++ {
			m.val[j] /= math.Sqrt(sum)
		}
	}
	return m
}

// eachToken calls f with every token of text in lower case. Tokens are runs of two or more letters, digits or
// underscores, as by default for TfidfVectorizer of scikit-learn.
func eachToken(text string, f func(token string)) {
	isSeparator := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for token := range strings.FieldsFuncSeq(strings.ToLower(text), isSeparator) {
		if utf8.RuneCountInString(token) >= 2 {
			f(token)
		}
	}
}

// matrix is a sparse matrix, stored row by row. In each row, the columns ascend.
type matrix struct {
	rows, cols int
	start      []int // where each row begins in col and val; the last element is where the last row ends
	col        []int32
	val        []float64
}

func (m *matrix) row(i int) (col []int32, val []float64) {
	return m.col[m.start[i]:m.start[i+1]], m.val[m.start[i]:m.start[i+1]]
}

// times returns the product of m and the matrix dense, which has width columns. Dense matrices are stored row by row.
func (m *matrix) times(dense []float64, width int) []float64 {
	out := make([]float64, m.rows*width)
	for i := range m.rows {
		col, val := m.row(i)
		for j, c := range col {
			addScaled(out[i*width:(i+1)*width], val[j], dense[int(c)*width:])
		}
	}
	return out
}

// addScaled multiplies each of the numbers by factor and adds the product to the sum with the same index. Each product
// is rounded before the addition, so that no processor fuses the two operations.
func addScaled(sums []float64, factor float64, numbers []float64) {
	numbers = numbers[:len(sums)]
	for j := range sums {
		sums[j] += float64(factor * numbers[j])
	}
}

// copyRow writes row i to dense, with 0 for the columns that the row does not have.
func (m *matrix) copyRow(i int, dense []float64) {
	clear(dense)
	col, val := m.row(i)
	for j, c := range col {
		dense[c] = val[j]
	}
}

// dot returns the dot product of row i and dense, which has a value for each column.
func (m *matrix) dot(i int, dense []float64) (sum float64) {
	col, val := m.row(i)
	for j, c := range col {
		sum += float64(val[j] * dense[c])
	}
	return sum
}

// products returns the dot products of all pairs of the given rows, as a symmetric matrix that is stored row by row.
func (m *matrix) products(rows []int) []float64 {
	n := len(rows)
	out, dense := make([]float64, n*n), make([]float64, m.cols)
	for a, i := range rows {
		m.copyRow(i, dense)
		for b, j := range rows[:a+1] {
			out[a*n+b] = m.dot(j, dense)
			out[b*n+a] = out[a*n+b]
		}
	}
	return out
}
