package observe

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/failproof/failproof/internal/sharedtest"
)

// vector reads scikit-learn's results from the shared folder.
func vector(t testing.TB, name string, into any) {
	t.Helper()
	text := sharedtest.Read(t, "vectors/semantic/"+name)
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func allNear(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d figures, want %d", what, len(got), len(want))
	}
	for i := range want {
		near(t, what+"["+strconv.Itoa(i)+"]", got[i], want[i])
	}
}

type tfidfVector struct {
	Docs  []string     `json:"docs"`
	Terms []string     `json:"terms"`
	IDF   []float64    `json:"idf"`
	TFIDF [][3]float64 `json:"tfidf"`
}

// vectorTexts is the matrix of the shared texts.
func vectorTexts(t testing.TB) (*tfidfMatrix, tfidfVector) {
	var v tfidfVector
	vector(t, "tfidf.json", &v)
	docs := make([]Document, len(v.Docs))
	for i, text := range v.Docs {
		docs[i].Content = text
	}
	return newTFIDF(contents(docs)), v
}

// vectorCloud is the shared texts' embedding of 10 dimensions.
func vectorCloud(t testing.TB) *cloud {
	m, _ := vectorTexts(t)
	e := embed(&m.matrix, 10)
	return &e.cloud
}

func TestTFIDFIsScikitLearns(t *testing.T) {
	m, v := vectorTexts(t)
	if !slices.Equal(m.terms, v.Terms) {
		t.Fatalf("terms are %q, want %q", m.terms, v.Terms)
	}
	allNear(t, "idf", m.idf, v.IDF)
	if len(m.val) != len(v.TFIDF) {
		t.Fatalf("%d entries, want %d", len(m.val), len(v.TFIDF))
	}
	at := 0
	for i := range m.rows {
		col, val := m.row(i)
		for j := range col {
			want := v.TFIDF[at]
			if i != int(want[0]) || int(col[j]) != int(want[1]) {
				t.Fatalf("entry %d is at %d, %d, want %v", at, i, col[j], want)
			}
			near(t, "weight", val[j], want[2])
			at++
		}
	}
}

func flat(rows [][]float64) (out []float64) {
	for _, r := range rows {
		out = append(out, r...)
	}
	return out
}

func TestSVDIsScikitLearns(t *testing.T) {
	var v struct {
		Singular []float64 `json:"singular_values"`
		K        map[string]struct {
			Z     [][]float64 `json:"Z"`
			Ratio []float64   `json:"explained_variance_ratio"`
		} `json:"k"`
		Plane struct {
			XY    [][]float64 `json:"xy"`
			Share float64     `json:"share_of_spread"`
		} `json:"plane_of_Z10"`
	}
	vector(t, "svd.json", &v)
	m, _ := vectorTexts(t)
	for name, want := range v.K {
		k, err := strconv.Atoi(name)
		if err != nil {
			t.Fatal(err)
		}
		e := embed(&m.matrix, k)
		if !e.exact {
			t.Error("30 texts are embedded exactly")
		}
		allNear(t, "singular values", e.singular, v.Singular)
		allNear(t, "coordinates of "+name, e.coords, flat(want.Z))
		sum := 0.0
		for _, r := range want.Ratio {
			sum += r
		}
		near(t, "explained variance", e.explained, sum)
	}
	at, shown := embed(&m.matrix, 10).plane()
	var xy []float64
	for _, p := range at {
		xy = append(xy, p[0], p[1])
	}
	allNear(t, "plane", xy, flat(v.Plane.XY))
	near(t, "share of the spread", shown, v.Plane.Share)
}

type kmeansVector struct {
	Runs []struct {
		Rows string  `json:"rows"`
		K    int     `json:"k"`
		Best float64 `json:"best_inertia"`
	} `json:"runs"`
	Given []struct {
		Name       string  `json:"name"`
		Labels     []int   `json:"labels"`
		Inertia    float64 `json:"inertia_Z10"`
		Silhouette float64 `json:"silhouette_Z10"`
	} `json:"given_labels"`
	Lloyd []struct {
		K       int         `json:"k"`
		Init    []int       `json:"init_rows"`
		Labels  []int       `json:"labels"`
		Inertia float64     `json:"inertia"`
		Centres [][]float64 `json:"centers"`
	} `json:"lloyd_from_given_rows"`
	Blobs struct {
		Points     [][]float64 `json:"points"`
		K          int         `json:"k"`
		Partition  []int       `json:"partition"`
		Inertia    float64     `json:"inertia"`
		Silhouette float64     `json:"silhouette"`
	} `json:"blobs"`
}

func TestLloydFromGivenRowsIsScikitLearns(t *testing.T) {
	var v kmeansVector
	vector(t, "kmeans.json", &v)
	c := vectorCloud(t)
	for _, want := range v.Lloyd {
		var start []float64
		for _, row := range want.Init {
			start = append(start, c.point(row)...)
		}
		p := lloyd(c, want.K, start)
		if !slices.Equal(p.labels, want.Labels) {
			t.Errorf("k = %d: labels %v, want %v", want.K, p.labels, want.Labels)
		}
		near(t, "inertia", p.inertia, want.Inertia)
		allNear(t, "centres", p.centres, flat(want.Centres))
	}
}

func TestInertiaAndSilhouetteAreScikitLearns(t *testing.T) {
	var v kmeansVector
	vector(t, "kmeans.json", &v)
	c := vectorCloud(t)
	for _, want := range v.Given {
		k := slices.Max(want.Labels) + 1
		p := &partition{labels: want.Labels, sizes: tally(want.Labels), centres: make([]float64, k*c.dim)}
		p.recentre(c)
		near(t, want.Name+": inertia", p.inertia, want.Inertia)
		near(t, want.Name+": silhouette", silhouette(c, want.Labels), want.Silhouette)
	}
}

func TestKMeansComesNearTheBestOfFiveHundredRunsOfScikitLearn(t *testing.T) {
	var v kmeansVector
	vector(t, "kmeans.json", &v)
	plain, scaled := vectorCloud(t), vectorCloud(t)
	for i := range scaled.n {
		p := scaled.point(i)
		length := math.Sqrt(squaredDistance(p, make([]float64, len(p))))
		for j := range p {
			p[j] /= length
		}
	}
	for _, want := range v.Runs {
		c := plain
		if want.Rows == "l2" {
			c = scaled
		}
		if got := kmeans(c, want.K).inertia; !(got <= want.Best*1.06) {
			t.Errorf("k = %d, rows %s: inertia %v, want at most %v", want.K, want.Rows, got, want.Best)
		}
	}
}

func TestBlobsAreFound(t *testing.T) {
	var v kmeansVector
	vector(t, "kmeans.json", &v)
	b := v.Blobs
	c := &cloud{n: len(b.Points), dim: len(b.Points[0]), coords: flat(b.Points)}
	p := kmeans(c, b.K)
	near(t, "inertia", p.inertia, b.Inertia)
	if got, want := numberBySize(p.labels, b.K), numberBySize(b.Partition, b.K); !slices.Equal(got, want) {
		t.Errorf("partition %v, want %v", got, want)
	}
	labels, k, silhouette := cluster(c)
	if k != b.K || !slices.Equal(labels, numberBySize(b.Partition, b.K)) {
		t.Errorf("%d clusters %v, want %d", k, labels, b.K)
	}
	near(t, "silhouette", silhouette, b.Silhouette)
}

func TestInformationIsScikitLearns(t *testing.T) {
	var v struct {
		Cases []struct {
			Name string   `json:"name"`
			A    []string `json:"a"`
			B    []string `json:"b"`
			MI   float64  `json:"mi_nats"`
			AMI  float64  `json:"ami_arithmetic"`
			HA   float64  `json:"h_a"`
			HB   float64  `json:"h_b"`
		} `json:"cases"`
	}
	vector(t, "mutual_information.json", &v)
	for _, want := range v.Cases {
		table := newContingencyTable(numbersOf(want.A), numbersOf(want.B))
		near(t, want.Name+": mutual information", table.information(), want.MI)
		near(t, want.Name+": adjusted", table.adjusted(table.expected()), want.AMI)
		near(t, want.Name+": entropy", table.entropy(table.a), want.HA)
		near(t, want.Name+": entropy", table.entropy(table.b), want.HB)
	}
}

// numbersOf numbers labels by their order.
func numbersOf(labels []string) []int {
	names := slices.Compact(slices.Sorted(slices.Values(labels)))
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i], _ = slices.BinarySearch(names, l)
	}
	return out
}

// contents are the texts of documents, without labels.
func contents(docs []Document) (out []string) {
	for _, d := range docs {
		out = append(out, d.Content)
	}
	return out
}
