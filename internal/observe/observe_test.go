package observe

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// topics are texts of which those of one topic share words.
var topics = [...]string{
	"the assistant printed the private api key of the customer",
	"the invoice total was formatted as broken json text",
	"a patient asked for the dose of a medicine",
}

// talk makes n answered cases of the head over the topics; a case passes if pass says so.
func talk(n int, pass func(i int) bool) []Document {
	docs := make([]Document, n)
	for i := range docs {
		topic := i % len(topics)
		docs[i] = Document{
			SuiteID: "s", CaseID: "c" + strconv.Itoa(i), Category: "topic-" + strconv.Itoa(topic), Severity: "low", Passed: pass(i),
			Content: fmt.Sprintf("%s number%d %s", topics[topic], i, strings.Repeat("extra ", i%4)),
		}
		docs[i].Labels = "category_" + docs[i].Category
	}
	return docs
}

func always(int) bool { return true }

func marshal(t testing.TB, o *Observability) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFewCases(t *testing.T) {
	for _, c := range []struct {
		rule string
		docs []Document
		none bool
		few  bool
	}{
		{"four cases have no geometry", talk(4, always), true, false},
		{"five have one, which is said to be mostly chance", talk(5, always), false, true},
		{"nineteen are still too few to interpret", talk(19, always), false, true},
		{"twenty are not", talk(20, always), false, false},
		{"texts without a word have none", make([]Document, 30), true, false},
		{"the base's cases do not make up for the head's", append(talk(4, always), onBase(talk(30, always))...), true, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			o := Observe(c.docs, len(c.docs))
			if (o == nil) != c.none {
				t.Fatalf("Observe = %v, want none: %t", o, c.none)
			}
			if o != nil && o.TooFew != c.few {
				t.Errorf("too few = %t, want %t", o.TooFew, c.few)
			}
		})
	}
}

func onBase(docs []Document) []Document {
	docs = slices.Clone(docs)
	for i := range docs {
		docs[i].Side = Base
	}
	return docs
}

func TestEveryCaseOfTheHeadHasAPlace(t *testing.T) {
	docs := talk(40, func(i int) bool { return i%5 > 0 })
	o := Observe(append(docs, onBase(talk(40, always))...), 40)
	if len(o.Points) != 40 {
		t.Fatalf("%d points, want 40", len(o.Points))
	}
	in := 0
	for _, size := range o.Content.ClusterSizes {
		in += size
	}
	if in != 40 || o.Cases != 40 {
		t.Errorf("clusters hold %d cases of %d, want 40", in, o.Cases)
	}
	if o.BaseCases != 8 {
		t.Errorf("%d cases of the base count, want the 8 whose outcome is another", o.BaseCases)
	}
}

func TestClustersFindWhatTheTextsAreAbout(t *testing.T) {
	o := Observe(talk(60, always), 60)
	a := o.Content.MutualInformation.Category
	if a == nil || a.Adjusted < 0.99 || a.PValue > 0.001 || a.MI > a.Bound+1e-6 || a.ChanceMI >= a.MI {
		t.Errorf("agreement with the topics is %+v", a)
	}
	if m := o.Content.MutualInformation; m.Severity != nil || m.PassFail != nil {
		t.Error("a label with one value only has nothing to agree with")
	}
}

func TestLabelsDealtAtRandomAgreeByChanceOnly(t *testing.T) {
	dealt := newRNG(5, 5)
	small := 0
	for range 20 {
		docs := talk(60, func(int) bool { return dealt.intN(2) == 0 })
		a := Observe(docs, 60).Content.MutualInformation.PassFail
		if math.Abs(a.Adjusted) > 0.25 {
			t.Errorf("adjusted = %v", a.Adjusted)
		}
		if a.PValue <= 0.05 {
			small++
		}
	}
	if small > 4 { // 1 is expected, and more than 4 come in 3 of 1,000 draws; these are always the same
		t.Errorf("%d of 20 p-values are 0.05 or less", small)
	}
}

func TestExpectedInformationIsTheMeanOfAllShuffles(t *testing.T) {
	dealt := newRNG(6, 1)
	for range 20 {
		n := 12 + dealt.intN(30)
		a, b := make([]int, n), make([]int, n)
		for i := range a {
			a[i], b[i] = dealt.intN(4), dealt.intN(3)
		}
		sum, rounds := 0.0, 4000
		for range rounds {
			for i := n - 1; i > 0; i-- {
				j := dealt.intN(i + 1)
				a[i], a[j] = a[j], a[i]
			}
			sum += newContingencyTable(a, b).information()
		}
		if got, want := newContingencyTable(a, b).expected(), sum/float64(rounds); math.Abs(got-want) > 0.01 {
			t.Errorf("expected = %v, and %d shuffles give %v", got, rounds, want)
		}
	}
}

func TestLabelsInTheTextMakeTheAgreementLarger(t *testing.T) {
	docs := talk(60, func(i int) bool { return i/3%2 == 0 })
	for i := range docs {
		docs[i].Labels = strings.Repeat(" outcome_"+strconv.FormatBool(docs[i].Passed), 30)
	}
	o := Observe(docs, 60)
	with, without := o.Labeled.MutualInformation.PassFail, o.Content.MutualInformation.PassFail
	if !(with.Adjusted > 0.3 && without.Adjusted < 0.1) {
		t.Errorf("agreement with the outcome is %v with it in the text, %v without", with.Adjusted, without.Adjusted)
	}
}

func TestResultIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sizes := []int{30, 350}
	if testing.Short() { // under the race detector, which sees as much in the small one
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		docs := corpusOf(n)
		docs = append(docs, onBase(corpusOf(n/2))...)
		runtime.GOMAXPROCS(1)
		want := marshal(t, Observe(docs, n))
		for _, procs := range []int{2, 3} {
			runtime.GOMAXPROCS(procs)
			if got := marshal(t, Observe(docs, n)); got != want {
				t.Errorf("%d cases: %d processors give another result than 1", n, procs)
			}
		}
	}
}

func TestClustersOfManyPointsAreThoseOfTheFittedOnes(t *testing.T) {
	c := &cloud{n: maxFitted + 1001, dim: 2}
	dealt := newRNG(4, 4)
	for i := range c.n {
		c.coords = append(c.coords, float64(i%3)*5+dealt.unit(), dealt.unit())
	}
	labels, k, _ := cluster(c)
	if k != 3 {
		t.Fatalf("%d clusters, want 3", k)
	}
	for i, l := range labels {
		if l != labels[i%3] {
			t.Fatalf("point %d is in cluster %d, want %d as its like", i, l, labels[i%3])
		}
	}
}

func TestTextsBeyondTheFittedOnesArePlacedByTheirWords(t *testing.T) {
	docs := talk(maxFitted, always)
	few := embed(&newTFIDF(contents(docs)).matrix, 4)
	twice := embed(&newTFIDF(contents(append(docs, docs...))).matrix, 4)
	if !few.exact || twice.exact {
		t.Fatal("an SVD of more texts than it is fitted to is not exact")
	}
	for i := range maxFitted {
		for c := range 4 {
			near(t, "coordinate of the same text", twice.coords[(maxFitted+i)*4+c], twice.coords[i*4+c])
		}
	}
	if math.Abs(few.explained-twice.explained) > 0.05 {
		t.Errorf("half of the texts explain %v, all explain %v", twice.explained, few.explained)
	}
}

func TestTextsWithoutDifference(t *testing.T) {
	docs := make([]Document, 400)
	for i := range docs {
		docs[i] = Document{SuiteID: "s", CaseID: strconv.Itoa(i), Passed: i%2 == 0, NewFailure: i%2 == 1, Content: "the very same words"}
	}
	for _, n := range []int{5, 30, 400} {
		o := Observe(docs[:n], n)
		marshal(t, o) // fails on what is no number
		if o.Content.Clusters != 1 {
			t.Errorf("%d equal texts are %d clusters, want one", n, o.Content.Clusters)
		}
		if len(o.FailureGroups) != 1 || o.FailureGroups[0].HeadFailures != n/2 {
			t.Errorf("%d equal texts: %d failures are %d groups, want one", n, n/2, len(o.FailureGroups))
		}
	}
}

func TestSample(t *testing.T) {
	first := []int{3, 500, 999}
	got := Sample(1000, first, 100)
	if len(got) != 100 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != 100 {
		t.Fatalf("sample is %v, want 100 different places in order", got)
	}
	for _, i := range first {
		if !slices.Contains(got, i) {
			t.Errorf("%d is left out, want the first ones in", i)
		}
	}
	if got := Sample(4, first[:1], 100); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("a sample of few is %v, want all", got)
	}
}

func FuzzAnyTextsAreObserved(f *testing.F) {
	f.Add("one two three\nfour\nfive six", "a b\x00\xff", uint8(3))
	f.Add("ΑΣ ΑΣ\nİi\nß ẞ\n१२ ३४", "", uint8(9))
	f.Fuzz(func(t *testing.T, texts, labels string, n uint8) {
		lines := strings.Split(texts, "\n")
		docs := make([]Document, 5+int(n)%40)
		for i := range docs {
			docs[i] = Document{SuiteID: "s", CaseID: strconv.Itoa(i), Category: lines[0], Passed: i%3 > 0, NewFailure: i%2 == 0,
				Content: lines[i%len(lines)], Labels: labels, FailureModes: lines[:1]}
		}
		if o := Observe(docs, len(docs)); o != nil {
			marshal(t, o)
		}
	})
}
