package observe

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is read of a document: its content, without or with its labels.
const (
	withoutLabels = iota
	withLabels
)

// corpus are the words of all documents, each by its number.
type corpus struct {
	terms []string
	docs  [][2][]int32 // of each document: withoutLabels, withLabels
}

func readCorpus(docs []Document) *corpus {
	c, ids := &corpus{}, map[string]int32{}
	for _, d := range docs {
		var words []int32
		add := func(token string) {
			id, known := ids[token]
			if !known {
				id = int32(len(c.terms))
				c.terms = append(c.terms, strings.Clone(token))
				ids[c.terms[id]] = id
			}
			words = append(words, id)
		}
		eachToken(d.Content, add)
		content := len(words)
		eachToken(d.Labels, add)
		c.docs = append(c.docs, [2][]int32{words[:content], words})
	}
	return c
}

// weighted is a TF-IDF matrix: a row a document, a column a term, terms sorted by code point, rows of length 1 or 0.
type weighted struct {
	matrix
	terms []string
	idf   []float64
}

// weigh makes the matrix as TfidfVectorizer does by default: raw counts, smooth idf ln((1+n)/(1+df))+1, L2 rows.
func (c *corpus) weigh(labels int) *weighted {
	column, terms := c.columns(labels)
	m := &weighted{matrix: matrix{rows: len(c.docs), cols: len(terms), start: make([]int, 1, len(c.docs)+1)}, terms: terms}
	df := make([]int, len(terms))
	var row []int32
	for i, doc := range c.docs {
		row = row[:0]
		for _, w := range doc[labels] {
			row = append(row, column[w])
		}
		slices.Sort(row)
		m.count(row)
		for _, t := range m.col[m.start[i]:] {
			df[t]++
		}
	}
	m.idf = make([]float64, len(terms))
	for t, n := range df {
		m.idf[t] = math.Log(float64(1+m.rows)/float64(1+n)) + 1
	}
	for i := range m.rows {
		m.scale(i)
	}
	return m
}

// columns gives every term that is used its column, in the order of the terms.
func (c *corpus) columns(labels int) (column []int32, terms []string) {
	column = make([]int32, len(c.terms))
	var used []int32
	for _, doc := range c.docs {
		for _, w := range doc[labels] {
			if column[w] == 0 {
				column[w] = 1
				used = append(used, w)
			}
		}
	}
	slices.SortFunc(used, func(a, b int32) int { return cmp.Compare(c.terms[a], c.terms[b]) })
	for at, w := range used {
		column[w] = int32(at)
		terms = append(terms, c.terms[w])
	}
	return column, terms
}

// count adds a row of counts, from sorted columns.
func (m *weighted) count(sorted []int32) {
	for i := 0; i < len(sorted); {
		end := i + 1
		for end < len(sorted) && sorted[end] == sorted[i] {
			end++
		}
		m.col = append(m.col, sorted[i])
		m.val = append(m.val, float64(end-i))
		i = end
	}
	m.start = append(m.start, len(m.col))
}

// scale weighs row i by idf and makes it of length 1.
func (m *weighted) scale(i int) {
	col, val := m.row(i)
	sum := 0.0
	for j, t := range col {
		val[j] = float64(val[j] * m.idf[t])
		sum += float64(val[j] * val[j])
	}
	for j := range val {
		val[j] /= math.Sqrt(sum)
	}
}

// eachToken calls f with every token of text as scikit-learn's TfidfVectorizer cuts it by default: lower case, runs of two
// or more letters, digits or underscores.
func eachToken(text string, f func(token string)) {
	parts := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for token := range strings.FieldsFuncSeq(strings.ToLower(text), parts) {
		if utf8.RuneCountInString(token) >= 2 {
			f(token)
		}
	}
}

// matrix is sparse, by rows; the columns of a row ascend.
type matrix struct {
	rows, cols int
	start      []int // of each row in col and val, and the end of the last
	col        []int32
	val        []float64
}

func (m *matrix) row(i int) (col []int32, val []float64) {
	return m.col[m.start[i]:m.start[i+1]], m.val[m.start[i]:m.start[i+1]]
}

// times returns the product with a dense matrix of cols rows and width columns, by rows.
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

// addScaled adds by times from to into. The product is rounded before it is added, so that no processor fuses the two.
func addScaled(into []float64, by float64, from []float64) {
	from = from[:len(into)]
	for j := range into {
		into[j] += float64(by * from[j])
	}
}

// spread writes row i into dense, and 0 elsewhere.
func (m *matrix) spread(i int, dense []float64) {
	clear(dense)
	col, val := m.row(i)
	for j, c := range col {
		dense[c] = val[j]
	}
}

// dot is the product of row i with a spread one.
func (m *matrix) dot(i int, dense []float64) (sum float64) {
	col, val := m.row(i)
	for j, c := range col {
		sum += float64(val[j] * dense[c])
	}
	return sum
}

// products are those of the given rows, all with all: symmetric, by rows.
func (m *matrix) products(rows []int) []float64 {
	n := len(rows)
	out, dense := make([]float64, n*n), make([]float64, m.cols)
	for a, i := range rows {
		m.spread(i, dense)
		for b, j := range rows[:a+1] {
			out[a*n+b] = m.dot(j, dense)
			out[b*n+a] = out[a*n+b]
		}
	}
	return out
}
